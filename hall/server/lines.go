package server

import (
	"context"

	"kibitz/game"
	"kibitz/hall/auth"
	"kibitz/hall/hub"
)

// maxBoards is how many boards one answer holds.
const maxBoards = 600

// Lines answers with what happens on an analysis board. The server knows no rules:
// whoever does implements it.
type Lines interface {
	// Line plays decisions from a position (empty for the initial one) and returns the
	// boards after from, from+1, … of them. Its errors are one line for people.
	Line(ctx context.Context, spec game.Spec, position string, moves []string, from int) (*Line, error)
}

// Line is a run of decisions on an analysis board, where nothing is hidden.
type Line struct {
	// Spec is the canonical specification.
	Spec game.Spec
	// Views are the boards after from, from+1, … decisions, Steps what lies between.
	Views []*game.View
	Steps []ReplayStep
	// Legal are the decisions that stand if they are made at the end; of dark chess a
	// flip is followed by one of Deals.
	Legal []string
	Deals []Deal
	// Result is that of the board, nil if the game is not over there.
	Result *game.Result
}

// Deal is what chance may decide next.
type Deal struct {
	Step string `json:"step" doc:"in the journal's form"`
	// Piece is the letter of what is dealt in views.
	Piece string `json:"piece" doc:"letter of the piece in views"`
	Count int    `json:"count" doc:"how many of it are left"`
}

type lineQuery struct {
	Body struct {
		BoardWish
		From int `json:"from,omitempty" minimum:"0" maximum:"2000" doc:"the first board of the answer is the one after so many decisions"`
	}
}

type lineView struct {
	Spec   string       `json:"spec"`
	Views  []*hub.View  `json:"views" doc:"boards in the form of the live streams, as everyone sees them who knows all"`
	Steps  []replayStep `json:"steps" doc:"the decisions between them"`
	Legal  []string     `json:"legal" doc:"what may be decided at the end"`
	Deals  []Deal       `json:"deals,omitempty" doc:"what chance may decide at the end"`
	Result *resultView  `json:"result,omitempty"`
}

// registerLines registers the analysis board.
func (h *Hall) registerLines() {
	add(h, Route{
		Method: "POST", Path: "/api/v1/boards/line", ID: "board-line", Tag: "positions", Summary: "Play on an analysis board", Need: auth.Look,
		About: "Answers with the boards along a line and with what may be decided at its end. Nothing is hidden on such a board; what is " +
			"decided on it is kept nowhere.",
	}, h.line)
}

func (h *Hall) line(ctx context.Context, in *lineQuery) (*body[lineView], error) {
	b := &in.Body
	if h.cfg.Lines == nil {
		return nil, errAbsent
	}
	if err := readable(&b.BoardWish); err != nil {
		return nil, err
	}
	if b.From > len(b.Moves) || len(b.Moves)-b.From >= maxBoards {
		return nil, badInput("from: want a number up to that of the decisions, and less than 600 below it")
	}
	l, err := h.cfg.Lines.Line(ctx, game.Spec(b.Spec), b.Position, b.Moves, b.From)
	if err != nil {
		return nil, badInput(oneLine(err))
	}
	out := lineView{Spec: string(l.Spec), Views: []*hub.View{}, Steps: []replayStep{}, Legal: l.Legal, Deals: l.Deals}
	if out.Legal == nil {
		out.Legal = []string{}
	}
	for _, v := range l.Views {
		out.Views = append(out.Views, hub.ViewOf(v))
	}
	for i := range l.Steps {
		out.Steps = append(out.Steps, stepView(&l.Steps[i]))
	}
	if l.Result != nil {
		out.Result = &resultView{Points: l.Result.Points, Reason: string(l.Result.Reason), Detail: l.Result.Detail}
		if l.Result.HasBoard {
			board := l.Result.Board
			out.Result.Board = &board
		}
	}
	return reply(out), nil
}
