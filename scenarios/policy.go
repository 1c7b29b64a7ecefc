package scenarios

import (
	"errors"
	"fmt"
	"net/http"

	"harness/internal/agent"
	"harness/internal/cassette"
	"harness/internal/chat"
	"harness/vision"
)

// Models makes what needs a configuration: live models.
type Models struct {
	// Chat is the client of the model that decides; nil: there is none.
	Chat func() (*chat.Client, error)
	// Vision is layer 3 for scenarios without a vision cassette; nil: none.
	Vision vision.Model
	// Replayed makes layer 3 from a client that answers from a vision cassette;
	// nil: scenarios with one are errors.
	Replayed func(c *chat.Client) (vision.Model, error)
}

// decider is who decides in one scenario, with what was replayed for it.
type decider struct {
	policy  agent.Policy
	eyes    vision.Model
	replays []*cassette.Replay
}

// decide makes the decider that the run, the settings or the scenario's own
// fields ask for.
func (p *play) decide(settings Settings) (*decider, error) {
	d := &decider{eyes: p.Models.Vision}
	if p.scenario.VisionCassette != "" {
		if err := d.see(p.scenario.VisionCassette, p.Models); err != nil {
			return nil, err
		}
	}
	kind := p.Options.Policy
	if kind == "" {
		kind = settings.Policy
	}
	if kind == "" {
		kind = p.scenario.policy()
	}
	var err error
	switch kind {
	case PolicySteps:
		d.policy, err = p.scenario.written()
	case PolicyCassette:
		d.policy, err = d.recorded(p.scenario)
	case PolicyPlain:
		d.policy, err = agent.NewPlain(p.scenario.Task)
	default:
		d.policy, err = live(p.scenario, p.Models)
	}
	return d, err
}

// policy is what the scenario's own fields ask for.
func (sc *Scenario) policy() Policy {
	switch {
	case sc.Cassette != "":
		return PolicyCassette
	case len(sc.Steps) > 0 || sc.Task == "":
		return PolicySteps
	}
	return PolicyModel
}

func (sc *Scenario) written() (agent.Policy, error) {
	if len(sc.Steps) == 0 && len(sc.Expect) == 0 {
		return nil, errors.New("policy steps: the scenario has none")
	}
	actions := make([]agent.Action, len(sc.Steps))
	for i, s := range sc.Steps {
		actions[i] = s.Action
	}
	return agent.NewSteps(actions), nil
}

func (d *decider) recorded(sc *Scenario) (agent.Policy, error) {
	if sc.Cassette == "" {
		return nil, errors.New("policy cassette: the scenario has none")
	}
	c, err := d.replay(sc.Cassette)
	if err != nil {
		return nil, err
	}
	return agent.NewModel(agent.ModelOptions{Client: c})
}

func live(sc *Scenario, m Models) (agent.Policy, error) {
	switch {
	case sc.Task == "":
		return nil, errors.New("policy model: the scenario has no task")
	case m.Chat == nil:
		return nil, errors.New("policy model: no model is configured (set OPENAI_API_KEY and HARNESS_MODEL, or models in harness.yaml)")
	}
	c, err := m.Chat()
	if err != nil {
		return nil, err
	}
	return agent.NewModel(agent.ModelOptions{Client: c})
}

// see takes layer 3 from a vision cassette.
func (d *decider) see(file string, m Models) error {
	if m.Replayed == nil {
		return fmt.Errorf("vision cassette %s: nothing here reads its answers", file)
	}
	c, err := d.replay(file)
	if err == nil {
		d.eyes, err = m.Replayed(c)
	}
	return err
}

// recordedHost stands for the endpoint in a replay; no request leaves.
const recordedHost = "http://recorded.invalid/v1"

// replay is a client that answers from the file, at once and without retries.
func (d *decider) replay(file string) (*chat.Client, error) {
	r, err := cassette.Open(file)
	if err != nil {
		return nil, err
	}
	d.replays = append(d.replays, r)
	model := r.Model()
	if model == "" {
		model = "recorded"
	}
	return chat.New(chat.Options{BaseURL: recordedHost, Model: model, HTTP: &http.Client{Transport: r}, Retries: -1, Failures: -1})
}

// notes says where the requests were not the recorded ones, and what was not
// asked for.
func (d *decider) notes() []string {
	var out []string
	for _, r := range d.replays {
		pixels := 0
		for _, drift := range r.Drifts() {
			if drift.ImagesOnly { // fonts are not drawn alike everywhere
				pixels++
				continue
			}
			out = append(out, "request drift: "+drift.String())
		}
		if pixels > 0 {
			out = append(out, fmt.Sprintf("%s: %d screenshots differ from the recorded ones, and nothing else of their requests", r.File(), pixels))
		}
		if n := r.Unused(); n > 0 {
			out = append(out, fmt.Sprintf("%s: %d recorded answers were not asked for", r.File(), n))
		}
	}
	return out
}

// rewrite writes the requests that were asked into the cassettes, and says so.
func (d *decider) rewrite() []string {
	var out []string
	for _, r := range d.replays {
		if err := cassette.Rewrite(r.File(), r.Requests()); err != nil {
			out = append(out, err.Error())
			continue
		}
		out = append(out, r.File()+": requests written anew")
	}
	return out
}
