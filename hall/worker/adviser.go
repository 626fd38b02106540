package worker

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"time"

	"kibitz/analysis"
	"kibitz/clock"
	"kibitz/game"
	"kibitz/hall/bus"
	"kibitz/journal"
	"kibitz/player"
)

const (
	// hintTime is how long an adviser thinks about a question.
	hintTime = time.Second
	// hintLongest is the longest time that it evaluates decisions, where a busy machine found none in less.
	hintLongest = 8 * hintTime
	// hintBlock is the side of the part of a board that the first hint names.
	hintBlock = 3
	// hintsKnown is how many hints are known again when they are asked for twice.
	hintsKnown = 64
)

// adviser tells the person of a seat what a strong player would decide there. For each
// question a player is made and told what the seat was told (the Mailbox of the person has
// nothing else), as one that takes up a game in that seat; it thinks on a processor of the
// worker, in turn with the engines of all games. Its fields are under the lock of the person.
type adviser struct {
	s    *person
	make func() (player.Player, error)
	work sync.WaitGroup

	// hint is what is told of the question that waits, nil before anybody asked; wanted is how
	// much of it is to be told, best what the player decided, once he has. lines is how many
	// decisions are to be listed, list those that were found.
	hint   *bus.Hint
	wanted int
	best   *player.Answer
	lines  int
	list   []game.Info
	legal  []game.Move
	ctx    context.Context // of the question
	cancel context.CancelFunc
	asked  []string // the latest identifiers
	// judge is Setup.Judge; judged is how many decisions were made before the turn that was judged
	// last, and sure asks about it. unsure ends the judging of a turn that is the latest no more.
	judge  func(ctx context.Context, moves []game.Move, ply int) (float64, error)
	judged int
	sure   *bus.Sure
	unsure context.CancelFunc
	// count is how many hints were told in the game, noted how many of them are in its log.
	count, noted int
}

// hint tells the next part of what is advised, or has somebody think about it; with lines it lists so
// many decisions.
func (s *person) hint(id string, lines int) bus.Reply {
	s.mu.Lock()
	defer s.mu.Unlock()
	a := s.adviser
	if a == nil {
		return refused(player.No(bus.WhyNoHints, "there are no hints in this game"))
	}
	if id != "" && slices.Contains(a.asked, id) {
		return bus.Reply{}
	}
	mail := s.box.Read()
	if mail.Prompt == 0 {
		return refused(player.No(player.OffTurn, "it is not your turn"))
	}
	a.asked = append(a.asked[max(0, len(a.asked)-hintsKnown+1):], id)
	s.here()
	if a.hint == nil || a.hint.Prompt != mail.Prompt || a.hint.Failed {
		a.begin(&mail)
	}
	a.wanted = min(a.wanted+1, bus.HintList)
	if lines > 0 {
		a.wanted = bus.HintList
	}
	if lines = cmp.Or(lines, a.lines, bus.HintLines); a.wanted == bus.HintList && lines != a.lines {
		a.lines, a.list = min(lines, bus.MostLines), nil
		a.compare(&mail)
	}
	a.tell()
	return bus.Reply{}
}

// begin has a player think about a question.
func (a *adviser) begin(mail *player.Mail) {
	a.drop(0)
	a.ctx, a.cancel = context.WithCancel(a.s.ctx)
	a.legal, a.hint = mail.Legal, &bus.Hint{Prompt: mail.Prompt}
	a.wanted, a.best, a.lines, a.list = 0, nil, 0, nil
	a.ask(mail, func(ctx context.Context, p player.Player, setup *player.Setup) (func(), error) {
		best, err := p.Choose(ctx, &player.Prompt{
			Seat: setup.Seat, Turn: mail.Turn, Moves: listed(mail.Legal), Colours: mail.Colours, View: setup.View,
			Deadline: a.s.a.w.Now().Add(hintTime), Again: mail.Again, Rejected: mail.Rejected,
		})
		if err == nil && len(best.Steps) == 0 {
			err = errors.New("no decision")
		}
		best.Steps = slices.Clone(best.Steps)
		best.Info.PV = slices.Clone(best.Info.PV)
		return func() { a.best = &best }, err
	})
}

// compare has a player evaluate the best decisions.
func (a *adviser) compare(mail *player.Mail) {
	lines := a.lines
	a.ask(mail, func(ctx context.Context, p player.Player, _ *player.Setup) (func(), error) {
		who, ok := p.(player.Analyst)
		if !ok {
			return nil, errors.New("the adviser does not compare decisions")
		}
		list, err := analysis.Compare(ctx, who, lines, hintTime, hintLongest)
		return func() {
			if a.lines == lines { // or else more were asked for meanwhile
				a.list = list
			}
		}, err
	})
}

// finding has a player find something; the function keeps it, and is called under the lock.
type finding func(context.Context, player.Player, *player.Setup) (func(), error)

// ask puts a question to a player of its own, and tells what the person is to hear of it.
func (a *adviser) ask(mail *player.Mail, find finding) {
	ctx := a.ctx
	a.work.Go(func() {
		found, err := a.think(ctx, mail, find)
		a.s.mu.Lock()
		defer a.s.mu.Unlock()
		if ctx.Err() != nil {
			return // the question is another now
		}
		if err != nil {
			a.s.a.log.Warn("no hint: " + err.Error())
			a.hint.Failed = true
			a.s.publish()
			return
		}
		found()
		a.tell()
	})
}

// drop forgets what was said of another question than this one.
func (a *adviser) drop(prompt int) {
	if a.hint != nil && a.hint.Prompt != prompt {
		a.cancel()
		a.hint = nil
	}
}

// tell tells as much as is wanted and known.
func (a *adviser) tell() {
	h := *a.hint
	if a.best != nil {
		known := bus.HintWhy
		if a.list != nil {
			known = bus.HintList
		}
		level := max(h.Level, min(a.wanted, known))
		a.count += level - h.Level
		h.Level = level
		h.Near = near(a.legal, a.best.Steps[0])
		if h.Level >= bus.HintMove {
			h.Near, h.Steps = nil, journal.FormatMoves(a.best.Steps)
		}
		if h.Level >= bus.HintWhy {
			h.Why = whyOf(&a.best.Info)
		}
		h.Lines = nil
		for i := range a.list {
			h.Lines = append(h.Lines, *whyOf(&a.list[i]))
		}
	}
	a.hint = &h
	a.s.publish()
}

// think has a player who knows what the seat knows find something.
func (a *adviser) think(ctx context.Context, mail *player.Mail, find finding) (found func(), err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("the adviser broke down: %v", v)
		}
	}()
	free, err := a.s.a.w.processors.take(ctx, a.s.a.left, func(int, int, time.Duration) {})
	if err != nil {
		return nil, err
	}
	defer free()
	p, err := a.make()
	if err != nil {
		return nil, err
	}
	defer p.Close() //nolint:errcheck // what it decided stands
	setup := mail.Setup
	setup.Colours, setup.View, setup.Clocks = mail.Colours, shownView{mail.View}, [2]clock.Clock{}
	for i := range mail.Updates {
		setup.History = append(setup.History, mail.Updates[i].Clone())
	}
	if err := p.NewGame(ctx, &setup); err != nil {
		return nil, err
	}
	defer context.AfterFunc(ctx, p.Stop)()
	return find(ctx, p, &setup)
}

// shownView is a board that does not change.
type shownView struct{ v *game.View }

// View implements player.Viewer.
func (x shownView) View() game.View {
	if x.v == nil {
		return game.View{}
	}
	return *x.v
}

// listed are decisions that may be made.
type listed []game.Move

// Legal implements player.Legals.
func (x listed) Legal(dst []game.Move) []game.Move { return append(dst, x...) }

// near are the decisions that the first hint leaves: those of the same piece, or those in the
// same part of the board.
func near(legal []game.Move, best game.Move) []string {
	block := func(p game.Point) game.Point { return game.Point{X: p.X / hintBlock, Y: p.Y / hintBlock} }
	var out []game.Move
	for _, m := range legal {
		if m.From == best.From && (best.From != game.NoPoint || m.Op == best.Op && block(m.To) == block(best.To)) {
			out = append(out, m)
		}
	}
	return journal.FormatMoves(out)
}

// whyOf is what the adviser says of its decision, as the seat sees it.
func whyOf(i *game.Info) *bus.HintReason {
	finite := func(x float64) *float64 {
		if !i.Eval.Known() || math.IsNaN(x) || math.IsInf(x, 0) {
			return nil
		}
		return &x
	}
	return &bus.HintReason{
		Unit: int(i.Eval.Unit), Lo: finite(i.Eval.Lo), Hi: finite(i.Eval.Hi), Depth: i.Depth, Nodes: i.Nodes, Line: journal.FormatMoves(i.PV),
	}
}

// advise gives the person of a game an adviser, if there may be one: nobody is to be deceived.
func (a *attempt) advise(setup *Setup) {
	if setup.Advise == nil || a.p.Rated || a.p.Round > 0 {
		return
	}
	for seat, s := range a.seats {
		if s != nil && thinks(&a.p.Seats[1-seat]) {
			s.adviser = &adviser{s: s, make: setup.Advise, judge: setup.Judge, judged: -1, count: a.hinted[seat]}
		}
	}
}

// hints is how many hints each seat was told.
func (a *attempt) hints() (n [2]int) {
	for seat, s := range a.seats {
		if s != nil {
			s.mu.Lock()
			n[seat] = s.hints()
			s.mu.Unlock()
		}
	}
	return n
}

// hints is how many hints the seat was told; s.mu is held.
func (s *person) hints() int {
	if s.adviser == nil {
		return 0
	}
	return s.adviser.count
}

// noteHints writes into the log of the game how many hints there were, if there are more of
// them: should the game be taken up elsewhere, they count there too.
func (a *attempt) noteHints() {
	for seat, s := range a.seats {
		if s == nil || s.adviser == nil {
			continue
		}
		s.mu.Lock()
		n, more := s.adviser.count, s.adviser.count > s.adviser.noted
		s.adviser.noted = s.adviser.count
		s.mu.Unlock()
		if more {
			a.events.add(&journal.Event{
				Time: a.w.Now(), Game: a.p.Game, To: game.Arbiter, Kind: journal.KindHints, Hints: &journal.Hints{By: game.Seat(seat), Count: n},
			})
		}
	}
}
