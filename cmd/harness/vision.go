package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"harness/vision"
	"harness/vision/openai"
)

func newVisionCmd(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "vision",
		Short:   "find out how a model that sees counts coordinates",
		Example: "  harness vision calibrate --model my-vl-model --write",
		Args:    cobra.ArbitraryArgs,
		RunE:    func(cmd *cobra.Command, args []string) error { return unknownCommand(cmd, args) },
	}
	cmd.AddCommand(newCalibrateCmd(a))
	return cmd
}

// calibrateOptions are the flags of `harness vision calibrate`.
type calibrateOptions struct {
	model   string // "": the configuration's
	profile string // name of the profile; "": the model's
	write   bool   // keep it in the user's configuration
	json    bool
}

func newCalibrateCmd(a *app) *cobra.Command {
	var o calibrateOptions
	cmd := &cobra.Command{
		Use:   "calibrate",
		Short: "show a model generated images and fit a profile to its answers",
		Long: `calibrate shows the configured vision model images with one coloured square
each, of which it knows where the square is, and finds the grid, the order and
the scale under which the answers come nearest. It prints how far each is off,
in pixels, and the profile.

With --write the profile is kept in harness/profiles in your configuration
folder, from where it serves models of that name and --profile. Where no way of
counting explains the answers nothing is written and the exit code is 1.`,
		Example: `  OPENAI_BASE_URL=http://localhost:8000/v1 harness vision calibrate --model my-vl-model
  harness vision calibrate --model my-vl-model --profile mine --write`,
		Args: usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error { return runCalibrate(cmd.Context(), a, o) },
	}
	f := cmd.Flags()
	f.StringVar(&o.model, "model", "", "`name` of the model (default: the first vision model of the configuration)")
	f.StringVar(&o.profile, "profile", "", "`name` of the new profile (default: the model's)")
	f.BoolVar(&o.write, "write", false, "keep the profile in your configuration folder")
	f.BoolVar(&o.json, "json", false, "print the outcome as one JSON object")
	return cmd
}

// calibration is what came of one.
type calibration struct {
	Model   string          `json:"model"`
	Answers []plateAnswer   `json:"answers"`
	Profile *vision.Profile `json:"profile"`  // null where none fits
	Error   float64         `json:"error_px"` // mean, of those that the profile reads
	Worst   float64         `json:"worst_px"`
	File    string          `json:"file,omitempty"`
	Reason  string          `json:"reason,omitempty"` // why none fits
	Tokens  int             `json:"tokens"`
}

// plateAnswer is the answer about one image.
type plateAnswer struct {
	Words   string       `json:"words"`
	At      vision.Point `json:"at"`
	Raw     string       `json:"raw"`
	Error   *float64     `json:"error_px"` // under the profile; null where it cannot read the answer
	Problem string       `json:"problem,omitempty"`

	sample vision.Sample
}

func runCalibrate(ctx context.Context, a *app, o calibrateOptions) error {
	c, err := a.config()
	if err != nil {
		return err
	}
	if c, err = c.with(eyesFlags{model: o.model}); err != nil {
		return err
	}
	if len(c.Vision) == 0 {
		return usagef("no vision model: name one with --model, HARNESS_VISION_MODEL or vision in harness.yaml")
	}
	name := cmp.Or(o.profile, strings.ReplaceAll(bareModel(c.Vision[0].Model), ":", "-"))
	if err := checkProfileName(name); err != nil {
		return err
	}
	out, err := calibrate(ctx, c.Vision[0], name)
	if err != nil {
		return err
	}
	if o.write && out.Profile != nil {
		if out.File, err = writeProfile(*out.Profile); err != nil {
			return err
		}
	}
	if o.json {
		err = printJSON(a.out, out)
	} else {
		err = out.print(a.out)
	}
	if err == nil && out.Profile == nil {
		return errFailed
	}
	return err
}

// calibrate asks about every plate and fits a profile of that name.
func calibrate(ctx context.Context, m modelConfig, name string) (*calibration, error) {
	client, err := m.client()
	if err != nil {
		return nil, err
	}
	model, err := openai.New(openai.Options{Chat: client, Profile: vision.CalibrationProfile()})
	if err != nil {
		return nil, err
	}
	plates, err := vision.Plates()
	if err != nil {
		return nil, err
	}
	out := &calibration{Model: m.Model}
	var samples []vision.Sample
	for _, p := range plates {
		ans, err := model.Say(ctx, vision.Request{Shot: p.Shot, Words: p.Words})
		if err != nil {
			return nil, fmt.Errorf("calibrate %s: %s: %w", m.Model, p.Words, err)
		}
		s := vision.Sample{Plate: p, Raw: ans.Raw}
		samples = append(samples, s)
		out.Tokens += ans.Tokens
		out.Answers = append(out.Answers, plateAnswer{Words: p.Words, At: p.At, Raw: ans.Raw, sample: s})
	}
	return out, out.fit(name, samples)
}

// fit finds the profile and how far each answer is off under it.
func (c *calibration) fit(name string, samples []vision.Sample) error {
	best, err := vision.Fit(c.Model, samples)
	if errors.Is(err, vision.ErrNoFit) {
		c.Reason = err.Error()
		return nil
	}
	if err != nil {
		return err
	}
	best.Profile.Name = name
	c.Profile, c.Error, c.Worst = &best.Profile, best.Error, best.Worst
	for i := range c.Answers {
		miss, err := c.Answers[i].sample.Miss(best.Profile)
		if err != nil {
			c.Answers[i].Problem = err.Error()
			continue
		}
		c.Answers[i].Error = &miss
	}
	return nil
}

// print tells the outcome to a person.
func (c *calibration) print(w io.Writer) error {
	var b strings.Builder
	for _, a := range c.Answers {
		off := "cannot be read so"
		if a.Error != nil {
			off = fmt.Sprintf("%.1f px off", *a.Error)
		}
		if c.Profile == nil {
			off = ""
		}
		fmt.Fprintf(&b, "%-18s at %-12s %-18s %s\n", a.Words, a.At, off, shorten(strings.Join(strings.Fields(a.Raw), " "), 80))
	}
	if c.Profile == nil {
		fmt.Fprintf(&b, "\n%s\n", c.Reason)
		_, err := io.WriteString(w, b.String())
		return err
	}
	fmt.Fprintf(&b, "\n%s counts in %s: %.1f px off in the mean, %.1f at worst, %d tokens\n", c.Model, counts(*c.Profile), c.Error, c.Worst, c.Tokens)
	switch c.File {
	case "":
		fmt.Fprintf(&b, "profile %s (not kept: add --write)\n", c.Profile.Name)
	default:
		fmt.Fprintf(&b, "profile %s: %s\n", c.Profile.Name, c.File)
	}
	if err := printJSON(&b, c.Profile); err != nil {
		return err
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// counts says in words in what a profile counts.
func counts(p vision.Profile) string {
	s := "a grid of " + p.Grid.String()
	if p.Grid.W == 0 {
		s = "px of the image as it is"
		if p.Resize.Rule != vision.NoResize {
			s = fmt.Sprintf("px of an image resized by the rule %s", p.Resize.Rule)
		}
	}
	if p.YFirst {
		s += ", y first"
	}
	return s
}
