package live

import "testing"

// What a seat did itself and what others are told of it are one step, also when steps are
// taken back.
func TestOneStep(t *testing.T) {
	own := Entry{By: "first", Ended: true, Notices: []Notice{{Kind: "played", By: "first", Move: "p1,1"}, {Kind: "moved", By: "first"}}}
	other := Entry{By: "second", Ended: true, Notices: []Notice{{Kind: "moved", By: "second"}}}
	if left := rewound([]Entry{other, own, other, own}, 3); len(left) != 1 {
		t.Errorf("of four steps three were taken back, %d are left", len(left))
	}
}
