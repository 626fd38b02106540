package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"kibitz/game"
	"kibitz/internal/plain"
	"kibitz/journal"
	"kibitz/rating/field"
	"kibitz/run"
	"kibitz/run/engines"
	"kibitz/run/folder"
	"kibitz/tournament"
)

// roster is the engines of a run, which can become more while it goes on.
type roster struct {
	mu   sync.RWMutex
	list []*engineSpec
}

// at returns an engine by its number from 0.
func (s *roster) at(i int) *engineSpec {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.list[i]
}

// count returns how many engines there are.
func (s *roster) count() int {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return len(s.list)
}

func (s *roster) add(e *engineSpec) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.list = append(s.list, e)
}

func (s *roster) cut(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.list = s.list[:n:n]
}

// organiserOrders are the orders that change the schedule, with what follows them.
var organiserOrders = []orderWord{
	{"withdraw", "ENGINE [award|annul]", "no further games for an engine; what is left of its games is awarded to the others, or all its " +
		"games are annulled; which one is usual is chosen if nothing is said"},
	{"enter", "SPEC [BYES]", "another engine takes part from now on; in a Swiss with half a bye's points for BYES of the rounds that it " +
		"missed"},
	{"pair", "ENGINE ENGINE [GAMES]", "two engines play more games; in a Swiss they meet in the next round"},
	{"forfeit", "GAME|ENGINE ENGINE", "a game that has not begun is lost by the engine; given two engines, the first loses all that it has " +
		"not played against the second"},
	{"replay", "GAME [NOTE...]", "a game that is over is annulled and played again"},
	{"overrule", "GAME first|second|draw|nobody NOTE...", "a game that is over has another result"},
}

// organise changes the schedule.
func (c *control) organise(o request) answer {
	r := c.r
	var out answer
	r.runner.Change(func() {
		engines := len(r.names)
		order, spec, err := r.readOrder(o)
		out.Usage = err != nil
		if err == nil && r.foreign != nil {
			err = fmt.Errorf("the games are those that the options of %s describe, and no others", r.foreign.Program)
		}
		if err == nil {
			if order, err = r.director.Settle(order); err != nil {
				err = r.named(err)
			}
		}
		if err == nil {
			err = r.follow(order, spec, o.By)
		}
		if err != nil {
			if len(r.names) > engines {
				r.dismiss(engines)
			}
			out.Error = plain.OneLine(err)
			return
		}
		out.Said = r.orderText(order)
	})
	return out
}

// named tells the engines of an order by name.
func (r *matchRun) named(err error) error {
	return errors.New(tournament.Named(err, len(r.names), func(n int) string { return r.names[n] }))
}

// readOrder reads an order of an organiser; spec is the specification of an engine
// that enters, which is in the roster then.
func (r *matchRun) readOrder(o request) (order tournament.Order, spec string, err error) {
	order.Kind = tournament.OrderKind(o.Do)
	switch order.Kind {
	case tournament.Withdraw:
		order.Engine, err = r.engineOf(o.Args[0])
		if err == nil && len(o.Args) > 1 {
			order.Remaining = tournament.Remaining(o.Args[1])
		}
	case tournament.Enter:
		spec = o.Args[0]
		if err := r.canEnter(); err != nil {
			return order, "", err
		}
		if len(o.Args) > 1 {
			if order.Byes, err = strconv.Atoi(o.Args[1]); err != nil || order.Byes < 0 {
				return order, "", fmt.Errorf("%s byes: must be a number from 0; the words of an engine are one text in quotes", o.Args[1])
			}
		}
		order.Name, err = r.enter(spec, "")
	case tournament.Pair:
		if order.Engine, err = r.engineOf(o.Args[0]); err == nil {
			order.Opponent, err = r.engineOf(o.Args[1])
		}
		if err == nil && len(o.Args) > 2 {
			if order.Games, err = strconv.Atoi(o.Args[2]); err != nil || order.Games < 1 {
				err = fmt.Errorf("%s games: must be a number from 1", o.Args[2])
			}
		}
	case tournament.Forfeit:
		if order.Engine, err = r.engineOf(o.Args[1]); err == nil {
			var n int
			if n, err = strconv.Atoi(o.Args[0]); err == nil {
				order.Game, order.Opponent = n, order.Engine
			} else {
				order.Opponent = order.Engine
				order.Engine, err = r.engineOf(o.Args[0])
			}
		}
	case tournament.Replay, tournament.Overrule:
		if order.Game, err = strconv.Atoi(o.Args[0]); err != nil {
			err = fmt.Errorf("game %s: must be the number of a game, from 1", o.Args[0])
		}
		order.Note = strings.Join(o.Args[1:], " ")
		if err == nil && order.Kind == tournament.Overrule {
			order.Points, order.Note, err = overruling(o)
		}
	}
	return order, spec, err
}

// overruling reads "GAME first|second|draw|nobody NOTE...".
func overruling(o request) (points [2]float64, note string, err error) {
	if o.Args[1] == "nobody" {
		return points, noteOf(o), nil
	}
	res, err := rulingOf(o)
	return res.Points, res.Detail, err
}

func noteOf(o request) string {
	note := strings.TrimSpace(strings.Join(o.Args[2:], " "))
	if o.By != "" && note != "" {
		note = o.By + ": " + note
	}
	return note
}

// engineOf returns the number of an engine that is given by its name.
func (r *matchRun) engineOf(name string) (int, error) {
	if i := slices.Index(r.names, name); i >= 0 {
		return i, nil
	}
	return 0, fmt.Errorf("there is no engine %q: they are %s", name, field.SomeNames(r.names))
}

// canEnter returns why no engine can enter a run late.
func (r *matchRun) canEnter() error {
	if r.sprt != nil {
		return fmt.Errorf("a sequential test is between two engines")
	}
	return nil
}

// enter takes an engine into the roster and returns its name; known is the name that
// it had when it entered in an earlier run.
func (r *matchRun) enter(spec, known string) (string, error) {
	words, err := engines.ParseWords(spec)
	if err != nil {
		return "", err
	}
	e, err := r.newEngine(words)
	if err != nil {
		return "", err
	}
	if e.Human {
		return "", fmt.Errorf("engine %q: a person cannot enter late", spec)
	}
	if err := r.checkAbility(e); err != nil {
		return "", err
	}
	if r.programs != nil {
		if err := r.programs.Ready(r.a.ctx, e); err != nil {
			return "", err
		}
	}
	name := e.Name
	for n := 2; slices.Contains(r.names, e.Name); n++ {
		e.Name = name + "#" + strconv.Itoa(n)
	}
	if known != "" {
		e.Name = known
	}
	r.roster.add(e)
	r.names = append(r.names, e.Name)
	if r.runner != nil {
		r.fitProcessors(int(r.atATime.Load()))
	}
	return e.Name, nil
}

// dismiss takes those off the roster that could not enter.
func (r *matchRun) dismiss(from int) {
	r.roster.cut(from)
	r.names = r.names[:from:from]
}

// follow writes an order that the director has settled into the journal, in its place
// among the results, and changes the schedule once it is there. An order that cannot be
// kept changes nothing.
func (r *matchRun) follow(o tournament.Order, spec, by string) error {
	b, err := json.Marshal(o)
	if err != nil {
		return err
	}
	var annulled []string
	if o.Kind == tournament.Withdraw && o.Remaining == tournament.Annulled {
		if annulled, err = r.gamesOf(r.names[o.Engine]); err != nil {
			return err
		}
	}
	if err := r.dir.Journal.Append(&journal.Event{
		Time: r.a.now(), To: game.Arbiter, Kind: journal.KindOrder, Order: &journal.Order{Order: b, Engine: spec, By: by},
	}); err != nil {
		return err
	}
	if _, err := r.director.Apply(o); err != nil {
		return err
	}
	r.rule(o, annulled, by)
	return nil
}

// rule writes what an order makes of games that are over, for those who read records
// and do not know the schedule.
func (r *matchRun) rule(o tournament.Order, annulled []string, by string) {
	r.ordered = true
	switch o.Kind {
	case tournament.Overrule:
		p, _ := r.director.Find(o.Game - 1)
		res := game.Result{Points: o.Points, Reason: game.ByAdjudication, Detail: o.Note}
		if o.Points == [2]float64{} {
			res.Reason = game.ByAbort
		}
		r.ruling(replayName(p), res, by, o.Note)
	case tournament.Replay:
		p, _ := r.director.Find(o.Game - 1)
		p.Replays--
		r.annul(replayName(p), by, "played again")
	case tournament.Withdraw:
		for _, id := range annulled {
			r.annul(id, by, r.names[o.Engine]+" has withdrawn")
		}
	}
}

// annul writes that a game that is over counts for nobody.
func (r *matchRun) annul(id, by, why string) {
	r.ruling(id, game.Result{Reason: game.ByAbort, Detail: why}, by, why)
}

func (r *matchRun) ruling(id string, res game.Result, by, note string) {
	r.sink(&journal.Event{
		Time: r.a.now(), Game: id, To: game.Public, Kind: journal.KindRuling, Ruling: &journal.Ruling{Result: res, By: by, Note: note},
	})
}

// annulled writes, of a game that ran when one of its engines withdrew, that it
// counts for nobody.
func (r *matchRun) annulled(p *run.Game) {
	if !r.ordered {
		return
	}
	if now, ok := r.director.Find(p.Pairing.Index); ok && now.Award == tournament.ToNobody {
		r.annul(p.ID, "", "an engine has withdrawn")
	}
}

// gamesOf returns the games of an engine that ended with a verdict.
func (r *matchRun) gamesOf(name string) (ids []string, err error) {
	if err := r.dir.Journal.Flush(); err != nil {
		return nil, err
	}
	f, err := os.Open(filepath.Join(r.dir.Path, "journal"))
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // only read
	running := map[string]bool{}
	_, err = journal.Read(f, func(ev *journal.Event) error {
		switch {
		case ev.Start != nil:
			running[ev.Game] = slices.Contains(ev.Start.Names[:], name)
		case ev.Result != nil:
			if running[ev.Game] && ev.Result.Result.Reason != game.ByAbort {
				ids = append(ids, ev.Game)
			}
			delete(running, ev.Game)
		}
		return nil
	})
	return ids, err
}

// orderText says what an order has done.
func (r *matchRun) orderText(o tournament.Order) string {
	name := func(i int) string { return r.names[i] }
	switch o.Kind {
	case tournament.Withdraw:
		if o.Remaining == tournament.Annulled {
			return name(o.Engine) + " has withdrawn; its games do not count"
		}
		return name(o.Engine) + " has withdrawn; what is left of its games is awarded to the others"
	case tournament.Enter:
		return name(o.Engine) + " takes part from now on"
	case tournament.Pair:
		if o.Games == 0 {
			return fmt.Sprintf("%s and %s meet in the next round", name(o.Engine), name(o.Opponent))
		}
		return fmt.Sprintf("%s and %s play %s more", name(o.Engine), name(o.Opponent), plain.Count(o.Games, "game"))
	case tournament.Forfeit:
		if o.Game > 0 {
			return fmt.Sprintf("game %d is lost by %s", o.Game, name(o.Engine))
		}
		return fmt.Sprintf("%s loses what it has not played against %s", name(o.Engine), name(o.Opponent))
	case tournament.Replay:
		return fmt.Sprintf("game %d is played again", o.Game)
	}
	return fmt.Sprintf("game %d now counts %s-%s; %s", o.Game, plain.Number(o.Points[0]), plain.Number(o.Points[1]), o.Note)
}

// award records a game that an organiser awarded: nobody plays it.
func (r *matchRun) award(played *run.Game, res game.Result) tournament.Finished {
	p := played.Pairing
	now := r.a.now()
	start := &journal.Start{
		Spec: r.rules.Spec(), Names: played.Names, ToMove: r.rules.New().Turn().Seat, Round: p.Round, Pair: p.Pair,
		Attempt: played.Attempt, Opening: played.Opening,
	}
	r.sink(&journal.Event{Time: now, Game: played.ID, To: game.Public, Kind: journal.KindStart, Start: start})
	r.sink(&journal.Event{Time: now, Game: played.ID, To: game.Public, Kind: journal.KindResult, Result: &journal.Result{Result: res}})
	played.Began, played.Outcome.Result = now, res
	return tournament.Finished{Pairing: p, Result: res, Data: played}
}

// logOfResults is what an earlier run left for its director: results and orders in
// their sequence.
type logOfResults []tournament.Event

func (l *logOfResults) result(f tournament.Finished) {
	*l = append(*l, tournament.Event{Finished: f})
}

// order takes an order of an earlier run; who entered takes part again.
func (l *logOfResults) order(r *matchRun, o *journal.Order) error {
	var order tournament.Order
	if err := json.Unmarshal(o.Order, &order); err != nil {
		return fmt.Errorf("an order cannot be read: %w", err)
	}
	if order.Kind == tournament.Enter {
		if _, err := r.enter(o.Engine, order.Name); err != nil {
			return err
		}
	}
	*l = append(*l, tournament.Event{Order: &order})
	return nil
}

// replayName names a game that is played again.
func replayName(p tournament.Pairing) string {
	if p.Replays == 0 {
		return folder.GameName(p.Index)
	}
	return fmt.Sprintf("%s-%d", folder.GameName(p.Index), p.Replays+1)
}
