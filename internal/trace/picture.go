package trace

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"math"

	"harness/dom"
	"harness/locate"
	"harness/vision"
)

// picture is the screenshot with secrets blackened, the candidates of the
// resolution and the point of the press upon it. An error comes with the best
// picture that there is, nil where it might show a secret.
func picture(shot *dom.Shot, hide []dom.Rect, r *locate.Resolution) ([]byte, error) {
	if len(hide) > 0 {
		hidden, err := blacken(shot, hide)
		if err != nil {
			return nil, fmt.Errorf("secrets on the screenshot: %w", err)
		}
		shot = hidden
	}
	marks := marksOf(r)
	if len(marks) == 0 {
		return shot.PNG, nil
	}
	annotated, err := vision.Annotate(shot, marks)
	if err != nil {
		return shot.PNG, err
	}
	return annotated, nil
}

// marksOf are the boxes of all candidates in the order in which the layers saw
// them, each once, and the point of the press.
func marksOf(r *locate.Resolution) []vision.Mark {
	if r == nil {
		return nil
	}
	var marks []vision.Mark
	seen := map[dom.Ref]bool{}
	add := func(c locate.Candidate) {
		if seen[c.Ref] && !c.Ref.IsZero() {
			return
		}
		seen[c.Ref] = true
		m := vision.Mark{Box: c.Box, Number: len(marks) + 1, Label: string(c.Kind)}
		if r.Chosen != nil && c.Ref == r.Chosen.Ref {
			m.Box, m.Label, m.Chosen, m.Point = r.Chosen.Box, string(r.Chosen.Kind), true, r.Point
		}
		marks = append(marks, m)
	}
	for _, a := range r.Attempts {
		for _, c := range a.Candidates {
			add(c)
		}
	}
	switch {
	case r.Chosen != nil:
		add(*r.Chosen)
	case r.Point != nil: // vision's point, where no element is
		marks = append(marks, vision.Mark{Chosen: true, Point: r.Point})
	}
	return marks
}

// blacken paints over boxes, CSS px, and a little around them.
func blacken(shot *dom.Shot, hide []dom.Rect) (*dom.Shot, error) {
	img, err := png.Decode(bytes.NewReader(shot.PNG))
	if err != nil {
		return nil, err
	}
	out := image.NewRGBA(img.Bounds())
	draw.Draw(out, out.Bounds(), img, img.Bounds().Min, draw.Src)
	kx, ky := float64(shot.Width)/shot.View.W, float64(shot.Height)/shot.View.H
	for _, b := range hide {
		area := image.Rect(
			int(math.Floor((b.X-shot.View.X-1)*kx)), int(math.Floor((b.Y-shot.View.Y-1)*ky)),
			int(math.Ceil((b.Right()-shot.View.X+1)*kx)), int(math.Ceil((b.Bottom()-shot.View.Y+1)*ky)))
		draw.Draw(out, area, image.NewUniform(color.Black), image.Point{}, draw.Src)
	}
	var buf bytes.Buffer
	enc := png.Encoder{CompressionLevel: png.BestSpeed}
	if err := enc.Encode(&buf, out); err != nil {
		return nil, err
	}
	copied := *shot
	copied.PNG = buf.Bytes()
	return &copied, nil
}
