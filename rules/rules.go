// Package rules says what a game implements. A game is one folder under games;
// it knows boards, moves and results, and nothing of engines, clocks or files.
//
// The referee asks a State who decides, offers that seat the moves it may know
// to be legal, applies what was decided and passes on the notices. Everything a
// game can do beyond that is an optional interface of this package: Chance,
// Shuffler, Perfter, Outliner, Permitter, Coloured, Symmetric.
//
// rulestest holds every game to the contracts written here.
package rules

import "kibitz/game"

// Game is one entry of the list of games.
type Game struct {
	// ID is the name on the command line, for example "gomoku".
	ID string
	// Title is the name for people, for example "Five in a row".
	Title string
	// Options are what a specification may set, in canonical order.
	Options []Option
	// New returns the rules for options that were already completed with their
	// defaults and checked against Options. Its errors are for people and name
	// the combination that does not exist.
	New func(spec game.Spec) (Rules, error)
}

// Option is one key of a game's specification.
type Option struct {
	Key     string
	Default string
	// Values lists what is allowed; empty means an integer from Min to Max, or a
	// number if Decimal.
	Values   []string
	Min, Max int
	Decimal  bool
	// Doc is one line for people: what the option changes, with its source.
	Doc string
	// Hidden options are left out of the canonical specification while they have
	// their default value.
	Hidden bool
}

// Doc describes one set of rules for people and programs.
type Doc struct {
	Title         string
	Width, Height int
	// Info is what kind of information the game has.
	Info InfoKind
	// Phases are the labels that Turn.Phase can carry.
	Phases []string
	// Reasons are the game's own end codes with a sentence for each.
	Reasons []Code
	// Pieces are the letters of View cells with their names.
	Pieces []Code
	// Colours are the names of what the seats play with at the start.
	Colours [2]game.Colour
	// MaxPlies is an upper bound for the number of decisions in a game that only
	// random playouts rely on; 0 if none is known.
	MaxPlies int
	// Source names where the rules come from.
	Source string
}

// InfoKind says who knows what.
type InfoKind uint8

// The kinds of information.
const (
	// Perfect: every seat and spectator knows everything.
	Perfect InfoKind = iota
	// PublicChance: chance decides, and all learn it together (dark chess).
	PublicChance
	// Private: the seats know different things (Phantom Go).
	Private
)

// Code is a short word with its meaning.
type Code struct{ Word, Meaning string }

// Rules is one game with its options fixed. It is immutable and safe for
// concurrent use; the states it makes are not.
type Rules interface {
	// Spec returns the canonical specification.
	Spec() game.Spec
	// Doc returns the description. Callers must not change it.
	Doc() *Doc
	// New returns the initial position.
	New() State
	// Position returns the position that text describes, in any form that the
	// game reads; Position(s.Text()) equals s but for history (repetition, ko
	// where the text has no place for it). Errors say what is wrong and where.
	Position(text string) (State, error)
	// ParseMove reads one decision in the game's text form, lenient in case and
	// blanks. It does not judge legality.
	ParseMove(text string) (game.Move, error)
	// FormatMove writes the canonical text of a decision; ParseMove reads it back
	// to the same value.
	FormatMove(m game.Move) string
}

// Start returns the position that text describes, the initial one if it is empty. Errors are those of
// Position.
func Start(r Rules, text string) (State, error) {
	if text == "" {
		return r.New(), nil
	}
	return r.Position(text)
}

// State is one position with whatever history the rules need. A state never
// holds what has not been dealt.
type State interface {
	// Turn says who decides now. After the end its seat is Nobody.
	Turn() game.Turn
	// Legal appends the decisions that the seat on turn may make, as far as that
	// seat can know, without duplicates and in a stable order. A legal first step
	// of a turn always has a legal completion. On the dealer's turn and after the
	// end it appends nothing. Resign is never listed, nor need be what is accepted
	// but ends the game at once with a loss for who does it.
	Legal(dst []game.Move) []game.Move
	// Check returns nil if Apply would accept m, else an error that says why not
	// in words for people. It never reveals what the seat on turn may not know.
	Check(m game.Move) error
	// Apply makes the decision of the seat on turn and appends its notices to
	// dst. If m is not acceptable the state is unchanged, dst is returned as it
	// was, and the error is that of Check. In a game with hidden facts an
	// acceptable attempt may be refused: then the notice says so and the turn
	// stays. Applying a legal move does not allocate beyond dst's growth.
	Apply(m game.Move, dst []game.Notice) ([]game.Notice, error)
	// Result returns the outcome once the game is over.
	Result() (game.Result, bool)
	// View builds what the audience may know.
	View(a game.Audience) game.View
	// Text returns the position in the game's canonical text form, for the
	// arbiter: it may hold what a seat must not see.
	Text() string
	// Clone returns an independent copy.
	Clone() State
	// Hash returns a number that is equal for equal positions (board, side to
	// decide, phase, and what else decides the legal moves).
	Hash() uint64
}

// Outcome is one thing that chance can do, with its weight (a count, not a
// probability).
type Outcome struct {
	Move   game.Move
	Weight int
}

// Chance is implemented by states in which the dealer can be on turn.
type Chance interface {
	// Outcomes appends what chance can do now, each with a weight above zero.
	Outcomes(dst []Outcome) []Outcome
}

// Dealer decides the dealer's turns of one game.
type Dealer interface {
	// Deal returns the outcome for the state, whose turn is the dealer's.
	Deal(s State) (game.Move, error)
}

// Shuffler is implemented by rules whose chance can be fixed before the game, so
// that two games can be played from the same shuffle.
type Shuffler interface {
	// Shuffle returns the dealer that the seed determines.
	Shuffle(seed [32]byte) Dealer
}

// Perfter is implemented by states that count faster than by walking Legal.
type Perfter interface {
	// Perft counts the leaves at the depth, in turns, by the convention of the
	// game's docs page. It agrees with the slow count of rulestest.
	Perft(depth int) uint64
}

// Counted is implemented by rules that count turns by another convention than the
// zero Counter.
type Counted interface {
	// Counting returns the convention that Perft keeps.
	Counting() Counter
}

// Outliner is implemented by states that show what tells positions apart without the rest of
// a view, which takes longer.
type Outliner interface {
	// Outline sets shape, size, turn, colours, cells, lines and trays of v to those of
	// View(game.Arbiter), and uses the room of its cells again. The rest of v stays.
	Outline(v *game.View)
}

// Permitter is implemented by states with hidden facts: it answers what only the
// referee may know, whether an attempt would stand.
type Permitter interface {
	Permits(m game.Move) bool
}

// Symmetric is implemented by rules whose board has symmetries.
type Symmetric interface {
	// Symmetries returns the point transformations under which legal moves and
	// results are preserved, the identity first.
	Symmetries() []func(game.Point) game.Point
}

// Coloured is implemented by states in which the seats do not play with the
// colours of Doc.Colours from beginning to end: dark chess before the first flip
// knows none, swap2 exchanges them.
type Coloured interface {
	// Colours returns what the seats play with now, NoColour while it is open.
	Colours() [2]game.Colour
}

// ColoursOf returns what the seats play with in a state of the rules.
func ColoursOf(r Rules, s State) [2]game.Colour {
	if c, ok := s.(Coloured); ok {
		return c.Colours()
	}
	return r.Doc().Colours
}

// Prolonger is implemented by states whose game can end by a count, of repetitions or
// of plies without a capture for instance, while moves are left.
type Prolonger interface {
	// Prolong forgets what was counted if that alone has ended the game: it goes on
	// from the same board. It reports whether it does; otherwise nothing changes.
	Prolong() bool
}

// Forcer is implemented by states in which a seat may have to pass: the referee
// plays that pass for it.
type Forcer interface {
	// Forced returns the only legal decision if it is a forced pass.
	Forced() (move game.Move, forced bool)
}

// Arranger is implemented by games whose stones may lie anywhere with either seat on
// turn: Arrange returns the text of such a position, from which a game can begin. owner
// tells whose stone lies on a point, game.Nobody where there is none.
type Arranger interface {
	Arrange(owner func(game.Point) game.Seat, toMove game.Seat) (text string, ok bool)
}

// Composer is implemented by rules whose positions people set up by hand.
type Composer interface {
	// Compose returns the text of the position with the cells, lines, trays and score of v, in
	// which the seat on turn begins a turn with the colour that v says. It does not judge: Position
	// says what is wrong with the text, doubt what is right but cannot come about.
	Compose(v *game.View) (text string, doubt Doubt)
}

// Doubt says why no game leads to a position; the zero value knows of nothing.
type Doubt struct {
	Code DoubtCode
	// N is how many pieces there are more than turns.
	N int
}

// DoubtCode is a word for a Doubt.
type DoubtCode string

// The codes: more pieces of one colour than it had turns, and pieces are missing that stay on the
// board from the beginning.
const (
	DoubtCount   DoubtCode = "count"
	DoubtMissing DoubtCode = "missing"
)

// DoubtTurns doubts numbers of stones of which each seat places one a turn, the first seat first.
func DoubtTurns(stones [2]int, turn game.Seat) Doubt {
	more := stones[0] - stones[1]
	if turn == game.Second {
		more--
	}
	if more == 0 {
		return Doubt{}
	}
	return Doubt{DoubtCount, max(more, -more)}
}
