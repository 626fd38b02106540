package journal_test

import (
	"encoding/json"
	"time"

	"pgregory.net/rapid"

	"kibitz/clock"
	"kibitz/game"
	"kibitz/journal"
)

func anyMove(t *rapid.T) game.Move {
	p := func() game.Point {
		return game.Pt(rapid.IntRange(0, 126).Draw(t, "x"), rapid.IntRange(0, 126).Draw(t, "y"))
	}
	n := rapid.IntRange(-3, 400).Draw(t, "arg")
	switch rapid.IntRange(0, 8).Draw(t, "op") {
	case 0:
		return game.PlaceAt(p())
	case 1:
		return game.ShiftTo(p(), p())
	case 2:
		return game.ShootAt(p())
	case 3:
		return game.FlipAt(p())
	case 4:
		return game.EdgeAt(p(), n%2 == 0)
	case 5:
		return game.ChooseArg(n)
	case 6:
		return game.ResignMove()
	case 7:
		return game.DealAt(p(), n)
	default:
		return game.PassMove()
	}
}

func anyText(t *rapid.T) string {
	return rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"", "a\"b\\c", "tab\tnul\x00", "<&>\u2028", "日本", "}"})).Draw(t, "text")
}

func anySeat(t *rapid.T) game.Seat {
	return rapid.SampledFrom([]game.Seat{game.First, game.Second, game.Dealer, game.Nobody}).Draw(t, "seat")
}

func anyAudience(t *rapid.T) game.Audience {
	return rapid.SampledFrom([]game.Audience{game.ToFirst, game.ToSecond, game.Public, game.Arbiter}).Draw(t, "audience")
}

func anyTime(t *rapid.T) time.Duration {
	return time.Duration(rapid.Int64Range(0, 1<<50).Draw(t, "duration"))
}

func anyClocks(t *rapid.T) [2]journal.Clock {
	var k [2]journal.Clock
	for i := range k {
		k[i] = journal.Clock{
			Left: anyTime(t) - time.Second, Total: anyTime(t), Moves: rapid.IntRange(0, 40).Draw(t, "moves"),
			Periods: rapid.IntRange(0, 5).Draw(t, "periods"), Stage: clock.Stage(rapid.IntRange(0, 3).Draw(t, "stage")),
		}
	}
	return k
}

func anyTurn(t *rapid.T) game.Turn {
	return game.Turn{Seat: anySeat(t), Step: rapid.IntRange(0, 20).Draw(t, "step"), Phase: anyText(t)}
}

func anyInfo(t *rapid.T) game.Info {
	i := game.Info{
		Depth: rapid.IntRange(0, 60).Draw(t, "depth"), Nodes: rapid.Int64Range(0, 1<<60).Draw(t, "nodes"),
		Confidence: rapid.Float64Range(0, 100).Draw(t, "confidence"), Bound: game.Bound(rapid.IntRange(0, 3).Draw(t, "bound")),
		Time: anyTime(t), Text: anyText(t), Book: rapid.Bool().Draw(t, "book"), SelDepth: 3, Games: 4, Rank: 1,
	}
	if rapid.Bool().Draw(t, "evaluated") {
		lo := rapid.Float64Range(-1e6, 1e6).Draw(t, "lo")
		i.Eval = game.Eval{Unit: game.Points, Lo: lo, Hi: lo + 2}
	}
	for range rapid.IntRange(0, 3).Draw(t, "pv") {
		i.PV = append(i.PV, anyMove(t))
	}
	return i
}

func anyResult(t *rapid.T) game.Result {
	r := game.Win(game.Second, game.Reason("five"), anyText(t))
	if rapid.Bool().Draw(t, "board") {
		r.Board, r.HasBoard = [2]float64{20, 44.5}, true
	}
	return r
}

func anyEvent(t *rapid.T) journal.Event {
	ev := journal.Event{
		Seq: rapid.Uint64Range(1, 1<<40).Draw(t, "seq"), Time: begin.Add(anyTime(t).Truncate(time.Microsecond)),
		Game: anyText(t), To: anyAudience(t),
	}
	switch rapid.IntRange(0, 16).Draw(t, "kind") {
	case 0:
		ev.Kind = journal.KindRun
		ev.Run = &journal.Run{ID: anyText(t), Program: "kibitz 1", Config: json.RawMessage(`{"a":[1,2]}`), Commitment: "ab", Resumed: 2}
	case 1:
		ev.Kind = journal.KindStart
		c, _ := clock.Parse("60+0.5 byo=1x30/3")
		ev.Start = &journal.Start{
			Spec: "gomoku:size=15", Names: [2]string{anyText(t), anyText(t)}, Controls: [2]clock.Control{c, {}}, Position: anyText(t),
			ToMove: anySeat(t), Round: 1, Pair: 2, Attempt: 3, Opening: anyText(t), Commitment: "ff", Rated: true,
		}
	case 2:
		ev.Kind = journal.KindDecision
		d := &journal.Decision{
			By: anySeat(t), Refused: rapid.Bool().Draw(t, "r"), Forced: rapid.Bool().Draw(t, "f"), Opening: rapid.Bool().Draw(t, "o"),
			Used: anyTime(t), Late: anyTime(t), Error: anyTime(t), Clocks: anyClocks(t), Next: anyTurn(t), Ended: rapid.Bool().Draw(t, "e"),
		}
		for range rapid.IntRange(0, 4).Draw(t, "steps") {
			d.Steps = append(d.Steps, anyMove(t))
		}
		ev.Decision = d
	case 3:
		ev.Kind = journal.KindNotices
		n := &journal.Notices{By: anySeat(t), Used: anyTime(t), Clocks: anyClocks(t), Next: anyTurn(t)}
		for range rapid.IntRange(0, 3).Draw(t, "notices") {
			x := game.Notice{To: anyAudience(t), Kind: game.NoticeKind(rapid.IntRange(1, 6).Draw(t, "kind")), By: anySeat(t), Count: 3}
			if rapid.Bool().Draw(t, "move") {
				x.Move = anyMove(t)
			}
			if rapid.Bool().Draw(t, "points") {
				x.Points = []game.Point{game.Pt(1, 2), game.Pt(3, 4)}
			}
			n.Notices = append(n.Notices, x)
		}
		ev.Notices = n
	case 4:
		ev.Kind = journal.KindSaid
		ev.Said = &journal.Said{By: anySeat(t), Info: anyInfo(t), Ply: rapid.IntRange(0, 300).Draw(t, "ply"), Live: rapid.Bool().Draw(t, "live"), Name: anyText(t)}
		for range rapid.IntRange(0, 2).Draw(t, "lines") {
			ev.Said.Lines = append(ev.Said.Lines, anyInfo(t))
		}
	case 5:
		ev.Kind = journal.KindRewind
		ev.Rewind = &journal.Rewind{Steps: rapid.IntRange(0, 9).Draw(t, "n"), By: anySeat(t), Clocks: anyClocks(t), Next: anyTurn(t)}
	case 6:
		ev.Kind = journal.KindWarning
		ev.Warning = &journal.Warning{Seat: anySeat(t), Text: anyText(t)}
	case 7:
		ev.Kind = journal.KindResult
		ev.Result = &journal.Result{
			Result: anyResult(t), Plies: 60, Used: [2]time.Duration{anyTime(t), anyTime(t)}, Late: anyTime(t), Warnings: 3,
		}
		if rapid.Bool().Draw(t, "named") {
			ev.Result.Engines = [2]string{anyText(t), anyText(t)}
		}
		if rapid.Bool().Draw(t, "clocks") {
			k := anyClocks(t)
			ev.Result.Clocks = &k
		}
		for i := range ev.Result.Resources {
			if rapid.Bool().Draw(t, "resources") {
				ev.Result.Resources[i] = journal.Resources{Known: true, CPU: max(0, anyTime(t)), Memory: rapid.Int64Range(0, 1<<40).Draw(t, "memory")}
			}
		}
	case 8:
		ev.Kind = journal.KindEvidence
		ev.Evidence = &journal.Evidence{Seat: anySeat(t), Lines: []string{anyText(t), "x"}, Final: anyText(t)}
	case 9:
		ev.Kind = journal.KindRuling
		ev.Ruling = &journal.Ruling{Result: anyResult(t), By: anyText(t), Note: anyText(t)}
	case 10:
		ev.Kind = journal.KindReveal
		ev.Reveal = &journal.Reveal{Commitment: "aa", Seed: "bb"}
	case 11:
		ev.Kind = journal.KindOrder
		ev.Order = &journal.Order{Order: []byte(`{"kind":"withdraw","engine":3}`), Engine: anyText(t), By: "Ada"}
	case 12:
		ev.Kind = journal.KindWait
		ev.Wait = &journal.Wait{For: anyText(t), Before: rapid.IntRange(0, 9).Draw(t, "before"), Of: 3}
	case 13:
		ev.Kind = journal.KindAsks
		ev.Asks = &journal.Asks{Num: 4, List: []journal.Ask{{Num: 2, By: game.Second, What: "undo", Ply: rapid.IntRange(0, 9).Draw(t, "ply"), Since: time.Unix(5, 6).UTC(), At: 7, Until: 8}}}
	case 14:
		ev.Kind = journal.KindHints
		ev.Hints = &journal.Hints{By: game.Second, Count: rapid.IntRange(0, 9).Draw(t, "hints")}
	case 15:
		ev.Kind = journal.KindPresence
		ev.Presence = &journal.Presence{Seat: game.Second, Away: rapid.Bool().Draw(t, "away"), Since: time.Unix(5, 6).UTC(), Lapses: time.Unix(7, 8).UTC(), Ends: game.ByAbort}
	default:
		ev.Kind = journal.KindView
		ev.View = anyView(t)
	}
	return ev
}

func anyView(t *rapid.T) *game.View {
	r := anyResult(t)
	v := &game.View{
		For: anyAudience(t), Shape: game.Dots, Ground: game.Table, Loops: 2, Width: 2, Height: 2, Columns: []string{"a", "b"}, Rows: []string{"1", "2"},
		Cells: []game.Cell{{}, {Piece: 'B', Owner: game.First}, {Piece: 'X', Owner: game.Nobody}, {Piece: 'w', Owner: game.Second}},
		Lines: []game.Line{{At: game.Pt(1, 0), Vertical: true, By: game.Second}}, Turn: anyTurn(t),
		Colours: [2]game.Colour{game.Red, game.NoColour}, Score: [2]float64{1, 2}, HasScore: true,
		Trays: []game.Tray{{Name: "alive", Owner: game.First, Items: []game.TrayItem{{Piece: 'K', Count: 1}, {Piece: 'p', Count: 5}}}},
		Marks: []game.Point{game.Pt(0, 1)}, Attempts: []game.Point{game.Pt(1, 1)},
		Barred: []game.Point{game.Pt(0, 0)}, Won: []game.Point{game.Pt(1, 0), game.Pt(0, 1)}, Path: []game.Point{game.Pt(0, 1), game.Pt(1, 0), game.Pt(1, 1)},
		Notes: []game.Note{game.Notef("ko", "ko at %s", "B1")}, Result: &r,
	}
	for i := range v.Cells { // an empty point belongs to nobody
		if v.Cells[i].Piece == 0 {
			v.Cells[i].Owner = game.Nobody
		}
	}
	return v
}
