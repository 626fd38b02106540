package api

import (
	"context"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"time"

	"kibitz/hall/hub"
	"kibitz/hall/lobby"
	"kibitz/hall/problem"
	"kibitz/hall/records"
	"kibitz/hall/store"
)

// mostTogether is how many games one stream carries.
const mostTogether = 50

// gamesEvents streams several games until all are over or the client goes. What is
// asked of a seat is not among it: whoever sits there looks at the game itself.
func (h *gameStreams) gamesEvents(w http.ResponseWriter, r *http.Request) {
	ids := slices.Clone(r.URL.Query()["game"])
	slices.Sort(ids)
	if ids = slices.Compact(ids); len(ids) == 0 || len(ids) > mostTogether {
		h.router.SendError(w, r, problem.Input(fmt.Sprintf("game: name 1 to %d games, one each", mostTogether)))
		return
	}
	m := manyGames{last: h.games}
	defer m.close()
	since := sinceMany(r.Header.Get("Last-Event-ID"))
	for _, id := range ids {
		l, err := h.running.Look(r.Context(), id)
		if err == nil {
			err = m.add(h.hub, l, since[id])
		}
		if err != nil {
			h.router.SendError(w, r, err)
			return
		}
	}
	m.s = newStream(w, r, h.now)
	m.run(r.Context())
}

// sinceMany reads what a client has: words such as game:1-17.
func sinceMany(text string) map[string]hub.ID {
	out := map[string]hub.ID{}
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == ',' }) {
		if i := strings.LastIndexByte(word, ':'); i > 0 {
			out[word[:i]] = hub.ParseID(word[i+1:])
		}
	}
	return out
}

type manyGames struct {
	s     *stream
	games []*oneOfMany
	last  *records.Games // how those ended of which nothing was seen
}

// oneOfMany is one of them; news is closed when there may be more of it.
type oneOfMany struct {
	lobby.Watched
	viewer *hub.Viewer
	news   <-chan struct{}
	shown  bool // something of it was sent
}

func (m *manyGames) add(live *hub.Hub, l lobby.Watched, since hub.ID) error {
	v, err := live.Watch(l.Key(), l.Meta, since)
	if err == nil {
		m.games = append(m.games, &oneOfMany{Watched: l, viewer: v})
	}
	return err
}

func (m *manyGames) close() {
	for _, g := range m.games {
		g.viewer.Close()
	}
}

// run sends what comes until all games are over or the client goes.
func (m *manyGames) run(ctx context.Context) {
	tick := time.NewTicker(lively / 2) // beats are left out where something else was sent
	defer tick.Stop()
	fresh, ticked := slices.Clone(m.games), false // those that may have more
	for {
		for _, g := range fresh {
			if m.pass(g) != nil || (ticked || g.State == store.Over) && m.ended(ctx, g) != nil {
				return
			}
		}
		if m.s.rc.Flush() != nil || len(m.games) == 0 {
			return
		}
		cases := []reflect.SelectCase{
			{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(ctx.Done())},
			{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(tick.C)},
		}
		for _, g := range m.games {
			cases = append(cases, reflect.SelectCase{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(g.news)})
		}
		fresh, ticked = fresh[:0], false
		switch i, _, _ := reflect.Select(cases); i {
		case 0:
			return
		case 1:
			ticked = true
			for _, g := range m.games {
				if !g.shown { // it may have ended unseen
					fresh = append(fresh, g)
				}
			}
			if m.s.beat() != nil {
				return
			}
		default:
			fresh = append(fresh, m.games[i-2])
		}
	}
}

// pass writes what a game has that was not sent yet. The error is that of the client.
func (m *manyGames) pass(g *oneOfMany) error {
	for {
		f, news, err := g.viewer.Take()
		switch {
		case err != nil:
			return m.over(g)
		case news != nil:
			g.news = news
			return nil
		}
		if err := m.frame(g, &f); err != nil {
			return err
		}
	}
}

func (m *manyGames) frame(g *oneOfMany, f *hub.Frame) error {
	g.shown = true
	return m.s.write(m.s.event(g.ID+":"+f.ID.String(), f.Kind, f.Data))
}

// ended writes the end of a game of which nothing was seen: it may have been over before its
// worker could be asked.
func (m *manyGames) ended(ctx context.Context, g *oneOfMany) error {
	if g.shown {
		return nil
	}
	f, err := lastFrame(ctx, m.last, &g.Watched)
	if err != nil {
		return nil //nolint:nilerr // it goes on
	}
	if f != nil {
		if err := m.frame(g, f); err != nil {
			return err
		}
	}
	return m.over(g)
}

// over tells that a game is over; nothing more comes of it.
func (m *manyGames) over(g *oneOfMany) error {
	g.shown = true
	g.viewer.Close()
	m.games = slices.DeleteFunc(m.games, func(x *oneOfMany) bool { return x == g })
	return m.s.write(m.s.event("", "over", jsonOf(overNews{g.ID})))
}
