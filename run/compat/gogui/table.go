package gogui

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Table is a table of results. Its black is the program of -black and its white that of
// -white, whatever seats they had.
type Table struct {
	// Properties stand above the games: Black, BlackLabel, Komi, Size and so on.
	Properties map[string]string
	// Games are in the order of their numbers.
	Games []Game
}

// Game is a game of a table.
type Game struct {
	Number int // from 0
	// Black, White and Referee are what each says of the result: "B+R", "W+3.5", "B+" for
	// a win without a score, "0" for a draw, "?" if unknown.
	Black, White, Referee string
	// Exchanged tells that the program of -black had the second seat.
	Exchanged bool
	// Duplicate is the number of an earlier game with the same moves, with a question mark
	// if most of them are the same, and "-" if there is none.
	Duplicate string
	Moves     int
	// Time and CPU are the seconds that black and white used; CPU is of the processor, 0
	// if it is not known.
	Time, CPU [2]float64
	// Failed tells that the game was not played to its end, Why why.
	Failed bool
	Why    string
}

func columns() []string {
	return []string{"GAME", "RES_B", "RES_W", "RES_R", "ALT", "DUP", "LEN", "TIME_B", "TIME_W", "CPU_B", "CPU_W", "ERR", "ERR_MSG"}
}

// Add adds a game where its number belongs.
func (t *Table) Add(g Game) {
	at := len(t.Games)
	for at > 0 && t.Games[at-1].Number > g.Number {
		at--
	}
	t.Games = slices.Insert(t.Games, at, g)
}

// Append writes the table.
func (t *Table) Append(dst []byte) []byte {
	for _, key := range slices.Sorted(maps.Keys(t.Properties)) {
		dst = fmt.Appendf(dst, "# %s: %s\n", key, oneLine(t.Properties[key]))
	}
	dst = append(dst, "#\n#"+strings.Join(columns(), "\t")+"\n"...)
	bit := map[bool]string{false: "0", true: "1"}
	for i := range t.Games {
		g := &t.Games[i]
		cells := []string{
			strconv.Itoa(g.Number), oneLine(g.Black), oneLine(g.White), oneLine(g.Referee), bit[g.Exchanged], g.Duplicate, strconv.Itoa(g.Moves),
			decimals(g.Time[0], 1), decimals(g.Time[1], 1), decimals(g.CPU[0], 1), decimals(g.CPU[1], 1), bit[g.Failed], oneLine(g.Why),
		}
		dst = append(dst, strings.Join(cells, "\t")+"\n"...)
	}
	return dst
}

// oneLine makes one line without tabs of a text.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// decimals writes a number with at most so many decimals.
func decimals(x float64, most int) string {
	text := strings.TrimRight(strconv.FormatFloat(x, 'f', most, 64), "0")
	if text = strings.TrimSuffix(text, "."); text == "-0" {
		return "0"
	}
	return text
}

// ParseTable reads a table. Tables of old versions have no columns of time.
func ParseTable(data []byte) (*Table, error) {
	t := &Table{Properties: map[string]string{}}
	var at map[string]int
	n, above := 0, true
	for line := range bytes.Lines(data) {
		n++
		text := strings.TrimSpace(string(line))
		comment, is := strings.CutPrefix(text, "#")
		comment = strings.TrimSpace(comment)
		switch {
		case is && above && comment == "":
			above = false
		case is && above:
			key, value, ok := strings.Cut(comment, ":")
			if !ok {
				return nil, fmt.Errorf("line %d: a property is written # NAME: VALUE", n)
			}
			t.Properties[strings.TrimSpace(key)] = strings.TrimSpace(value)
		case is:
			at = map[string]int{}
			for i, title := range strings.Split(comment, "\t") {
				at[title] = i
			}
		case text == "":
		default:
			g, err := parseGame(strings.Split(text, "\t"), at)
			if err != nil {
				return nil, fmt.Errorf("line %d: %w", n, err)
			}
			t.Add(g)
		}
	}
	if at == nil {
		return nil, fmt.Errorf("no table of gogui-twogtp: the line with the names of the columns is missing")
	}
	return t, nil
}

// parseGame reads the cells of a game; at are the places of the columns.
func parseGame(cells []string, at map[string]int) (g Game, err error) {
	cell := func(title string) string {
		if i, ok := at[title]; ok && i < len(cells) {
			return cells[i]
		}
		return ""
	}
	whole := func(title string) int {
		n, bad := strconv.Atoi(cell(title))
		if bad != nil || n < 0 {
			err = fmt.Errorf("%s: %q is not a number", title, cell(title))
		}
		return n
	}
	number := func(title string) float64 {
		x, bad := strconv.ParseFloat(cell(title), 64)
		if _, ok := at[title]; ok && (bad != nil || !(x >= 0 && x < 1e12)) {
			err = fmt.Errorf("%s: %q is not a number", title, cell(title))
		}
		return x
	}
	if len(cells) > len(at) {
		return g, fmt.Errorf("%d values for %d columns", len(cells), len(at))
	}
	g = Game{
		Number: whole("GAME"), Black: cell("RES_B"), White: cell("RES_W"), Referee: cell("RES_R"),
		Exchanged: whole("ALT") != 0, Duplicate: cell("DUP"), Moves: whole("LEN"),
		Time: [2]float64{number("TIME_B"), number("TIME_W")}, CPU: [2]float64{number("CPU_B"), number("CPU_W")},
		Failed: whole("ERR") != 0, Why: cell("ERR_MSG"),
	}
	return g, err
}
