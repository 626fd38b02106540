package site

import (
	"context"
	"slices"
	"strconv"

	"kibitz/game"
	"kibitz/game/look"
	"kibitz/hall/bus"
	"kibitz/hall/lobby"
	"kibitz/hall/records"
	"kibitz/hall/room"
	"kibitz/hall/store"
	"kibitz/hall/web/pages"
	"kibitz/hall/web/words"
)

func roomModel(id string, s *room.Shown, p *pages.Page, g look.Game) *pages.Room {
	c := &s.Settings
	d := &pages.Room{
		ID: id, Name: c.Name, Spec: string(c.Game), Phase: string(s.Phase), Access: string(c.Access), Host: s.HostName,
		Rated: c.Rated, Auto: c.Auto, Gone: s.Gone,
		Place: s.You.Place, IsHost: s.You.Host, Inside: s.You.Inside, MayStop: s.You.Stop,
		MayPause: s.You.Pause, MayRule: s.You.Rule, Lines: c.Lines, Hidden: c.Hidden, Undo: c.Undo,
		Draw: c.Draw, Abort: c.Abort,
		Games: c.Games, Played: s.Played, Score: s.Score, Next: s.Next, Codes: s.Codes, Grace: int(c.Grace / 60),
		Settings: pages.RoomSettings{
			Clock: c.Clocks[0], Clock2: c.Clocks[1], Pause: int(c.Pause), Games: c.Games,
			Begins: string(c.Begins), Access: string(c.Access), Chat: string(c.Chat), Exchange: c.Exchange, Pairs: c.Pairs, Dealt: g.Dealt,
			Undo: c.Undo, Draw: c.Draw, Abort: c.Abort, Rated: c.Rated, Lines: c.Lines, Open: c.Open, Kibitzer: c.Kibitzer,
			Delay: int(c.Delay), MaxMoves: c.MaxMoves,
		},
	}
	d.Name = pages.RoomName(p.Words, d.Name, d.Spec)
	if s.Paused != nil {
		d.Paused = s.Paused.By
	}
	switch {
	case s.Game != nil:
		d.Game, d.First = s.Game.ID, s.Game.First
	case s.Last != nil:
		d.First = s.Last.First
	}
	colours := g.ColoursOf(c.Game.Option)
	for i, x := range s.Places {
		pl := pages.Place{
			Number: i, Empty: x.Empty(), Name: pages.Called(p.Words, x.Name), Short: pages.Short(p.Words, x.Name),
			Kind: string(x.Kind), Ready: x.Ready && s.Game == nil,
			Again: x.Again, Mine: i == s.You.Place,
			Guest: x.Guest, MayAsk: x.Kind == bus.PersonSeat && x.User != 0 && (p.Me != nil && p.Me.ID != x.User || p.Me == nil && p.Guests),
			Clock: c.Clocks[i], User: x.User,
		}
		if i != d.First {
			pl.Seat = 1
		}
		pl.Colour = colours[pl.Seat]
		if x.Kind == bus.BotSeat {
			pl.Level = lobby.BuiltIn(x.Engine)
		}
		if !pl.Empty {
			pl.Link = linkOfSeat(records.SeatView{User: x.User, Engine: x.Engine})
		}
		for _, who := range s.People {
			pl.Here = pl.Here || who.ID == x.User && who.Here
		}
		d.Places[i] = pl
	}
	for _, who := range s.People {
		d.People = append(d.People, personModel(&who, s, p))
	}
	for _, ch := range s.You.Write {
		d.Write = append(d.Write, string(ch))
	}
	d.Facts = roomFacts(c, s, p, g)
	return d
}

func personModel(who *room.Person, s *room.Shown, p *pages.Page) pages.Person {
	return pages.Person{
		ID: who.ID, Name: who.Name, Guest: who.Guest, Here: who.Here, Host: who.ID == s.Host, You: p.Me != nil && who.ID == p.Me.ID,
	}
}

// lookOn adds who looks on: who has not entered is there, too.
func lookOn(v *lobby.RoomView, p *pages.Page, d *pages.Room) {
	d.Watching = v.Watching
	for _, who := range v.Spectators {
		if !slices.ContainsFunc(d.People, func(x pages.Person) bool { return x.ID == who.ID }) {
			d.People = append(d.People, personModel(&who, &v.Room, p))
		}
	}
}

// whyModel is why a game ended or waits, for pages.
func whyModel(w *words.Catalogue, why *game.Why) game.Why {
	if why == nil {
		return game.Why{}
	}
	out := *why
	out.Name = pages.Called(w, why.Name)
	return out
}

// roomFacts are the settings in words.
func roomFacts(c *room.InSeconds, s *room.Shown, p *pages.Page, g look.Game) []pages.Fact {
	w := p.Words
	yes := map[bool]string{true: w.Text("answer.yes"), false: w.Text("answer.no")}
	out := []pages.Fact{{Name: "host", Value: s.HostName}, {Name: "clock", Value: pages.ClockName(w, c.Clocks[0])}}
	for _, o := range pages.Options(w, g, string(c.Game)) {
		out = append(out, pages.Fact{Name: o[0], Value: o[1]})
	}
	if c.Clocks[1] != c.Clocks[0] {
		out = append(out, pages.Fact{Name: "clock2", Value: pages.ClockName(w, c.Clocks[1])})
	}
	out = append(out,
		pages.Fact{Name: "games", Value: w.Number(float64(c.Games), 0)}, pages.Fact{Name: "begins", Value: w.Text("begins." + string(c.Begins))},
		pages.Fact{Name: "undo", Value: yes[c.Undo]}, pages.Fact{Name: "draw", Value: yes[c.Draw]},
		pages.Fact{Name: "abort", Value: yes[c.Abort]},
		pages.Fact{Name: "lines", Value: yes[c.Lines && !c.Hidden]}, pages.Fact{
			Name:  "open",
			Value: yes[c.Lines && c.Open && !c.Hidden],
		}, pages.Fact{Name: "chat", Value: w.Text("chat." + string(c.Chat))})
	if c.Games > 1 {
		out = append(out, pages.Fact{Name: "pause", Value: w.Number(c.Pause, 0)})
		if g.Dealt {
			out = append(out, pages.Fact{Name: "pairs", Value: yes[c.Pairs]})
		}
	}
	if c.Kibitzer != "" {
		name := c.Kibitzer
		if level := lobby.BuiltIn(name); level > 0 {
			name = pages.Called(w, look.LevelName(level))
		}
		out = append(out, pages.Fact{Name: "kibitzer", Value: name})
	}
	if c.Delay > 0 {
		out = append(out, pages.Fact{Name: "delay", Value: w.Number(c.Delay, 0)})
	}
	if c.MaxMoves > 0 {
		out = append(out, pages.Fact{Name: "maxmoves", Value: w.Number(float64(c.MaxMoves), 0)})
	}
	if c.From != "" {
		out = append(out, pages.Fact{Name: "from", Value: c.From})
	}
	return out
}

// done is how many games of a room's kind its reader has finished, who plays in it.
func (h *roomPages) done(ctx context.Context, d *pages.Room, user int64) (int, error) {
	if d.Seat() < 0 || d.Game == "" {
		return 0, nil
	}
	page, err := store.Get(ctx, h.store, store.Tx.FindGames, store.GameQuery{
		Subject: store.UserSubject(user), Game: d.Kind(), States: []store.GameState{store.Over}, Limit: pages.Novice,
	})
	return len(page.Games), err
}

// cardModel is what a room shows of its latest game beside the result.
func (h *roomPages) cardModel(ctx context.Context, d *pages.Room) (c pages.Card, err error) {
	seat := d.Seat()
	if seat < 0 {
		return c, nil
	}
	c.Hints = d.Last.Hints[seat]
	if c.Next, err = h.nextLevel(ctx, d); err != nil || !d.Rated {
		return c, err
	}
	return c, h.store.View(ctx, func(tx store.Tx) error {
		g, err := tx.Game(d.Last.ID)
		if err != nil {
			return err
		}
		points, err := tx.History(store.RatingKey{Subject: g.Seats[seat].Subject(), Game: g.Spec.ID(), Speed: g.Speed})
		n := len(points) - 1
		if err != nil || n < 0 || points[n].Game != g.ID {
			return err
		}
		if c.Rating = points[n].Value; n > 0 {
			c.Change = c.Rating - points[n-1].Value
		}
		return nil
	})
}

// inARow is how many games of one kind are won, or lost, before another level is offered.
const inARow = 2

// nextLevel is the level above that of the reader's opponent after games that he won, the one below
// it after games that he lost, 0 if neither is so.
func (h *roomPages) nextLevel(ctx context.Context, d *pages.Room) (next int, err error) {
	level, me := d.Level(), d.Mine()
	if level == 0 || me == nil {
		return 0, nil
	}
	err = h.store.View(ctx, func(tx store.Tx) error {
		page, err := tx.FindGames(store.GameQuery{
			Subject: store.UserSubject(me.User), Game: d.Kind(), States: []store.GameState{store.Over}, Limit: inARow,
		})
		if err != nil || len(page.Games) < inARow {
			return err
		}
		sum := 0
		for i := range page.Games {
			sum += against(&page.Games[i], me.User, level)
		}
		switch {
		case sum == inARow && level < len(pages.Levels()):
			next = level + 1
		case sum == -inARow && level > 1:
			next = level - 1
		}
		return nil
	})
	return next, err
}

// against is 1 if a person has won a game against a level of the built-in engine, -1 if he has lost
// it, else 0.
func against(g *store.Game, user int64, level int) int {
	seat := 0
	if g.Seats[1].User == user && g.Seats[1].Engine == "" {
		seat = 1
	}
	p := g.Result.Points
	switch {
	case g.Seats[1-seat].Engine != "bot="+strconv.Itoa(level):
		return 0
	case p[seat] > p[1-seat]:
		return 1
	case p[seat] < p[1-seat]:
		return -1
	}
	return 0
}
