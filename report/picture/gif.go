package picture

import (
	"context"
	"errors"
	"image"
	"image/gif"
	"io"
	"math"
	"time"

	"kibitz/game"
	"kibitz/report/board"
)

// MostFrames is how many positions a GIF may have.
const MostFrames = 1000

// Film is a game, or a part of one, that is shown move by move.
type Film struct {
	// Views are the positions, at least one, all on boards of one size.
	Views []*game.View
	Style board.Style
	// Size is what the longer side of the board may have at most.
	Size int
	// Delay is how long a position is shown, Last how long the last one.
	Delay, Last time.Duration
	// Names stand below the board, Result too, but with the last position alone.
	Names  [2]string
	Result string
}

// GIF writes a film. Each frame holds what has changed.
func GIF(ctx context.Context, w io.Writer, f *Film) error {
	if len(f.Views) == 0 || len(f.Views) > MostFrames {
		return errors.New("a film has 1 to 1000 positions")
	}
	last := f.Views[len(f.Views)-1]
	s, err := newSheet(last, f.Style, f.Size)
	if err != nil {
		return err
	}
	for _, v := range f.Views {
		if v.Width != last.Width || v.Height != last.Height || v.Shape != last.Shape {
			return errors.New("the board changes its size")
		}
	}
	r := &reel{film: f, sheet: s, now: image.NewRGBA(s.ground.Rect)}
	r.caption()
	r.choose()
	out := &gif.GIF{LoopCount: 0, Config: image.Config{ColorModel: r.colours.list, Width: r.now.Rect.Dx(), Height: r.now.Rect.Dy()}}
	for i := range f.Views {
		if err := ctx.Err(); err != nil {
			return err
		}
		r.turn(out, i)
	}
	out.Delay[len(out.Delay)-1] = hundredths(f.Last)
	return gif.EncodeAll(w, out)
}

func hundredths(d time.Duration) int { return int(max(d/(10*time.Millisecond), 2)) }

// reel makes the frames of a film.
type reel struct {
	film    *Film
	sheet   *sheet
	now     *image.RGBA
	before  []uint8
	colours *palette
	// end is the strip below the board with the result, plain the one without.
	end, plain *image.RGBA
}

// caption draws the strip of names below the board.
func (r *reel) caption() {
	if r.film.Names[0] == "" && r.film.Names[1] == "" {
		return
	}
	w, high := r.sheet.size.X, max(22, r.sheet.size.X/16)
	strip := func(result string) *image.RGBA {
		img := image.NewRGBA(image.Rect(0, 0, w, high))
		p := &pen{to: img, scale: 1, fonts: r.sheet.fonts}
		p.draw([]board.Shape{{X: -1, Y: -1, W: float64(w + 2), H: float64(high + 2), Fill: "#22262b"}})
		size := float64(high) * .56
		bold := r.sheet.fonts.bold
		base := math.Round(float64(high) * .7)
		gap := bold.width(result) + 1
		most := (float64(w)/size-gap)/2 - .8
		text := func(s string, x float64, at int) {
			p.fill(bold.line(s, x, base, size, at), "#f2f3f5", 0)
		}
		text(bold.cut(r.film.Names[0], most), size*.5, left)
		text(bold.cut(r.film.Names[1], most), float64(w)-size*.5, right)
		text(result, float64(w)/2, middle)
		return img
	}
	r.plain, r.end = strip("–"), strip(r.film.Result)
	if r.film.Result == "" {
		r.end = r.plain
	}
	r.now = image.NewRGBA(image.Rect(0, 0, w, r.sheet.size.Y+high))
}

// draw draws a position with its strip.
func (r *reel) draw(i int) {
	r.sheet.position(r.now, r.film.Views[i])
	if r.plain == nil {
		return
	}
	strip := r.plain
	if i == len(r.film.Views)-1 {
		strip = r.end
	}
	copy(r.now.Pix[r.sheet.size.Y*r.now.Stride:], strip.Pix)
}

// choose chooses the colours, by some of the positions.
func (r *reel) choose() {
	seen := count{}
	n := len(r.film.Views)
	most := min(n, 12)
	for k := 1; k <= most; k++ {
		r.draw(n*k/most - 1)
		seen.add(r.now)
	}
	r.colours = seen.palette()
}

// turn adds a frame with what differs from the one before; where nothing does, that one
// is shown longer.
func (r *reel) turn(out *gif.GIF, i int) {
	r.draw(i)
	area := r.now.Rect
	if r.before != nil {
		area = differ(r.before, r.now)
	}
	if area.Empty() {
		out.Delay[len(out.Delay)-1] += hundredths(r.film.Delay)
		return
	}
	frame := image.NewPaletted(area, r.colours.list)
	for y := area.Min.Y; y < area.Max.Y; y++ {
		from := r.now.PixOffset(area.Min.X, y)
		to := frame.Pix[frame.PixOffset(area.Min.X, y):]
		for x := range area.Dx() {
			p := from + 4*x
			if r.before != nil && [3]uint8(r.before[p:]) == [3]uint8(r.now.Pix[p:]) {
				to[x] = clear
				continue
			}
			to[x] = r.colours.index([3]uint8(r.now.Pix[p:]))
		}
	}
	r.before = append(r.before[:0], r.now.Pix...)
	out.Image = append(out.Image, frame)
	out.Delay = append(out.Delay, hundredths(r.film.Delay))
	out.Disposal = append(out.Disposal, gif.DisposalNone)
}

func differ(before []uint8, now *image.RGBA) image.Rectangle {
	var out image.Rectangle
	w := now.Rect.Dx()
	for y := range now.Rect.Dy() {
		row := now.Pix[y*now.Stride : y*now.Stride+4*w]
		old := before[y*now.Stride : y*now.Stride+4*w]
		if string(row) == string(old) {
			continue
		}
		first, last := 0, w-1
		for [3]uint8(row[4*first:]) == [3]uint8(old[4*first:]) {
			first++
		}
		for [3]uint8(row[4*last:]) == [3]uint8(old[4*last:]) {
			last--
		}
		out = out.Union(image.Rect(first, y, last+1, y+1))
	}
	return out
}
