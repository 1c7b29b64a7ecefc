package agent

import (
	"context"
	"fmt"
	"strings"
)

// PlainPolicy does what a task says in plain imperative words, English or
// Chinese, several steps in a sentence, by rules alone:
//
//	click 单程, type 上海 into 出发地, pick 2026-01-30 in 出发日期, click 搜索, and read the first flight
//
// What it reads off the page at the end is the answer.
type PlainPolicy struct {
	steps []plainStep
	next  int
	waits int // looks in vain for what is to be read
	read  []string
}

// plainStep is one clause: an action, or something to read.
type plainStep struct {
	part   string // the clause as written
	action *Action
	read   *reading
}

// UnclearError names the parts of a task that the rules do not understand.
type UnclearError struct {
	Parts []string
	Hints []string // parallel; "" where nothing is near
}

func (e *UnclearError) Error() string {
	var b strings.Builder
	b.WriteString("not understood:")
	for i, p := range e.Parts {
		if i > 0 {
			b.WriteString(",")
		}
		b.WriteString(" " + quoted(p))
		if e.Hints[i] != "" {
			b.WriteString(" (" + e.Hints[i] + ")")
		}
	}
	return b.String()
}

// NewPlain reads the task. It fails with *UnclearError, which names every part
// that no rule reads, before anything is done.
func NewPlain(task string) (*PlainPolicy, error) {
	p := &PlainPolicy{}
	unclear := &UnclearError{}
	for _, part := range clauses(task) {
		step, err := readClause(part)
		if err != nil {
			unclear.Parts = append(unclear.Parts, part)
			unclear.Hints = append(unclear.Hints, err.Error())
			continue
		}
		p.steps = append(p.steps, *step)
	}
	if len(unclear.Parts) > 0 {
		return nil, unclear
	}
	if len(p.steps) == 0 {
		return nil, &UnclearError{Parts: []string{task}, Hints: []string{"nothing to do"}}
	}
	return p, nil
}

// Actions are the acts that the task was read as; what is to be read off the
// page is not among them.
func (p *PlainPolicy) Actions() []Action {
	var out []Action
	for _, s := range p.steps {
		if s.action != nil {
			out = append(out, *s.action)
		}
	}
	return out
}

// maxReadWaits bounds the looks for what is to be read; between two lies
// readPause.
const (
	maxReadWaits = 16
	readPause    = "500ms"
)

// Next is the next clause. A failed act ends the run, and so does a thing to
// read that does not appear.
func (p *PlainPolicy) Next(_ context.Context, o *Observation, h *History) (*Decision, error) {
	if last := h.Last(); last != nil && last.Err != nil {
		return decideDone(p.answer(), false), nil
	}
	for p.next < len(p.steps) {
		s := p.steps[p.next]
		if s.action != nil {
			p.next++
			return &Decision{Calls: []Call{{Name: s.action.Verb, Action: s.action}}}, nil
		}
		text, ok := s.read.from(o)
		if !ok && p.waits < maxReadWaits {
			p.waits++
			return &Decision{Calls: []Call{{Name: "wait", Action: &Action{Verb: "wait", Args: &WaitArgs{Time: readPause}}}}}, nil
		}
		if !ok {
			return decideDone(fmt.Sprintf("the page shows nothing to %s", s.part), false), nil
		}
		p.read = append(p.read, text)
		p.next, p.waits = p.next+1, 0
	}
	return decideDone(p.answer(), true), nil
}

func (p *PlainPolicy) answer() string { return strings.Join(p.read, "\n") }
