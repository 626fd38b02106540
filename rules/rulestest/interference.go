package rulestest

import (
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"kibitz/game"
	"kibitz/rules"
)

// checkInterference: what an audience can ask (its view, and on its turn the
// legal list and the verdicts of Check) is a function of the notices that it
// received and of its own decisions.
//
// Random games are told apart by that history. For games with private facts
// every random game is also replayed with the other seat's hidden decisions
// drawn anew, keeping what the audience noticed, so that many positions that
// differ only in hidden facts are really compared.
func checkInterference(s *subject) error {
	if s.gameErr != nil {
		return s.gameErr
	}
	n := &interference{s: s, seen: map[string]observed{}}
	for i, m := range s.pool() {
		if i%5 == 0 {
			n.pool = append(n.pool, m)
		}
	}
	r := s.rng(1 << 34)
	for _, p := range n.games(r) {
		for _, a := range []game.Audience{game.ToFirst, game.ToSecond, game.Public} {
			script, err := n.watch(p.moves[:min(n.length(), len(p.moves))], a)
			if err != nil {
				return err
			}
			if s.private && len(script) > 0 {
				for i := range n.variations() {
					if i%2 == 0 {
						n.vary(script, a, r.IntN(len(script)), 3, r)
					} else if other, onset, ok := exchanged(script, r); ok {
						n.vary(other, a, onset, 1, r)
					}
				}
			}
		}
	}
	for a, name := range []string{"first", "second", "public"} {
		s.logf("%s: %d positions with equal knowledge compared, %d of them with different boards", name, n.compared[a], n.different[a])
		if s.private && n.different[a] == 0 {
			n.faults.add("no two different boards look the same to the audience %s: nothing is hidden from it", name)
		}
	}
	return n.faults.err()
}

const (
	watched    = 4   // random games that are looked at
	length     = 900 // decisions of them
	variations = 6   // replays of one game for one audience
	attempts   = 24  // random tries for one hidden decision
	run        = 30  // hidden decisions between two events that an audience notices
)

// length returns how many decisions of a game are watched.
func (n *interference) length() int {
	if n.s.main && !testing.Short() {
		return length
	}
	return length / 3
}

// games returns the random games to watch. With private facts they are games in
// which few attempts are refused: who has tried everything knows everything, and
// nothing is left to vary.
func (n *interference) games(r *rand.Rand) []playout {
	list := slices.Clone(n.s.games[:min(watched, len(n.s.games))])
	if !n.s.private {
		return list
	}
	if n.small() {
		list = make([]playout, 4*watched)
	}
	for i := range list {
		st := n.s.rules.New()
		var moves []game.Move
		for len(moves) < n.length() && st.Turn().Seat != game.Nobody {
			m, err := quiet(st, r)
			if err != nil {
				break
			}
			if _, err := st.Apply(m, nil); err != nil {
				break
			}
			moves = append(moves, m)
		}
		list[i].moves = moves
	}
	return list
}

// quiet picks a decision at random that the referee would mostly let stand.
func quiet(st rules.State, r *rand.Rand) (game.Move, error) {
	p, ok := st.(rules.Permitter)
	m, err := pick(st, r)
	for range 12 {
		if err != nil || !ok || p.Permits(m) || r.IntN(20) == 0 {
			break
		}
		m, err = pick(st, r)
	}
	return m, err
}

// small reports whether the board is so small that chains of events, captures and
// refusals, are dense and games cheap: there far more is varied.
func (n *interference) small() bool {
	d := n.s.rules.Doc()
	return d.Width*d.Height <= 36
}

func (n *interference) variations() int {
	if n.small() && !testing.Short() {
		return variations / 2
	}
	if testing.Short() || !n.s.main {
		return variations / 4
	}
	return variations
}

type interference struct {
	s                   *subject
	pool                []game.Move
	seen                map[string]observed
	compared, different [3]int
	faults              faults
}

// observed is what an audience saw when it had a history for the first time.
type observed struct {
	what string // all that it can ask
	text string // the position underneath
	deep string // its board in full
}

// event is one entry of the history of an audience.
type event struct {
	own     bool      // the audience's own decision
	move    game.Move // the decision, hidden or not
	notices string    // what it was told
}

// trace is a history under way, with its digest.
type trace struct{ key [32]byte }

func (t *trace) add(e event) {
	own := "-"
	if e.own {
		own = fmt.Sprint(e.move)
	}
	t.key = sha256.Sum256(fmt.Appendf(t.key[:], "%s %s", own, e.notices))
}

// told writes the notices that the audience may read.
func told(list []game.Notice, a game.Audience) string {
	text := ""
	for _, n := range list {
		if n.To.Includes(a) {
			text += fmt.Sprintf("%d %d %v %v %d;", n.Kind, n.By, n.Move, n.Points, n.Count)
		}
	}
	return text
}

// entry makes the event of a decision; ok is false if the audience noticed
// nothing.
func entry(seat game.Seat, m game.Move, list []game.Notice, a game.Audience) (event, bool) {
	e := event{notices: told(list, a), move: m, own: seat.IsPlayer() && game.To(seat) == a}
	return e, e.own || e.notices != ""
}

// watch replays a game as the audience sees it, compares every position with
// what was seen before under the same history, and returns the history.
func (n *interference) watch(moves []game.Move, a game.Audience) ([]event, error) {
	st := n.s.rules.New()
	var t trace
	var script []event
	n.compare(st, &t, a)
	for _, m := range moves {
		seat := st.Turn().Seat
		list, err := st.Apply(m, nil)
		if err != nil {
			return nil, err
		}
		if e, ok := entry(seat, m, list, a); ok {
			t.add(e)
			script = append(script, e)
		}
		n.compare(st, &t, a)
	}
	return script, nil
}

func (n *interference) compare(st rules.State, t *trace, a game.Audience) {
	key := fmt.Sprintf("%d%s", a, t.key)
	if _, over := st.Result(); over {
		key += resultText(st) // all are told how it ended
	}
	o := observed{what: n.observe(st, a), text: st.Text(), deep: fmt.Sprint(st.View(game.Arbiter).Cells)}
	old, ok := n.seen[key]
	if !ok {
		n.seen[key] = o
		return
	}
	n.compared[a]++
	if old.deep != o.deep {
		n.different[a]++
	}
	if old.what != o.what {
		n.faults.add("two positions that audience %s cannot tell apart look different to it:\n%q: %s\n%q: %s", a, old.text,
			clip(old.what, o.what), o.text, clip(o.what, old.what))
	}
}

// clip shortens text to the surroundings of its first difference from other.
func clip(text, other string) string {
	i := 0
	for i < len(text) && i < len(other) && text[i] == other[i] {
		i++
	}
	from, to := max(0, i-60), min(len(text), i+120)
	return "..." + text[from:to] + "..."
}

// observe writes everything that the audience can ask.
func (n *interference) observe(st rules.State, a game.Audience) string {
	text := viewText(st.View(a))
	if seat := st.Turn().Seat; seat.IsPlayer() && game.To(seat) == a {
		text += fmt.Sprintf(" legal %v", st.Legal(nil))
		for _, m := range n.pool {
			if err := st.Check(m); err != nil {
				text += fmt.Sprintf(" %v: %v", m, err)
			}
		}
	}
	return text
}

// exchanged returns the script with two hidden decisions in each other's place,
// and where that begins. The second is preferably one that told something rare,
// such as a capture, the first one not long before it: what a seat may know often
// depends on the order in which hidden decisions were made.
func exchanged(script []event, r *rand.Rand) (other []event, onset int, ok bool) {
	common := map[string]int{}
	for _, e := range script {
		common[e.notices]++
	}
	for range 40 {
		j := r.IntN(len(script))
		if script[j].own || common[script[j].notices]*4 > len(script) && r.IntN(10) > 0 {
			continue
		}
		i := j - 1 - r.IntN(40)
		if i < 0 || script[i].own || script[i].move.Op != script[j].move.Op {
			continue
		}
		other = slices.Clone(script)
		other[i].move, other[j].move = other[j].move, other[i].move
		return other, i, true
	}
	return nil, 0, false
}

// vary plays a game with the same history for the audience, as far as that
// succeeds. From the onset the hidden decisions are those of the script or, one in
// so many, drawn anew.
func (n *interference) vary(script []event, a game.Audience, onset, oneIn int, r *rand.Rand) {
	st := n.s.rules.New()
	var t trace
	for i, e := range script {
		switch {
		case i < onset:
			if _, err := st.Apply(e.move, nil); err != nil {
				return // only with attempts that left no trace does it stand
			}
		case e.own:
			next, ok := step(st, e, e.move, a)
			if !ok {
				return
			}
			st = next
		default:
			next, ok := n.hidden(st, script[i:], a, oneIn, r)
			if !ok {
				return
			}
			st = next
		}
		t.add(e)
		if i >= onset {
			n.compare(st, &t, a)
		}
	}
}

// hidden finds other decisions that the audience notices as the first event of
// the script, and that leave its own next decisions with the same answers.
func (n *interference) hidden(st rules.State, script []event, a game.Audience, oneIn int, r *rand.Rand) (rules.State, bool) {
	for try := range attempts {
		next, ok := noticed(st, script[0], a, try > 0 && r.IntN(3) == 0 || oneIn > 1 && r.IntN(oneIn) == 0, r)
		if ok && follows(next, script[1:], a) {
			return next, true
		}
	}
	return nil, false
}

// noticed makes random decisions until the audience notices one, and reports
// whether it noticed the event.
func noticed(st rules.State, want event, a game.Audience, anew bool, r *rand.Rand) (rules.State, bool) {
	st = st.Clone()
	for range run {
		seat := st.Turn().Seat
		if seat == game.Nobody || seat.IsPlayer() && game.To(seat) == a {
			return nil, false
		}
		m, err := quiet(st, r)
		if err != nil {
			return nil, false
		}
		// Mostly the decision of the script, so that its later captures and refusals
		// come out again.
		if !anew && st.Check(want.move) == nil {
			m = want.move
		}
		list, err := st.Apply(m, nil)
		if err != nil {
			return nil, false
		}
		if e, ok := entry(seat, m, list, a); ok {
			return st, e.notices == want.notices
		}
	}
	return nil, false
}

// follows reports whether the audience's own decisions at the head of the script
// get the same answers in st.
func follows(st rules.State, script []event, a game.Audience) bool {
	st = st.Clone()
	for _, e := range script {
		if !e.own {
			return st.Turn().Seat != game.Nobody
		}
		next, ok := step(st, e, e.move, a)
		if !ok {
			return false
		}
		st = next
	}
	return true
}

// step applies m to a copy and reports whether the audience noticed the event.
func step(st rules.State, want event, m game.Move, a game.Audience) (rules.State, bool) {
	next := st.Clone()
	seat := next.Turn().Seat
	if !seat.IsPlayer() || game.To(seat) != a {
		return nil, false
	}
	list, err := next.Apply(m, nil)
	if err != nil || told(list, a) != want.notices {
		return nil, false
	}
	return next, true
}
