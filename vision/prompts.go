package vision

import (
	"fmt"
	"strings"
)

// Task is what a model is asked to do with a screenshot.
type Task int

// The tasks.
const (
	LocateTask Task = iota // say where one thing is
	ActTask                // say what to do next
)

// prompt is how a grammar is asked for. The texts hold no number and no name
// that a model could give back as its answer; {units}, {size}, {words}, {hint}
// are filled in.
type prompt struct {
	locate string // the form of an answer to "where"
	act    string // the form of an answer to "what next"; "" means the locate form has none
	user   string // what is asked; "" means userLocate
	bare   bool   // the family was trained on short questions: no system prompt for locate
}

const (
	roleLocate = "You are shown a screenshot of a web page and find one element on it. You do not act: you only say where it is.\n"
	ruleLocate = "\nTake the one element that the words describe, not its neighbour and not a text that only mentions it. " +
		"Where no visible element fits the words, answer only: not found"
	roleAct = "You operate a web page through its screenshots. For each screenshot say the one next act that brings the task forward.\n"
	ruleAct = "\nAct only on what you see. When the task is done, say so with its answer; when it cannot be done, say why."

	userLocate = "Where is this element: {words}{hint}"
	userAct    = "The task: {words}{hint}"

	pixelScreen = "The screen measures {size} pixels; coordinates are pixels of it. "
	relScreen   = "Coordinates are {units}. "

	computerLocate = "Answer with one tool call and nothing else, in this form, with x and y of the element's middle:\n" +
		"<tool_call>\n{\"name\": \"computer_use\", \"arguments\": {\"action\": \"left_click\", \"coordinate\": [x, y]}}\n</tool_call>"
	computerAct = "Answer with a line that begins with Action: and says the act in short, then one tool call in this form:\n" +
		"<tool_call>\n{\"name\": \"computer_use\", \"arguments\": {\"action\": ..., ...}}\n</tool_call>\n" +
		"Acts: left_click, double_click, right_click, mouse_move (coordinate); left_click_drag (start_coordinate, coordinate); " +
		"type (text); key (keys, a list); scroll (coordinate, pixels, negative is down); wait; " +
		"answer (text); terminate (status: success or failure)."

	tarsLocate = "Answer in two lines. The first begins with Thought: and says in short what you see. The second is "
	tarsAct    = "Answer in two lines. The first begins with Thought: and says in short why. The second begins with Action: and holds one of\n"
	tarsEnd    = "type(content='...') - a line break at its end submits\nhotkey(key='...')\nwait()\nfinished(content='...')\ncall_user()"
)

// prompts by the names that Profile.Prompt may bear.
var prompts = map[string]prompt{
	"box": {locate: `Answer with JSON only: an object with the key "bbox_2d", whose value is the list of the element's left, top, right and bottom, and the key "label". The values are {units}.`,
		act: jsonAct(`"bbox_2d", the list of left, top, right and bottom of the element,`)},
	"point": {locate: `Answer with JSON only: an object with the key "point_2d", whose value is the list of x and y of the element's middle. The values are {units}.`,
		act: jsonAct(`"point_2d", the list of x and y of the element's middle,`)},
	"px-box": {locate: `The image measures {size} pixels. Answer with JSON only: an object with the key "bbox", whose value is the list of the element's left, top, right and bottom in pixels of the image.`,
		act: jsonAct(`"bbox", the list of left, top, right and bottom of the element in pixels of the image, which measures {size},`)},
	"px-point": {locate: `The image measures {size} pixels. Answer with JSON only: an object with the key "point", whose value is the list of x and y of the element's middle in pixels of the image, from its top left corner.`,
		act: jsonAct(`"point", the list of x and y of the element's middle in pixels of the image, which measures {size},`)},
	"y-first": {locate: `Answer with JSON only: an object with the key "box_2d", whose value is the list of the element's top, left, bottom and right, in that order. The values are {units}.`,
		act: jsonAct(`"box_2d", the list of top, left, bottom and right of the element,`)},
	"calibrate":  {locate: `Answer with JSON only: an object with the key "point_2d", whose value is the list of the coordinates of the element's middle, in the order and units in which you were trained to give them.`},
	"fraction":   {locate: `Answer only with the list [x, y] of the element's middle, where x and y are {units}.`, act: jsonAct(`"position", the list of x and y of the element's middle,`)},
	"point-only": {locate: `Output only the coordinate of one point in the element, as (x, y). Coordinates are {units}.`, act: jsonAct(`"coordinate", the list of x and y of a point in the element,`)},
	"refs":       {bare: true, user: "Give the bounding box of the region that this sentence describes: <ref>{words}{hint}</ref>", act: jsonAct(`"bbox_2d", the list of left, top, right and bottom of the element,`)},
	"molmo":      {bare: true, user: "Point to: {words}{hint}", act: jsonAct(`"x" and "y" of the element's middle`)},
	"computer-use-px": {locate: pixelScreen + computerLocate,
		act: pixelScreen + computerAct},
	"computer-use-relative": {locate: relScreen + computerLocate, act: relScreen + computerAct},
	"gui-plus": {locate: guiPlus("parameters: x and y of the element's middle, and description. Use the action CLICK; where no visible element fits, use FAIL."),
		act: guiPlus("parameters, by the action: CLICK (x, y, description), TYPE (text, needs_enter), SCROLL (direction: up or down; amount: small, medium or large), KEY_PRESS (key), FINISH (message), FAIL (reason).")},
	"ui-tars": {locate: tarsLocate + "Action: click(start_box='(x,y)')\nwith the element's middle for x and y; where no visible element fits, it is Action: finished(content='not found')",
		act: tarsAct + "click(start_box='(x,y)')\nleft_double(start_box='(x,y)')\nright_single(start_box='(x,y)')\ndrag(start_box='(x,y)', end_box='(x,y)')\nscroll(start_box='(x,y)', direction='down or up or right or left')\n" + tarsEnd},
	"ui-tars-point": {locate: tarsLocate + "Action: click(point='<point>x y</point>')\nwith the element's middle for x and y; where no visible element fits, it is Action: finished(content='not found')",
		act: tarsAct + "click(point='<point>x y</point>')\nleft_double(point='<point>x y</point>')\nright_single(point='<point>x y</point>')\ndrag(start_point='<point>x y</point>', end_point='<point>x y</point>')\nscroll(point='<point>x y</point>', direction='down or up or right or left')\n" + tarsEnd},
	"autoglm": {locate: "Answer with one call and nothing else: do(action=\"Tap\", element=[x,y]) with the element's middle; coordinates are {units}. Where no visible element fits, answer finish(message=\"not found\").",
		act: "Answer with one call and nothing else: do(action=\"Tap\", element=[x,y]), do(action=\"Double Tap\", element=[x,y]), do(action=\"Type\", text=\"...\"), do(action=\"Swipe\", start=[x,y], end=[x,y]), do(action=\"Back\"), do(action=\"Wait\"), or finish(message=\"...\"). Coordinates are {units}."},
}

func guiPlus(parameters string) string {
	return "Answer with one JSON object and nothing else. Its keys are thought (why, in short), action, and " + parameters +
		" Coordinates are pixels of the image, which measures {size}."
}

// jsonAct is the act form of the families without an agent grammar of their own.
func jsonAct(place string) string {
	return "Answer with one JSON object and nothing else. Its keys are \"thought\" (why, in short), \"action\", and what the action needs. " +
		"click, double_click, right_click, hover need " + place + "; type needs \"text\" and may have \"submit\": true; press needs \"keys\"; " +
		"scroll needs \"direction\"; wait and back need nothing; done needs \"answer\"; fail needs \"reason\". Coordinates are {units}."
}

func (p Profile) promptName() string {
	switch {
	case p.Prompt != "":
		return p.Prompt
	case p.Shape == BoxShape:
		return "box"
	}
	return "point"
}

// Ask is the system prompt and the user's text for a screenshot. The system
// prompt can be empty.
func (p Profile) Ask(t Task, g Geometry, words, hint string) (system, user string) {
	pr := prompts[p.promptName()]
	if hint != "" {
		hint = " (" + hint + ")"
	}
	fill := strings.NewReplacer("{units}", p.units(), "{size}", fmt.Sprintf("%d x %d", g.Model.W, g.Model.H), "{words}", words, "{hint}", hint)
	if t == ActTask {
		return fill.Replace(roleAct + pr.act + ruleAct), fill.Replace(userAct)
	}
	user = userLocate
	if pr.user != "" {
		user = pr.user
	}
	if pr.bare {
		return "", fill.Replace(user)
	}
	return fill.Replace(roleLocate + pr.locate + ruleLocate), fill.Replace(user)
}

// units are the grid in words: digits would be copied.
func (p Profile) units() string {
	switch {
	case p.Grid.px() && p.Grid.Fractions, p.Grid.W == 1:
		return "fractions of the image's width and height, between zero and one"
	case p.Grid.px():
		return "pixels of the image"
	case p.Grid.W == 1000 && p.Grid.H == 1000:
		return "whole numbers from zero to one thousand, one thousand being the image's full width or height"
	case p.Grid.W == 999 && p.Grid.H == 999:
		return "whole numbers from zero to nine hundred and ninety-nine, the image's full width or height"
	case p.Grid.W == 100 && p.Grid.H == 100:
		return "percent of the image's width and height"
	}
	return fmt.Sprintf("pixels of a screen of %g x %g", p.Grid.W, p.Grid.H)
}

// MarksNote is added to the question where numbered marks are drawn.
const MarksNote = "Boxes with numbers are drawn over the page; they are not part of it. " +
	"If one of them is the element, answer only with JSON: an object with the key \"mark\", whose value is its number."

// Complaint is what a model is told of an answer that cannot be used.
func Complaint(reason string) string {
	return "That answer cannot be used: " + reason + ". Look at the screenshot again and answer in the form that was asked for, with nothing else."
}
