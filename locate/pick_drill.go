package locate

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"time"

	"harness/dom"
)

const (
	drillWait  = 1000 * time.Millisecond // for a choice of months or years to appear
	maxChoices = 12                      // answers and scrolls in choices of years and months
)

// choice is an element that stands for a year or a month in a choice of them.
type choice struct {
	node  *dom.Node
	value int
}

// drill goes to the month by the calendar's heading: a press on it shows years
// or months to choose from, as often as needed. The calendar may show another
// month afterwards, or the same.
func (p *picker) drill(ctx context.Context, c *calendar, to yearMonth) error {
	p.drilled = true
	root := drillRoot(c.panel).Ref
	heads := c.headings(to)
	for _, h := range heads {
		h = p.again(h)
		if h == nil {
			continue
		}
		if err := p.try(ctx, h.Ref); err != nil {
			if errors.Is(err, ErrStale) || errors.Is(err, ErrNotActionable) || errors.Is(err, ErrTimeout) {
				continue
			}
			return err
		}
		p.note("press %s", describe(h))
		p.heading = h.Ref
		if err := p.choose(ctx, root, to); err != nil {
			return err
		}
		if c := p.calendar(); c != nil && c.month(to) != nil {
			return nil
		}
	}
	return p.backFromDrill(ctx, root)
}

// drillRoot is where choices may appear: the popup of the calendar, or what
// surrounds one that stands in the page.
func drillRoot(panel *dom.Node) *dom.Node {
	if up := popupOf(panel); up != panel {
		return up
	}
	up := panel
	for range 2 {
		p := parentElement(up)
		if p == nil || p.Tag == "body" || tooWide(p, up) {
			break
		}
		up = p
	}
	return up
}

// headings are the heading controls to press: that of the year first, where the
// year differs.
func (c *calendar) headings(to yearMonth) []*dom.Node {
	first, _ := c.span()
	var years, months, both []*dom.Node
	for i := range c.controls {
		k := &c.controls[i]
		if k.kind != drills || k.off {
			continue
		}
		t := k.node.InnerText()
		hasYear := strings.Contains(plainDigits(t), strconv.Itoa(first.year()))
		switch {
		case hasYear && len([]rune(strings.TrimSpace(t))) <= 5:
			years = append(years, k.node)
		case hasYear:
			both = append(both, k.node)
		default:
			months = append(months, k.node)
		}
	}
	if len(both) > 0 {
		return both[:1]
	}
	var out []*dom.Node
	if first.year() != to.year() && len(years) > 0 {
		out = append(out, years[0])
	}
	if len(months) > 0 {
		out = append(out, months[0])
	}
	if first.year() != to.year() && len(years) == 0 {
		return nil
	}
	return out
}

// again is the element as it stands now: by its number, or one that looks the same.
func (p *picker) again(n *dom.Node) *dom.Node {
	if now := p.s.ByRef(n.Ref); now != nil {
		return now
	}
	for _, c := range p.s.Nodes {
		if c.Tag == n.Tag && c.Attr("class") == n.Attr("class") && c.IsElement() && c.Attr("class") != "" {
			if ok, _ := c.Visible(); ok && len(c.InnerText()) <= maxControlText {
				return c
			}
		}
	}
	return nil
}

// choose answers the choices of years and months until days are shown again.
func (p *picker) choose(ctx context.Context, root dom.Ref, to yearMonth) error {
	climbed := false
	chosen := map[dom.Ref]bool{}
	for range maxChoices {
		years, months, err := p.choices(ctx, root)
		if err != nil || len(years) == 0 && len(months) == 0 {
			return err
		}
		var next *dom.Node
		switch {
		case grouped(months): // years with their months in one list
			if next = ofYear(months, years, to); next == nil {
				moved, err := p.scrollChoices(ctx, months, years, to)
				if err != nil || !moved {
					return err
				}
				continue
			}
		case len(years) > 0:
			next = pickChoice(years, to.year())
			if next == nil {
				return nil
			}
		case !climbed && p.yearOver(root, to) != nil:
			// Months of another year: up to the years first.
			next, climbed = p.yearOver(root, to), true
		default:
			next = pickChoice(months, to.month())
		}
		if next == nil || chosen[next.Ref] {
			return nil
		}
		chosen[next.Ref] = true
		if err := p.try(ctx, next.Ref); err != nil {
			if errors.Is(err, ErrStale) || errors.Is(err, ErrNotActionable) || errors.Is(err, ErrTimeout) {
				return p.read(ctx)
			}
			return err
		}
		p.note("choose %s", quoted(next.InnerText()))
		if err := p.answered(ctx, next.Ref); err != nil {
			return err
		}
		if c := p.calendar(); c != nil && c.month(to) != nil {
			return nil
		}
	}
	return nil
}

// answered waits until the choice that was pressed is no longer offered.
func (p *picker) answered(ctx context.Context, ref dom.Ref) error {
	end := time.Now().Add(drillWait)
	for {
		if err := p.read(ctx); err != nil {
			return err
		}
		n := p.s.ByRef(ref)
		if n == nil || time.Now().After(end) {
			return nil
		}
		if ok, _ := n.Visible(); !ok {
			return nil
		}
		if err := pause(ctx, lookStep); err != nil {
			return err
		}
	}
}

// yearOver is the heading over a choice of months that says another year.
func (p *picker) yearOver(root dom.Ref, to yearMonth) *dom.Node {
	var found *dom.Node
	if up := p.s.ByRef(root); up != nil {
		up.Walk(func(n *dom.Node) bool {
			if found != nil || !n.IsElement() {
				return false
			}
			y, m, ok := p.words.monthYear(n.InnerText())
			if ok && m == 0 && y > 0 && y != to.year() && (takesPress(n) || n.Facts.Has(dom.Pointer)) {
				if vis, _ := n.Visible(); vis {
					found = n
				}
			}
			return true
		})
	}
	return found
}

// grouped reports a list that names every month more than once.
func grouped(months []choice) bool {
	return len(months) >= 2*12 || len(months) > 12 && !distinct(months, len(months))
}

// scrollChoices scrolls a list of years and their months towards the year.
func (p *picker) scrollChoices(ctx context.Context, months, years []choice, to yearMonth) (bool, error) {
	list := months[0].node.Closest(func(n *dom.Node) bool { return n.Facts.Has(dom.ScrollsY) && n.Tag != "body" && n.Tag != "html" })
	if list == nil || len(years) == 0 {
		return false, nil
	}
	step := list.Box.H
	if to.year() < years[0].value {
		step = -step
	}
	moved, err := p.page.Scroll(ctx, list.Ref, 0, step)
	if err != nil || !moved {
		return false, err
	}
	return true, p.readSoon(ctx)
}

// ofYear is the month in a list of several years: the one behind the year's label.
func ofYear(months, years []choice, to yearMonth) *dom.Node {
	for _, m := range months {
		if m.value != to.month() {
			continue
		}
		label := 0
		for _, y := range years {
			if y.node.Index < m.node.Index {
				label = y.value
			}
		}
		if label == to.year() {
			return m.node
		}
	}
	return nil
}

func pickChoice(list []choice, value int) *dom.Node {
	for _, c := range list {
		if c.value == value {
			return c.node
		}
	}
	return nil
}

// choices waits until the popup shows a choice of years or months.
func (p *picker) choices(ctx context.Context, root dom.Ref) (years, months []choice, err error) {
	end := time.Now().Add(drillWait)
	for {
		if err := p.read(ctx); err != nil {
			return nil, nil, err
		}
		up := p.s.ByRef(root)
		if up == nil {
			return nil, nil, nil
		}
		years, months = p.choicesIn(up)
		if len(years) > 0 || len(months) > 0 || time.Now().After(end) {
			return years, months, nil
		}
		if err := pause(ctx, lookStep); err != nil {
			return nil, nil, err
		}
	}
}

// choicesIn finds lists of at least eight years or twelve months that could be pressed.
func (p *picker) choicesIn(up *dom.Node) (years, months []choice) {
	up.Walk(func(n *dom.Node) bool {
		if !n.IsElement() {
			return false
		}
		if n.Tag == "select" {
			return false
		}
		t := dom.Squash(n.InnerText())
		if t == "" || len(t) > 24 || len(elementsOf(n)) > 1 {
			return true
		}
		y, m, ok := p.words.monthYear(t)
		if !ok || y > 0 && m > 0 {
			return true
		}
		if vis, _ := n.Visible(); !vis || n.Disabled() || n.Ref == p.heading || p.s.ByRef(p.heading).Within(n) || n.Within(p.s.ByRef(p.heading)) {
			return false
		}
		if y > 0 {
			years = append(years, choice{n, y})
		} else {
			months = append(months, choice{n, m})
		}
		return false
	})
	if !distinct(months, 12) {
		months = nil
	}
	if !distinct(years, 8) && !grouped(months) {
		years = nil
	}
	return years, months
}

func elementsOf(n *dom.Node) []*dom.Node {
	var out []*dom.Node
	for _, c := range n.Children {
		if c.IsElement() {
			out = append(out, c)
		}
	}
	return out
}

func distinct(list []choice, least int) bool {
	seen := map[int]bool{}
	for _, c := range list {
		seen[c.value] = true
	}
	return len(seen) >= least
}

// backFromDrill makes sure that days are shown again, and no choice over them: a
// heading that opened one closes it.
func (p *picker) backFromDrill(ctx context.Context, root dom.Ref) error {
	if up := p.s.ByRef(root); up != nil {
		years, months := p.choicesIn(up)
		if h := p.s.ByRef(p.heading); h != nil && len(years)+len(months) > 0 {
			if err := p.try(ctx, h.Ref); err != nil && ctx.Err() != nil {
				return err
			}
			p.note("press %s again", describe(h))
		}
	}
	return p.readSoon(ctx)
}

// scrollMonths scrolls a list of months towards the wanted one.
func (p *picker) scrollMonths(ctx context.Context, c *calendar, ahead int) (bool, error) {
	list := c.months[0].grid.Closest(func(n *dom.Node) bool { return n.Facts.Has(dom.ScrollsY) && n.Tag != "body" && n.Tag != "html" })
	if list == nil {
		return false, nil
	}
	was := spans(c)
	step := float64(ahead) * max(c.months[len(c.months)-1].box().H*1.15, 120)
	moved, err := p.page.Scroll(ctx, list.Ref, 0, step)
	if err != nil {
		return false, err
	}
	if err := p.readSoon(ctx); err != nil {
		return false, err
	}
	if now := p.calendar(); now != nil && difference(was, spans(now)) == 0 && len(now.months) == len(was) && !moved {
		return false, nil
	}
	p.note("scroll the months: %s", p.saysNow())
	return true, nil
}
