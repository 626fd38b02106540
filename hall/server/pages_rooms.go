package server

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"kibitz/game"
	"kibitz/hall/auth"
	"kibitz/hall/room"
	"kibitz/hall/web/pages"
)

// registerRoomPages registers rooms.
func (h *Hall) registerRoomPages() {
	h.page("/lobby/live", auth.Look, "lobbylive", h.lobbyPage)
	h.form("/play", auth.Look, h.playForm)
	h.form("/rooms", auth.Look, h.roomForm)
	h.page("/rooms/{room}", auth.Look, "", h.wholeRoomPage)
	h.page("/rooms/{room}/console/{seat}", auth.Look, "", h.consolePage)
	h.page("/rooms/{room}/live", auth.Look, "roomlive", h.roomPage)
	h.form("/rooms/{room}/do", auth.Play, h.roomDo)
	h.form("/rooms/{room}/say", auth.Play, h.roomSay)
}

func (h *Hall) lobbyPage(ctx context.Context, r *http.Request, p *pages.Page) error {
	p.Name, p.Nav, p.Title = "lobby", "lobby", p.Words.Text("lobby.title")
	d := pages.Lobby{Live: h.cfg.Live != nil}
	find := func(state string, n int) ([]pages.GameLine, error) {
		list, err := h.findGames(ctx, &gamesQuery{State: []string{state}, Limit: n})
		if err != nil {
			return nil, err
		}
		return lineModels(list.Body.Games), nil
	}
	var err error
	if d.Recent, err = find("over", 10); err != nil {
		return err
	}
	if d.Live {
		if d.Saved, err = h.savedModels(ctx); err != nil {
			return err
		}
		d.Chosen = r.URL.Query().Get("saved")
		if d.Playing, err = find("running", 20); err != nil {
			return err
		}
		rooms, err := h.listRooms(ctx, &roomsQuery{Limit: 50})
		if err != nil {
			return err
		}
		for i := range rooms.Body {
			if l := roomLineModel(&rooms.Body[i]); l.Free || l.Phase != string(room.Done) {
				d.Rooms = append(d.Rooms, l)
			}
		}
	}
	p.Data = d
	return nil
}

func roomLineModel(l *roomLine) pages.RoomLine {
	return pages.RoomLine{
		ID: l.ID, Name: l.Name, Spec: l.Settings, Host: l.Host, Phase: l.Phase, Access: l.Access, Players: l.Players, Clocks: l.Clocks,
		People: l.People, Rated: l.Rated, Free: l.Players[0] == "" || l.Players[1] == "",
	}
}

// comeIn makes whoever has no account a guest, if the hall takes guests.
func (h *Hall) comeIn(ctx context.Context) (context.Context, error) {
	if c, known := auth.FromContext(ctx); known {
		if !c.Can(auth.Play) {
			return ctx, auth.ErrForbidden
		}
		return ctx, nil
	}
	if wait, ok := h.enter.Allow(auth.Address(ctx), h.cfg.Now()); !ok {
		return ctx, &auth.Wait{For: wait}
	}
	c, err := h.auth.BecomeGuest(ctx)
	if err != nil {
		return ctx, err
	}
	return auth.WithCaller(ctx, c), nil
}

// playForm is a game against a built-in engine in one click: a private room, both
// places taken, the game begun.
func (h *Hall) playForm(ctx context.Context, _ http.ResponseWriter, r *http.Request) (string, error) {
	ctx, err := h.comeIn(ctx)
	if err != nil {
		return "", err
	}
	level := formNumber(r, "level")
	if level < 1 || level > 9 {
		level = 3
	}
	settings, err := json.Marshal(map[string]any{"game": r.PostForm.Get("game"), "clocks": [2]string{"inf", "inf"}, "undo": true})
	if err != nil {
		return "", err
	}
	in := &newRoom{}
	in.Body.Settings = settings
	made, err := h.openRoom(ctx, in)
	if err != nil {
		return "", err
	}
	id := made.Body.ID
	for _, o := range []roomOrder{
		orderTo(id, "enter"), orderTo(id, "sit"), orderTo(id, "bot", level), orderTo(id, "ready"), orderTo(id, "start"),
	} {
		if _, err := h.commandRoom(ctx, &o); err != nil && classify(err).Code != "not-now" {
			return "", err
		}
	}
	return "/rooms/" + id, nil
}

// roomForm opens a room.
func (h *Hall) roomForm(ctx context.Context, w http.ResponseWriter, r *http.Request) (string, error) {
	ctx, err := h.comeIn(ctx)
	if err != nil {
		return "", err
	}
	r = r.WithContext(ctx)
	form := r.PostForm
	set := map[string]any{"game": form.Get("game"), "undo": form.Has("undo"), "rated": form.Has("rated"), "access": form.Get("access")}
	if c := strings.TrimSpace(form.Get("clock")); c != "" {
		set["clocks"] = [2]string{c, c}
	}
	if n := formNumber(r, "games"); n > 0 {
		set["games"] = n
	}
	in := &newRoom{}
	if in.Body.Saved = form.Get("saved"); in.Body.Saved != "" {
		delete(set, "game") // it is that of the position
	}
	if in.Body.Settings, err = json.Marshal(set); err != nil {
		return "", err
	}
	made, err := h.openRoom(ctx, in)
	if err != nil && h.wantsPage(r) {
		return h.again(w, r, err, h.lobbyPage)
	}
	if err != nil {
		return "", err
	}
	return "/rooms/" + made.Body.ID, nil
}

// roomDo gives a command of a form.
func (h *Hall) roomDo(ctx context.Context, w http.ResponseWriter, r *http.Request) (string, error) {
	o, err := h.orderOf(r)
	if err != nil {
		return "", err
	}
	out, err := h.commandRoom(ctx, o)
	if err != nil && h.wantsPage(r) {
		return h.again(w, r, err, h.wholeRoomPage)
	}
	if err != nil {
		return "", err
	}
	here := "/rooms/" + o.Room
	switch {
	case out.Body.Code != "":
		link := h.ownAddress(r) + here
		h.showSecret(w, r, pages.Secret{What: "code", List: []pages.Shown{{Name: link, Text: out.Body.Code}}, Back: here})
		return "", nil
	case o.Body.Do == "leave" || o.Body.Do == "close":
		return "/", nil
	}
	return here, nil
}

// orderOf makes a command of what a form says.
func (h *Hall) orderOf(r *http.Request) (*roomOrder, error) {
	form := r.PostForm
	o := &roomOrder{Room: r.PathValue("room")}
	b := &o.Body
	b.Do, b.Place, b.Code = form.Get("do"), formNumber(r, "place"), form.Get("code")
	if b.Place < 0 || b.Place > 1 {
		return nil, badInput("place: 0 or 1")
	}
	if user, err := strconv.ParseInt(form.Get("user"), 10, 64); err == nil {
		b.User = user
	}
	switch b.Do {
	case "sit":
		b.Kind = "person"
	case "remote":
		b.Do, b.Kind = "sit", "remote"
		if c, known := auth.FromContext(r.Context()); known {
			b.Name = c.Name
		}
	case "engine":
		b.Do, b.Kind, b.Engine = "sit", "engine", form.Get("engine")
		if strings.HasPrefix(b.Engine, "bot=") {
			b.Kind = "bot"
		}
	case "unready":
		b.Do, b.Off = "ready", true
	case "set":
		settings, err := settingsForm(r)
		if err != nil {
			return nil, err
		}
		b.Settings = settings
	}
	return o, nil
}

// settingsForm reads the settings of a room as a form has them.
func settingsForm(r *http.Request) ([]byte, error) {
	form := r.PostForm
	set := map[string]any{
		"name": form.Get("name"), "games": max(1, formNumber(r, "games")), "begins": form.Get("begins"), "access": form.Get("access"),
		"chat":     form.Get("chat"),
		"exchange": form.Has("exchange"), "undo": form.Has("undo"), "draw": form.Has("draw"), "abort": form.Has("abort"),
		"lines": form.Has("lines"), "open": form.Has("open"), "kibitzer": form.Get("kibitzer"),
		"rated": form.Has("rated"), "delay": min(max(0, formNumber(r, "delay")), 3600),
		"maxMoves": max(0, formNumber(r, "maxmoves")),
	}
	if c := strings.TrimSpace(form.Get("clock")); c != "" {
		set["clocks"] = [2]string{c, c}
	}
	return json.Marshal(set)
}

func orderTo(id, word string, level ...int) roomOrder {
	o := roomOrder{Room: id}
	o.Body.Do = word
	switch word {
	case "sit":
		o.Body.Kind = "person"
	case "bot":
		o.Body.Do, o.Body.Kind, o.Body.Place, o.Body.Engine = "sit", "bot", 1, fmt.Sprintf("bot=%d", level[0])
	}
	return o
}

func (h *Hall) roomSay(ctx context.Context, _ http.ResponseWriter, r *http.Request) (string, error) {
	in := &chatWrite{Room: r.PathValue("room")}
	in.Body.Channel, in.Body.Text = r.PostForm.Get("channel"), r.PostForm.Get("text")
	if len([]rune(in.Body.Text)) > 500 {
		return "", badInput("text: up to 500 characters")
	}
	_, err := h.writeChat(ctx, in)
	return "/rooms/" + in.Room, err
}

// wholeRoomPage is roomPage with what its parts leave alone when they are made anew: the
// moves of the last game.
func (h *Hall) wholeRoomPage(ctx context.Context, r *http.Request, p *pages.Page) error {
	if err := h.roomPage(ctx, r, p); err != nil {
		return err
	}
	d, ok := p.Data.(*pages.Room)
	if !ok || d.Last == nil {
		return nil
	}
	re, err := h.replayed(ctx, d.Last.ID)
	if err == nil {
		d.LastTurns = turnModels(re)
	} else if classify(err).Status >= http.StatusInternalServerError {
		return err
	}
	return nil // who may not read the record sees no moves
}

// roomPage is a room as the API shows it to the same caller.
func (h *Hall) roomPage(ctx context.Context, r *http.Request, p *pages.Page) error {
	id := r.PathValue("room")
	got, err := h.getRoom(ctx, &roomPath{Room: id})
	if err != nil {
		return err
	}
	s := &got.Body.Room
	d := roomModel(id, s, p)
	by := actorOf(ctx)
	d.Direct = by.Arbiter
	chat, err := h.readChat(ctx, &chatQuery{Room: id, After: -1, Limit: 100})
	if err != nil {
		return err
	}
	for _, l := range chat.Body {
		d.Chat = append(d.Chat, pages.ChatLine{At: l.At, Name: l.Name, Channel: l.Channel, Text: l.Text, Mine: by.ID != 0 && l.User == by.ID})
	}
	stats, err := h.roomStatistics(ctx, &roomPath{Room: id})
	if err != nil {
		return err
	}
	d.Stats = statsModel(&stats.Body, s)
	d.Stats.Shares = r.URL.Query().Get("stats") == "share"
	if s.Last != nil && s.Game == nil {
		for i := range d.Stats.Games {
			if d.Stats.Games[i].ID == s.Last.ID {
				d.Last = &d.Stats.Games[i]
			}
		}
	}
	switch {
	case d.Game != "":
		d.Why, d.Before = got.Body.Waiting, got.Body.Before
	case s.Last != nil && s.Last.Result.Reason == game.ByAbort:
		d.Why = s.Last.Result.Detail
	}
	about := d.Game
	if about == "" && s.Last != nil {
		about = s.Last.ID
	}
	d.Consoles = h.consoleLinks(ctx, id, about)
	engines, err := h.offered(ctx)
	for _, e := range engines {
		if len(e.Games) == 0 || slices.Contains(e.Games, d.Kind()) {
			d.Engines = append(d.Engines, e.Name)
		}
	}
	p.Name, p.Nav, p.Title, p.Data = "room", "lobby", d.Name, d
	return err
}

func roomModel(id string, s *room.Shown, p *pages.Page) *pages.Room {
	c := &s.Settings
	d := &pages.Room{
		ID: id, Name: c.Name, Spec: string(c.Game), Phase: string(s.Phase), Access: string(c.Access), Host: s.HostName, Rated: c.Rated,
		Place: s.You.Place, IsHost: s.You.Host, Inside: s.You.Inside, MayStop: s.You.Stop, Lines: c.Lines, Hidden: c.Hidden, Undo: c.Undo,
		Draw: c.Draw, Abort: c.Abort,
		Games: c.Games, Played: s.Played, Score: s.Score, Next: s.Next, Codes: s.Codes,
		Settings: pages.RoomSettings{
			Clock: c.Clocks[0], Games: c.Games, Begins: string(c.Begins), Access: string(c.Access), Chat: string(c.Chat), Exchange: c.Exchange,
			Undo: c.Undo, Draw: c.Draw, Abort: c.Abort, Rated: c.Rated, Lines: c.Lines, Open: c.Open, Kibitzer: c.Kibitzer,
			Delay: int(c.Delay), MaxMoves: c.MaxMoves,
		},
	}
	d.Name = pages.RoomName(p.Words, d.Name, d.Spec)
	switch {
	case s.Game != nil:
		d.Game, d.First = s.Game.ID, s.Game.First
	case s.Last != nil:
		d.First = s.Last.First
	}
	for i, x := range s.Places {
		pl := pages.Place{
			Number: i, Empty: x.Empty(), Name: x.Name, Kind: string(x.Kind), Ready: x.Ready && s.Game == nil, Again: x.Again, Mine: i == s.You.Place,
			Guest: x.Guest,
			Clock: c.Clocks[i], User: x.User,
		}
		if i != d.First {
			pl.Seat = 1
		}
		if !pl.Empty {
			pl.Link = linkOfSeat(seatView{User: x.User, Engine: x.Engine})
		}
		for _, who := range s.People {
			pl.Here = pl.Here || who.ID == x.User && who.Here
		}
		d.Places[i] = pl
	}
	for _, who := range s.People {
		d.People = append(d.People, pages.Person{
			ID: who.ID, Name: who.Name, Guest: who.Guest, Here: who.Here, Host: who.ID == s.Host,
			You: p.Me != nil && who.ID == p.Me.ID,
		})
	}
	for _, ch := range s.You.Write {
		d.Write = append(d.Write, string(ch))
	}
	d.Facts = roomFacts(c, s, p)
	return d
}

// roomFacts are the settings in words.
func roomFacts(c *room.InSeconds, s *room.Shown, p *pages.Page) []pages.Fact {
	w := p.Words
	yes := map[bool]string{true: w.Text("answer.yes"), false: w.Text("answer.no")}
	out := []pages.Fact{{Name: "host", Value: s.HostName}, {Name: "clock", Value: pages.ClockName(w, c.Clocks[0])}}
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
	if c.Kibitzer != "" {
		name := c.Kibitzer
		if builtIn(name) {
			name = w.Text("room.level", "n", name[len("bot="):])
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
