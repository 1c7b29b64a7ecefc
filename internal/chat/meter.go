package chat

import (
	"fmt"
	"sync"
)

// Usage is what calls have cost.
type Usage struct {
	Calls      int     `json:"calls"`             // answered or not, retries apart
	Retries    int     `json:"retries,omitempty"` // further tries of those calls
	Prompt     int     `json:"prompt_tokens"`
	Completion int     `json:"completion_tokens"`
	Money      float64 `json:"money,omitempty"` // in the currency of the price table; 0 without prices
}

// Tokens are prompt and completion together.
func (u Usage) Tokens() int { return u.Prompt + u.Completion }

// Add is the sum of both.
func (u Usage) Add(o Usage) Usage {
	return Usage{u.Calls + o.Calls, u.Retries + o.Retries, u.Prompt + o.Prompt, u.Completion + o.Completion, u.Money + o.Money}
}

// Sub is what u has more than an earlier o: the cost of what lies between.
func (u Usage) Sub(o Usage) Usage {
	return Usage{u.Calls - o.Calls, u.Retries - o.Retries, u.Prompt - o.Prompt, u.Completion - o.Completion, u.Money - o.Money}
}

// Budget bounds usage. Zero fields bound nothing. A call is refused once a
// bound is reached; tokens and money can overshoot by the last call.
type Budget struct {
	Calls  int
	Tokens int // prompt and completion
	Money  float64
}

// Price is what tokens cost, per million.
type Price struct {
	Prompt     float64
	Completion float64
}

// LimitError says that a budget is used up. No call was made.
type LimitError struct {
	What  string // calls, tokens, money
	Used  float64
	Limit float64
}

func (e *LimitError) Error() string {
	return fmt.Sprintf("model budget: %s: %.6g used of %.6g", e.What, e.Used, e.Limit)
}

// Meter counts what calls cost against a budget. Several clients may share one;
// it is safe for concurrent use.
type Meter struct {
	budget Budget

	mu   sync.Mutex
	used Usage
}

// NewMeter makes a Meter with a budget; the zero Budget bounds nothing.
func NewMeter(b Budget) *Meter { return &Meter{budget: b} }

// Used is what has been counted so far.
func (m *Meter) Used() Usage {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.used
}

// begin counts a call that is about to be made, or refuses it.
func (m *Meter) begin() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	b, u := m.budget, m.used
	switch {
	case b.Calls > 0 && u.Calls >= b.Calls:
		return &LimitError{"calls", float64(u.Calls), float64(b.Calls)}
	case b.Tokens > 0 && u.Tokens() >= b.Tokens:
		return &LimitError{"tokens", float64(u.Tokens()), float64(b.Tokens)}
	case b.Money > 0 && u.Money >= b.Money:
		return &LimitError{"money", u.Money, b.Money}
	}
	m.used.Calls++
	return nil
}

func (m *Meter) add(u Usage) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.used = m.used.Add(u)
}
