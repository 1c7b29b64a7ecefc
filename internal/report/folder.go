package report

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"html/template"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"harness/scenarios"
)

// WriteFolder writes the HTML report to the folder, which it makes, and gives
// its path. Pictures stand in the page; the evidence is linked relative to it.
func WriteFolder(dir string, r *scenarios.Results, at time.Time) (string, error) {
	file := filepath.Join(dir, "index.html")
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", fmt.Errorf("report %s: %w", file, err)
	}
	var page bytes.Buffer
	if err := HTML(&page, r, HTMLOptions{At: at, Image: embed, Link: func(f string) string { return relative(abs, f) }}); err != nil {
		return "", err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", fmt.Errorf("report %s: %w", file, cause(err))
	}
	if err := os.WriteFile(file, page.Bytes(), 0o644); err != nil {
		return "", fmt.Errorf("report %s: %w", file, cause(err))
	}
	return file, nil
}

func cause(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

// relative is the address of the file as seen from the folder, "" where it is
// not there.
func relative(dir, file string) string {
	abs, err := filepath.Abs(file)
	if err != nil {
		return ""
	}
	if _, err := os.Stat(abs); err != nil {
		return ""
	}
	rel, err := filepath.Rel(dir, abs)
	if err != nil {
		return ""
	}
	return filepath.ToSlash(rel)
}

const jpegQuality = 80

// embed is the screenshot as a data URL, at most so many image px wide.
func embed(file string, width int) (template.URL, error) {
	raw, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	img, err := png.Decode(bytes.NewReader(raw))
	if err != nil {
		return "", fmt.Errorf("%s: %w", file, err)
	}
	var out bytes.Buffer
	if err := jpeg.Encode(&out, shrink(img, width), &jpeg.Options{Quality: jpegQuality}); err != nil {
		return "", fmt.Errorf("%s: %w", file, err)
	}
	return template.URL("data:image/jpeg;base64," + base64.StdEncoding.EncodeToString(out.Bytes())), nil
}

// shrink averages boxes of pixels until the image is at most so wide.
func shrink(in image.Image, width int) image.Image {
	b := in.Bounds()
	if b.Dx() <= width || width < 1 {
		return in
	}
	height := max(1, b.Dy()*width/b.Dx())
	out := image.NewRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			box := image.Rect(
				b.Min.X+x*b.Dx()/width, b.Min.Y+y*b.Dy()/height,
				b.Min.X+(x+1)*b.Dx()/width, b.Min.Y+(y+1)*b.Dy()/height,
			)
			out.SetRGBA(x, y, average(in, box))
		}
	}
	return out
}

func average(in image.Image, box image.Rectangle) color.RGBA {
	var r, g, b, n uint32
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			cr, cg, cb, _ := in.At(x, y).RGBA()
			r, g, b, n = r+cr>>8, g+cg>>8, b+cb>>8, n+1
		}
	}
	if n == 0 {
		return color.RGBA{A: 255}
	}
	return color.RGBA{uint8(r / n), uint8(g / n), uint8(b / n), 255}
}
