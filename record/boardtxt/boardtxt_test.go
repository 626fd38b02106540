package boardtxt_test

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"kibitz/game"
	"kibitz/internal/shared"
	"kibitz/record"
	"kibitz/record/boardtxt"
)

// files returns the shared files of a folder that are records.
func files(t *testing.T, pattern string) []string {
	t.Helper()
	list, err := filepath.Glob(filepath.Join(shared.Path(t, "data", "darkchess"), pattern))
	if err != nil || len(list) == 0 {
		t.Fatalf("%s: %d files, %v", pattern, len(list), err)
	}
	return list
}

func read(t *testing.T, file string) (*record.Game, []byte) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	g, err := boardtxt.Read(filepath.Base(file), data, "")
	if err != nil {
		t.Fatalf("%s: %v", filepath.Base(file), err)
	}
	return g, data
}

// Every record of the three kinds is read, written in its form, and read again with
// nothing changed; but for the words of dates and results the texts are the same.
func TestSharedRecords(t *testing.T) {
	for _, tt := range []struct {
		pattern  string
		warnings bool
		same     func(line string) string // what may differ
	}{
		{"server31/a*.txt", false, plainDate},
		{"server31/board_*.txt", false, plainDate},
		{"server2022/*.txt", false, plainRoom},
		{"server2022-full/*.txt", true, plainRoom},
		{"readfile/alexpon*board.txt", false, plainDate},
		{"readfile/ja1666-board.txt", false, plainDate},
	} {
		for _, file := range files(t, tt.pattern) {
			name := filepath.Base(file)
			g, data := read(t, file)
			// The servers' limit is not the usual one, which is told.
			limit := g.Result != nil && g.Result.Reason == "noeatflip"
			if (len(g.Warnings) > 0) != (tt.warnings || limit) || limit && g.Spec != "darkchess:noeat=60" {
				t.Errorf("%s: %s, warnings %q", name, g.Spec, g.Warnings)
			}
			if !boardtxt.Looks(data) {
				t.Errorf("%s does not look like a record", name)
			}
			out, err := boardtxt.Append(nil, g)
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			again, err := boardtxt.Read(name, out, "")
			if err != nil {
				t.Errorf("%s, written again: %v", name, err)
				continue
			}
			g.Warnings, again.Warnings = nil, nil
			if d := gocmp.Diff(g, again); d != "" {
				t.Errorf("%s changes: %s", name, d)
			}
			head := string(data)
			if i := strings.Index(head, "\n# "); i >= 0 {
				head = strings.TrimRight(head[:i], "\n") + "\n"
			}
			was, is := lines(head, tt.same), lines(string(out), tt.same)
			if d := gocmp.Diff(was, is); d != "" {
				t.Errorf("%s is written differently: %s", name, d)
			}
		}
	}
}

func lines(text string, same func(string) string) []string {
	var out []string
	for line := range strings.Lines(text) {
		out = append(out, same(strings.TrimSuffix(line, "\n")))
	}
	return out
}

// plainDate passes over the line of the date, and blanks at the end of a line.
func plainDate(line string) string {
	for _, month := range []string{"Jan ", "January ", "Feb ", "February ", "Nov ", "November "} {
		if strings.Contains(line, month) {
			return "date"
		}
	}
	cr := strings.HasSuffix(line, "\r")
	if line = strings.TrimRight(line, " \r"); cr {
		line += "\r"
	}
	return line
}

// plainRoom passes over capitals and decimals of results besides.
func plainRoom(line string) string {
	line = plainDate(line)
	line = strings.NewReplacer("1.000000", "1", "0.500000", "0.5", "0.000000", "0", " Wins ", " wins ").Replace(line)
	return line
}

// serverTime is the time in the name of a file.
var serverTime = regexp.MustCompile(`\(([0-9_]*)\)`)

// The names of the servers' files are those that FileName and RoomFileName give. The
// time in them is when the server wrote the file: up to two seconds after the last
// ply, and after a loss on time the whole limit later.
func TestFileNames(t *testing.T) {
	for _, file := range files(t, "server31/a*.txt") {
		g, _ := read(t, file)
		want := strings.NewReplacer("_VS_", " VS ", "_(", " (").Replace(filepath.Base(file))
		got := boardtxt.FileName(g)
		if g, w := serverTime.ReplaceAllString(got, ""), serverTime.ReplaceAllString(want, ""); g != w {
			t.Errorf("%q, the server called it %q", got, want)
		}
		late := timeIn(t, want).Sub(timeIn(t, got))
		if strings.Contains(want, "Timeout") {
			late -= 15 * time.Minute
		}
		if late < 0 || late > 3*time.Second {
			t.Errorf("%q, the server called it %q", got, want)
		}
	}
	for _, file := range files(t, "server2022*/*.txt") {
		g, _ := read(t, file)
		base := filepath.Base(file)
		base = base[strings.LastIndex(base, "__")+2:]
		number, _, _ := strings.Cut(base, "_")
		n, err := strconv.Atoi(number)
		if err != nil {
			t.Fatal(err)
		}
		plain := strings.NewReplacer("(", "_", ")", "_", " ", "_") // as the names were changed
		if got := plain.Replace(boardtxt.RoomFileName(g, n)); got != base {
			t.Errorf("%q, the server called it %q", got, base)
		}
	}
}

func timeIn(t *testing.T, name string) time.Time {
	t.Helper()
	at, err := time.Parse("2006_01_02_15_04_05", serverTime.FindStringSubmatch(name)[1])
	if err != nil {
		t.Fatal(err)
	}
	return at
}

// rows reads a test file of lines with cells separated by |.
func rows(t *testing.T, path string, cells int, f func(cell []string)) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		cell := strings.Split(line, "|")
		if len(cell) != cells {
			t.Fatalf("%s: %q has %d cells", path, line, len(cell))
		}
		for i := range cell {
			cell[i] = strings.TrimSpace(cell[i])
		}
		f(cell)
	}
}

// text makes a record with the lines between header and end; names, counts, squares
// and the first colour may be given.
func text(with map[string]string, body string) string {
	get := func(key, usual string) string {
		if v, ok := with[key]; ok {
			return v
		}
		return usual
	}
	board := get("board", strings.Repeat("XXXX/", 7)+"XXXX")
	var b strings.Builder
	b.WriteString("* " + get("date", "1:04am Jan 16  2017") + "\n* " + get("names", "alice vs bob") + "\n* " + get("counts", "1 2 2 2 2 2 5 1 2 2 2 2 2 5") + "\n")
	for row := range strings.SplitSeq(board, "/") {
		b.WriteString("*")
		for _, c := range row {
			b.WriteString(" " + string(c))
		}
		b.WriteString("\n")
	}
	b.WriteString("* first " + get("first", "2") + "\n* time " + get("time", "900") + "\n")
	for part := range strings.SplitSeq(body, ";") {
		if part = strings.TrimSpace(part); part != "" {
			b.WriteString(part + "\n")
		}
	}
	return b.String()
}

func describe(g *record.Game) string {
	s := "open"
	if r := g.Result; r != nil {
		s = "drawn"
		if w := r.Winner(); w.IsPlayer() {
			s = w.String()
		} else if !r.Draw() {
			s = "nobody"
		}
		s += " " + string(r.Reason)
	}
	if g.Spec != "darkchess" {
		_, options, _ := strings.Cut(string(g.Spec), ":")
		s += " " + options
	}
	if len(g.Warnings) > 0 {
		s += " warned"
	}
	return strings.TrimSpace(s)
}

// Results in the words of all servers.
func TestResults(t *testing.T) {
	rows(t, "testdata/results.txt", 4, func(cell []string) {
		names := cmp.Or(cell[0], "alice vs bob")
		g, err := boardtxt.Read(cell[1], []byte(text(map[string]string{"names": names}, "* 1. a8(K) a7(p); * 2. a6(P);"+cell[2]+"; * Comment 0 0")), "")
		if err != nil {
			t.Errorf("%q: %v", cell, err)
			return
		}
		if got := describe(g); got != cell[3] {
			t.Errorf("%q: %s", cell, got)
		}
	})
}

// Dates and names as they are written, and what is read.
func TestDatesAndNames(t *testing.T) {
	rows(t, "testdata/header.txt", 4, func(cell []string) {
		g, err := boardtxt.Read("", []byte(text(map[string]string{"date": cell[0], "names": cell[1]}, "")), "")
		if err != nil {
			t.Errorf("%q: %v", cell, err)
			return
		}
		if got := g.Names[0] + "," + g.Names[1]; g.Date != cell[2] || got != cell[3] {
			t.Errorf("%q: date %q, names %q", cell, g.Date, got)
		}
	})
}

// Positions other than the initial one become the text form of the game, and are
// written back as they were.
func TestBoards(t *testing.T) {
	rows(t, "testdata/boards.txt", 5, func(cell []string) {
		in := text(map[string]string{"board": cell[0], "counts": cell[1], "first": cell[2], "date": "1:04am Jan 16, 2017"}, cell[3])
		g, err := boardtxt.Read("", []byte(in), "")
		if err != nil {
			t.Errorf("%q: %v", cell, err)
			return
		}
		if g.Start != cell[4] {
			t.Errorf("%q: start %q", cell, g.Start)
		}
		out, err := boardtxt.Append(nil, g)
		if got := strings.ReplaceAll(string(out), "\r\n", "\n"); err != nil || got != in+"* Comment 0 0\n" {
			t.Errorf("%q is written as %v\n%s", cell, err, got)
		}
	})
}

// The side that moves first comes first in a file: where a position has the second
// seat on turn, the players change places.
func TestSecondSeatOnTurn(t *testing.T) {
	r := game.Win(game.First, game.ByTime, "")
	g := &record.Game{
		Spec: "darkchess", Start: "k---/----/----/----/----/----/----/K--X r first=b hidden=P", Names: [2]string{"alice", "bob"}, Result: &r,
		Steps: []record.Step{{By: game.Second, Move: game.ShiftTo(game.Pt(0, 7), game.Pt(1, 7))}}, Date: "2026-01-02 03:04:05",
	}
	out, err := boardtxt.Append(nil, g)
	if err != nil {
		t.Fatal(err)
	}
	again, err := boardtxt.Read("", out, "")
	if err != nil {
		t.Fatal(err)
	}
	if again.Names != [2]string{"bob", "alice"} || again.Result == nil || again.Result.Winner() != game.Second || again.Start != "k---/----/----/----/----/----/----/K--X r hidden=P" {
		t.Errorf("%+v %+v in\n%s", again, again.Result, out)
	}
	g.Rule(game.Result{Points: [2]float64{1, 0}, Reason: game.ByAdjudication}, "alice wins, Ada: a bug")
	if out, err = boardtxt.Append(nil, g); err != nil {
		t.Fatal(err)
	}
	if again, err = boardtxt.Read("", out, ""); err != nil || again.Result.Winner() != game.Second || again.Result.Reason != game.ByAdjudication {
		t.Errorf("%+v, %v in\n%s", again.Result, err, out)
	}
	g.Result = &r
	if got, want := boardtxt.FileName(g), "bob VS alice (2026_01_02_03_04_05)-RoundTimeout_Lose.txt"; got != want {
		t.Errorf("the file is called %q", got)
	}
}

// A record of our own has times from its date and the times of its decisions.
func TestOwnRecord(t *testing.T) {
	r := game.Drawn("longcatch", "")
	g := &record.Game{Spec: "darkchess", Names: [2]string{"a vs b", ""}, Date: "2017-01-16 01:04:23", Clocks: [2]string{"900+5", "900"}, Result: &r}
	steps := func(seat game.Seat, moves ...game.Move) {
		for i, m := range moves {
			s := record.Step{By: seat, Move: m}
			if i > 0 {
				s.By = game.Dealer
			} else {
				s.Used, s.Timed = 1500*time.Millisecond, true
			}
			g.Steps = append(g.Steps, s)
		}
	}
	a1, a2, b1, b2 := game.Pt(0, 7), game.Pt(0, 6), game.Pt(1, 7), game.Pt(1, 6)
	steps(game.First, game.FlipAt(b2), game.DealAt(b2, 0))
	steps(game.Second, game.FlipAt(a1), game.DealAt(a1, 9))
	for range 3 {
		steps(game.First, game.ShiftTo(b2, b1))
		steps(game.Second, game.ShiftTo(a1, a2))
		steps(game.First, game.ShiftTo(b1, b2))
		steps(game.Second, game.ShiftTo(a2, a1))
	}
	out, err := boardtxt.AppendRoom(nil, g)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"INITIAL\n* 1:04am Jan 16, 2017\n* a vs. b vs Player2\n", "* first 0\n* time 900\n* 1. b2(K) a1(m)\n* 2. b2-b1 a1-a2\n",
		"* PositionRepetitionDraw,3,4 a vs. b Draw 0.5,0.5\n* Comment 0 0\n0. 1484528663000\n1. 1484528664500\n", "\n14. 1484528684000\n",
	} {
		if !strings.Contains(string(out), want) {
			t.Errorf("%q is not in\n%s", want, out)
		}
	}
	if got, want := boardtxt.FileName(g), "a vs. b VS Player2 (2017_01_16_01_04_44)-LongCatch_Draws.txt"; got != want {
		t.Errorf("the file is called %q", got)
	}
	if got, want := boardtxt.RoomFileName(g, 7), "7 Draw PositionRepetitionDraw(3-4).txt"; got != want {
		t.Errorf("the file is called %q", got)
	}
	server, err := boardtxt.Append(nil, g)
	if err != nil || !strings.Contains(string(server), "* Draws\r\n* Comment 0 0\r\n0. 1484528664500\r\n") {
		t.Errorf("%v\n%s", err, server)
	}
}

// Everything that a reason means to us has a word, and the word is read as a reason
// that means the same to a server.
func TestTypes(t *testing.T) {
	for why, want := range map[game.Reason]game.Reason{
		"captureall": "captureall", "nomove": "captureall", "noeatflip": "noeatflip", "longcatch": "longcatch",
		game.ByResign: game.ByResign, game.ByTime: game.ByTime, game.ByStall: game.ByTime,
		game.ByIllegal: game.ByIllegal, game.ByProtocol: game.ByIllegal, game.ByCrash: game.ByDisconnect, game.ByDisconnect: game.ByDisconnect,
		game.ByResource: game.ByDisconnect, game.ByStart: game.ByDisconnect, game.ByAgreement: game.ByAgreement,
		game.ByAdjudication: game.ByAdjudication, game.ByAbort: game.ByAbort,
	} {
		for _, form := range []boardtxt.Form{boardtxt.Server, boardtxt.Room} {
			if got, ok := boardtxt.Reason(boardtxt.Type(why, form)); !ok || got != want {
				t.Errorf("%s is %q, which is read as %q", why, boardtxt.Type(why, form), got)
			}
		}
	}
}

// What cannot be read is told with its line.
func TestErrors(t *testing.T) {
	rows(t, "testdata/errors.txt", 2, func(cell []string) {
		in := strings.NewReplacer(";", "\n").Replace(cell[0])
		if key, value, ok := strings.Cut(cell[0], "="); ok && !strings.HasPrefix(cell[0], "*") {
			in = text(map[string]string{key: value}, "")
			if key == "body" {
				in = text(nil, value)
			}
		}
		_, err := boardtxt.Read("", []byte(in), "")
		if err == nil || !strings.Contains(err.Error(), cell[1]) {
			t.Errorf("%q: %v", cell[0], err)
		}
		if at, ok := errors.AsType[*record.Error](err); !ok || at.Line == 0 {
			t.Errorf("%q: no line in %v", cell[0], err)
		}
	})
	for _, in := range []string{"", "\r\n", "INITIAL\n"} {
		if _, err := boardtxt.Read("", []byte(in), ""); err == nil {
			t.Errorf("%q is read", in)
		}
		if boardtxt.Looks([]byte(in)) {
			t.Errorf("%q looks like a record", in)
		}
	}
	for _, g := range []*record.Game{
		{Spec: "othello"},
		{Spec: "darkchess", Start: "nonsense"},
		{Spec: "darkchess", Start: "XX--/----/----/----/----/----/----/K--k r hidden=Pp flip=a8"},
		{Spec: "darkchess", Steps: []record.Step{{Move: game.PassMove()}}},
	} {
		if out, err := boardtxt.Append(nil, g); err == nil {
			t.Errorf("%+v is written as %s", g, out)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add("x.txt", []byte(text(nil, "* 1. a8(K) a7(p); * 2. a6(P); * Draws; * Comment 0 0; 0. 1; 1. 2; 2. 3")))
	f.Add("1 alice_wins NoMove.txt", []byte("INITIAL\n"+text(nil, "* 1. a8(K) a7(p); * NoMove alice wins 1,0; * Comment 0 0; 0. 1; 1. 2; 2. 3")))
	f.Add("a VS b (2017_01_16_01_05_30)-LongCatch_Draws.txt", []byte(text(map[string]string{"names": "Player1(a) vs Player2(b)"}, "* 1. a8(K);* a wins")))
	f.Add("", []byte(text(map[string]string{"board": "k---/----/----/----/----/----/----/K--X", "counts": "1 0 0 0 0 0 1 1 0 0 0 0 0 0", "first": "1"}, "* 1. a8-a7 a1-b1")))
	f.Fuzz(func(t *testing.T, name string, data []byte) {
		boardtxt.Looks(data)
		g, err := boardtxt.Read(name, data, "")
		if err != nil {
			return
		}
		boardtxt.FileName(g)
		boardtxt.RoomFileName(g, 1)
		for _, write := range []func([]byte, *record.Game) ([]byte, error){boardtxt.Append, boardtxt.AppendRoom} {
			out, err := write(nil, g)
			if err != nil {
				t.Fatalf("what was read cannot be written: %v", err)
			}
			again, err := boardtxt.Read(name, out, "")
			if err != nil {
				t.Fatalf("what was written cannot be read: %v\n%s", err, out)
			}
			if again.Start != g.Start || !slices.EqualFunc(again.Steps, g.Steps, func(a, b record.Step) bool { return a.Move == b.Move && a.By == b.By }) {
				t.Fatalf("%+v becomes %+v in\n%s", g, again, out)
			}
		}
	})
}

// A draw whose limit only the record shows: that of the servers is taken and told, any
// other is not, and what is said of the game from outside counts.
func TestClaimedLimits(t *testing.T) {
	quiet := func(plies int) string {
		var b strings.Builder
		for i := 1; i <= plies; i += 2 {
			// Both go to and fro.
			move := []string{"a8-a7 d1-d2", "a7-a8 d2-d1"}[i/2%2]
			if i == plies {
				move, _, _ = strings.Cut(move, " ")
			}
			fmt.Fprintf(&b, "* %d. %s;", i/2+1, move)
		}
		return text(map[string]string{"board": "K---/----/----/----/----/----/----/---k", "counts": "1 0 0 0 0 0 0 1 0 0 0 0 0 0", "first": "0"},
			b.String()+"* NoEatFlipDraw alice Draw 0.5,0.5; * Comment 0 0")
	}
	for _, tt := range []struct {
		plies int
		rules game.Spec
		spec  game.Spec
		told  string
	}{
		{59, "", "darkchess", "its draw would take noeat=59"},
		{60, "", "darkchess:noeat=60", "by its draw the game was played with noeat=60"},
		{61, "", "darkchess", "--game darkchess:noeat=61"},
		{180, "", "darkchess", ""},
		{60, "darkchess:noeat=180,repetition=3", "darkchess:noeat=180,repetition=3", ""},
		{59, "darkchess:noeat=59,repetition=3", "darkchess:noeat=59,repetition=3", ""},
	} {
		g, err := boardtxt.Read("", []byte(quiet(tt.plies)), tt.rules)
		if err != nil {
			t.Fatal(err)
		}
		told := strings.Join(g.Warnings, "; ")
		if g.Spec != tt.spec || !strings.Contains(told, tt.told) || (told == "") != (tt.told == "") {
			t.Errorf("%d plies, %q: %s, %q", tt.plies, tt.rules, g.Spec, told)
		}
	}
}
