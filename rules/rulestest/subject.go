package rulestest

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"

	"kibitz/game"
	"kibitz/rules"
)

// subject is a game with fixed options under examination, with the random games
// that the checks share.
type subject struct {
	game    rules.Game
	rules   rules.Rules
	config  config
	main    bool // the default options
	private bool
	games   []playout
	gameErr error
	log     []string
}

// playout is one random game: its decisions with what they did.
type playout struct {
	moves   []game.Move
	notices [][]game.Notice
	seats   []game.Seat
	final   rules.State
}

func newSubject(g rules.Game, r rules.Rules, c config, main bool) *subject {
	s := &subject{game: g, rules: r, config: c, main: main, private: r.Doc().Info == rules.Private}
	if !main {
		s.config.playouts = max(2, c.playouts/3)
	}
	s.gameErr = guard((*subject).play, s)
	return s
}

func (s *subject) logf(format string, args ...any) {
	s.log = append(s.log, fmt.Sprintf(format, args...))
}

func (s *subject) rng(stream uint64) *rand.Rand {
	return rand.New(rand.NewPCG(s.config.seed, stream))
}

// bound returns how many decisions a random game may have.
func (s *subject) bound() int {
	if n := s.rules.Doc().MaxPlies; n > 0 {
		return n
	}
	return s.config.bound
}

func (s *subject) play() error {
	for i := range s.config.playouts {
		p, err := s.random(s.rng(uint64(i)), s.bound()+1)
		s.games = append(s.games, p)
		if err != nil {
			return err
		}
	}
	return nil
}

// random plays one game with random decisions, at most limit of them.
func (s *subject) random(r *rand.Rand, limit int) (playout, error) {
	p := playout{final: s.rules.New()}
	for range limit {
		t := p.final.Turn()
		if t.Seat == game.Nobody {
			break
		}
		m, err := pick(p.final, r)
		if err != nil {
			return p, fmt.Errorf("after %s: %w", s.moveList(p.moves), err)
		}
		n, err := p.final.Apply(m, nil)
		if err != nil {
			return p, fmt.Errorf("after %s: legal decision %s refused: %w", s.moveList(p.moves), s.rules.FormatMove(m), err)
		}
		p.moves = append(p.moves, m)
		p.notices = append(p.notices, n)
		p.seats = append(p.seats, t.Seat)
	}
	return p, nil
}

// pick chooses what the seat on turn, or the dealer, does in s.
func pick(s rules.State, r *rand.Rand) (game.Move, error) {
	if s.Turn().Seat == game.Dealer {
		return draw(s, r)
	}
	moves := s.Legal(nil)
	if len(moves) == 0 {
		return game.Move{}, fmt.Errorf("%v is on turn and has no legal decision", s.Turn())
	}
	// Passing early would end many random games before they began.
	for range 3 {
		if m := moves[r.IntN(len(moves))]; m.Op != game.Pass {
			return m, nil
		}
	}
	return moves[r.IntN(len(moves))], nil
}

func draw(s rules.State, r *rand.Rand) (game.Move, error) {
	ch, ok := s.(rules.Chance)
	if !ok {
		return game.Move{}, fmt.Errorf("the dealer is on turn, but the state has no outcomes")
	}
	list := ch.Outcomes(nil)
	total := 0
	for _, o := range list {
		total += o.Weight
	}
	if total <= 0 {
		return game.Move{}, fmt.Errorf("the dealer is on turn, but outcomes %v weigh nothing", list)
	}
	n := r.IntN(total)
	for _, o := range list {
		if n -= o.Weight; n < 0 {
			return o.Move, nil
		}
	}
	return game.Move{}, fmt.Errorf("outcomes with a negative weight: %v", list)
}

// each walks all random games, calling f for the position before each decision
// (m is that decision) and once for the final position (last is true).
func (s *subject) each(f func(st rules.State, m game.Move, last bool)) {
	for _, p := range s.games {
		st := s.rules.New()
		for _, m := range p.moves {
			f(st, m, false)
			if _, err := st.Apply(m, nil); err != nil {
				return
			}
		}
		f(st, game.Move{}, true)
	}
}

// sample is each for about one position in n.
func (s *subject) sample(n int, f func(st rules.State, last bool)) {
	i := 0
	s.each(func(st rules.State, _ game.Move, last bool) {
		if i%n == 0 || last {
			f(st, last)
		}
		i++
	})
}

// stride returns how many positions to skip so that about want are visited.
func (s *subject) stride(want int) int {
	n := 0
	for _, p := range s.games {
		n += len(p.moves)
	}
	return max(1, n/want) | 1 // odd, so that both seats and all steps are met
}

// print is everything that can be asked of a state, for comparisons.
type print struct {
	Text   string
	Hash   uint64
	Turn   game.Turn
	Legal  []game.Move
	Views  [4]string
	Result string
}

func printOf(s rules.State) print {
	p := print{Text: s.Text(), Hash: s.Hash(), Turn: s.Turn(), Legal: s.Legal(nil), Result: resultText(s)}
	for a := range p.Views {
		p.Views[a] = viewText(s.View(game.Audience(a)))
	}
	return p
}

// diff names the first difference, empty if there is none.
func (p *print) diff(q *print) string {
	switch {
	case p.Text != q.Text:
		return fmt.Sprintf("text %q became %q", p.Text, q.Text)
	case p.Hash != q.Hash:
		return fmt.Sprintf("hash of %q: %x became %x", p.Text, p.Hash, q.Hash)
	case p.Turn != q.Turn:
		return fmt.Sprintf("turn %+v became %+v", p.Turn, q.Turn)
	case !slices.Equal(p.Legal, q.Legal):
		return fmt.Sprintf("legal list %v became %v", p.Legal, q.Legal)
	case p.Result != q.Result:
		return fmt.Sprintf("result %s became %s", p.Result, q.Result)
	}
	for a := range p.Views {
		if p.Views[a] != q.Views[a] {
			return fmt.Sprintf("view of %s: %s became %s", game.Audience(a), p.Views[a], q.Views[a])
		}
	}
	return ""
}

func resultText(s rules.State) string {
	r, ok := s.Result()
	return fmt.Sprintf("%t %+v", ok, r)
}

// viewText writes all that a view says.
func viewText(v game.View) string {
	b, err := json.Marshal(v)
	if err != nil {
		return "unprintable: " + err.Error()
	}
	return string(b)
}

func (s *subject) moveList(moves []game.Move) string {
	if len(moves) == 0 {
		return "no decision"
	}
	from := max(0, len(moves)-12)
	text := ""
	if from > 0 {
		text = fmt.Sprintf("(%d decisions) ", from)
	}
	for i, m := range moves[from:] {
		if i > 0 {
			text += " "
		}
		text += s.rules.FormatMove(m)
	}
	return text
}

// where describes a position in an error.
func where(st rules.State) string { return fmt.Sprintf("in %q", st.Text()) }
