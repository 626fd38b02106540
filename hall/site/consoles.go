package site

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"strconv"

	"kibitz/hall/lobby"
	"kibitz/hall/store"
	"kibitz/hall/web/pages"
	"kibitz/hall/web/words"
)

// consolePage is what one engine prints, in a page of its own: of the game that the room
// plays or has played last, or of another one of its games.
func (h *roomPages) consolePage(ctx context.Context, r *http.Request, p *pages.Page) error {
	id := r.PathValue("room")
	got, err := h.rooms.Get(ctx, &lobby.RoomPath{Room: id})
	if err != nil {
		return err
	}
	s := &got.Room
	about := r.URL.Query().Get("game")
	switch {
	case about != "":
	case s.Game != nil:
		about = s.Game.ID
	case s.Last != nil:
		about = s.Last.ID
	default:
		return store.ErrNotFound
	}
	seat, err := strconv.Atoi(r.PathValue("seat"))
	if err != nil {
		return store.ErrNotFound
	}
	x, err := h.consoles.Find(ctx, about, seat)
	if err == nil && x.Room != id {
		err = store.ErrNotFound
	}
	if err != nil {
		return err
	}
	c, err := h.consoles.Lines(ctx, &x)
	if err != nil {
		return err
	}
	d := pages.ConsolePage{
		Room: id, RoomName: pages.RoomName(p.Words, s.Settings.Name, string(s.Settings.Game)), Game: about, Seat: seat,
		Name:  pages.Called(p.Words, x.Seats[seat].Name),
		Names: called(p.Words, [2]string{x.Seats[0].Name, x.Seats[1].Name}), Over: x.Over, Links: h.consoleLinks(ctx, p.Words, id, about),
	}
	for _, l := range c.Lines {
		line := pages.ConsoleLine{At: l.At, Mark: l.Mark, Text: l.Text}
		if line.Error() {
			d.Errors = append(d.Errors, line)
		} else {
			d.Output = append(d.Output, line)
		}
	}
	p.Name, p.Nav, p.Title, p.Data = "console", "play", p.Words.Text("console.title", "name", d.Name), d
	return nil
}

// consoleLinks lead to the consoles of a game that the caller may see, at addresses by the seat;
// those without an address are left out.
func consoleLinks(
	ctx context.Context, w *words.Catalogue, all *lobby.Consoles, id string, address func(*lobby.Console) string,
) (out []pages.ConsoleLink) {
	for seat := range 2 {
		x, err := all.Find(ctx, id, seat)
		if err != nil {
			continue
		}
		if at := address(&x); at != "" {
			out = append(out, pages.ConsoleLink{Game: id, Seat: seat, Name: pages.Called(w, x.Seats[seat].Name), Address: at})
		}
	}
	return out
}

// consoleLinks lead to the consoles of a game of a room.
func (h *roomPages) consoleLinks(ctx context.Context, w *words.Catalogue, room, about string) []pages.ConsoleLink {
	if about == "" {
		return nil
	}
	return consoleLinks(ctx, w, h.consoles, about, func(x *lobby.Console) string {
		if x.Room != room {
			return ""
		}
		return fmt.Sprintf("/rooms/%s/console/%d?game=%s", room, x.Seat, about)
	})
}

// consoleLinks lead to what the engines of a finished game printed.
func (h *gamePages) consoleLinks(ctx context.Context, w *words.Catalogue, id string) []pages.ConsoleLink {
	if h.consoles == nil {
		return nil
	}
	return consoleLinks(ctx, w, h.consoles, id, func(x *lobby.Console) string {
		if !x.Over {
			return ""
		}
		return fmt.Sprintf("/games/%s/log/%d", id, x.Seat)
	})
}

// serveLog answers with what an engine printed, a line with its time each.
func (h *gamePages) serveLog(w http.ResponseWriter, r *http.Request) {
	seat, err := strconv.Atoi(r.PathValue("seat"))
	if err != nil || h.consoles == nil {
		h.router.SendError(w, r, store.ErrNotFound)
		return
	}
	c, err := h.consoles.All(r.Context(), &lobby.ConsolePath{Game: r.PathValue("id"), Seat: seat})
	if err != nil {
		h.router.SendError(w, r, err)
		return
	}
	var b bytes.Buffer
	for _, l := range c.Lines {
		fmt.Fprintf(&b, "%s %d %s %s\n", l.At.UTC().Format("15:04:05.000"), l.Ply, l.Mark, l.Text)
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	h.writeBody(w, r, http.StatusOK, b.Bytes())
}
