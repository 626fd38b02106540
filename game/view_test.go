package game

import "testing"

// A board is made of what its view says, else of what is usual for its shape.
func TestSurface(t *testing.T) {
	for _, tt := range []struct {
		view View
		want string
	}{
		{View{Shape: Cells}, "chequer"},
		{View{Shape: Crossings, Loops: 2}, "wood"},
		{View{Shape: Dots}, "paper"},
		{View{Shape: Cells, Ground: Felt}, "felt"},
		{View{Shape: Cells, Ground: Table}, "table"},
		{View{Shape: Crossings, Ground: 99}, "wood"},
	} {
		if got := tt.view.Surface().String(); got != tt.want {
			t.Errorf("%v: %s, want %s", tt.view, got, tt.want)
		}
	}
}
