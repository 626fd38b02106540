package pgn

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"kibitz/game"
	"kibitz/record"
)

// Read reads games of five in a row as PlayOK exports them: tags, then points in
// numbered pairs, the left column being the player of the tag Black, who is seat
// First. Words in the move list are the choices of swap2, "--" stands where a
// player does not place: in the opening, and at the end of a game that a player left. Stones
// alternate in colour whatever the words say, and a
// result belongs to the players: "1-0" is a win of the one who is named first,
// there Black, in files that Write made White. Rows are counted from the top here;
// the site does not say from where it counts.
//
// A game with a fault is an error that names its line.
func Read(data []byte) ([]*record.Game, error) {
	var list []*record.Game
	var cur *reader
	n := 0
	for line := range strings.Lines(strings.TrimPrefix(string(data), "\ufeff")) {
		n++
		text := strings.TrimSpace(line)
		switch {
		case text == "":
		case text[0] == '[':
			if cur == nil || cur.moves {
				if err := cur.finish(&list); err != nil {
					return nil, err
				}
				cur = &reader{g: &record.Game{Line: n}}
			}
			if err := cur.tag(text, n); err != nil {
				return nil, err
			}
		case cur == nil:
			return nil, record.Errorf(n, 0, "%.40q before the first tag", text)
		default:
			cur.moves = true
			if err := cur.words(text, n); err != nil {
				return nil, err
			}
		}
	}
	if err := cur.finish(&list); err != nil {
		return nil, err
	}
	return list, nil
}

type reader struct {
	g     *record.Game
	moves bool // the move list has begun
	size  string
	// variant is the game of a file without moves; whiteFirst tells that White is
	// named before Black.
	variant    string
	whiteFirst bool
	column     game.Seat
	tokens     []token
	result     string
}

type token struct {
	text string
	by   game.Seat
	line int
}

func (r *reader) tag(text string, line int) error {
	body, ok := strings.CutSuffix(text[1:], "]")
	key, value, two := strings.Cut(body, " ")
	value = strings.TrimSpace(value)
	if !ok || !two || len(value) < 2 || value[0] != '"' || value[len(value)-1] != '"' {
		return record.Errorf(line, 1, "%.40q is no tag: it must be like [Event \"name\"]", text)
	}
	value = strings.NewReplacer(`\"`, `"`, `\\`, `\`).Replace(value[1 : len(value)-1])
	known := value
	if value == "?" || value == "-" {
		known = ""
	}
	g := r.g
	switch key {
	case "Black":
		g.Names[game.First] = value
	case "Variant":
		r.variant = known
	case "White":
		r.whiteFirst = g.Names[game.First] == ""
		g.Names[game.Second] = value
	case "BlackElo":
		g.Ratings[game.First] = value
	case "WhiteElo":
		g.Ratings[game.Second] = value
	case "Event":
		g.Event = known
	case "Site":
		g.Place = known
	case "Round":
		g.Round = known
	case "Date":
		g.Date = value
	case "TimeControl":
		g.Clocks = [2]string{value, value}
		g.Tags = append(g.Tags, record.Tag{Key: key, Value: value})
	case "Result":
		r.result = value
	case "GameType":
		if _, size, ok := strings.Cut(value, ","); ok {
			r.size = size
		}
		g.Tags = append(g.Tags, record.Tag{Key: key, Value: value})
	default:
		g.Tags = append(g.Tags, record.Tag{Key: key, Value: value})
	}
	return nil
}

// words splits a line of the move list; numbers with a dot start a pair.
func (r *reader) words(text string, line int) error {
	for w := range strings.FieldsSeq(text) {
		switch {
		case strings.HasSuffix(w, "."):
			r.column = game.First
			continue
		case w == "1-0", w == "0-1", w == "1/2-1/2", w == "*":
			r.result = w
			continue
		}
		if len(r.tokens) >= 1<<16 {
			return record.Errorf(line, 0, "a game of more than %d moves", len(r.tokens))
		}
		r.tokens = append(r.tokens, token{w, r.column, line})
		r.column = r.column.Other()
	}
	return nil
}

// finish turns the words into decisions and appends the game.
func (r *reader) finish(list *[]*record.Game) error {
	if r == nil {
		return nil
	}
	g := r.g
	swap2 := false
	for _, t := range r.tokens {
		swap2 = swap2 || isChoice(t.text)
	}
	size := cmp.Or(r.size, "15")
	spec := "gomoku:rule=standard,size=" + size
	if swap2 {
		spec += ",opening=swap2"
	}
	g.Spec = game.Spec(spec)
	if r.variant != "" && len(r.tokens) == 0 {
		g.Spec = game.Spec(r.variant)
	}
	g.Result = result(r.result)
	if g.Result != nil && r.whiteFirst {
		g.Result.Points[0], g.Result.Points[1] = g.Result.Points[1], g.Result.Points[0]
	}
	if err := r.steps(swap2); err != nil {
		return err
	}
	*list = append(*list, g)
	return nil
}

// point reads a column letter and a row from 1.
func point(word string) (game.Point, bool) {
	if len(word) < 2 || word[0] < 'a' || word[0] > 'z' {
		return game.NoPoint, false
	}
	row, err := strconv.Atoi(word[1:])
	if err != nil || row < 1 || row > 127 || word[1] == '+' {
		return game.NoPoint, false
	}
	return game.Pt(int(word[0]-'a'), row-1), true
}

func isChoice(word string) bool { return word == "black" || word == "white" }

// result reads a token as the site means it, by seat.
func result(token string) *game.Result {
	var r game.Result
	switch token {
	case "1-0":
		r = game.Win(game.First, "", "")
	case "0-1":
		r = game.Win(game.Second, "", "")
	case "1/2-1/2":
		r = game.Drawn("", "")
	default:
		return nil
	}
	return &r
}

// steps gives the decisions to the seats. In a swap2 opening the first seat places
// three stones; two more before the choice are the second seat's, which has chosen
// to place them. A column of "--" holds no move: in the opening because it is not that
// seat's turn, at the end of who did not move any more. In between stones go on by
// turns, in the other columns: so fives are made by the last stones, and by the winners.
func (r *reader) steps(swap2 bool) error {
	stones, opening, exchanged := 0, swap2, false
	for i, t := range r.tokens {
		s := record.Step{By: t.by, Line: t.line}
		if exchanged {
			s.By = s.By.Other()
		}
		switch {
		case isChoice(t.text):
			s.Move = game.ChooseArg(game.Swap2Stay)
			if t.text == "black" {
				s.Move = game.ChooseArg(game.Swap2Swap)
			}
			opening = false
		case t.text == "--" && (stones <= 5 || i == len(r.tokens)-1):
			continue
		case t.text == "--":
			exchanged = !exchanged
			r.g.Warnings = append(r.g.Warnings, fmt.Sprintf("line %d: a column without a move after %d stones", t.line, stones))
			continue
		default:
			p, ok := point(t.text)
			if !ok {
				return record.Errorf(t.line, 0, "%q is no point, choice or result", t.text)
			}
			s.Move = game.PlaceAt(p)
			if opening {
				s.By = game.First
				if stones >= 3 {
					s.By = game.Second
				}
				if stones == 3 {
					r.g.Steps = append(r.g.Steps, record.Step{By: game.Second, Move: game.ChooseArg(game.Swap2More), Line: t.line})
				}
			}
			stones++
		}
		r.g.Steps = append(r.g.Steps, s)
	}
	return nil
}
