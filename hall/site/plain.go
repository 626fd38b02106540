package site

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"html/template"
	"net/http"
	"slices"
	"strings"
	"time"

	"kibitz/clock"
	"kibitz/game"
	"kibitz/game/wire"
	"kibitz/hall/auth"
	"kibitz/hall/bus"
	"kibitz/hall/hub"
	"kibitz/hall/live"
	"kibitz/hall/lobby"
	"kibitz/hall/problem"
	"kibitz/hall/records"
	"kibitz/hall/web/pages"
	"kibitz/hall/web/words"
	"kibitz/journal"
	"kibitz/report/board"
	text "kibitz/term/board"
)

const (
	// plainRenews is how often the page asks again while it is the other's turn, in seconds.
	plainRenews = 5
	// mostListed is how many moves can be chosen from a list.
	mostListed = 400
	// latestShown is how many moves are told in words.
	latestShown = 6
	// answerTime is how long the page waits for what an engine answers at once.
	answerTime = 1500 * time.Millisecond
)

// plainActs are what can be done beside moves.
func plainActs() []string {
	return []string{"resign", "draw", "undo", "pause", "resume", "accept", "decline", "abort", "withdraw"}
}

// plainPages are a room for browsers without scripts: its board as a picture, its acts as forms.
type plainPages struct{ *roomPages }

func (h *plainPages) register() {
	h.page("/rooms/{room}/plain", auth.Look, "", h.plainPage)
	h.formOn("/rooms/{room}/move", auth.Play, h.plainPage, h.move)
	h.formOn("/rooms/{room}/act", auth.Play, h.plainPage, h.act)
}

// plainPage is a room, and what its game asks of the reader.
func (h *plainPages) plainPage(ctx context.Context, r *http.Request, p *pages.Page) error {
	if err := h.roomPage(ctx, r, p); err != nil {
		return err
	}
	room, ok := p.Data.(*pages.Room)
	if !ok {
		return nil
	}
	d := &pages.Plain{Room: room, Says: p.Words.Text("room.nogame")}
	p.Name, p.Data = "plain", d
	mine := room.Mine()
	if mine != nil {
		room.Places[mine.Number].Here = true
	}
	switch {
	case room.Game != "":
		if err := h.plainGame(ctx, p.Words, d); err != nil {
			return err
		}
	case room.Last != nil:
		d.Says = pages.Ended(p.Words, *room.Last, room.Seat())
		p.Title = pages.TabTitle(p.Words, *room.Last, room.Seat())
		if room.Phase != "done" || mine != nil && mine.Again {
			d.Renews = plainRenews
		}
	case mine != nil && mine.Ready:
		d.Renews = plainRenews
	}
	if d.Prompt > 0 {
		p.Title = "● " + d.Says + " · " + pages.GameName(p.Words, room.Kind())
	}
	return nil
}

// plainGame shows the game that is played.
func (h *plainPages) plainGame(ctx context.Context, w *words.Catalogue, d *pages.Plain) error {
	d.Says, d.Renews = w.Text("room.soon"), plainRenews
	var ask *bus.SeatState
	if d.Place >= 0 && d.Mine().Kind == "person" {
		if !d.Asks() { // an engine may answer at once
			h.answered(ctx, d.Game)
		}
		if err := h.running.Sign(ctx, d.Game); err != nil {
			h.log.DebugContext(ctx, "presence was not told", "game", d.Game, "error", problem.OneLine(err))
		}
		ask, _ = h.running.State(ctx, &lobby.SeatLook{Game: d.Game}) // without it the page asks again
	}
	l, err := h.running.Look(ctx, d.Game)
	if err != nil {
		return err
	}
	short, stop := context.WithTimeout(ctx, answerTime)
	defer stop()
	s, err := h.running.Hub.Until(short, l.Key(), l.Meta, func(s *live.State) bool { // a question may come before its board
		return ask == nil || ask.Prompt == 0 || s.Result != nil || s.Decisions() == ask.Ply
	})
	if err != nil || s.View == nil {
		return nil //nolint:nilerr // there is no board yet, and the page asks again
	}
	h.plainBoard(w, d, &s)
	if ask != nil {
		plainAsk(w, d, &s, ask)
	}
	return nil
}

// answered waits for a moment until a game, as the caller sees it, is his to go on with or over.
func (h *plainPages) answered(ctx context.Context, id string) {
	l, err := h.running.Look(ctx, id)
	if err != nil || l.To == game.Public {
		return
	}
	short, stop := context.WithTimeout(ctx, answerTime)
	defer stop()
	_, _ = h.running.Hub.Until(short, l.Key(), l.Meta, func(s *live.State) bool { // otherwise the page asks again
		return s.Result != nil || s.View != nil && string(s.View.Seat) == string(s.For)
	})
}

// plainBoard shows a state of a game.
func (h *plainPages) plainBoard(w *words.Catalogue, d *pages.Plain, s *live.State) {
	names := [2]string{pages.Called(w, s.Names[0]), pages.Called(w, s.Names[1])}
	v := s.View.Board()
	svg := board.SVG(v, board.Style{Title: names[0] + " – " + names[1], Chinese: true})
	d.Board = template.URL("data:image/svg+xml;base64," + base64.StdEncoding.EncodeToString([]byte(svg))) //nolint:gosec // drawn here
	var b bytes.Buffer
	text.Painter{W: &b}.Draw(v)
	d.Text = b.String()
	for i := range d.Sides {
		side := &d.Sides[i]
		side.Name, side.Turn = names[i], v.Turn.Seat == game.Seat(i)
		if c := string(s.View.Colours[i]); c != string(wire.Unknown) {
			side.Colour = c
		}
		if v.HasScore {
			side.Score = w.Number(v.Score[i], 1)
		}
		if s.Clocks != nil && s.Controls[i] != "inf" {
			side.Clock = plainClock(s, i, h.now())
		}
	}
	for _, e := range s.History {
		d.Latest = append(d.Latest, toldMove(w, s.View, names, &e)...)
	}
	d.Latest = d.Latest[max(0, len(d.Latest)-latestShown):]
	d.Says, d.Paused = plainSays(w, s, names), s.Wait != nil && s.Wait.For != journal.ForProcessor
}

// plainClock is what a seat has left.
func plainClock(s *live.State, seat int, now time.Time) string {
	ran := int64(0)
	if string(s.View.Seat) == game.Seat(seat).String() && !s.Wait.Stands() && s.Result == nil {
		ran = max(0, now.UnixMilli()-s.At)
	}
	return plainTime(time.Duration(s.Clocks[seat].After(ran)) * time.Millisecond)
}

// lastClocks are what clocks of a game that is over show on, as those of scripts do; empty for a seat without one.
func lastClocks(re *records.Replayed) (out [2]string) {
	if re.Final == nil {
		return out
	}
	final := hub.ClocksOf(re.Clocks, *re.Final)
	for seat, control := range re.Clocks {
		if control == "" || control == "inf" {
			continue
		}
		out[seat] = clock.Face(time.Duration(final[seat].Left) * time.Millisecond)
	}
	return out
}

// plainTime is a time in hours, where there are any, minutes and seconds: what has begun counts.
func plainTime(left time.Duration) string { return clock.Minutes(left + time.Second - 1) }

// plainSays tells whose turn it is, and what kind of decision.
func plainSays(w *words.Catalogue, s *live.State, names [2]string) string {
	v := s.View
	if s.Wait != nil && s.Wait.For == journal.ForPause {
		return w.Text("script.paused", "name", s.Wait.By)
	}
	switch v.Seat {
	case wire.Dealer:
		return w.Text("board.turn.chance")
	case wire.Nobody:
		return w.Text("board.turn.none")
	}
	seat, mine := 0, string(v.Seat) == string(s.For)
	if v.Seat == wire.Second {
		seat = 1
	}
	out := []string{w.Text("board.turn.theirs", "name", names[seat])}
	phase := "board.step." + v.Phase
	if mine {
		out[0] = w.Text("board.turn.yours")
	}
	if v.Phase == "place" && v.Step > 0 {
		phase = "board.step.second"
	}
	if c := "board.colour." + string(v.Colours[seat]); w.Has(c) {
		out = append(out, w.Text(c))
	}
	if mine && w.Has(phase) {
		out = append(out, w.Text(phase))
	}
	return strings.Join(out, " · ")
}

// toldMove is a decision in words, as far as the reader may know it.
func toldMove(w *words.Catalogue, v *wire.View, names [2]string, e *live.Entry) (out []string) {
	var name string
	switch e.By {
	case wire.First:
		name = names[0]
	case wire.Second:
		name = names[1]
	default:
		return nil
	}
	steps := slices.Clone(e.Steps)
	for _, n := range e.Notices {
		switch n.Kind {
		case live.Played:
			steps = append(steps, n.Move)
		case live.Moved:
			out = append(out, w.Text("board.say.moved", "name", name))
		}
	}
	for _, x := range steps {
		m, err := journal.ParseMove(x)
		switch {
		case err != nil:
		case m.Op == game.Deal:
			if i := int(m.Arg); i >= 0 && i < len(game.DarkChessPieces) {
				piece := w.Text(fmt.Sprintf("board.piece.%c", game.DarkChessPieces[i]))
				out = append(out, w.Text("board.say.move", "name", v.MoveName(m), "move", piece))
			}
		case m.Op == game.Pass:
			out = append(out, w.Text("board.say.pass", "name", name))
		default:
			out = append(out, w.Text("board.say.move", "name", name, "move", moveLabel(w, v, m)))
		}
	}
	return out
}

// moveLabel is what a move is called to people.
func moveLabel(w *words.Catalogue, v *wire.View, m game.Move) string {
	switch key := fmt.Sprintf("board.choose.%d", m.Arg); {
	case m.Op == game.Pass:
		return w.Text("board.do.pass")
	case m.Op == game.Choose && w.Has(key):
		return w.Text(key)
	}
	return v.MoveName(m)
}

// plainAsk shows what is asked of the reader.
func plainAsk(w *words.Catalogue, d *pages.Plain, s *live.State, ask *bus.SeatState) {
	if d.Prompt = ask.Prompt; d.Prompt > 0 {
		d.Renews = 0
	}
	if len(ask.Legal) <= mostListed {
		for _, x := range ask.Legal {
			if m, err := journal.ParseMove(x); err == nil {
				d.Moves = append(d.Moves, pages.PlainMove{Name: s.View.MoveName(m), Label: moveLabel(w, s.View, m)})
			}
		}
	}
	switch at := s.View.Attempts; {
	case ask.Rejected == "refused" && len(at) > 0:
		p := at[len(at)-1]
		d.Tried = w.Text("board.refused", "move", s.View.MoveName(game.PlaceAt(game.Pt(p[0], p[1]))))
	case ask.Rejected == "illegal":
		d.Tried = w.Text("board.illegal")
	}
	if h := ask.Hint; h != nil && h.From != "" && len(h.Steps) == 1 {
		if m, err := journal.ParseMove(h.Steps[0]); err == nil {
			d.Tried = w.Text("script.hint.suggests", "name", pages.Called(w, h.From), "move", moveLabel(w, s.View, m))
		}
	}
	for _, x := range ask.Asks {
		name := pages.Called(w, s.Names[x.By&1])
		if x.By == ask.Seat {
			d.Asking = w.Text(fmt.Sprintf("script.asking.%s", x.What), "n", turnsIn(s.History, x.Ply)+1)
		} else {
			d.Theirs, d.Ask = w.Text(fmt.Sprintf("script.offer.%s", x.What), "name", name, "n", turnsIn(s.History, x.Ply)+1), x.Num
		}
	}
}

// turnsIn is how many turns the first decisions of a game are.
func turnsIn(list []live.Entry, decisions int) (n int) {
	for i, e := range list {
		if i < decisions && e.Ended {
			n++
		}
	}
	return n
}

// current is the game that a room plays.
func (h *plainPages) current(ctx context.Context, room string) (string, error) {
	got, err := h.rooms.Get(ctx, &lobby.RoomPath{Room: room})
	if err != nil {
		return "", err
	}
	if got.Room.Game == nil {
		return "", problem.New(http.StatusConflict, "over", "the game is over")
	}
	return got.Room.Game.ID, nil
}

// move makes the move that was chosen or typed.
func (h *plainPages) move(ctx context.Context, _ http.ResponseWriter, r *http.Request) (string, error) {
	room, prompt, name := r.PathValue("room"), formNumber(r, "prompt"), wire.Typed(r.PostForm.Get("move"))
	id, err := h.current(ctx, room)
	if err != nil {
		return "", err
	}
	ask, err := h.running.State(ctx, &lobby.SeatLook{Game: id})
	if err != nil {
		return "", err
	}
	s, _, err := h.running.Board(ctx, id)
	if err != nil {
		return "", err
	}
	if ask.Prompt != prompt || s.View == nil {
		return "", problem.New(http.StatusConflict, "not-asked", "it is not your turn")
	}
	for _, x := range ask.Legal {
		if m, err := journal.ParseMove(x); err == nil && wire.Typed(s.View.MoveName(m)) == name {
			in := &lobby.SeatInput{Game: id}
			in.Body.Prompt, in.Body.Steps = prompt, []string{x}
			return plainAt(room), h.running.Move(ctx, in)
		}
	}
	return "", problem.New(http.StatusUnprocessableEntity, "not-legal", "that move is not possible")
}

// act does what is no move.
func (h *plainPages) act(ctx context.Context, _ http.ResponseWriter, r *http.Request) (string, error) {
	room := r.PathValue("room")
	in := &lobby.SeatAct{}
	in.Body.Act, in.Body.Ask = r.PostForm.Get("act"), formNumber(r, "ask")
	if !slices.Contains(plainActs(), in.Body.Act) {
		return "", problem.At("#/act", problem.Input("act: one of "+strings.Join(plainActs(), ", ")))
	}
	var err error
	if in.Game, err = h.current(ctx, room); err == nil {
		_, err = h.running.Act(ctx, in)
	}
	return plainAt(room), err
}

// plainAt is the page of a room without scripts.
func plainAt(room string) string { return "/rooms/" + room + "/plain" }
