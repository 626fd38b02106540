package sau

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"kibitz/game"
	"kibitz/protocol"
)

// What is tried to see the board from all sides: a game may be over soon.
const (
	pointGames = 10
	pointTurns = 20
	// pointAfter is how many turns more than the game that failed are to be played by an
	// engine that is spoken to in its own way, and silentViews how many of these ways are
	// tried without an answer.
	pointAfter  = 4
	silentViews = 3
)

// checkPoints plays games in which the engine is told moves that cannot be for who sees the
// board from another side, one side after the other. If it falls silent or answers by a
// move that cannot be, it is spoken to as it would be understood from each side: where it
// plays on then, this is what it does otherwise.
func (c checker) checkPoints(p *probe) error {
	width, height := p.board.Size()
	all := views(width, height, c.form.Argument.edges)
	for range pointGames {
		d := dialogue{probe: p, view: &view{}, rivals: all}
		before := broken(all)
		if err := d.game(pointTurns); err != nil {
			return d.named(all, err)
		}
		if n := broken(all); n == before || n == len(all) {
			return nil
		}
		if err := p.Again(); err != nil { // in which it may do better
			return err
		}
	}
	return nil
}

// broken counts the views in which an engine would not have gone on.
func broken(list []*view) (n int) {
	for _, v := range list {
		if v.broken {
			n++
		}
	}
	return n
}

// dialogue is a game with an engine that is thought to have a view.
type dialogue struct {
	*probe
	view   *view
	rivals []*view // those that it might have
	talk   []said
	fell   []*view // the rivals that cannot be after what was told last
}

// refusal is an engine's error in the place of a move. It is os.ErrDeadlineExceeded, since
// no move comes after it, but takes no time.
type refusal struct{}

func (refusal) Error() string { return "the engine calls the move impossible that it was told" }
func (refusal) Unwrap() error { return os.ErrDeadlineExceeded }

func (d *dialogue) game(turns int) error {
	if err := d.begin(game.First); err != nil {
		return protocol.Untested(err)
	}
	for range turns {
		if err := d.hear(); err != nil {
			return err
		}
		for _, v := range d.fell {
			v.broken = true // an answer came
		}
		if d.over() {
			return nil
		}
		first, ok, err := d.telling()
		if err != nil {
			return err
		}
		var begun []game.Move
		if ok {
			begun = []game.Move{first}
		}
		steps, err := d.harmless(begun)
		if err != nil || steps == nil {
			return err
		}
		t := said{steps: steps}
		if d.view.reads {
			t.steps = mapped(steps, d.view.from)
		}
		d.talk = append(d.talk, t)
		if d.fell, err = d.impossible(); err != nil {
			return err
		}
		if err := d.send(d.written(t.steps)); err != nil {
			return err
		}
	}
	return nil
}

// hear waits for a move and plays it as the engine has it.
func (d *dialogue) hear() error {
	line, err := d.Receive(d.Thought(), "move", func(l string) bool {
		_, ok := find(l, wordMove)
		return ok || l == wordError
	})
	if err != nil {
		return err
	}
	if line == wordError {
		return refusal{}
	}
	steps, err := d.parse(line)
	if err != nil {
		return err
	}
	t := said{true, steps}
	d.talk = append(d.talk, t)
	steps = d.view.hears(t)
	if err := protocol.Try(d.board, true, steps...); err != nil {
		return fmt.Errorf("%q is not legal: %w", line, err)
	}
	return protocol.Play(d.board, steps...)
}

// follow plays what was said on the board as it is in a view, and returns how many turns
// can be.
func (d *dialogue) follow(v *view, talk []said) (int, error) {
	if err := d.board.Reset(d.board.Spec(), ""); err != nil {
		return 0, err
	}
	for i, t := range talk {
		if protocol.Play(d.board, v.hears(t)...) != nil {
			return i, nil
		}
	}
	return len(talk), nil
}

// back sets the board to the game again.
func (d *dialogue) back() error {
	_, err := d.follow(d.view, d.talk)
	return err
}

// impossible returns the rivals in which all was possible but what was told last.
func (d *dialogue) impossible() (list []*view, err error) {
	for _, v := range d.rivals {
		n, err := d.follow(v, d.talk)
		if err != nil {
			return nil, err
		}
		if !v.broken && n == len(d.talk)-1 {
			list = append(list, v)
		}
	}
	return list, d.back()
}

// telling finds the decision that cannot be in the fewest kinds of rivals, but in some; in
// most of them where the engine is thought to have a view.
func (d *dialogue) telling() (best game.Move, ok bool, err error) {
	legal := d.board.Legal(nil)
	kinds := make([]map[string]bool, len(legal))
	for _, v := range d.rivals {
		if v.broken {
			continue
		}
		n, err := d.follow(v, d.talk)
		if err != nil {
			return best, false, err
		}
		for i, m := range legal {
			if d.view.reads {
				m = d.view.from(m)
			}
			if v.reads {
				m = v.to(m)
			}
			if n < len(d.talk) || d.board.Check(m) == nil {
				continue
			}
			if kinds[i] == nil {
				kinds[i] = map[string]bool{}
			}
			kinds[i][v.name] = true
		}
	}
	if err := d.back(); err != nil {
		return best, false, err
	}
	least := 0
	for k := range legal {
		i := (k + d.board.Len()*7) % len(legal)
		n := len(kinds[i])
		if d.view.reads || d.view.writes {
			n = len(d.rivals) + 1 - n // what is thought is to be proved soon
		}
		if len(kinds[i]) > 0 && (!ok || n < least) && !d.ends(legal[i]) {
			best, ok, least = legal[i], true, n
		}
	}
	return best, ok, nil
}

// named says what it means that an engine has no answer, or one that cannot be.
func (d *dialogue) named(all []*view, failed error) error {
	if errors.Is(failed, protocol.ErrSkipped) {
		return failed
	}
	likely, err := d.likely(all, failed)
	if err != nil {
		return err
	}
	turns, silent := len(d.talk)/2+pointAfter, 0
	for i := 0; i < len(likely) && silent < silentViews; i++ {
		v := likely[i]
		if err := d.Again(); err != nil {
			return err
		}
		rivals := slices.Clone(likely)
		for _, r := range rivals {
			r.broken = r == v
		}
		t := dialogue{probe: d.probe, view: v, rivals: rivals}
		err := t.game(turns)
		switch {
		case errors.Is(err, protocol.ErrSkipped):
			return err
		case err == nil:
			return t.says(likely, failed)
		case protocol.Unanswered(err) && !errors.Is(err, refusal{}):
			silent++
		}
	}
	return protocol.Untested(failed) // it is not the points
}

// likely returns the views that explain what was seen, the likeliest first: all was
// possible but what was told last, which is not answered; or an answer that cannot be was
// possible.
func (d *dialogue) likely(all []*view, failed error) (list []*view, err error) {
	if _, ok := errors.AsType[*protocol.Impossible](failed); !ok {
		return d.fell, nil
	}
	for _, v := range all {
		n, err := d.follow(v, d.talk)
		if err != nil {
			return nil, err
		}
		if n == len(d.talk) {
			list = append(list, v)
		}
	}
	if list == nil { // it may have gone on from what cannot be
		list = all
	}
	return list, nil
}

// says names the view in which all of the game went well.
func (d *dialogue) says(likely []*view, failed error) error {
	var ways []string
	for _, v := range likely {
		if v.name != d.view.name {
			continue
		}
		n, err := d.follow(v, d.talk)
		if err != nil {
			return err
		}
		if n < len(d.talk) && v != d.view {
			continue
		}
		switch {
		case v.reads && v.writes:
			ways = append(ways, "reads and writes")
		case v.reads:
			ways = append(ways, "reads")
		default:
			ways = append(ways, "writes")
		}
	}
	text := fmt.Sprintf("it %s moves with %s", strings.Join(ways, " or "), d.view.name)
	if d.view.transposed && d.view.reads && d.view.writes {
		text += ": dialect.transpose=true is for such engines"
	}
	return fmt.Errorf("%s. So %d turns are right, and otherwise: %w", text, (len(d.talk)+1)/2, failed)
}
