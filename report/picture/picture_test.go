package picture_test

import (
	"bytes"
	"context"
	"image"
	"image/color"
	"image/draw"
	"image/gif"
	"image/png"
	"os"
	"path/filepath"
	"testing"
	"time"

	"kibitz/game"
	"kibitz/games"
	"kibitz/report/board"
	"kibitz/report/picture"
	"kibitz/rules"
)

// views plays a game some way and returns its positions.
func views(t testing.TB, spec string, most int) ([]*game.View, board.Style) {
	t.Helper()
	r, err := games.Open(spec)
	if err != nil {
		t.Fatal(err)
	}
	s := r.New()
	v := s.View(game.Arbiter)
	out := []*game.View{&v}
	for n := range most {
		legal := s.Legal(nil)
		if c, ok := s.(rules.Chance); ok && s.Turn().Seat == game.Dealer {
			for _, o := range c.Outcomes(nil) {
				legal = append(legal, o.Move)
			}
		}
		if len(legal) == 0 {
			break
		}
		if _, err := s.Apply(legal[(n*n*37+n*11+3)%len(legal)], nil); err != nil {
			t.Fatal(err)
		}
		v := s.View(game.Arbiter)
		out = append(out, &v)
	}
	return out, board.Style{Chinese: true}
}

func bright(c color.Color) int {
	r, g, b, _ := c.RGBA()
	return int(r+g+b) / 3 >> 8
}

// A stone is where the view says, and nothing is where nothing stands: looked at in the
// pixels of each crossing.
func TestPNG(t *testing.T) {
	list, st := views(t, "gomoku", 9)
	v := list[len(list)-1]
	v.Marks = nil
	var b bytes.Buffer
	if err := picture.PNG(&b, v, st, 800); err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(&b)
	if err != nil {
		t.Fatal(err)
	}
	w, h := board.Size(v)
	size := img.Bounds().Size()
	if size.X > 800 || size.X < 700 || size.X != size.Y || w != h {
		t.Fatalf("%v", size)
	}
	scale := float64(size.X) / float64(w)
	seen := map[byte]int{}
	for i, c := range v.Cells {
		x, y := int(float64(48+40*(i%v.Width)+10)*scale), int(float64(48+40*(i/v.Width)-5)*scale)
		got := bright(img.At(x, y))
		seen[c.Piece]++
		if want := map[byte][2]int{'B': {0, 60}, 'W': {230, 255}, 0: {120, 220}}[c.Piece]; got < want[0] || got > want[1] {
			t.Errorf("%c at %d,%d is %d", c.Piece, x, y, got)
		}
	}
	if seen['B'] != 5 || seen['W'] != 4 {
		t.Errorf("%v", seen)
	}
	// The names of columns: some ink in the margin above a line.
	ink := 0
	for y := range int(24 * scale) {
		for x := int(38 * scale); x < int(58*scale); x++ {
			if bright(img.At(x, y)) < 100 {
				ink++
			}
		}
	}
	if ink < 10 {
		t.Errorf("%d pixels of ink in a label", ink)
	}
}

// play shows the frames of a GIF one after the other, as a browser does.
func play(t *testing.T, data []byte) (*gif.GIF, []*image.RGBA) {
	t.Helper()
	g, err := gif.DecodeAll(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	now := image.NewRGBA(image.Rect(0, 0, g.Config.Width, g.Config.Height))
	var out []*image.RGBA
	for _, f := range g.Image {
		draw.Draw(now, f.Bounds(), f, f.Bounds().Min, draw.Over)
		x := image.NewRGBA(now.Rect)
		copy(x.Pix, now.Pix)
		out = append(out, x)
	}
	return g, out
}

// The frames of a film, laid one over the other, are the pictures of its positions.
func TestGIF(t *testing.T) {
	for _, g := range games.All() {
		list, st := views(t, g.ID, 40)
		var b bytes.Buffer
		f := picture.Film{Views: list, Style: st, Size: 300, Delay: 500 * time.Millisecond, Last: 3 * time.Second}
		if err := picture.GIF(context.Background(), &b, &f); err != nil {
			t.Fatal(err)
		}
		g2, frames := play(t, b.Bytes())
		if len(frames) > len(list) || len(frames) < len(list)/2 || g2.Delay[0] < 50 || g2.Delay[len(g2.Delay)-1] != 300 {
			t.Errorf("%s: %d frames of %d positions, delays %v", g.ID, len(frames), len(list), g2.Delay)
		}
		var p bytes.Buffer
		if err := picture.PNG(&p, list[len(list)-1], st, 300); err != nil {
			t.Fatal(err)
		}
		want, err := png.Decode(&p)
		if err != nil {
			t.Fatal(err)
		}
		last, far := frames[len(frames)-1], 0
		if last.Rect != want.Bounds() {
			t.Fatalf("%s: %v, %v", g.ID, last.Rect, want.Bounds())
		}
		for y := range last.Rect.Dy() {
			for x := range last.Rect.Dx() {
				if d := bright(last.At(x, y)) - bright(want.At(x, y)); d > 12 || d < -12 {
					far++
				}
			}
		}
		if far > last.Rect.Dx()*last.Rect.Dy()/1000 {
			t.Errorf("%s: %d pixels of the last frame are far from the position", g.ID, far)
		}
		if dir := os.Getenv("PICTURES"); dir != "" { // for people who want to look
			_ = picture.PNG(&p, list[len(list)-1], st, 500)
			_ = os.WriteFile(filepath.Join(dir, g.ID+".gif"), b.Bytes(), 0o600)
			var big bytes.Buffer
			_ = picture.PNG(&big, list[len(list)-1], st, 560)
			_ = os.WriteFile(filepath.Join(dir, g.ID+".png"), big.Bytes(), 0o600)
			_ = os.WriteFile(filepath.Join(dir, g.ID+".svg"), []byte(board.SVG(list[len(list)-1], st)), 0o600)
		}
	}
}

// Names stand in each frame, the result in the last one alone.
func TestCaption(t *testing.T) {
	list, st := views(t, "othello", 4)
	strip := func(names [2]string, result string) []*image.RGBA {
		var b bytes.Buffer
		f := picture.Film{Views: list, Style: st, Size: 300, Delay: time.Second, Last: time.Second, Names: names, Result: result}
		if err := picture.GIF(context.Background(), &b, &f); err != nil {
			t.Fatal(err)
		}
		_, frames := play(t, b.Bytes())
		return frames
	}
	ink := func(img *image.RGBA, from, to float64) (n int) {
		w, h := img.Rect.Dx(), img.Rect.Dy()
		for y := h - 20; y < h; y++ {
			for x := int(from * float64(w)); x < int(to*float64(w)); x++ {
				if bright(img.At(x, y)) > 180 {
					n++
				}
			}
		}
		return n
	}
	frames := strip([2]string{"Čeněk", "a name that is much longer than there is room for it"}, "1 : 0")
	first, last := frames[0], frames[len(frames)-1]
	if ink(first, 0, .3) < 20 || ink(first, .7, 1) < 20 {
		t.Error("no names")
	}
	if a, b := ink(first, .45, .55), ink(last, .45, .55); b < a+15 {
		t.Errorf("%d and %d pixels of a result", a, b)
	}
	if ink(last, .41, .45) > 0 || ink(last, .55, .58) > 0 {
		t.Error("a name reaches the result")
	}
	if a, b := first.Rect.Dy(), strip([2]string{}, "")[0].Rect.Dy(); a != b+22 {
		t.Errorf("%d pixels high with names, %d without", a, b)
	}
}

// What cannot be drawn is an error, and nothing runs on when nobody waits.
func TestRefused(t *testing.T) {
	list, st := views(t, "othello", 3)
	var b bytes.Buffer
	if picture.PNG(&b, &game.View{}, st, 300) == nil {
		t.Error("a board of nothing")
	}
	if picture.GIF(t.Context(), &b, &picture.Film{Style: st}) == nil {
		t.Error("a film of nothing")
	}
	if picture.GIF(t.Context(), &b, &picture.Film{Views: make([]*game.View, picture.MostFrames+1), Style: st}) == nil {
		t.Error("a film without end")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if picture.GIF(ctx, &b, &picture.Film{Views: list, Style: st, Size: 300}) == nil {
		t.Error("nobody waits")
	}
	other, _ := views(t, "nogo", 1)
	if picture.GIF(t.Context(), &b, &picture.Film{Views: append(other, list...), Style: st, Size: 300}) == nil {
		t.Error("two boards")
	}
}

// A game of 200 plies at 400 pixels stays below a megabyte.
func TestSize(t *testing.T) {
	for _, spec := range []string{"gomoku", "amazons", "darkchess"} {
		list, st := views(t, spec, 200)
		var b bytes.Buffer
		begun := time.Now()
		if err := picture.GIF(t.Context(), &b, &picture.Film{Views: list, Style: st, Size: 400, Delay: time.Second, Last: time.Second}); err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: %d positions, %d bytes, %v", spec, len(list), b.Len(), time.Since(begun).Round(time.Millisecond))
		if b.Len() > 1<<20 {
			t.Errorf("%s: %d bytes", spec, b.Len())
		}
	}
}
