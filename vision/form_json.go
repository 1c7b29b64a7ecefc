package vision

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"strconv"
	"strings"
)

// readJSON reads the values of the text that say where or what. Objects count
// before lists, which also stand in prose.
func readJSON(p Profile, s string) ([]Reading, error) {
	var first error
	var objects, lists []Reading
	from := 0
	for range 40 { // values tried; prose with more brackets is no answer
		i := strings.IndexAny(s[from:], "{[")
		if i < 0 {
			break
		}
		from += i
		v, end, err := readValue(s, from)
		var rs []Reading
		if err == nil {
			rs, err = p.fromValue(v)
		}
		if first == nil {
			first = err
		}
		// What stands inside a broken object may be anything; a list that is cut
		// off was to be the answer. Other broken lists are brackets in prose.
		if err != nil && (s[from] == '{' || end >= len(s)) && len(objects) == 0 {
			return nil, first
		}
		from = max(from+1, end)
		if s[from-1] == '}' || len(rs) > 0 && rs[0].Verb != "" {
			objects = append(objects, rs...)
		} else {
			lists = append(lists, rs...)
		}
	}
	if len(objects) > 0 {
		return merge(objects), nil
	}
	if len(lists) > 0 {
		return merge(lists), nil
	}
	return nil, first
}

// fromValue reads a decoded value; nil where it says nothing of places or acts.
func (p Profile) fromValue(v any) ([]Reading, error) {
	switch v := v.(type) {
	case nil:
		return []Reading{{Absent: true}}, nil
	case string:
		return p.fromString(v)
	case []any:
		return p.fromList(v)
	case map[string]any:
		return p.fromMap(v)
	}
	return nil, nil
}

func (p Profile) fromString(s string) ([]Reading, error) {
	if ns := numbersIn(s); ns != nil {
		return p.places(ns)
	}
	if saysAbsent(s) {
		return []Reading{{Absent: true}}, nil
	}
	return nil, nil
}

// places is one reading of a flat list of numbers.
func (p Profile) places(ns []float64) ([]Reading, error) {
	pl, err := p.place(ns)
	if err != nil {
		return nil, err
	}
	return []Reading{{Places: []Place{pl}}}, nil
}

// place is a point or a box by the count of the numbers. The families of the
// doubao parser leave numbers out or write all four corners.
func (p Profile) place(ns []float64) (Place, error) {
	n := len(ns)
	if p.Parser == "doubao" {
		switch n {
		case 3, 6, 7:
			return Place{Nums: ns[:2]}, nil
		case 5:
			return Place{Nums: ns[:4]}, nil
		case 8: // the corners in turn: the first and the third
			return Place{Nums: []float64{ns[0], ns[1], ns[4], ns[5]}}, nil
		}
	}
	if n == 2 || n == 4 {
		return Place{Nums: ns}, nil
	}
	return Place{}, fmt.Errorf("%d numbers %s: neither a point nor a box", n, numbers(ns))
}

// fromList reads a list: numbers, corners, several places, or several objects.
func (p Profile) fromList(list []any) ([]Reading, error) {
	if len(list) == 0 {
		return []Reading{{Absent: true}}, nil
	}
	if p.Shape != BoxShape && len(list) == 2 {
		if a, b := pair(list[0]), pair(list[1]); a != nil && b != nil {
			return []Reading{{Places: []Place{{Nums: a}, {Nums: b}}}}, nil
		}
	}
	if ns := flat(list); ns != nil {
		return p.places(ns)
	}
	if names(list) {
		return nil, fmt.Errorf("names of fields without numbers: %v", list)
	}
	var out []Reading
	for _, v := range list {
		rs, err := p.fromValue(v)
		if err != nil {
			return nil, err
		}
		out = append(out, rs...)
	}
	return merge(out), nil
}

// flat are the numbers of a list that means one place: [x, y], [[x1, y1, x2,
// y2]], [[x1, y1], [x2, y2]] or all four corners; nil for anything else.
func flat(list []any) []float64 {
	if len(list) == 1 {
		if inner, ok := list[0].([]any); ok {
			return flat(inner)
		}
	}
	var ns []float64
	for _, v := range list {
		switch v := v.(type) {
		case float64:
			ns = append(ns, v)
		case string:
			f, err := strconv.ParseFloat(strings.TrimSpace(v), 64)
			if err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
				return nil
			}
			ns = append(ns, f)
		case []any:
			pair := flat(v)
			if len(pair) != 2 || len(list) != 2 && len(list) != 4 {
				return nil
			}
			ns = append(ns, pair...)
		default:
			return nil
		}
	}
	return ns
}

// pair are two numbers in a list of their own, or nil.
func pair(v any) []float64 {
	list, _ := v.([]any)
	if ns := flat(list); len(ns) == 2 && len(list) == 2 {
		return ns
	}
	return nil
}

// names reports a list of words, as JSON modes make of a prompt's example.
func names(list []any) bool {
	for _, v := range list {
		if s, ok := v.(string); !ok || numbersIn(s) != nil || saysAbsent(s) {
			return false
		}
	}
	return true
}

// merge makes one reading of several that name no act: the places of one
// answer. Equal places count once, absences not where there is a place.
func merge(rs []Reading) []Reading {
	if len(rs) < 2 {
		return rs
	}
	var one Reading
	for _, r := range rs {
		if r.Verb != "" {
			return rs
		}
		for _, pl := range r.Places {
			if !holds(one.Places, pl) {
				one.Places = append(one.Places, pl)
			}
		}
		if r.Mark > 0 {
			one.Mark = r.Mark
		}
		one.Score = max(one.Score, r.Score)
	}
	one.Absent = len(one.Places) == 0 && one.Mark == 0
	return []Reading{one}
}

func holds(ps []Place, pl Place) bool {
	for _, p := range ps {
		if p.String() == pl.String() && p.Named == pl.Named {
			return true
		}
	}
	return false
}

// innerKeys hold an object that says the rest.
var innerKeys = []string{"arguments", "parameters", "args", "action", "result", "answer", "output", "function", "action_input", "response"}

// errNoPlace marks a place key whose value is empty: the thing is not there.
var errNoPlace = errors.New("empty place")

func (p Profile) fromMap(m map[string]any) ([]Reading, error) {
	if list, ok := m["actions"].([]any); ok && len(list) > 0 {
		return p.fromList(list)
	}
	r := Reading{}
	act(&r, m)
	err := p.mapPlaces(&r, m)
	if errors.Is(err, errNoPlace) {
		r.Absent, err = true, nil
	}
	if err != nil {
		return nil, err
	}
	if len(r.Places) == 0 && !r.Absent {
		if done, rs, err := p.inner(r, m); done {
			return rs, err
		}
	}
	if r.Verb == "" && len(r.Places) == 0 && r.Mark == 0 && !r.Absent {
		return nil, nil
	}
	return []Reading{r}, nil
}

// inner reads the object inside m that holds the places. A verb outside counts
// where there is none inside.
func (p Profile) inner(r Reading, m map[string]any) (bool, []Reading, error) {
	for _, k := range innerKeys {
		v := m[k]
		if s, ok := v.(string); ok && strings.HasPrefix(strings.TrimSpace(s), "{") {
			if decoded, _, err := readValue(s, 0); err == nil {
				v = decoded
			}
		}
		im, ok := v.(map[string]any)
		if !ok {
			continue
		}
		if r.Verb != "" && verbOf(im) == "" {
			im = maps.Clone(im)
			im["action"] = r.Verb
		}
		rs, err := p.fromMap(im)
		if err != nil || len(rs) > 0 {
			for i := range rs {
				rs[i].Score = max(rs[i].Score, r.Score)
			}
			return true, rs, err
		}
	}
	return false, nil, nil
}
