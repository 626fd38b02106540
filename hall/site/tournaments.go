package site

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"kibitz/game"
	"kibitz/hall/admin"
	"kibitz/hall/auth"
	"kibitz/hall/contest"
	"kibitz/hall/director"
	"kibitz/hall/problem"
	"kibitz/hall/web/pages"
	"kibitz/hall/web/words"
)

// tournamentPages are tournaments; desk is nil for a hall without.
type tournamentPages struct {
	*Site
	desk    *director.Desk
	engines *admin.Engines
}

// workerTexts say for what workers a tournament waits, and which have other programs, each thing once.
func workerTexts(c *words.Catalogue, list []game.Why) (out []string) {
	for _, why := range list {
		if text := c.Text("waits."+string(why.Code), "name", pages.Called(c, why.Name)); !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return out
}

func (h *tournamentPages) register() {
	h.page("/tournaments", auth.Look, "", h.tournamentsPage)
	if h.desk == nil {
		return
	}
	h.page("/tournaments/{tournament}", auth.Look, "", h.tournamentPage)
	h.page("/tournaments/{tournament}/live", auth.Look, "tournamentlive", h.tournamentPage)
	h.formOn("/tournaments", auth.Organise, h.tournamentsPage, h.tournamentForm)
	h.page("/tournaments/{tournament}/log", auth.Look, "", h.tournamentLogPage)
	h.page("/tournaments/{tournament}/console", auth.Look, "tournamentconsole", h.tournamentPage)
	h.formOn("/tournaments/{tournament}/enter", auth.Keep, h.tournamentPage, h.tournamentEnter)
	h.formOn("/tournaments/{tournament}/do", auth.Organise, h.tournamentPage, h.tournamentDo)
}

func (h *tournamentPages) tournamentsPage(ctx context.Context, r *http.Request, p *pages.Page) error {
	p.Name, p.Nav, p.Title = "tournaments", "tournaments", p.Words.Text("nav.tournaments")
	d := pages.Tournaments{Absent: h.desk == nil, New: r.URL.Query().Has("new")}
	offered, err := h.engines.Offered(ctx)
	if err != nil {
		return err
	}
	for _, e := range offered {
		d.Engines = append(d.Engines, e.Name)
	}
	if !d.Absent {
		list, err := h.desk.List(ctx, &director.TournamentsQuery{Limit: 100})
		if err != nil {
			return err
		}
		for _, t := range list {
			d.List = append(d.List, pages.TournamentLine{
				ID: t.ID, Name: t.Name, Game: t.Game, State: t.State, Created: since(t.Created),
			})
		}
	}
	p.Data = d
	return nil
}

// scheduled is how many games of a schedule a page lists, the first of those that are not over a
// few lines from the top.
const scheduled, scheduledOver = 30, 10

func (h *tournamentPages) tournamentPage(ctx context.Context, r *http.Request, p *pages.Page) error {
	path := director.TournamentPath{ID: r.PathValue("tournament")}
	got, err := h.desk.Get(ctx, &path)
	if err != nil {
		return err
	}
	from, err := strconv.Atoi(r.URL.Query().Get("from"))
	if err != nil || from < 1 {
		from = max(1, got.Over+1-scheduledOver)
	}
	schedule, err := h.desk.Schedule(ctx, &director.ScheduleQuery{TournamentPath: path, From: from, Limit: scheduled})
	if err != nil {
		return err
	}
	cross, err := h.desk.Cross(ctx, &path)
	if err != nil {
		return err
	}
	t := got
	d := &pages.Tournament{
		ID: t.ID, Name: t.Name, Game: string(t.Settings.Game), State: t.State, Over: t.Over, All: t.All, Limit: t.Limit,
		Earlier: max(0, min(from-1, max(1, from-scheduled))),
		Secret:  t.Secret, Workers: workerTexts(p.Words, t.Workers), Facts: tournamentFacts(t, p), Proof: tournamentProof(t),
	}
	names := map[int]string{}
	for _, e := range t.Entries {
		names[e.Number] = pages.Short(p.Words, e.Name)
	}
	// Who is out of the ranking is in no table.
	ranked := slices.DeleteFunc(slices.Clone(t.Standings), func(x contest.Row) bool { return x.Rank == 0 })
	for _, x := range ranked {
		d.Standings = append(d.Standings, standingModel(p.Words, len(d.Standings)+1, &x))
	}
	d.Cross = crossModel(t.ID, ranked, cross.Meetings)
	for _, l := range schedule.Games {
		s := pages.Scheduled{
			Number: l.Number, Round: l.Round, Names: [2]string{names[l.First], names[l.Second]}, State: l.State,
			Reason: l.Reason,
		}
		if l.ID != "" {
			s.Link = "/games/" + l.ID
		}
		if l.Points != nil {
			s.Score = half(l.Points[0]) + " : " + half(l.Points[1])
		}
		d.Schedule = append(d.Schedule, s)
	}
	if last := len(schedule.Games); last > 0 && schedule.Games[last-1].Number < schedule.Known {
		d.Later = schedule.Games[last-1].Number + 1
	}
	test, err := h.desk.Test(ctx, &path)
	if err != nil {
		return err
	}
	d.Test = testModel(test.Test, test.Trail)
	d.Console = h.consoleModel(ctx, p.Words, t)
	if d.Log, _, err = h.logLines(ctx, p, &director.LogQuery{TournamentPath: path, Latest: true, Orders: true, Limit: 8}); err != nil {
		return err
	}
	p.Name, p.Nav, p.Title, p.Data = "tournament", "tournaments", t.Name, d
	return nil
}

func standingModel(w *words.Catalogue, place int, x *contest.Row) pages.Standing {
	s := pages.Standing{
		Place: place, Rank: x.Rank, Name: pages.Called(w, x.Name), Games: x.Games, Wins: x.Wins, Draws: x.Draws, Losses: x.Losses,
		Points: x.Points, Withdrawn: x.Withdrawn != "",
	}
	switch {
	case x.Elo != nil:
		s.Elo = w.Number(*x.Elo, 0)
		if x.Error != nil {
			s.Elo += " ± " + w.Number(*x.Error, 0)
		}
	case x.Games == 0:
	case x.Wins == x.Games:
		s.Elo = "+∞"
	case x.Losses == x.Games:
		s.Elo = "−∞"
	}
	return s
}

func testModel(t *contest.Test, trail []contest.Dot) *pages.Test {
	if t == nil {
		return nil
	}
	out := &pages.Test{
		Lower: t.Lower, Upper: t.Upper, Elo0: t.Elo0, Elo1: t.Elo1, Alpha: t.Alpha, Beta: t.Beta, Model: t.Model, Decision: t.Decision,
		Pairs: t.Unit == "pairs", Counts: t.Counts,
	}
	if t.LLR != nil {
		out.LLR = *t.LLR
	}
	if len(trail) == 0 {
		return out
	}
	out.Ratio = &pages.Ratio{Unit: t.Unit}
	for _, d := range trail {
		out.Ratio.Dots = append(out.Ratio.Dots, pages.RatioDot(d))
	}
	return out
}

// half writes the points of a game.
func half(x float64) string {
	if x == 0.5 {
		return "½"
	}
	return fmt.Sprint(x)
}

// crossModel is a table of what everybody made against everybody, both in the order of
// the standings.
func crossModel(id string, rows []contest.Row, list []contest.Meeting) [][]pages.Cell {
	met := map[[2]int]*contest.Meeting{}
	for i := range list {
		met[[2]int{list[i].A, list[i].B}] = &list[i]
	}
	if len(met) == 0 {
		return nil
	}
	var out [][]pages.Cell
	for _, a := range rows {
		var line []pages.Cell
		for _, b := range rows {
			cell := pages.Cell{Self: a.Entry == b.Entry}
			if m := met[[2]int{min(a.Entry, b.Entry), max(a.Entry, b.Entry)}]; m != nil {
				for _, g := range m.Games {
					x := pages.CellGame{Score: half(g.Score), Label: g.Label}
					if m.A != a.Entry {
						x.Score = half(1 - g.Score)
					}
					if !g.Awarded {
						x.Link = "/games/" + director.GameID(id, g.Label)
					}
					cell.Games = append(cell.Games, x)
				}
			}
			line = append(line, cell)
		}
		out = append(out, line)
	}
	return out
}

func tournamentFacts(t *director.TournamentView, p *pages.Page) []pages.Fact {
	w, s := p.Words, &t.Settings
	out := []pages.Fact{
		{Name: "format", Value: w.Text("format." + string(s.Format))},
		{Name: "each", Value: pages.ClockName(w, s.Clock)},
		{Name: "concurrency", Value: w.Number(float64(t.Limit), 0)},
	}
	if s.Openings != "" {
		out = append(out, pages.Fact{Name: "openings", Value: s.Openings})
	}
	return out
}

// tournamentProof is what it takes to check that the drawing of lots was fair.
func tournamentProof(t *director.TournamentView) []pages.Fact {
	out := []pages.Fact{{Name: "commitment", Value: t.Commitment}}
	if t.Secret != "" {
		out = append(out, pages.Fact{Name: "secret", Value: t.Secret})
	}
	return out
}

// clockWords are the words of a time control for engines.
func clockWords(text string) string {
	clock := pages.FormClock(text)
	if clock == "" || strings.HasPrefix(clock, "st=") {
		return clock
	}
	return "tc=" + clock
}

// engineWord is the word of an engine that a form offers.
func engineWord(name string) string {
	if strings.Contains(name, "=") {
		return name
	}
	return "engine=" + name
}

func (h *tournamentPages) tournamentForm(ctx context.Context, _ http.ResponseWriter, r *http.Request) (string, error) {
	f := r.PostForm
	in := &director.NewTournament{}
	in.Body.TournamentForm = director.TournamentForm{
		Name: f.Get("name"), Game: f.Get("game"), Format: f.Get("format"), Games: max(0, formNumber(r, "games")),
		Concurrency: max(0, formNumber(r, "concurrency")),
		Each:        clockWords(f.Get("clock")), Open: f.Has("open"), Casual: f.Has("casual"), Start: f.Has("start"), Late: f.Has("late"),
		Unlisted: f.Has("unlisted"), Repeat: f.Has("repeat"),
		Rounds: max(0, formNumber(r, "rounds")), Seeds: max(0, formNumber(r, "seeds")), SPRT: f.Get("sprt"), Openings: f.Get("openings"),
		Points: f.Get("points"), TieBreaks: f.Get("tiebreaks"),
	}
	for _, e := range f["plays"] {
		in.Body.Engines = append(in.Body.Engines, engineWord(e))
	}
	for line := range strings.Lines(f.Get("engines")) {
		if line = strings.TrimSpace(line); line != "" {
			in.Body.Engines = append(in.Body.Engines, line)
		}
	}
	if !slices.Contains(pages.Formats(), in.Body.Format) {
		return "", problem.At("#/format", problem.Input("format: one of those listed"))
	}
	b := &in.Body
	err := errors.Join(atMost("engines", len(b.Engines), 500), atMost("games", b.Games, 10000), atMost("concurrency", b.Concurrency, 1000),
		atMost("rounds", b.Rounds, 10000), atMost("seeds", b.Seeds, 500))
	if err != nil {
		return "", err
	}
	made, err := h.desk.Make(ctx, in)
	if err != nil {
		return "", err
	}
	return "/tournaments/" + made.ID, nil
}
