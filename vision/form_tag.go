package vision

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

var (
	tagged = regexp.MustCompile(`(?s)<(point|bbox|box)>(.*?)</(point|bbox|box)>|<\|box_start\|>(.*?)<\|box_end\|>|` +
		`<\|det\|>(.*?)<\|/det\|>|<\|begin_of_box\|>(.*?)(?:<\|end_of_box\|>|$)`)
	molmoTag = regexp.MustCompile(`<points?\s+([^>]*)>`)
	molmoXY  = regexp.MustCompile(`\b([xy])(\d*)\s*=\s*"\s*([0-9.]+)\s*"`)
	coordsAt = regexp.MustCompile(`\bcoords\s*=\s*"([^"]*)"`)
)

// readTags reads places that stand in tags.
func readTags(p Profile, s string) ([]Reading, error) {
	if m := molmoTag.FindAllStringSubmatch(s, -1); m != nil {
		return p.molmoTags(m)
	}
	var out []Reading
	for _, m := range tagged.FindAllStringSubmatch(s, -1) {
		inner := strings.TrimSpace(m[2] + m[4] + m[5] + m[6])
		if inner == "" {
			return []Reading{{Absent: true}}, nil
		}
		rs, err := p.insideTag(inner)
		if err != nil {
			return nil, err
		}
		out = append(out, rs...)
	}
	return merge(out), nil
}

// insideTag reads numbers, lists of boxes, or another form.
func (p Profile) insideTag(s string) ([]Reading, error) {
	if ns := numbersIn(s); ns != nil {
		if many := boxes(s, ns); many != nil {
			return []Reading{{Places: many}}, nil
		}
		return p.places(ns)
	}
	for _, f := range []form{readCalls, readJSON} {
		if rs, err := f(p, s); err != nil || len(rs) > 0 {
			return rs, err
		}
	}
	if saysAbsent(s) {
		return []Reading{{Absent: true}}, nil
	}
	return nil, fmt.Errorf("no coordinates in the tag: %s", oneLine(s))
}

var groupText = regexp.MustCompile(`[\[(<]([^\[\](){}<>]*)[\])>]`)

// boxes are the places of a text with several groups of four numbers; nil
// where there is at most one.
func boxes(s string, ns []float64) []Place {
	groups := groupText.FindAllStringSubmatch(s, -1)
	if len(ns) < 8 || len(groups)*4 != len(ns) {
		return nil
	}
	var out []Place
	for i := range groups {
		out = append(out, Place{Nums: ns[4*i : 4*i+4]})
	}
	return out
}

// molmoTags reads <point x= y=>, <points x1= y1= …> and <points coords=…>.
// Their numbers stand under names, so that no order applies.
func (p Profile) molmoTags(tags [][]string) ([]Reading, error) {
	var r Reading
	for _, t := range tags {
		if m := coordsAt.FindStringSubmatch(t[1]); m != nil {
			ps, err := molmoCoords(m[1])
			if err != nil {
				return nil, err
			}
			r.Places = append(r.Places, ps...)
			continue
		}
		r.Places = append(r.Places, molmoPoints(t[1])...)
	}
	if len(r.Places) == 0 {
		return nil, fmt.Errorf("a point without coordinates")
	}
	return []Reading{r}, nil
}

// molmoPoints are the points of x="…" y="…" pairs, in the order of their numbers.
func molmoPoints(attrs string) []Place {
	at := map[string]map[string]float64{}
	var order []string
	for _, m := range molmoXY.FindAllStringSubmatch(attrs, -1) {
		f, err := strconv.ParseFloat(m[3], 64)
		if err != nil {
			continue
		}
		if at[m[2]] == nil {
			at[m[2]] = map[string]float64{}
			order = append(order, m[2])
		}
		at[m[2]][m[1]] = f
	}
	var out []Place
	for _, n := range order {
		x, okX := at[n]["x"]
		y, okY := at[n]["y"]
		if okX && okY {
			out = append(out, Place{Nums: []float64{x, y}, Named: true})
		}
	}
	return out
}

// molmoCoords reads "1 1 615 406": the number of the image, then triples of
// number, x, y.
func molmoCoords(s string) ([]Place, error) {
	ns := numbersIn(s)
	if len(ns) < 4 || (len(ns)-1)%3 != 0 {
		return nil, fmt.Errorf("coords %q: an image number and triples should stand here", clip(s, 60))
	}
	var out []Place
	for i := 1; i+2 < len(ns); i += 3 {
		out = append(out, Place{Nums: []float64{ns[i+1], ns[i+2]}, Named: true})
	}
	return out, nil
}
