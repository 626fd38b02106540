package api

import (
	"context"

	"kibitz/game"
	"kibitz/game/wire"
	"kibitz/hall/auth"
	"kibitz/hall/problem"
	"kibitz/hall/records"
	"kibitz/hall/router"
)

// maxBoards is how many boards one answer holds.
const maxBoards = 600

type lineQuery struct {
	Body struct {
		records.BoardWish
		From int `json:"from,omitempty" minimum:"0" maximum:"2000" doc:"the first board of the answer is the one after so many decisions"`
	}
}

type lineView struct {
	Spec   string               `json:"spec"`
	Views  []*wire.View         `json:"views" doc:"boards in the form of the live streams, as everyone sees them who knows all"`
	Steps  []records.ReplayStep `json:"steps" doc:"the decisions between them"`
	Legal  []string             `json:"legal" doc:"what may be decided at the end"`
	Deals  []records.Deal       `json:"deals,omitempty" doc:"what chance may decide at the end"`
	Result *records.ResultView  `json:"result,omitempty"`
}

// boards are the routes of analysis boards.
type boards struct {
	lines records.LineReader
	texts *records.Texts
	base  *records.Explorer
	// solving bounds how many positions are decided at a time.
	solving chan struct{}
}

func (h *boards) register(a *API) {
	add(a, router.Route{
		Method: "POST", Path: "/api/v1/boards/line", ID: "board-line", Tag: "positions", Summary: "Play on an analysis board", Need: auth.Look,
		About: "Answers with the boards along a line and with what may be decided at its end. Nothing is hidden on such a board; what is " +
			"decided on it is kept nowhere.",
	}, answerAt(h.line))
	add(a, router.Route{
		Method: "POST", Path: "/api/v1/boards/setup", ID: "set-up", Tag: "positions", Summary: "Compose a position", Need: auth.Look,
		About: "Answers with the text of a position that was set up piece by piece, and its board. What the rules cannot take is refused; " +
			"what they take but no game leads to has a `doubt`: `count`, with how many pieces there are more than turns, or `missing`, " +
			"pieces that never leave the board.",
	}, answerAt(h.setup))
	add(a, router.Route{
		Method: "POST", Path: "/api/v1/boards/solve", ID: "solve", Tag: "positions", Summary: "Decide a position", Need: auth.Look,
		About: "Answers with what is certain of a position: who wins by best play, how it goes on, and whether one decision alone is worth " +
			"as much (`only`: the position is a puzzle). A small search is made; where it proves nothing `decided` is false.",
	}, answerAt(h.solve))
	add(a, router.Route{
		Method: "GET", Path: "/api/v1/base", ID: "explore", Tag: "positions", Summary: "What was played in a position", Need: auth.Look,
		About: "Counts the games of the hall that everybody may see, the latest 2000 of each move, for at most 150 ms.",
	}, answer(h.base.Explore))
	add(a, router.Route{
		Method: "POST", Path: "/api/v1/boards/read", ID: "read-text", Tag: "positions", Summary: "Read games of any text", Need: auth.Look,
		Body: 2 * records.MaxText,
		About: "All forms of all games are tried; the first that is legal is taken. Where none is, the answer names the nearest and why it " +
			"does not fit. Nothing is kept.",
	}, answerAt(h.texts.Read))
	add(a, router.Route{
		Method: "POST", Path: "/api/v1/boards/record", ID: "write-tree", Tag: "positions", Summary: "Write an analysis as a record",
		Need: auth.Look, Body: records.MaxText,
		About: "Variations and comments stand in it where the format has a place for them. With `from` it begins with a position of its line.",
	}, h.write)
}

type setupQuery struct{ Body records.SetupWish }

type setupView struct {
	Spec     string    `json:"spec"`
	Position string    `json:"position" doc:"its text"`
	View     wire.View `json:"view"`
	Doubt    string    `json:"doubt,omitempty" enum:"count,missing"`
	Count    int       `json:"count,omitempty"`
}

func (h *boards) setup(ctx context.Context, in *setupQuery) (*setupView, error) {
	if h.lines == nil {
		return nil, problem.ErrAbsent
	}
	x, err := h.lines.Setup(ctx, &in.Body)
	if err != nil {
		return nil, records.NoPosition(err)
	}
	return &setupView{string(x.Spec), x.Text, *wire.Of(x.View), x.Doubt, x.Count}, nil
}

type solveQuery struct {
	Body struct {
		Spec     string `json:"spec" minLength:"1" maxLength:"200" doc:"what is played: gomoku:rule=renju"`
		Position string `json:"position,omitempty" maxLength:"8000" doc:"empty for the initial one"`
	}
}

type solvedView struct {
	Decided bool     `json:"decided"`
	Winner  string   `json:"winner,omitempty" enum:"first,second,nobody"`
	Line    []string `json:"line,omitempty" doc:"best play, or its beginning"`
	Only    bool     `json:"only,omitempty" doc:"every other decision is worth less to who is on turn"`
}

func (h *boards) solve(ctx context.Context, in *solveQuery) (*solvedView, error) {
	s, ok := h.lines.(records.PositionSolver)
	if !ok {
		return nil, problem.ErrAbsent
	}
	if err := records.Readable(&records.BoardWish{Spec: in.Body.Spec, Position: in.Body.Position}); err != nil {
		return nil, err
	}
	select {
	case h.solving <- struct{}{}:
		defer func() { <-h.solving }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	x, err := s.Solve(ctx, game.Spec(in.Body.Spec), in.Body.Position)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, records.NoPosition(err)
	}
	if !x.Decided {
		return &solvedView{}, nil
	}
	return &solvedView{Decided: true, Winner: x.Winner.String(), Line: x.Line, Only: x.Only}, nil
}

func (h *boards) write(ctx context.Context, in *records.TreeQuery) (*fileAnswer, error) {
	f, err := h.texts.Write(ctx, in)
	if err != nil {
		return nil, err
	}
	return &fileAnswer{f.Type, attachment(f.Name), f.Data}, nil
}

func (h *boards) line(ctx context.Context, in *lineQuery) (*lineView, error) {
	b := &in.Body
	if h.lines == nil {
		return nil, problem.ErrAbsent
	}
	if err := records.Readable(&b.BoardWish); err != nil {
		return nil, err
	}
	if b.From > len(b.Moves) || len(b.Moves)-b.From >= maxBoards {
		return nil, problem.At("#/from", problem.Input("from: want a number up to that of the decisions, and less than 600 below it"))
	}
	l, err := h.lines.Line(ctx, game.Spec(b.Spec), b.Position, b.Moves, b.From)
	if err != nil {
		return nil, records.NoPosition(err)
	}
	out := lineView{Spec: string(l.Spec), Views: []*wire.View{}, Steps: []records.ReplayStep{}, Legal: l.Legal, Deals: l.Deals}
	if out.Legal == nil {
		out.Legal = []string{}
	}
	for _, v := range l.Views {
		out.Views = append(out.Views, wire.Of(v))
	}
	for i := range l.Steps {
		out.Steps = append(out.Steps, records.StepOf(&l.Steps[i]))
	}
	if l.Result != nil {
		out.Result = records.ViewResult(*l.Result)
	}
	return &out, nil
}
