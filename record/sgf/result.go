package sgf

import (
	"regexp"
	"strconv"
	"strings"
	"sync"

	"kibitz/game"
	"kibitz/record"
)

// codes match the reasons that TE may carry: the game's own end codes and those
// that all games share.
var codes = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[a-z][a-z0-9-]{1,30}$`)
})

// result reads RE, and TE, which c-gomoku-cli writes beside it. It returns nil
// when nothing is known.
func (m *mapping) result(text, reason string) (r *game.Result, warning string) {
	t := strings.TrimSpace(text)
	why := game.Reason("")
	if codes().MatchString(reason) {
		why = game.Reason(reason)
	}
	switch strings.ToLower(t) {
	case "", "?":
		return nil, ""
	case "0", "draw", "jigo", "drawn", "tie":
		d := game.Drawn(why, "")
		if m.total > 0 {
			d.Board, d.HasBoard = [2]float64{m.total / 2, m.total / 2}, true
		}
		return &d, ""
	case "void", "suspended":
		if reason == string(game.ByAbort) {
			reason = ""
		}
		return &game.Result{Reason: game.ByAbort, Detail: reason}, ""
	}
	side, how, ok := strings.Cut(t, "+")
	seat := game.First
	switch strings.ToLower(strings.TrimSpace(side)) {
	case "b", "black":
	case "w", "white":
		seat = game.Second
	default:
		ok = false
	}
	if !ok {
		return nil, "RE[" + t + "] is not a result: B+, W+, 0, Void or ? is expected"
	}
	how = strings.TrimSpace(how)
	if f := strings.Fields(how); len(f) > 0 { // "R (by time)" and the like
		how = f[0]
	}
	win := game.Win(seat, why, "")
	switch strings.ToLower(how) {
	case "r", "resign", "resigns", "resignation":
		win.Reason = game.ByResign
	case "t", "time":
		win.Reason = game.ByTime
	case "f", "forfeit":
		if why == "" {
			win.Reason, win.Detail = game.ByAdjudication, "forfeit"
		}
	case "", "1": // c-gomoku-cli counts one point for a win
	default:
		n, err := strconv.ParseFloat(strings.ReplaceAll(how, ",", "."), 64)
		if err != nil || !(n >= 0 && n < 1e6) {
			return &win, "RE[" + t + "]: " + strconv.Quote(how) + " is neither a score nor a reason"
		}
		win.Detail = t
		if m.total > 0 && n <= m.total {
			win.Board[seat], win.Board[seat.Other()] = (m.total+n)/2, (m.total-n)/2
			win.HasBoard, win.Detail = true, ""
		}
	}
	return &win, ""
}

// formatResult writes RE, and TE where the reason has no word there.
func (m *mapping) formatResult(n *Node, g *record.Game, flipped bool) {
	r := g.Result
	if r == nil {
		return
	}
	te := string(r.Reason)
	letter := "B"
	if (r.Winner() == game.Second) != flipped {
		letter = "W"
	}
	var text string
	switch w := r.Winner(); {
	case w == game.Nobody && r.Points[0] == 0:
		text = "Void"
	case w == game.Nobody:
		text = "0"
	case r.Reason == game.ByResign:
		text, te = letter+"+R", ""
	case r.Reason == game.ByTime:
		text, te = letter+"+T", ""
	case forfeits[r.Reason]:
		text = letter + "+F"
	case r.HasBoard:
		text = letter + "+" + strconv.FormatFloat(r.Board[w]-r.Board[w.Other()], 'f', -1, 64)
	default:
		text = letter + "+"
		if score := strings.TrimPrefix(r.Detail, text); score != r.Detail { // as it was read
			if _, err := strconv.ParseFloat(score, 64); err == nil {
				text = r.Detail
			}
		}
	}
	n.Set("RE", text)
	if codes().MatchString(te) {
		n.Set("TE", te)
	}
}

// forfeits are the reasons that SGF calls forfeit.
var forfeits = map[game.Reason]bool{
	game.ByIllegal: true, game.ByCrash: true, game.ByStall: true, game.ByProtocol: true, game.ByResource: true,
	game.ByStart: true, game.ByDisconnect: true,
}
