package run

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kibitz/run/orders"
)

// An order that cannot be written down changes nothing, and does not stand in the way of
// later ones.
func TestUnkeptOrder(t *testing.T) {
	all := []orders.Request{
		{Do: "withdraw", Args: []string{"A", "annul"}},
		{Do: "withdraw", Args: []string{"A", "award"}},
		{Do: "enter", Args: []string{"bot=random name=C"}},
		{Do: "pair", Args: []string{"A", "B", "4"}},
		{Do: "forfeit", Args: []string{"1", "A"}},
	}
	for _, tt := range []struct {
		name  string
		lose  func(t *testing.T, r *Run)
		list  []orders.Request
		want  string
		after bool // others can be kept
	}{
		{"its file is gone", func(t *testing.T, r *Run) {
			if err := os.Remove(filepath.Join(r.keep.dir.Path, "journal")); err != nil {
				t.Fatal(err)
			}
		}, all[:1], "no such file", true},
		{"it takes no more", func(t *testing.T, r *Run) {
			if err := r.keep.dir.Journal.Close(); err != nil {
				t.Fatal(err)
			}
		}, all, "closed", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := orderable(t, filepath.Join(t.TempDir(), "run"))
			defer func() { _ = c.r.keep.dir.Close() }()
			tt.lose(t, c.r)
			before := allOf(t, c)
			for _, o := range tt.list {
				if got := c.Order(o); !strings.Contains(got.Error, tt.want) {
					t.Errorf("%v: %+v", o, got)
				}
				if after := allOf(t, c); after != before || c.r.standing.Director.Withdrawn(0) {
					t.Errorf("%v was refused and has changed\n%s\nto\n%s", o, before, after)
				}
				if p, ok := c.r.standing.Director.Find(0); !ok || p.Award != 0 {
					t.Errorf("%v was refused, and the first game is %+v", o, p)
				}
			}
			if !tt.after {
				return
			}
			if got := c.Order(all[1]); got.Error != "" || !c.r.standing.Director.Withdrawn(0) {
				t.Errorf("%v: %+v", all[1], got)
			}
		})
	}
}
