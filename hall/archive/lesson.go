package archive

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"kibitz/game"
	"kibitz/hall/learn"
	"kibitz/journal"
	"kibitz/record/replay"
	"kibitz/rules"
)

// Lesson plays what a page teaches by the rules. It fails, with the key of the section or step,
// where the page says something that the rules do not bear out.
func (h Archive) Lesson(g *learn.Game) (*learn.Lesson, error) {
	out := &learn.Lesson{Pictures: map[string]*game.View{}}
	for _, r := range g.Page.Rules {
		if r.Picture == nil {
			continue
		}
		_, s, err := h.place(g, r.Picture.Place)
		sees, known := eyes()[r.Picture.For]
		if err == nil && !known {
			err = fmt.Errorf("nobody looks for %q", r.Picture.For)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: rule %s: %w", g.ID, r.Key, err)
		}
		v := s.View(sees)
		out.Pictures[r.Key] = &v
	}
	for i := range g.Page.Steps {
		p, err := h.step(g, &g.Page.Steps[i])
		if err != nil {
			return nil, fmt.Errorf("%s: step %s: %w", g.ID, g.Page.Steps[i].Key, err)
		}
		out.Steps = append(out.Steps, *p)
	}
	return out, nil
}

// eyes are who can look at a picture.
func eyes() map[string]game.Audience {
	return map[string]game.Audience{"": game.Arbiter, "first": game.To(game.First), "second": game.To(game.Second)}
}

// place returns the rules and the state of what stands on a board.
func (h Archive) place(g *learn.Game, p learn.Place) (rules.Rules, rules.State, error) {
	spec := g.Page.Spec
	if p.Spec != "" {
		spec = p.Spec
	}
	r, err := h.Open(spec)
	if err != nil {
		return nil, nil, err
	}
	if r.Spec().ID() != g.ID {
		return nil, nil, fmt.Errorf("%s is another game", spec)
	}
	s, err := rules.Start(r, p.Position)
	if err != nil {
		return nil, nil, fmt.Errorf("position: %w", err)
	}
	for word := range strings.FieldsSeq(p.Moves) {
		m, err := readDecision(r, s, word)
		if err == nil {
			_, err = s.Apply(m, nil)
		}
		if err != nil {
			return nil, nil, fmt.Errorf("move %s: %w", word, err)
		}
	}
	return r, s, nil
}

// tutor plays the lines of a step.
type tutor struct {
	rules   rules.Rules
	learner game.Seat
	start   rules.State
	root    *learn.Node
}

func (h Archive) step(g *learn.Game, s *learn.Step) (*learn.Played, error) {
	r, start, err := h.place(g, s.Place)
	if err != nil {
		return nil, err
	}
	t := &tutor{rules: r, learner: start.Turn().Seat, start: start}
	if !t.learner.IsPlayer() {
		return nil, errors.New("nobody is on turn")
	}
	t.root = t.node(start)
	out := &learn.Played{Key: s.Key, Spec: r.Spec(), Learner: t.learner, Start: t.root}
	if len(s.Right) == 0 {
		return nil, errors.New("no line is right")
	}
	for i, line := range s.Right {
		list, err := t.play(line, "")
		if err != nil {
			return nil, fmt.Errorf("right line %q: %w", line, err)
		}
		last := list[len(list)-1]
		if s.Win == learn.Now && (last.Result == nil || last.Result.Winner() != t.learner) {
			return nil, fmt.Errorf("right line %q: the game is not won there", line)
		}
		for _, n := range list {
			if i == 0 {
				out.Shown = append(out.Shown, n.Name)
			}
		}
	}
	for _, line := range slices.Sorted(maps.Keys(s.Wrong)) {
		if _, err := t.play(line, s.Wrong[line]); err != nil {
			return nil, fmt.Errorf("wrong line %q: %w", line, err)
		}
	}
	return out, nil
}

// node is a board as the learner sees it.
func (t *tutor) node(s rules.State) *learn.Node {
	v := s.View(game.To(t.learner))
	n := &learn.Node{View: &v}
	if r, over := s.Result(); over {
		n.Result = &r
	}
	if s.Turn().Seat == t.learner {
		for _, m := range s.Legal(nil) {
			n.Legal = append(n.Legal, journal.FormatMove(m))
		}
	}
	return n
}

// play adds a line to the tree and returns its boards behind the start.
func (t *tutor) play(line, why string) ([]*learn.Node, error) {
	words := strings.Fields(line)
	if len(words) == 0 {
		return nil, errors.New("it has no moves")
	}
	s, at := t.start.Clone(), t.root
	var list []*learn.Node
	for _, word := range words {
		m, err := readDecision(t.rules, s, word)
		if err != nil {
			return nil, err
		}
		by := s.Turn().Seat
		text := journal.FormatMove(m)
		if at.End {
			return nil, fmt.Errorf("%s: another line ends before it", word)
		}
		next := at.Find(text)
		told, err := s.Apply(m, nil)
		switch {
		case err != nil && why != "" && len(words) == 1:
			next = &learn.Node{By: by, Step: text, Name: moveName(t.rules, m)}
			at.Next = append(at.Next, next)
		case err != nil:
			return nil, fmt.Errorf("%s: %w", word, err)
		case next == nil:
			if by != t.learner && len(at.Next) > 0 {
				return nil, fmt.Errorf("%s: the other side answers with %s in another line", word, at.Next[0].Name)
			}
			next = t.node(s)
			next.By, next.Step, next.Name = by, text, moveName(t.rules, m)
			next.Refused = slices.ContainsFunc(told, func(n game.Notice) bool { return n.Kind == game.Refused })
			next.Ended = !next.Refused && replay.TurnEnds(s)
			at.Next = append(at.Next, next)
		}
		list, at = append(list, next), next
	}
	if at.End || len(at.Next) > 0 {
		return nil, errors.New("another line goes on from its end")
	}
	at.End, at.Why = true, why
	return list, nil
}
