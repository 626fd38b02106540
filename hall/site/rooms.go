package site

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"

	"kibitz/game"
	"kibitz/hall/admin"
	"kibitz/hall/auth"
	"kibitz/hall/bus"
	"kibitz/hall/director"
	"kibitz/hall/lobby"
	"kibitz/hall/play"
	"kibitz/hall/problem"
	"kibitz/hall/records"
	"kibitz/hall/room"
	"kibitz/hall/store"
	"kibitz/hall/web/pages"
	"kibitz/hall/web/words"
)

// roomPages are the first page and the rooms; desk is nil for a hall without tournaments.
type roomPages struct {
	*Site
	games     *records.Games
	positions *records.Positions
	engines   *admin.Engines
	rooms     *lobby.Rooms
	running   *lobby.Running
	desk      *director.Desk
	consoles  *lobby.Consoles
	shipped   *shipped
}

func (h *roomPages) register() {
	h.page("/watch/live", auth.Look, "watchlive", h.watchPage)
	h.page("/own", auth.Look, "own", h.ownPart)
	h.page("/rooms", auth.Look, "", h.roomsPage)
	(&playPages{h}).register()
	h.formOn("/rooms", auth.Look, h.roomsPage, h.roomForm)
	h.page("/rooms/{room}", auth.Look, "", h.wholeRoomPage)
	h.page("/rooms/{room}/console/{seat}", auth.Look, "", h.consolePage)
	h.page("/rooms/{room}/live", auth.Look, "roomlive", h.roomPage)
	h.form("/rooms/{room}/join", auth.Look, h.roomJoin)
	h.formOn("/rooms/{room}/do", auth.Play, h.wholeRoomPage, h.roomDo)
	h.formOn("/rooms/{room}/say", auth.Play, h.wholeRoomPage, h.roomSay)
	h.form("/rooms/{room}/mute", auth.Play, h.roomMute)
	h.form("/rooms/{room}/report", auth.Play, h.roomReport)
	(&plainPages{h}).register()
}

func roomLineModels(w *words.Catalogue, list []lobby.RoomLine) (out []pages.RoomLine) {
	for i := range list {
		out = append(out, roomLineModel(w, &list[i]))
	}
	return out
}

func roomLineModel(w *words.Catalogue, l *lobby.RoomLine) pages.RoomLine {
	return pages.RoomLine{
		ID: l.ID, Name: l.Name, Spec: l.Settings, Host: l.Host, Phase: l.Phase, Access: l.Access, Players: called(w, l.Players), Clocks: l.Clocks,
		People: l.People, Rated: l.Rated, Free: l.Players[0] == "" || l.Players[1] == "",
		Waits: l.Waits, Auto: l.Auto,
	}
}

func (h *roomPages) roomForm(ctx context.Context, _ http.ResponseWriter, r *http.Request) (string, error) {
	ctx, err := h.router.ComeIn(ctx)
	if err != nil {
		return "", err
	}
	form := r.PostForm
	set := map[string]any{"game": form.Get("game"), "undo": form.Has("undo"), "rated": form.Has("rated"), "access": form.Get("access")}
	if c := pages.FormClock(form.Get("clock")); c != "" {
		set["clocks"] = [2]string{c, c}
	}
	if n := formNumber(r, "games"); n > 0 {
		set["games"] = n
	}
	in := &lobby.NewRoom{}
	if in.Body.Saved = form.Get("saved"); in.Body.Saved != "" {
		delete(set, "game") // it is that of the position
	}
	if in.Body.Settings, err = json.Marshal(set); err != nil {
		return "", err
	}
	made, err := h.rooms.Open(ctx, in)
	if err != nil {
		return "", err
	}
	return "/rooms/" + made.ID, nil
}

// roomJoin plays with whoever waits in a room, without an account too.
func (h *roomPages) roomJoin(ctx context.Context, _ http.ResponseWriter, r *http.Request) (string, error) {
	o := &lobby.RoomOrder{Room: r.PathValue("room")}
	o.Body.Do = "join"
	if _, err := h.rooms.Get(ctx, &lobby.RoomPath{Room: o.Room}); err != nil {
		return "", err // before a guest is made for it
	}
	ctx, err := h.router.ComeIn(ctx)
	if err != nil {
		return "", err
	}
	here := "/rooms/" + o.Room
	_, err = h.rooms.Command(ctx, o)
	if no, ok := errors.AsType[*problem.Problem](err); ok && no.Code == "not-now" {
		return here + "?late", nil // the page says who was quicker, and shows the game
	}
	return here, err
}

// roomDo gives a command of a form.
func (h *roomPages) roomDo(ctx context.Context, w http.ResponseWriter, r *http.Request) (string, error) {
	o, err := h.orderOf(r)
	if err != nil {
		return "", err
	}
	here := "/rooms/" + o.Room
	if o.Body.Do == "verdict" && !r.PostForm.Has("sure") && h.wantsPage(r) {
		p := h.newPage(r)
		h.sendSure(w, r, p, &pages.Sure{What: p.Words.Text("room.verdict"), Note: o.Body.Note, Action: r.URL.Path, Back: here}, "play")
		return "", nil
	}
	out, err := h.rooms.Command(ctx, o)
	if err != nil {
		return "", err
	}
	switch {
	case out.Code != "":
		link := h.ownAddress(r) + here
		h.showSecret(w, r, pages.Secret{What: "code", List: []pages.Shown{{Name: link, Text: out.Code}}, Back: here})
		return "", nil
	case o.Body.Do == "leave" || o.Body.Do == "close":
		return back(r.PostForm.Get("to")), nil
	}
	return here, nil
}

// orderOf makes a command of what a form says.
func (h *roomPages) orderOf(r *http.Request) (*lobby.RoomOrder, error) {
	form := r.PostForm
	o := &lobby.RoomOrder{Room: r.PathValue("room")}
	b := &o.Body
	b.Do, b.Place, b.Code = form.Get("do"), formNumber(r, "place"), form.Get("code")
	if b.Do == "verdict" {
		b.Result, b.Note = form.Get("result"), form.Get("note")
	}
	if b.Place < 0 || b.Place > 1 {
		return nil, problem.At("#/place", problem.Input("place: 0 or 1").Because(game.WhyChoice))
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
		settings, err := h.settingsForm(r)
		if err != nil {
			return nil, err
		}
		b.Settings = settings
	}
	return o, nil
}

// settingsForm reads the settings of a room as a form has them.
func (h *roomPages) settingsForm(r *http.Request) ([]byte, error) {
	form := r.PostForm
	set := map[string]any{
		"name": form.Get("name"), "games": max(1, formNumber(r, "games")), "begins": form.Get("begins"), "access": form.Get("access"),
		"chat":     form.Get("chat"),
		"exchange": form.Has("exchange"), "pairs": form.Has("pairs"),
		"undo": form.Has("undo"), "draw": form.Has("draw"), "abort": form.Has("abort"),
		"lines": form.Has("lines"), "open": form.Has("open"), "kibitzer": form.Get("kibitzer"),
		"rated": form.Has("rated"), "delay": min(max(0, formNumber(r, "delay")), 3600),
		"maxMoves": max(0, formNumber(r, "maxmoves")),
	}
	if c := pages.FormClock(form.Get("clock")); c != "" {
		second := c
		if x := pages.FormClock(form.Get("clock2")); x != "" {
			second = x
		}
		set["clocks"] = [2]string{c, second}
	}
	if form.Has("pause") {
		set["pause"] = formNumber(r, "pause")
	}
	kind, _, _ := strings.Cut(form.Get("game"), ":")
	if g, ok := h.pages.Game(kind); ok {
		set["game"] = pages.Chosen(g, form.Get("game"), form)
	}
	return json.Marshal(set)
}

func (h *roomPages) roomSay(ctx context.Context, _ http.ResponseWriter, r *http.Request) (string, error) {
	in := &lobby.ChatWrite{Room: r.PathValue("room")}
	in.Body.Channel, in.Body.Text = r.PostForm.Get("channel"), r.PostForm.Get("text")
	if len([]rune(in.Body.Text)) > 500 {
		return "", problem.At("#/text", problem.Input("text: up to 500 characters").Because("long", 500))
	}
	_, err := h.rooms.Say(ctx, in)
	return "/rooms/" + in.Room, err
}

// roomMute hides what somebody writes from the reader, or shows it again.
func (h *roomPages) roomMute(ctx context.Context, w http.ResponseWriter, r *http.Request) (string, error) {
	user, err := strconv.ParseInt(r.PostForm.Get("user"), 10, 64)
	if err != nil {
		return "", problem.At("#/user", problem.Input("user: the number of an account"))
	}
	if _, err := h.rooms.Get(ctx, &lobby.RoomPath{Room: r.PathValue("room")}); err != nil {
		return "", err
	}
	l := lookOf(r).Mute(user, r.PostForm.Get("mute") == "1")
	h.keepLook(w, l)
	return "/rooms/" + r.PathValue("room"), h.rememberLook(ctx, l)
}

// roomReport tells those who run the hall of a line.
func (h *roomPages) roomReport(ctx context.Context, _ http.ResponseWriter, r *http.Request) (string, error) {
	line, _ := strconv.ParseInt(r.PostForm.Get("line"), 10, 64) // there is none of number 0
	return "/rooms/" + r.PathValue("room"), h.rooms.Report(ctx, &lobby.ChatReport{Room: r.PathValue("room"), Line: line})
}

// wholeRoomPage is roomPage with what its parts leave alone when they are made anew: what words
// below the board mean, and the moves of the last game.
func (h *roomPages) wholeRoomPage(ctx context.Context, r *http.Request, p *pages.Page) error {
	if err := h.roomPage(ctx, r, p); err != nil {
		return err
	}
	d, ok := p.Data.(*pages.Room)
	if !ok {
		return nil
	}
	if err := h.explain(p, d.Kind()); err != nil || d.Last == nil {
		return err
	}
	re, err := h.games.Replayed(ctx, d.Last.ID)
	if err == nil {
		d.LastTurns, d.LastClocks = turnModels(re), lastClocks(re)
	} else if problem.Of(err).Status >= http.StatusInternalServerError {
		return err
	}
	return nil // who may not read the record sees no moves
}

// describe adds what engines in a room say of themselves.
func (h *roomPages) describe(ctx context.Context, s *room.Shown, d *pages.Room) {
	var about map[string]string // workers are asked once, and only if an engine of theirs plays
	for i, x := range s.Places {
		d.Places[i].About = x.About
		if x.Kind != bus.EngineSeat {
			continue
		}
		if about == nil {
			about = h.engines.About(ctx)
		}
		d.Places[i].About = about[x.Engine]
	}
}

// rate adds what those who sit in a room are rated in its game, at its speed.
func (h *roomPages) rate(ctx context.Context, s *room.Shown, d *pages.Room) error {
	speed := play.SpeedOf([2]string{d.Places[0].Clock, d.Places[1].Clock})
	return h.store.View(ctx, func(tx store.Tx) error {
		for i, x := range s.Places {
			subject := (store.Seat{User: x.User, Engine: x.Engine}).Subject()
			if subject == "" || x.Guest {
				continue
			}
			r, err := tx.Rating(store.RatingKey{Subject: subject, Game: d.Kind(), Speed: speed})
			if err != nil && !errors.Is(err, store.ErrNotFound) {
				return err
			}
			d.Places[i].Rating = r.Value
		}
		return nil
	})
}

// sooner is who took the seat that the reader wanted, empty if one is free.
func sooner(s *room.Shown, d *pages.Room) string {
	switch {
	case d.Place >= 0 || d.FreePlace() >= 0:
		return ""
	case s.Places[1].User == s.Host:
		return d.Places[0].Name
	}
	return d.Places[1].Name
}

// roomPage is a room as the API shows it to the same caller.
func (h *roomPages) roomPage(ctx context.Context, r *http.Request, p *pages.Page) error {
	id := r.PathValue("room")
	got, err := h.rooms.Get(ctx, &lobby.RoomPath{Room: id})
	if err != nil {
		return err
	}
	s := &got.Room
	kind, _, _ := strings.Cut(string(s.Settings.Game), ":")
	g, _ := h.pages.Game(kind)
	d := roomModel(id, s, p, g)
	lookOn(got, p, d)
	h.describe(ctx, s, d)
	if err := h.rate(ctx, s, d); err != nil {
		return err
	}
	by := lobby.ActorOf(ctx)
	d.Direct = by.Arbiter
	if r.URL.Query().Has("late") {
		d.Sooner = sooner(s, d)
	}
	if d.Done, err = h.done(ctx, d, by.ID); err != nil {
		return err
	}
	d.Learn = d.Done == 0 && h.learn[d.Kind()] && !h.wishes(ctx, r).Of(d.Kind()).Learned
	chat, err := h.rooms.Chat(ctx, &lobby.ChatQuery{Room: id, After: -1, Limit: 100})
	if err != nil {
		return err
	}
	for _, l := range chat {
		d.Chat = append(d.Chat, pages.ChatLine{
			ID: l.ID, User: l.User, At: l.At, Name: l.Name, Channel: l.Channel, Text: l.Text,
			Mine: by.ID != 0 && l.User == by.ID, Muted: p.Look.Mutes(l.User),
		})
	}
	stats, err := h.rooms.Statistics(ctx, &lobby.RoomPath{Room: id})
	if err != nil {
		return err
	}
	d.Stats = statsModel(p.Words, stats, s)
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
		d.Wait, d.Before, d.About, d.Begun = whyModel(p.Words, got.WaitsFor), got.Before, pages.AboutTime(p.Words, got.About), s.Game.Begun
	case s.Last != nil:
		d.Why, d.About = whyModel(p.Words, &s.Last.Why), pages.AboutTime(p.Words, int(s.Settings.Pause))
		if s.Last.Result.Reason == game.ByAbort && d.Why.Code == "" {
			d.Why = game.Why{Code: bus.WhyFault, Text: s.Last.Result.Detail}
		}
	}
	about := d.Game
	if about == "" && s.Last != nil {
		about = s.Last.ID
	}
	d.Consoles = h.consoleLinks(ctx, p.Words, id, about)
	p.Name, p.Nav, p.Title, p.Data = "room", "play", d.Name, d
	if d.Last != nil {
		if d.Card, err = h.cardModel(ctx, d); err != nil {
			return err
		}
	}
	d.Engines, err = h.engines.Playing(ctx, d.Kind())
	return err
}
