package vision

import (
	"fmt"
	"regexp"
	"strconv"
)

var (
	group    = `[(\[]\s*[-+]?[0-9.]+(?:\s*,\s*[-+]?[0-9.]+){1,7}\s*[)\]]`
	groups   = regexp.MustCompile(group + `(?:\s*,\s*` + group + `)*`)
	tenths   = regexp.MustCompile(`\bp\s*=\s*(\d{3})\s*,\s*(\d{3})\b`)
	labelled = regexp.MustCompile(`(?i)\bx\s*[:=]\s*([-+]?[0-9.]+)\D{1,12}?\by\s*[:=]\s*([-+]?[0-9.]+)`)
)

// readBare reads coordinates that stand alone or in prose. One place only: an
// answer that says "not found" and names a place all the same names none.
func readBare(p Profile, s string) ([]Reading, error) {
	if ns := numbersIn(s); ns != nil {
		return p.bare(s, ns)
	}
	var out []Reading
	for _, g := range groups.FindAllString(s, -1) {
		ns := numbersIn(g)
		if ns == nil {
			continue
		}
		rs, err := p.bare(g, ns)
		if err != nil {
			return nil, err
		}
		out = append(out, rs...)
	}
	if len(out) == 0 {
		out = namedInProse(p, s)
	}
	out = merge(out)
	if len(out) > 0 && saysAbsent(s) {
		return []Reading{{Absent: true}}, nil
	}
	if len(out) == 1 && len(out[0].Places) > 1 {
		return nil, fmt.Errorf("%d places in prose", len(out[0].Places))
	}
	return out, nil
}

// bare is the place of numbers without any name. Two pairs are a box only
// where a box was asked for; of two points none is the answer.
func (p Profile) bare(s string, ns []float64) ([]Reading, error) {
	if p.Shape != BoxShape && len(ns) == 4 && len(groupText.FindAllString(s, -1)) == 2 {
		return nil, fmt.Errorf("two points %s in place of one", numbers(ns))
	}
	return p.places(ns)
}

// namedInProse reads "x: 10, y: 20" and, for the molmo parser, "p=615,406":
// tenths of a percent.
func namedInProse(p Profile, s string) []Reading {
	var out []Reading
	add := func(m []string, unit float64) {
		x, errX := strconv.ParseFloat(m[1], 64)
		y, errY := strconv.ParseFloat(m[2], 64)
		if errX == nil && errY == nil {
			out = append(out, Reading{Places: []Place{{Nums: []float64{x / unit, y / unit}, Named: true}}})
		}
	}
	if p.Parser == "molmo" {
		for _, m := range tenths.FindAllStringSubmatch(s, -1) {
			add(m, 10)
		}
	}
	for _, m := range labelled.FindAllStringSubmatch(s, -1) {
		add(m, 1)
	}
	return out
}
