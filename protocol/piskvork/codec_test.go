package piskvork_test

import (
	"bytes"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"kibitz/game"
	pv "kibitz/protocol/piskvork"
)

func pts(xy ...int) (p [pv.MaxCoords]game.Point) {
	for i := 0; i+1 < len(xy); i += 2 {
		p[i/2] = game.Pt(xy[i], xy[i+1])
	}
	return p
}

func TestParseReply(t *testing.T) {
	tests := []struct {
		line string
		want pv.Reply
	}{
		{"7,7", pv.Reply{Kind: pv.Coords, N: 1, Points: pts(7, 7)}},
		{" 7 , 7 ", pv.Reply{Kind: pv.Coords, N: 1, Points: pts(7, 7)}},
		{"7,7\r", pv.Reply{Kind: pv.Coords, N: 1, Points: pts(7, 7)}},
		{"\x0012,3\x00", pv.Reply{Kind: pv.Coords, N: 1, Points: pts(12, 3)}},
		{"7,7 resigning soon", pv.Reply{Kind: pv.Coords, N: 1, Points: pts(7, 7)}},
		{"7,7,1", pv.Reply{Kind: pv.Coords, N: 1, Points: pts(7, 7)}},
		{"-1,3", pv.Reply{Kind: pv.Coords, N: 1, Points: pts(-1, 3)}},
		{"99,3", pv.Reply{Kind: pv.Coords, N: 1, Points: pts(99, 3)}},
		{"256,263", pv.Reply{Kind: pv.Coords, N: 1, Points: pts(127, 127)}},
		{"99999999999999999999999,-99999999999999999999", pv.Reply{Kind: pv.Coords, N: 1, Points: pts(127, -1)}},
		{"8,8 8,6", pv.Reply{Kind: pv.Coords, N: 2, Points: pts(8, 8, 8, 6)}},
		{"7,7 8,7 9,9", pv.Reply{Kind: pv.Coords, N: 3, Points: pts(7, 7, 8, 7, 9, 9)}},
		{"1,1 2,2 3,3 4,4", pv.Reply{Kind: pv.Coords, N: 4, Points: pts(1, 1, 2, 2, 3, 3)}},
		{"ok", pv.Reply{Kind: pv.OK}},
		{"Ok ", pv.Reply{Kind: pv.OK}},
		{"swap", pv.Reply{Kind: pv.Swap}},
		{"suggest 3, 4", pv.Reply{Kind: pv.Suggest, N: 1, Points: pts(3, 4), Text: []byte("3, 4")}},
		{"SUGGEST nothing", pv.Reply{Text: []byte("SUGGEST nothing")}},
		{"message hello  there", pv.Reply{Kind: pv.Message, Text: []byte("hello  there")}},
		{"MESSAGE: x", pv.Reply{Kind: pv.Message, Text: []byte("x")}},
		{"DEBUG", pv.Reply{Kind: pv.Debug}},
		{"UNKNOWN command", pv.Reply{Kind: pv.Unknown, Text: []byte("command")}},
		{"ERROR 7,7 is occupied", pv.Reply{Kind: pv.Error, Text: []byte("7,7 is occupied")}},
		{"INFO PV 0", pv.Reply{Kind: pv.InfoLine, Text: []byte("PV 0")}},
		{"FORBID 0707.", pv.Reply{Kind: pv.Forbid, Text: []byte("0707.")}},
		{`name="X", version="1"`, pv.Reply{Text: []byte(`name="X", version="1"`)}},
		{`name="X", country="China"7,8`, pv.Reply{Kind: pv.Coords, N: 1, Points: pts(7, 8)}},
		{`Name="X"OK`, pv.Reply{Kind: pv.OK}},
		{`name="X", 7,8`, pv.Reply{Text: []byte(`name="X", 7,8`)}},
		{"OKAY", pv.Reply{Text: []byte("OKAY")}},
		{"7", pv.Reply{Text: []byte("7")}},
		{"7;7", pv.Reply{Text: []byte("7;7")}},
		{"  ", pv.Reply{}},
	}
	for _, tt := range tests {
		got := pv.ParseReply([]byte(tt.line))
		if d := cmp.Diff(tt.want, got, cmp.Transformer("text", func(b []byte) string { return string(b) })); d != "" {
			t.Errorf("%q: %s", tt.line, d)
		}
	}
}

func TestParseReplyDoesNotAllocate(t *testing.T) {
	lines := [][]byte{[]byte("7,7"), []byte(" 12 , 3 "), []byte("MESSAGE x"), []byte("OK")}
	if n := testing.AllocsPerRun(100, func() {
		for _, l := range lines {
			pv.ParseReply(l)
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestParseCommand(t *testing.T) {
	tests := []struct {
		line string
		want pv.Command
	}{
		{"START 15", pv.Command{Verb: pv.Start, N: 15, W: 15, H: 15}},
		{"start 20 15", pv.Command{Verb: pv.Start, N: 20, W: 20, H: 15}},
		{"START", pv.Command{Verb: pv.Start, Bad: true}},
		{"RECTSTART 30,20", pv.Command{Verb: pv.RectStart, W: 30, H: 20}},
		{"RECTSTART 30", pv.Command{Verb: pv.RectStart, Bad: true}},
		{"Turn 10 , 11", pv.Command{Verb: pv.Turn, At: game.Pt(10, 11)}},
		{"TURN 10", pv.Command{Verb: pv.Turn, Bad: true}},
		{"10,11,2", pv.Command{Verb: pv.StoneLine, At: game.Pt(10, 11), Field: 2}},
		{"10,11", pv.Command{Verb: pv.StoneLine, At: game.Pt(10, 11)}},
		{"10,11,x", pv.Command{Verb: pv.StoneLine, At: game.Pt(10, 11), Bad: true}},
		{"done", pv.Command{Verb: pv.Done}},
		{"INFO timeout_turn 0", pv.Command{Verb: pv.Info, Key: []byte("timeout_turn"), Value: []byte("0")}},
		{"INFO folder C:\\a b", pv.Command{Verb: pv.Info, Key: []byte("folder"), Value: []byte("C:\\a b")}},
		{"INFO", pv.Command{Verb: pv.Info, Bad: true}},
		{"STOP", pv.Command{Verb: pv.YxStop}},
		{"YXNBEST 3", pv.Command{Verb: pv.YxNBest, N: 3}},
		{"YXNBEST 0", pv.Command{Verb: pv.YxNBest, Bad: true}},
		{"TAKEBACK 9,10", pv.Command{Verb: pv.Takeback, At: game.Pt(9, 10)}},
		{"FOOBAR 1", pv.Command{}},
	}
	for _, tt := range tests {
		got := pv.ParseCommand([]byte(tt.line))
		got.Word = nil
		if d := cmp.Diff(tt.want, got, cmp.Transformer("text", func(b []byte) string { return string(b) })); d != "" {
			t.Errorf("%q: %s", tt.line, d)
		}
	}
}

func TestAbout(t *testing.T) {
	tests := []struct {
		line string
		want pv.Identity
	}{
		{
			`name="Rapfi", version="0.43.02 (g++ 12.2.0 on Linux)", author="Rapfi developers (see AUTHORS file)", country="China"`,
			pv.Identity{Name: "Rapfi", Version: "0.43.02 (g++ 12.2.0 on Linux)", Author: "Rapfi developers (see AUTHORS file)", Country: "China"},
		},
		{
			`name = "Wine", version ="2.1", author = "JinJieWang", country = "China"`,
			pv.Identity{Name: "Wine", Version: "2.1", Author: "JinJieWang", Country: "China"},
		},
		{
			`author="Petr Lastovicka", version="7.9", country="Czech Republic",  www="https://plastovicka.github.io"`,
			pv.Identity{Author: "Petr Lastovicka", Version: "7.9", Country: "Czech Republic", WWW: "https://plastovicka.github.io"},
		},
		{"The best brain of them all, by me = myself", pv.Identity{}},
		{`NAME=x, email="a@b`, pv.Identity{Name: "x", Email: "a@b"}},
		{`name="`, pv.Identity{}},
	}
	for _, tt := range tests {
		got := pv.ParseAbout([]byte(tt.line))
		if got.Text != tt.line {
			t.Errorf("%q: text is %q", tt.line, got.Text)
		}
		again := pv.ParseAbout([]byte(got.String()))
		got.Text, again.Text = "", ""
		if d := cmp.Diff(tt.want, got); d != "" {
			t.Errorf("%q: %s", tt.line, d)
		}
		if d := cmp.Diff(got, again); d != "" {
			t.Errorf("%q written and read again: %s", tt.line, d)
		}
	}
}

func points(v float64) game.Eval { return game.Eval{Unit: game.Points, Lo: v, Hi: v} }
func mate(v float64) game.Eval   { return game.Eval{Unit: game.MateIn, Lo: v, Hi: v} }

func TestScanStats(t *testing.T) {
	tests := []struct {
		text string
		want pv.Stats
	}{
		{"Speed 308K | Depth 16-33 | Eval 165 | Node 299K | Time 971ms", pv.Stats{Eval: points(165), Depth: 16, SelDepth: 33, Nodes: 299000, Speed: 308000, Time: 971 * time.Millisecond}},
		{"Speed 89982 | Depth 16-36 | Eval -186 | Node 87K | Time 12s", pv.Stats{Eval: points(-186), Depth: 16, SelDepth: 36, Nodes: 87000, Speed: 89982, Time: 12 * time.Second}},
		{"Speed 659K | Depth 8-7 | Eval +M11 | Node 659 | Time 1ms", pv.Stats{Eval: mate(11), Depth: 8, SelDepth: 7, Nodes: 659, Speed: 659000, Time: time.Millisecond}},
		{"Eval -M4", pv.Stats{Eval: mate(-4)}},
		{"dep 12 ev 180 nd 711k tm 883 sp 805", pv.Stats{Eval: points(180), Depth: 12, Nodes: 711000, Speed: 805, Time: 883 * time.Millisecond}},
		{"depth=12 NPS=575k", pv.Stats{Depth: 12, Speed: 575000}},
		{"eval 23, depth 7, nodes 20324, speed 508", pv.Stats{Eval: points(23), Depth: 7, Nodes: 20324, Speed: 508}},
		{"depth: 5-7 best:[10,11] val=62 time:179ms", pv.Stats{Eval: points(62), Depth: 5, SelDepth: 7, Time: 179 * time.Millisecond}},
		{"node:64282 eval:-47", pv.Stats{Eval: points(-47), Nodes: 64282}},
		{"best: [8,8] val=-1460", pv.Stats{Eval: points(-1460)}},
		{"depth 16, nodes 457091", pv.Stats{Depth: 16, Nodes: 457091}},
		{"nodes 1.5M ev -0.25", pv.Stats{Nodes: 1500000, Eval: points(-0.25)}},
		{"Bestline L10 M9 J12", pv.Stats{PV: []game.Move{game.PlaceAt(game.Pt(11, 9)), game.PlaceAt(game.Pt(12, 8)), game.PlaceAt(game.Pt(9, 11))}}},
		{"bestLine: [8,8] [11,12]", pv.Stats{PV: []game.Move{game.PlaceAt(game.Pt(8, 8)), game.PlaceAt(game.Pt(11, 12))}}},
		{"[Pondering] Depth 2-4 | Eval 106", pv.Stats{}},
		{"Zatim nejlepsi tah [10,14] alfa=10025 beta=8641", pv.Stats{}},
		{"evaluation pending, depths unknown", pv.Stats{}},
		{"depth eval", pv.Stats{}},
		{"", pv.Stats{}},
	}
	for _, tt := range tests {
		var got pv.Stats
		found := got.Scan([]byte(tt.text))
		if d := cmp.Diff(tt.want, got); d != "" {
			t.Errorf("%q: %s", tt.text, d)
		}
		if want := cmp.Diff(pv.Stats{}, tt.want) != ""; found != want {
			t.Errorf("%q: found is %v", tt.text, found)
		}
	}
}

func TestDetail(t *testing.T) {
	block := []string{
		"PV 1", "NUMPV 3", "DEPTH 2", "SELDEPTH 3", "NODES 3", "TOTALNODES 53", "TOTALTIME 7", "SPEED 53000",
		"EVAL 51", "WINRATE 0.563407", "BESTLINE 8,6 6,8",
	}
	var d pv.Detail
	for range 2 {
		for _, l := range block {
			if d.Line([]byte(l)) {
				t.Errorf("%q ends the block", l)
			}
		}
		if !d.Line([]byte("PV DONE")) {
			t.Fatal("PV DONE does not end the block")
		}
		want := game.Info{
			Rank: 2, Depth: 2, SelDepth: 3, Nodes: 53, Time: 7 * time.Millisecond, Eval: points(51),
			PV: []game.Move{game.PlaceAt(game.Pt(8, 6)), game.PlaceAt(game.Pt(6, 8))},
		}
		if diff := cmp.Diff(want, d.Info); diff != "" {
			t.Error(diff)
		}
	}
}

func TestForbid(t *testing.T) {
	for _, tt := range []struct {
		text string
		want []game.Point
		ok   bool
	}{
		{"0707.", []game.Point{game.Pt(7, 7)}, true},
		{"07071214.", []game.Point{game.Pt(7, 7), game.Pt(12, 14)}, true},
		{".", nil, true},
		{"0707", nil, false},
		{"07x7.", nil, false},
		{"070.", nil, false},
	} {
		got, ok := pv.ParseForbid([]byte(tt.text), nil)
		if ok != tt.ok || cmp.Diff(tt.want, got) != "" {
			t.Errorf("%q: %v %v", tt.text, got, ok)
		}
		if ok {
			if b := pv.AppendForbid(nil, got); string(b) != "FORBID "+tt.text {
				t.Errorf("%q is written %q", tt.text, b)
			}
		}
	}
}

func TestRuleCodes(t *testing.T) {
	tests := []struct {
		table string
		spec  game.Spec
		code  int
		bad   bool
	}{
		{"", "gomoku:rule=freestyle,size=15", 0, false},
		{"", "gomoku", 0, false},
		{"", "gomoku:rule=standard", 1, false},
		{"", "gomoku:rule=renju", 4, false},
		{"", "gomoku:rule=caro", 9, false},
		{"", "gomoku:rule=caro6", 8, false},
		{"", "gomoku:rule=standard,size=15,continuous=true", 3, false},
		{"", "gomoku:rule=freestyle,opening=swap2", 0, false},
		{"yixin", "gomoku:rule=renju", 2, false},
		{"yixin", "gomoku:rule=freestyle,opening=swap2", 6, false},
		{"yixin", "gomoku:rule=renju,continuous=true", 0, true},
		{"renju=2", "gomoku:rule=renju,continuous=true", 0, true}, // 2 says it already
		{"renju=2,caro6=9", "gomoku:rule=renju", 2, false},
		{"renju:2/caro6:9", "gomoku:rule=caro6", 9, false},
		{"", "gomoku:rule=pente", 0, true},
	}
	for _, tt := range tests {
		rc, err := pv.ParseRuleCodes(tt.table)
		if err != nil {
			t.Fatal(err)
		}
		got, err := rc.Code(tt.spec)
		if (err != nil) != tt.bad || got != tt.code {
			t.Errorf("%q %s: %d, %v", tt.table, tt.spec, got, err)
		}
	}
	for _, bad := range []string{"renju", "renju=x", "pente=3", "renju=-1"} {
		if _, err := pv.ParseRuleCodes(bad); err == nil {
			t.Errorf("%q is accepted", bad)
		}
	}
	rc, _ := pv.ParseRuleCodes("")
	for code, want := range map[int]string{0: "freestyle", 1: "standard", 2: "freestyle", 3: "standard", 4: "renju", 6: "renju", 8: "caro6", 9: "caro", 11: "caro", 5: "", 7: "", 12: ""} {
		name, cont, _, ok := rc.Rule(code)
		if name != want || ok != (want != "") || ok && cont != (code&2 != 0) {
			t.Errorf("rule %d: %q %v %v", code, name, cont, ok)
		}
	}
	yx, _ := pv.ParseRuleCodes("yixin")
	for code, want := range map[int]string{0: "freestyle", 1: "standard", 2: "renju", 6: "freestyle", 4: ""} {
		if name, cont, swap2, _ := yx.Rule(code); name != want || cont || swap2 != (code == 6) {
			t.Errorf("yixin rule %d: %q %v %v", code, name, cont, swap2)
		}
	}
}

func FuzzReply(f *testing.F) {
	for _, s := range []string{"7,7", " 1 , 2 3,4", "MESSAGE Speed 3K | Eval +M3", "SUGGEST 1,1", "FORBID 0101.", "INFO BESTLINE 1,1 A9", "ERROR", "-1,-1", "name = \"x\", author=y"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		r := pv.ParseReply(line)
		if r.Kind == pv.Coords {
			if r.N < 1 {
				t.Fatal("coordinates without a point")
			}
			again := pv.ParseReply(pv.AppendReply(nil, r))
			if again.Points != r.Points || again.N != min(r.N, pv.MaxCoords) {
				t.Fatalf("%v written and read again is %v", r, again)
			}
		}
		var s pv.Stats
		s.Scan(line)
		if s.Nodes < 0 || s.Depth < 0 || s.SelDepth < 0 || s.Time < 0 || s.Speed < 0 {
			t.Fatalf("negative: %+v", s)
		}
		var d pv.Detail
		d.Line(line)
		id := pv.ParseAbout(line)
		if bytes.ContainsAny([]byte(id.Name), "\"") {
			t.Fatalf("name %q", id.Name)
		}
		if list, ok := pv.ParseForbid(line, nil); ok {
			if _, ok := pv.ParseForbid(pv.AppendForbid(nil, list)[len("FORBID "):], nil); !ok {
				t.Fatalf("%v", list)
			}
		}
	})
}

func FuzzCommand(f *testing.F) {
	for _, s := range []string{"START 15", "RECTSTART 3,4", "TURN 1,1", "1,1,2", "INFO a b", "YXNBEST 2", "x"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		c := pv.ParseCommand(line)
		if c.Bad {
			return
		}
		var b []byte
		switch c.Verb {
		case pv.Turn, pv.Takeback, pv.Play:
			b = pv.AppendAt(nil, c.Verb, c.At)
		case pv.StoneLine:
			if c.Field < 0 {
				return
			}
			b = pv.AppendStone(nil, c.At, c.Field)
		case pv.Begin, pv.Board, pv.Swap2Board, pv.Done, pv.About, pv.End, pv.Restart, pv.YxBoard, pv.YxStop:
			b = pv.AppendVerb(nil, c.Verb)
		case pv.Info:
			b = pv.AppendInfo(nil, string(c.Key), string(c.Value))
		default:
			return
		}
		again := pv.ParseCommand(b)
		c.Word, again.Word = nil, nil
		if d := cmp.Diff(c, again, cmp.Transformer("text", func(b []byte) string { return string(b) })); d != "" {
			t.Fatalf("%q: %s", b, d)
		}
	})
}
