package site

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"kibitz/game"
	"kibitz/hall/auth"
	"kibitz/hall/contest"
	"kibitz/hall/director"
	"kibitz/hall/problem"
	"kibitz/hall/store"
	"kibitz/hall/web/pages"
	"kibitz/hall/web/words"
	"kibitz/tournament"
)

// commands are what the console gives.
func commands() []string {
	return []string{"start", "cancel", "pause", "resume", "concurrency", "withdraw", "pair", "forfeit", "replay", "overrule", "abort"}
}

// isFinal reports whether a command cannot be undone.
func isFinal(do string) bool {
	return !slices.Contains([]string{"pause", "resume", "concurrency", "overrule"}, do)
}

// consoleModel is the console as its reader may use it, nil for who may do nothing.
func (h *tournamentPages) consoleModel(ctx context.Context, w *words.Catalogue, t *director.TournamentView) *pages.Console {
	c, _ := auth.FromContext(ctx)
	d := &pages.Console{
		ID: t.ID, State: t.State, Limit: t.Limit, Director: t.You.Director, Swiss: t.Settings.Format == tournament.SwissSystem,
		MayEnter: t.Settings.Open && c.Can(auth.Organise) && (t.State == "entering" || t.Settings.Late &&
			(t.State == "playing" || t.State == "paused")),
	}
	if !d.Director && !d.MayEnter && len(t.You.Entries) == 0 {
		return nil
	}
	gone := map[int]bool{}
	for _, x := range t.Standings {
		gone[x.Entry] = x.Withdrawn != ""
	}
	for _, x := range t.Entries {
		if d.Director || slices.Contains(t.You.Entries, x.Number) {
			d.Entries = append(d.Entries, pages.Entrant{Number: x.Number, Name: pages.Called(w, x.Name), Gone: gone[x.Number]})
		}
	}
	var err error
	if d.Engines, err = h.engines.Playing(ctx, game.Spec(t.Game).ID()); err != nil {
		h.log.WarnContext(ctx, "the console lacks the engines", "tournament", t.ID, "error", problem.OneLine(err))
	}
	if d.Director && t.Openings > 0 {
		err := h.desk.See(ctx, t.ID, func(_ *store.Tournament, s *contest.State, _ contest.Actor) {
			for _, o := range s.Openings {
				d.Openings = append(d.Openings, o.Name)
			}
		})
		if err != nil {
			h.log.WarnContext(ctx, "the console lacks the openings", "tournament", t.ID, "error", problem.OneLine(err))
		}
	}
	return d
}

func (h *tournamentPages) tournamentEnter(ctx context.Context, _ http.ResponseWriter, r *http.Request) (string, error) {
	in := &director.NewEntry{TournamentPath: director.TournamentPath{ID: r.PathValue("tournament")}}
	in.Body.Engine, in.Body.Byes = engineWord(r.PostForm.Get("engine")), max(0, formNumber(r, "byes"))
	switch name := strings.TrimSpace(r.PostForm.Get("name")); {
	case strings.ContainsAny(name, "'\"\\"):
		return "", problem.At("#/name", problem.Input("name: without quotation marks"))
	case name != "":
		in.Body.Engine += " name='" + name + "'"
	}
	if len([]rune(in.Body.Engine)) > 500 || in.Body.Byes > 1000 {
		return "", problem.At("#/name", problem.Input("engine: its words have up to 500 letters"))
	}
	if _, err := h.desk.Enter(ctx, in); err != nil {
		return "", err
	}
	return "/tournaments/" + in.ID + "#console", nil
}

// tournamentDo gives a command of the console. What cannot be undone is asked about
// first.
func (h *tournamentPages) tournamentDo(ctx context.Context, w http.ResponseWriter, r *http.Request) (string, error) {
	f := r.PostForm
	in := &director.TournamentCommand{TournamentPath: director.TournamentPath{ID: r.PathValue("tournament")}}
	b := &in.Body
	number := func(name string) int { return max(0, formNumber(r, name)) }
	b.Do, b.Entry, b.Opponent, b.Game, b.Games = f.Get("do"), number("entry"), number("opponent"), number("game"), number("games")
	b.Opening, b.Limit, b.Remaining, b.Result, b.Note = number("opening"), number("concurrency"), f.Get("remaining"), f.Get("result"),
		f.Get("note")
	if !slices.Contains(commands(), b.Do) {
		return "", problem.Input("that is no command of the console").Because(game.WhyChoice)
	}
	if err := errors.Join(atMost("concurrency", b.Limit, 1000), atMost("games", b.Games, 1000)); err != nil {
		return "", err
	}
	if len([]rune(b.Note)) > 500 {
		return "", problem.At("#/note", problem.Input("note: up to 500 characters").Because("long", 500))
	}
	if isFinal(b.Do) && !f.Has("sure") && h.wantsPage(r) {
		return "", h.askSure(ctx, w, r, in)
	}
	if _, err := h.desk.Command(ctx, in); err != nil {
		return "", err
	}
	return "/tournaments/" + in.ID + "#console", nil
}

// askSure asks whether a command is meant, if it can be followed at all.
func (h *tournamentPages) askSure(ctx context.Context, w http.ResponseWriter, r *http.Request,
	in *director.TournamentCommand,
) error {
	p, d := h.newPage(r), pages.Sure{Note: in.Body.Note, Action: r.URL.Path, Back: "/tournaments/" + in.ID + "#console"}
	var refused error
	err := h.desk.See(ctx, in.ID, func(_ *store.Tournament, s *contest.State, by contest.Actor) {
		e, err := s.Settle(in.Command(), by)
		if err != nil {
			refused = problem.OfRefusal(err)
			return
		}
		d.What = storyText(p.Words, s.Story(&e))
	})
	if err = errors.Join(err, refused); err != nil {
		return err
	}
	h.sendSure(w, r, p, &d, "tournaments")
	return nil
}

// sendSure asks whether a form is meant that was sent, and sends it again if it is.
func (h *Site) sendSure(w http.ResponseWriter, r *http.Request, p *pages.Page, d *pages.Sure, nav string) {
	for _, name := range slices.Sorted(maps.Keys(r.PostForm)) {
		d.Fields = append(d.Fields, pages.Fact{Name: name, Value: r.PostForm.Get(name)})
	}
	p.Name, p.Nav, p.Title, p.Data = "sure", nav, p.Words.Text("tournament.sure"), *d
	h.send(w, r, http.StatusOK, p, "")
}

// storyText is the sentence of something that happened.
func storyText(c *words.Catalogue, s contest.Story) string {
	return c.Text("event."+s.Says, "name", pages.Called(c, s.Name), "other", pages.Called(c, s.Other), "game", s.Game, "n", s.Number, "score",
		half(s.Points[0])+" : "+half(s.Points[1]))
}

// logPage is how many events a page of the log has.
const logPage = 100

// tournamentLogPage is what happened, with games or without.
func (h *tournamentPages) tournamentLogPage(ctx context.Context, r *http.Request, p *pages.Page) error {
	q := director.LogQuery{TournamentPath: director.TournamentPath{ID: r.PathValue("tournament")}, Latest: true, Limit: logPage + 1}
	all := r.URL.Query().Has("all")
	q.Orders = !all
	if _, err := fmt.Sscan(r.URL.Query().Get("before"), &q.Before); err != nil || q.Before < 0 {
		q.Before = 0
	}
	got, err := h.desk.Get(ctx, &q.TournamentPath)
	if err != nil {
		return err
	}
	d := pages.Log{ID: q.ID, Name: got.Name, All: all, Later: q.Before > 0}
	var seqs []int64
	if d.Lines, seqs, err = h.logLines(ctx, p, &q); err != nil {
		return err
	}
	if len(d.Lines) > logPage {
		d.Lines = d.Lines[:logPage]
		d.Older = fmt.Sprintf("?before=%d", seqs[logPage-1])
		if all {
			d.Older += "&all=1"
		}
	}
	p.Name, p.Nav, p.Title, p.Data = "tournamentlog", "tournaments", d.Name+" · "+p.Words.Text("tournament.log"), d
	return nil
}

// logLines are events as lines, with their numbers.
func (h *tournamentPages) logLines(ctx context.Context, p *pages.Page, q *director.LogQuery) (lines []pages.LogLine, seqs []int64,
	err error,
) {
	got, err := h.desk.Log(ctx, q)
	if err != nil {
		return nil, nil, err
	}
	err = h.desk.See(ctx, q.ID, func(_ *store.Tournament, s *contest.State, _ contest.Actor) {
		for i := range got {
			e := &got[i]
			story := s.Story(e)
			l := pages.LogLine{At: e.At, Who: e.Name, What: storyText(p.Words, story), Note: e.Note}
			if why := "board.why." + story.Reason; l.Note == "" && p.Words.Has(why) {
				l.Note = p.Words.Text(why)
			}
			lines, seqs = append(lines, l), append(seqs, e.Seq)
		}
	})
	return lines, seqs, err
}
