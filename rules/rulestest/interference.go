package rulestest

import (
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
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
	for _, p := range s.games[:min(watched, len(s.games))] {
		for _, a := range []game.Audience{game.ToFirst, game.ToSecond, game.Public} {
			script, err := n.watch(p.moves[:min(n.length(), len(p.moves))], a)
			if err != nil {
				return err
			}
			if s.private {
				for range variations {
					n.vary(script, a, r)
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
		n.faults.add("two positions that audience %s cannot tell apart look different to it:\n%q: %s\n%q: %s", a, old.text, clip(old.what, o.what), o.text, clip(o.what, old.what))
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

// vary plays a game with the same history for the audience and hidden decisions
// drawn anew, as far as that succeeds.
func (n *interference) vary(script []event, a game.Audience, r *rand.Rand) {
	st := n.s.rules.New()
	var t trace
	for i := 0; i < len(script); {
		if script[i].own {
			next, ok := step(st, script[i], script[i].move, a)
			if !ok {
				return
			}
			st = next
			t.add(script[i])
			n.compare(st, &t, a)
			i++
			continue
		}
		next, ok := n.hidden(st, script[i:], a, r)
		if !ok {
			return
		}
		st = next
		t.add(script[i])
		n.compare(st, &t, a)
		i++
	}
}

// hidden finds other decisions that the audience notices as the first event of
// the script, and that leave its own next decisions with the same answers.
func (n *interference) hidden(st rules.State, script []event, a game.Audience, r *rand.Rand) (rules.State, bool) {
	for range attempts {
		next, ok := noticed(st, script[0], a, r)
		if ok && follows(next, script[1:], a) {
			return next, true
		}
	}
	return nil, false
}

// noticed makes random decisions until the audience notices one, and reports
// whether it noticed the event.
func noticed(st rules.State, want event, a game.Audience, r *rand.Rand) (rules.State, bool) {
	st = st.Clone()
	for range run {
		seat := st.Turn().Seat
		if seat == game.Nobody || seat.IsPlayer() && game.To(seat) == a {
			return nil, false
		}
		m, err := pick(st, r)
		if err != nil {
			return nil, false
		}
		// Mostly the decision of the game that is varied, so that its later
		// captures and refusals come out again.
		if r.IntN(6) > 0 && st.Check(want.move) == nil {
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
