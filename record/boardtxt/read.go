package boardtxt

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"kibitz/game"
	"kibitz/game/grid"
	"kibitz/record"
)

// plies of one line.
var roundLine = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\* *(\d+)\.(?:\s+(.*))?$`)
})

// ruled stands before what a person ruled.
const ruled = " # "

// stampLine is the time of one ply.
var stampLine = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(\d+)\. *(-?\d+)$`)
})

// Looks reports whether a text begins like a board.txt or one of the records.
func Looks(data []byte) bool {
	lines := split(data[:min(len(data), 2000)])
	if len(lines) > 0 && lines[0] == initialLine {
		lines = lines[1:]
	}
	if len(lines) < 4 {
		return false
	}
	_, err := counts(lines[2])
	return err == nil && strings.HasPrefix(lines[3], "* ")
}

// split returns the lines without their ends and blanks around them. Numbers of
// lines are kept but for empty ones at the end.
func split(data []byte) []string {
	lines := record.Lines(bytes.TrimRight(data, "\r\n \t\x00\x1a"))
	for i := range lines {
		lines[i] = strings.Trim(lines[i], " \t\x00")
	}
	return lines
}

// reader walks over the lines of a file.
type reader struct {
	lines []string
	at    int // the next line, from 0
	f     *File
}

func (r *reader) errorf(format string, args ...any) *record.Error {
	return record.Errorf(r.at, 0, format, args...) // at is one further, and lines count from 1
}

func (r *reader) warnf(format string, args ...any) {
	r.f.Warnings = append(r.f.Warnings, fmt.Sprintf("line %d: ", r.at)+fmt.Sprintf(format, args...))
}

// next returns the next line that is not empty. want is what it should be, for the
// message.
func (r *reader) next(want string) (string, error) {
	for r.at < len(r.lines) {
		line := r.lines[r.at]
		r.at++
		if line != "" {
			return line, nil
		}
	}
	return "", record.Errorf(len(r.lines)+1, 0, "the file ends where it should say %q", want)
}

// star returns what follows the star of the next line.
func (r *reader) star(want string) (string, error) {
	line, err := r.next(want)
	if err != nil {
		return "", err
	}
	rest, is := strings.CutPrefix(line, "*")
	if !is {
		return "", r.errorf("%q should begin with a star, like %q", game.Shown(line, 40), want)
	}
	return strings.TrimSpace(rest), nil
}

// Parse reads a text. Errors are *record.Error.
func Parse(data []byte) (*File, error) {
	r := &reader{lines: split(data), f: &File{}}
	if len(r.lines) == 0 {
		return nil, record.Errorf(1, 0, "an empty file is no record of dark chess")
	}
	if r.lines[0] == initialLine {
		r.f.Form = Room
		r.at = 1
	}
	if err := r.header(); err != nil {
		return nil, err
	}
	if err := r.body(); err != nil {
		return nil, err
	}
	r.stamps()
	return r.f, nil
}

// header reads everything before the plies.
func (r *reader) header() (err error) {
	if r.f.Date, err = r.star("* 1:04am Jan 16, 2017"); err != nil {
		return err
	}
	names, err := r.star("* alice vs bob")
	if err != nil {
		return err
	}
	if err := r.names(names); err != nil {
		return err
	}
	line, err := r.next("* 1 2 2 2 2 2 5 1 2 2 2 2 2 5")
	if err != nil {
		return err
	}
	if r.f.Start.Alive, err = counts(line); err != nil {
		return r.errorf("%v", err)
	}
	if err := r.rows(); err != nil {
		return err
	}
	first, err := r.number("first", 0, 2)
	if err != nil {
		return err
	}
	r.f.First = [...]game.Colour{game.Red, game.Black, game.NoColour}[first]
	if up, _ := r.f.Start.up(); r.f.First == game.NoColour && up != [Kinds]int{} {
		return r.errorf("pieces are face up, so the first player has a colour: write 0 or 1 instead of 2")
	}
	r.f.Time, err = r.number("time", 0, 1<<53)
	return err
}

// names reads "alice vs bob" and "Player1(alice) vs Player2(bob)".
func (r *reader) names(text string) error {
	f := r.f
	first, second, ok := strings.Cut(text, " vs ")
	if !ok {
		first, second, ok = cutWord(text, "vs")
	}
	if !ok {
		return r.errorf("%q should name the players, like \"* alice vs bob\"", game.Shown(text, 40))
	}
	f.Names = [2]string{strings.TrimSpace(first), strings.TrimSpace(second)}
	client := true
	for s, n := range f.Names {
		inner, is := strings.CutPrefix(n, nobody(s)+"(")
		switch {
		case n == nobody(s):
			f.Names[s] = ""
		case is && strings.HasSuffix(inner, ")"):
			f.Names[s] = strings.TrimSpace(inner[:len(inner)-1])
		default:
			client = false
		}
	}
	if client && f.Form == Server {
		f.Form = Client
	}
	return nil
}

// cutWord cuts a text at a word that one of the two sides may be missing beside.
func cutWord(text, word string) (before, after string, ok bool) {
	if rest, is := strings.CutPrefix(text, word+" "); is || text == word {
		return "", rest, true
	}
	if rest, is := strings.CutSuffix(text, " "+word); is {
		return rest, "", true
	}
	return text, "", false
}

// nobody is how a seat without a name is written.
func nobody(seat int) string { return "Player" + strconv.Itoa(seat+1) }

// counts reads the line of fourteen numbers.
func counts(line string) (list [Kinds]int, err error) {
	fields := strings.Fields(strings.TrimPrefix(line, "*"))
	if len(fields) != Kinds || !strings.HasPrefix(line, "*") {
		return list, fmt.Errorf("%q should be a star and the numbers of the %d kinds of pieces, %s",
			game.Shown(line, 40), Kinds, game.DarkChessPieces)
	}
	for i, text := range fields {
		n, err := strconv.Atoi(text)
		if err != nil || n < 0 || n > FullSet[i] {
			return list, fmt.Errorf("%q pieces %c: there are 0 to %d", text, game.DarkChessPieces[i], FullSet[i])
		}
		list[i] = n
	}
	return list, nil
}

// rows reads the eight rows of squares.
func (r *reader) rows() error {
	for y := range grid.DarkHeight {
		line, err := r.star("* X X X X")
		if err != nil {
			return err
		}
		cells := strings.Join(strings.Fields(line), "")
		if len(cells) != grid.DarkWidth {
			return r.errorf("row %d is %q: four squares like X X X X belong there", grid.DarkHeight-y, game.Shown(line, 40))
		}
		for x := range grid.DarkWidth {
			c := cells[x]
			if _, is := grid.DarkPiece(c); !is && c != Hidden && c != Empty {
				return r.errorf("row %d: %q is none of the pieces %s, nor %c or %c", grid.DarkHeight-y, c, game.DarkChessPieces, Hidden, Empty)
			}
			r.f.Start.Cell[y*grid.DarkWidth+x] = c
		}
	}
	if err := r.f.Start.settle(); err != nil {
		return r.errorf("%v", err)
	}
	return nil
}

// number reads "* first 0" and "* time 900".
func (r *reader) number(word string, least, most int64) (int64, error) {
	line, err := r.star("* " + word + " 0")
	if err != nil {
		return 0, err
	}
	f := strings.Fields(line)
	if len(f) == 2 && f[0] == word {
		if n, err := strconv.ParseInt(f[1], 10, 64); err == nil && n >= least && n <= most {
			return n, nil
		}
	}
	return 0, r.errorf("%q should be \"* %s N\" with N from %d to %d", game.Shown(line, 40), word, least, most)
}

// body reads the plies, the result and the line that ends them.
func (r *reader) body() error {
	round, half := 0, false
	for r.at < len(r.lines) {
		line := r.lines[r.at]
		if stampLine().MatchString(line) {
			return nil
		}
		r.at++
		if line == "" {
			continue
		}
		m := roundLine().FindStringSubmatch(line)
		switch {
		case m != nil && r.f.Result == "" && !r.f.Resigned:
			round++
			if m[1] != strconv.Itoa(round) {
				r.warnf("round %s follows round %d", m[1], round-1)
			}
			if half {
				r.warnf("round %s follows half a round", m[1])
			}
			n, err := r.round(strings.Fields(m[2]))
			if err != nil {
				return err
			}
			half = n == 1
		case strings.HasPrefix(line, "* Comment"):
			_, r.f.Ruling, _ = strings.Cut(line, ruled)
			return nil
		case m == nil && strings.HasPrefix(line, "* ") && r.f.Result == "":
			r.f.Result = strings.TrimSpace(line[2:])
		default:
			return r.errorf("%q is neither a round, nor a result, nor \"* Comment 0 0\"", game.Shown(line, 40))
		}
	}
	return nil
}

// round reads the plies of one line and returns how many there are.
func (r *reader) round(texts []string) (int, error) {
	if len(texts) > 2 {
		return 0, r.errorf("%d plies in one round: there are one or two", len(texts))
	}
	for _, text := range texts {
		if r.f.Resigned {
			return 0, r.errorf("%s comes after a resignation", text)
		}
		ply, err := grid.ReadDarkPly(text)
		switch {
		case err != nil:
			return 0, r.errorf("%v", err)
		case ply[0].Op == game.Resign:
			r.f.Resigned = true
		case ply[0].Op == game.Flip && len(ply) == 1:
			return 0, r.errorf("%s does not say what was turned over: write it like b7(M)", text)
		default:
			r.f.Plies = append(r.f.Plies, ply)
		}
	}
	return len(texts), nil
}

// stamps reads the times; what the server saved behind them is passed over.
func (r *reader) stamps() {
	f := r.f
	for ; r.at < len(r.lines); r.at++ {
		line := r.lines[r.at]
		if line == "" {
			continue
		}
		m := stampLine().FindStringSubmatch(line)
		var ms int64
		var err error
		if m != nil {
			ms, err = strconv.ParseInt(m[2], 10, 64)
		}
		if m == nil || err != nil || m[1] != strconv.Itoa(len(f.Stamps)) {
			r.at++
			r.warnf("%d lines behind the times are left out", len(r.lines)-r.at+1)
			break
		}
		f.Stamps = append(f.Stamps, ms)
	}
	if n := len(f.Stamps) - len(f.Plies); n > 1 {
		f.Warnings = append(f.Warnings, fmt.Sprintf("%d times for %d plies: the last %d are left out", len(f.Stamps), len(f.Plies), n))
		f.Stamps = f.Stamps[:len(f.Plies)]
	}
}
