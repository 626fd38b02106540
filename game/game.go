// Package game holds the nouns that every other package shares: seats, moves,
// turns, notices, views and results. It contains contracts, not logic.
//
// Three ideas carry the whole program:
//
//   - A seat is a participant for the whole game. Clocks, results, records and
//     ratings use seats; a colour is something a state may report, and may
//     report as not yet known.
//   - A move is one decision, described by itself. A turn is the run of moves
//     that one seat makes before the other is asked.
//   - Knowledge is addressed. What happens on the board reaches a seat, a
//     spectator or a record only as a Notice or a View built for it.
package game

// Seat names who decides. Seats First and Second are participants for the whole
// game; Dealer stands for chance, Nobody for a finished game.
type Seat int8

// The four seats.
const (
	First  Seat = 0
	Second Seat = 1
	Dealer Seat = -1
	Nobody Seat = -2
)

// Other returns the opposing participant. Dealer and Nobody are their own other.
func (s Seat) Other() Seat {
	if s == First || s == Second {
		return 1 - s
	}
	return s
}

// IsPlayer reports whether s is one of the two participants.
func (s Seat) IsPlayer() bool { return s == First || s == Second }

// String returns "first", "second", "dealer" or "nobody".
func (s Seat) String() string {
	switch s {
	case First:
		return "first"
	case Second:
		return "second"
	case Dealer:
		return "dealer"
	default:
		return "nobody"
	}
}

// Colour is what a seat plays with, as far as the state knows it.
type Colour uint8

// The colours. Black moves first in every game that has black and white; dark
// chess has red and black, unknown until the first flip.
const (
	NoColour Colour = iota
	Black
	White
	Red
)

// String returns the English name of the colour, "unknown" for NoColour.
func (c Colour) String() string {
	switch c {
	case Black:
		return "black"
	case White:
		return "white"
	case Red:
		return "red"
	default:
		return "unknown"
	}
}

// Turn says who decides now.
type Turn struct {
	// Seat is the seat to decide; Dealer when chance decides, Nobody when the
	// game is over.
	Seat Seat
	// Step counts the decisions already made in this turn, from 0.
	Step int
	// Phase labels the kind of decision with a word of the game, for example
	// "move", "shift", "shoot", "place", "choose". It never carries hidden facts.
	Phase string
}

// Spec names a game and its options in canonical form, for example
// "gomoku:rule=renju,size=15". It is what records, set-ups and summaries carry.
type Spec string

// ID returns the part of the specification before the colon.
func (s Spec) ID() string {
	for i := range len(s) {
		if s[i] == ':' {
			return string(s[:i])
		}
	}
	return string(s)
}

// Option returns the value of an option that the specification names, and
// whether it names it.
func (s Spec) Option(key string) (string, bool) {
	rest := string(s)
	id := s.ID()
	if len(id) == len(rest) {
		return "", false
	}
	rest = rest[len(id)+1:]
	for rest != "" {
		item := rest
		rest = ""
		for i := range len(item) {
			if item[i] == ',' {
				item, rest = item[:i], item[i+1:]
				break
			}
		}
		for i := range len(item) {
			if item[i] == '=' {
				if item[:i] == key {
					return item[i+1:], true
				}
				break
			}
		}
	}
	return "", false
}
