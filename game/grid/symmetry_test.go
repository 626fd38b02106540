package grid_test

import (
	"testing"

	"kibitz/game"
	"kibitz/game/grid"
)

// Each transformation takes the board to itself, neighbours to neighbours, and no
// two are the same.
func TestSymmetries(t *testing.T) {
	for _, size := range [][2]int{{4, 8}, {6, 6}, {3, 3}} {
		w, h := size[0], size[1]
		want := 4
		if w == h {
			want = 8
		}
		list := grid.Symmetries(w, h)
		images := map[[2]game.Point]bool{}
		for i, f := range list {
			if i == 0 && f(game.Pt(2, 1)) != game.Pt(2, 1) {
				t.Errorf("%dx%d: the identity is not the first", w, h)
			}
			images[[2]game.Point{f(game.Pt(0, 0)), f(game.Pt(1, 0))}] = true
			seen := map[game.Point]bool{}
			for y := range h {
				for x := range w {
					p, q := f(game.Pt(x, y)), f(game.Pt((x+1)%w, y))
					if !p.On(w, h) || x < w-1 && (p.X-q.X)*(p.X-q.X)+(p.Y-q.Y)*(p.Y-q.Y) != 1 {
						t.Errorf("%dx%d: number %d takes %d,%d to %v and its neighbour to %v", w, h, i, x, y, p, q)
					}
					seen[p] = true
				}
			}
			if len(seen) != w*h {
				t.Errorf("%dx%d: number %d reaches %d points", w, h, i, len(seen))
			}
		}
		if len(list) != want || len(images) != want {
			t.Errorf("%dx%d: %d transformations, %d of them different, want %d", w, h, len(list), len(images), want)
		}
	}
}
