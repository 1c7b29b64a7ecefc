package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"harness/classify"
	"harness/dom"
	"harness/internal/site"
	"harness/scenarios"
)

// classifyOptions are the flags of `harness classify`.
type classifyOptions struct {
	page    string // address or file
	json    bool
	all     bool // every day of a calendar in a line of its own
	why     bool // the reasons, too
	site    string
	timeout time.Duration
}

// newClassifyCmd makes the command; open is how it gets a page for an address.
func newClassifyCmd(a *app, open opener) *cobra.Command {
	var o classifyOptions
	cmd := &cobra.Command{
		Use:   "classify URL|FILE.html",
		Short: "list what a page has to use, grouped by kind",
		Long: `classify lists the elements of a page that a person could use, grouped into 14
kinds (calendar, date, input, button, link …), with how sure it is. A saved page
and the live one get the same answer.`,
		Example: `  harness classify https://flights.test/ --site fixtures/sites/flights
  harness classify debug_html/20260130-150405/01-click.html --json`,
		Args: usageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.page = args[0]
			return runClassify(cmd.Context(), a, o, open)
		},
	}
	f := cmd.Flags()
	f.BoolVar(&o.json, "json", false, "print one JSON object")
	f.BoolVar(&o.all, "all", false, "give every day of a calendar a line of its own")
	f.BoolVar(&o.why, "why", false, "print the reasons under each element")
	f.StringVar(&o.site, "site", "", "recorded site (folder or HAR) in place of the network")
	f.DurationVar(&o.timeout, "timeout", 30*time.Second, "most time for opening an address")
	return cmd
}

func runClassify(ctx context.Context, a *app, o classifyOptions, open opener) error {
	s, err := readPage(ctx, o, open)
	if err != nil {
		return err
	}
	if o.json {
		return writeJSONLine(a.out, pageJSON(s, o.page))
	}
	v := newView(a.out)
	v.page(s, o.page)
	v.kinds(s, o.all, o.why)
	return v.err
}

// readPage is the snapshot of an address or of a saved page.
func readPage(ctx context.Context, o classifyOptions, open opener) (*dom.Snapshot, error) {
	if !isAddress(o.page) {
		return readSaved(o.page)
	}
	ctx, cancel := context.WithTimeout(ctx, o.timeout)
	defer cancel()
	po, err := sitePage(o.site)
	if err != nil {
		return nil, err
	}
	page, err := open(ctx, po)
	if err != nil {
		return nil, err
	}
	defer page.Close()
	if err := page.Goto(ctx, o.page); err != nil {
		return nil, fmt.Errorf("%s: %w", o.page, err)
	}
	if _, err := page.Settle(ctx, settleQuiet, settleLimit); err != nil {
		return nil, fmt.Errorf("%s: %w", o.page, err)
	}
	s, err := page.Snapshot(ctx, dom.Query{})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", o.page, err)
	}
	return s, nil
}

// sitePage are the options of a page of a recorded site, with what the site
// brings; of the network where path is "".
func sitePage(path string) (scenarios.PageOptions, error) {
	if path == "" {
		return scenarios.PageOptions{}, nil
	}
	st, err := site.Load(path)
	if err != nil {
		return scenarios.PageOptions{}, &inputError{err}
	}
	return scenarios.PageOptions{Site: st, Settings: scenarios.SettingsOf(st)}, nil
}

// How long an address must have been at rest before it is read.
const (
	settleQuiet = 300 * time.Millisecond
	settleLimit = 5 * time.Second
)

// isAddress tells addresses from files.
func isAddress(s string) bool {
	return strings.HasPrefix(s, "http://") || strings.HasPrefix(s, "https://") || strings.HasPrefix(s, "data:")
}

// readSaved parses a saved page; "-" is not special.
func readSaved(path string) (*dom.Snapshot, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, &inputError{err}
	}
	defer f.Close()
	s, err := dom.ParseHTML(f)
	if err != nil {
		return nil, &inputError{fmt.Errorf("%s: %w", path, err)}
	}
	return s, nil
}

// itemJSON is an element in the output of classify and inspect.
type itemJSON struct {
	Kind       classify.Kind `json:"kind"`
	Confidence int           `json:"confidence"`
	Name       string        `json:"name"`
	Role       string        `json:"role,omitempty"`
	Tag        string        `json:"tag"`
	ID         string        `json:"id,omitempty"`
	Value      string        `json:"value,omitempty"`
	Day        *int          `json:"day,omitempty"` // of a calendar's day cell; 0: it shows a word
	Disabled   bool          `json:"disabled,omitempty"`
	Frame      string        `json:"frame,omitempty"` // "" is the main frame
	Ref        string        `json:"ref"`
	Box        *dom.Rect     `json:"box,omitempty"` // CSS px; none in saved pages without boxes
	Reasons    []string      `json:"reasons"`
}

type pageOut struct {
	Page  string     `json:"page"`
	URL   string     `json:"url,omitempty"`
	Title string     `json:"title,omitempty"`
	Items []itemJSON `json:"items"`
}

func pageJSON(s *dom.Snapshot, page string) pageOut {
	out := pageOut{Page: page, URL: s.URL, Title: s.Title, Items: []itemJSON{}}
	for _, it := range classify.Page(s) {
		j := itemJSON{Kind: it.Kind, Confidence: it.Confidence, Name: nameOf(it.Node), Role: it.Node.Role(), Tag: it.Node.Tag, ID: it.Node.Attr("id"),
			Value: it.Node.Value, Disabled: it.Node.Disabled(), Frame: it.Node.FramePath(), Ref: it.Node.Ref.String(), Reasons: it.Reasons}
		if it.Day >= 0 {
			j.Day = &it.Day
		}
		if !it.Node.Box.Empty() {
			j.Box = &it.Node.Box
		}
		out.Items = append(out.Items, j)
	}
	return out
}

// nameOf is what a person would call the element: its name, its text, or what
// stands in it.
func nameOf(n *dom.Node) string {
	if n.TakesText() && n.Label() == "" {
		if s := classify.Caption(n); s != "" {
			return s
		}
	}
	for _, s := range []string{n.Name(), n.InnerText(), n.Attr("placeholder"), n.Value, n.Attr("title"), n.Attr("name")} {
		if s = dom.Squash(s); s != "" {
			return s
		}
	}
	return ""
}

// writeJSONLine prints a value as indented JSON.
func writeJSONLine(w io.Writer, v any) error {
	data, err := indentJSON(v)
	if err != nil {
		return err
	}
	_, err = w.Write(data)
	return err
}
