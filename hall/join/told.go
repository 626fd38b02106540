package join

import (
	"encoding/json"
	"time"

	"kibitz/game"
	"kibitz/hall/live"
	"kibitz/journal"
	"kibitz/player"
)

// liveNews is a message of the live connection of a room (hall/api LiveNews).
type liveNews struct {
	Ack    string          `json:"ack"`
	Status int             `json:"status"`
	Body   json.RawMessage `json:"body"`
	Room   *liveRoom       `json:"room"`
	Event  string          `json:"event"`
	Game   string          `json:"game"`
	Num    string          `json:"num"`
	Data   json.RawMessage `json:"data"`
}

// liveRoom is what a person must know of his room.
type liveRoom struct {
	Room struct {
		roomShown
		Score [2]float64 `json:"score"`
		Game  *struct {
			First int `json:"first"`
		} `json:"game"`
	} `json:"room"`
}

// liveSeat is what is asked of the person's seat (hall/bus SeatState).
type liveSeat struct {
	Game     string    `json:"game"`
	Attempt  int       `json:"attempt"`
	Seat     game.Seat `json:"seat"`
	Prompt   int       `json:"prompt"`
	Ply      int       `json:"ply"`
	Legal    []string  `json:"legal"`
	Deadline time.Time `json:"deadline"`
	Rejected string    `json:"rejected"`
	Again    int       `json:"again"`
	Hint     *liveHint `json:"hint"`
}

// liveHint is what is advised (hall/bus Hint).
type liveHint struct {
	Prompt int        `json:"prompt"`
	From   string     `json:"from"`
	Failed bool       `json:"failed"`
	Steps  []string   `json:"steps"`
	Lines  []liveLine `json:"lines"`
}

// liveLine is one decision of several, with what comes after it (hall/bus HintReason).
type liveLine struct {
	Unit  game.Unit `json:"unit"`
	Lo    *float64  `json:"lo"`
	Hi    *float64  `json:"hi"`
	Depth int       `json:"depth"`
	Line  []string  `json:"line"`
}

// info is the line as a player would have told it.
func (l *liveLine) info() (in game.Info, err error) {
	in.PV, err = moves(l.Line)
	if in.Depth = l.Depth; l.Lo != nil && l.Hi != nil {
		in.Eval = game.Eval{Unit: l.Unit, Lo: *l.Lo, Hi: *l.Hi}
	}
	return in, err
}

// updateOf is an entry as a player is told of it.
func updateOf(e *live.Entry) (*player.Update, error) {
	u := &player.Update{By: e.By.Game(), Forced: e.Forced, Ended: e.Ended}
	var err error
	if u.Steps, err = moves(e.Steps); err != nil {
		return nil, err
	}
	for i := range e.Notices {
		n, err := e.Notices[i].Game()
		if err != nil {
			return nil, err
		}
		u.Notices = append(u.Notices, n)
	}
	return u, nil
}

// asksOf is what is asked, as a player is told of it.
func asksOf(list []journal.Ask) (out []player.Ask) {
	for _, q := range list {
		out = append(out, player.Ask{Num: q.Num, By: q.By, What: player.Deed(q.What), Ply: q.Ply, Since: q.Since, At: q.At, Until: q.Until})
	}
	return out
}

// liveView is a board that was told.
type liveView struct{ v *game.View }

// View implements player.Viewer.
func (l liveView) View() game.View { return *l.v }

// legalMoves are decisions that were told.
type legalMoves []game.Move

// Legal implements player.Legals.
func (l legalMoves) Legal(dst []game.Move) []game.Move { return append(dst, l...) }

// moves reads decisions in the journal's form.
func moves(list []string) (out []game.Move, err error) {
	for _, text := range list {
		m, err := journal.ParseMove(text)
		if err != nil {
			return nil, err
		}
		out = append(out, m)
	}
	return out, nil
}
