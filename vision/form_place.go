package vision

import (
	"math"
	"regexp"
	"strconv"
	"strings"
)

// placeKeys are the names under which families write where, best first.
var placeKeys = []string{"bbox_2d", "box_2d", "bbox", "box", "point_2d", "point", "coordinate", "coordinates", "position", "click_point",
	"element", "center", "location"}

// startKeys hold the place of an act in the grammars that know drags, endKeys
// where a drag ends.
var (
	startKeys = []string{"start_box", "start_point", "start_coordinate", "start", "from"}
	endKeys   = []string{"end_box", "end_point", "end_coordinate", "end", "to", "coordinate"}
)

// mapPlaces finds the places that the members of m name: one, and a second
// where a drag ends.
func (p Profile) mapPlaces(r *Reading, m map[string]any) error {
	if path, ok := m["path"].([]any); ok && r.Verb == "drag" && len(path) > 1 {
		m = map[string]any{"start": path[0], "end": path[len(path)-1]}
	}
	if ns := corners(m); ns != nil {
		r.Places = append(r.Places, Place{Nums: ns, Named: true})
	} else if err := p.firstMember(r, m, startKeys); err != nil {
		return err
	}
	if len(r.Places) > 0 { // one place is where it starts: another may follow
		return p.firstMember(r, m, endKeys)
	}
	return p.firstMember(r, m, placeKeys)
}

func (p Profile) firstMember(r *Reading, m map[string]any, keys []string) error {
	for _, k := range keys {
		v, ok := m[k]
		if !ok {
			continue
		}
		ps, err := p.member(k, v)
		if err != nil {
			return err
		}
		if len(ps) > 0 {
			r.Places = append(r.Places, ps...)
			return nil
		}
	}
	return nil
}

// member are the places under one key: none where a text stands there that
// names none, errNoPlace where nothing stands there.
func (p Profile) member(key string, v any) ([]Place, error) {
	if strings.Contains(key, "box") {
		p.Shape = BoxShape
	}
	switch v := v.(type) {
	case map[string]any:
		if ns := corners(v); ns != nil {
			return []Place{{Nums: ns, Named: true}}, nil
		}
	case string:
		if strings.TrimSpace(v) == "" {
			return nil, errNoPlace
		}
		if rs, err := readTags(p, v); err != nil || len(rs) > 0 {
			return placesOf(rs), err
		}
	}
	rs, err := p.fromValue(v)
	if err != nil {
		return nil, err
	}
	if rs = merge(rs); len(rs) > 0 && rs[0].Absent {
		return nil, errNoPlace
	}
	return placesOf(rs), nil
}

func placesOf(rs []Reading) []Place {
	var out []Place
	for _, r := range rs {
		out = append(out, r.Places...)
	}
	return out
}

// cornerNames are the ways to name the numbers of a box.
var cornerNames = [][4]string{{"x1", "y1", "x2", "y2"}, {"xmin", "ymin", "xmax", "ymax"}, {"x_min", "y_min", "x_max", "y_max"},
	{"left", "top", "right", "bottom"}}

// corners are the numbers of a point or box written under their names.
func corners(m map[string]any) []float64 {
	for _, ns := range cornerNames {
		if v := get(m, ns[:]...); v != nil {
			return v
		}
	}
	for _, ns := range [][4]string{{"x", "y", "width", "height"}, {"x", "y", "w", "h"}, {"left", "top", "width", "height"}} {
		if v := get(m, ns[:]...); v != nil {
			return []float64{v[0], v[1], v[0] + v[2], v[1] + v[3]}
		}
	}
	return get(m, "x", "y")
}

// get are the numbers under the names; nil where one is missing.
func get(m map[string]any, names ...string) []float64 {
	var out []float64
	for _, n := range names {
		f, ok := number(m[n])
		if !ok {
			return nil
		}
		out = append(out, f)
	}
	return out
}

func number(v any) (float64, bool) {
	switch v := v.(type) {
	case float64:
		return v, true
	case string:
		f, err := strconv.ParseFloat(strings.TrimSpace(v), 64)
		return f, err == nil && !math.IsNaN(f) && !math.IsInf(f, 0)
	}
	return 0, false
}

var (
	tagMark  = regexp.MustCompile(`</?[a-z_]+>|<\|/?[a-z_]+\|>`)
	numeral  = regexp.MustCompile(`[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?`)
	onlyNums = regexp.MustCompile(`^[\s,;()\[\]<>]*([-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?[\s,;()\[\]<>]*)+$`)
)

// numbersIn are the numbers of a text that holds nothing else but brackets,
// commas and tags; nil where it does, or there are fewer than two.
func numbersIn(s string) []float64 {
	s = tagMark.ReplaceAllString(s, " ")
	if len(s) > 400 || !onlyNums.MatchString(s) {
		return nil
	}
	var out []float64
	for _, t := range numeral.FindAllString(s, -1) {
		f, err := strconv.ParseFloat(t, 64)
		if err != nil || math.IsInf(f, 0) {
			return nil
		}
		out = append(out, f)
	}
	if len(out) < 2 {
		return nil
	}
	return out
}
