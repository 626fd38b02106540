// Package wthor reads and writes the files of the WTHOR base, the game archive of
// the French Othello Federation: games by year (.wtb), players (.jou) and
// tournaments (.trn).
//
// Passes are not stored, nor does a game say whether it ended on the board: a
// reader keeps what stands, package replay fills in the passes and marks games
// that break off. The stored score counts empty squares for the winner.
package wthor

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"kibitz/game"
	"kibitz/record"
)

// Sizes in bytes.
const (
	headerSize     = 16
	gameSize       = 68
	playerSize     = 20
	tournamentSize = 26
	// MaxMoves is the number of moves of a game that has no room left.
	MaxMoves = 60
)

// Header is what all files begin with.
type Header struct {
	// Century, Year, Month and Day are when the file was made.
	Century, Year, Month, Day uint8
	// GameYear is the year of the games, 0 in files of names.
	GameYear uint16
	// Size is the board size as stored: 0 and 8 mean 8, 10 means 10.
	Size uint8
	// Solitaire marks files of problems for one player.
	Solitaire bool
	// Depth is the number of empty squares at which the theoretical scores were
	// computed; 0 means 22.
	Depth    uint8
	Reserved uint8
	// Count is the second count of a game file, 0 but for solitaire files, where
	// it is the number of empty squares.
	Count uint16
}

// Game is one stored game.
type Game struct {
	Tournament, Black, White uint16
	// Score is Black's final number of discs, Theoretical what it would have been
	// with best play from Header.Depth empty squares on.
	Score, Theoretical uint8
	// Moves are 10*row+column, both from 1; 0 is none.
	Moves [MaxMoves]uint8
}

// Base is a file of games.
type Base struct {
	Header Header
	Games  []Game
}

// Names is a file of players or tournaments.
type Names struct {
	Header Header
	List   []string
}

// Kind says what a file of names holds.
type Kind int

// The kinds of names, by the size of their records.
const (
	Players     Kind = playerSize
	Tournaments Kind = tournamentSize
)

func readHeader(data []byte) (h Header, games uint32, names uint16, err error) {
	if len(data) < headerSize {
		return h, 0, 0, fmt.Errorf("%d bytes are no WTHOR file, the header alone has %d", len(data), headerSize)
	}
	le := binary.LittleEndian
	h = Header{
		Century: data[0], Year: data[1], Month: data[2], Day: data[3],
		Count: le.Uint16(data[8:]), GameYear: le.Uint16(data[10:]),
		Size: data[12], Solitaire: data[13] == 1, Depth: data[14], Reserved: data[15],
	}
	return h, le.Uint32(data[4:]), h.Count, nil
}

func (h *Header) appendTo(dst []byte, games uint32, names uint16) []byte {
	le := binary.LittleEndian
	dst = append(dst, h.Century, h.Year, h.Month, h.Day)
	dst = le.AppendUint32(dst, games)
	dst = le.AppendUint16(dst, names)
	dst = le.AppendUint16(dst, h.GameYear)
	sol := byte(0)
	if h.Solitaire {
		sol = 1
	}
	return append(dst, h.Size, sol, h.Depth, h.Reserved)
}

// ReadGames reads a .wtb file.
func ReadGames(data []byte) (*Base, error) {
	h, n, _, err := readHeader(data)
	if err != nil {
		return nil, err
	}
	if uint64(len(data)) != headerSize+gameSize*uint64(n) {
		return nil, fmt.Errorf("%d bytes where %d games take %d: the file is cut or no game file", len(data), n, headerSize+gameSize*uint64(n))
	}
	b := &Base{Header: h, Games: make([]Game, n)}
	le := binary.LittleEndian
	for i := range b.Games {
		rec := data[headerSize+gameSize*i:]
		g := &b.Games[i]
		g.Tournament, g.Black, g.White = le.Uint16(rec), le.Uint16(rec[2:]), le.Uint16(rec[4:])
		g.Score, g.Theoretical = rec[6], rec[7]
		copy(g.Moves[:], rec[8:gameSize])
	}
	return b, nil
}

// Append appends the file's bytes; for what ReadGames read they are the same.
func (b *Base) Append(dst []byte) []byte {
	dst = b.Header.appendTo(dst, uint32(len(b.Games)), b.Header.Count)
	le := binary.LittleEndian
	for i := range b.Games {
		g := &b.Games[i]
		dst = le.AppendUint16(dst, g.Tournament)
		dst = le.AppendUint16(dst, g.Black)
		dst = le.AppendUint16(dst, g.White)
		dst = append(dst, g.Score, g.Theoretical)
		dst = append(dst, g.Moves[:]...)
	}
	return dst
}

// ReadNames reads a .jou or .trn file. Names are Latin-1 in the file.
func ReadNames(data []byte, kind Kind) (*Names, error) {
	h, _, n, err := readHeader(data)
	if err != nil {
		return nil, err
	}
	if want := headerSize + int(kind)*int(n); len(data) != want {
		return nil, fmt.Errorf("%d bytes where %d names take %d: the file is cut or of another kind", len(data), n, want)
	}
	h.Count = 0
	f := &Names{Header: h, List: make([]string, n)}
	for i := range f.List {
		rec := data[headerSize+int(kind)*i:][:kind]
		var b strings.Builder
		for _, c := range rec {
			if c == 0 {
				break
			}
			b.WriteRune(rune(c))
		}
		f.List[i] = b.String()
	}
	return f, nil
}

// Append appends the file's bytes. Letters outside Latin-1 become question
// marks, names are cut to what a record holds.
func (f *Names) Append(dst []byte, kind Kind) ([]byte, error) {
	if len(f.List) > 1<<16-1 {
		return dst, fmt.Errorf("%d names are more than a file can count", len(f.List))
	}
	dst = f.Header.appendTo(dst, 0, uint16(len(f.List)))
	for _, name := range f.List {
		n := 0
		for _, r := range name {
			if n == int(kind)-1 {
				break
			}
			if r == 0 || r > 0xff {
				r = '?'
			}
			dst = append(dst, byte(r))
			n++
		}
		for ; n < int(kind); n++ {
			dst = append(dst, 0)
		}
	}
	return dst, nil
}

// BoardSize returns 8 or 10.
func (h *Header) BoardSize() int {
	if h.Size == 10 {
		return 10
	}
	return 8
}

// TagTheoretical is the key under which Game.Tags hold Black's theoretical discs.
const TagTheoretical = "theoretical"

// Record returns game i as a record. Players and tournaments may be nil; their
// names are then left empty. Steps do not say who moved. Bytes that are no
// square end the game with a warning.
func (b *Base) Record(i int, players, tournaments *Names) (*record.Game, error) {
	if i < 0 || i >= len(b.Games) {
		return nil, fmt.Errorf("game %d of %d", i+1, len(b.Games))
	}
	src, size := &b.Games[i], b.Header.BoardSize()
	g := &record.Game{
		Spec:  "othello",
		Names: [2]string{players.at(src.Black), players.at(src.White)},
		Tags:  []record.Tag{{Key: TagTheoretical, Value: strconv.Itoa(int(src.Theoretical))}},
	}
	if size != 8 {
		g.Spec = game.Spec("othello:size=" + strconv.Itoa(size))
	}
	if b.Header.GameYear > 0 {
		g.Date = strconv.Itoa(int(b.Header.GameYear))
	}
	for k, m := range src.Moves {
		if m == 0 {
			if rest := strings.Trim(string(src.Moves[k:]), "\x00"); rest != "" {
				g.Warnings = append(g.Warnings, fmt.Sprintf("move %d is missing, what follows is left out", k+1))
			}
			break
		}
		y, x := int(m)/10-1, int(m)%10-1
		if x < 0 || y < 0 || x >= size || y >= size {
			g.Warnings = append(g.Warnings, fmt.Sprintf("move %d is stored as %d, which is no square; it and what follows are left out", k+1, m))
			break
		}
		g.Steps = append(g.Steps, record.Step{By: game.Nobody, Move: game.PlaceAt(game.Pt(x, y))})
	}
	g.Result = result(int(src.Score), size*size)
	event, isRuled := strings.CutSuffix(tournaments.at(src.Tournament), ruled)
	if g.Event = event; isRuled {
		g.Result.Reason, g.Result.HasBoard, g.Result.Board = game.ByAdjudication, false, [2]float64{}
	}
	return g, nil
}

func (f *Names) at(i uint16) string {
	if f == nil || int(i) >= len(f.List) {
		return ""
	}
	return f.List[i]
}

// End is the reason of results. It is empty: the format does not tell how a game
// ended, which package replay finds on the board.
const End game.Reason = ""

func result(black, squares int) *game.Result {
	r := game.Drawn(End, "")
	switch {
	case 2*black > squares:
		r = game.Win(game.First, End, "")
	case 2*black < squares:
		r = game.Win(game.Second, End, "")
	}
	if black <= squares {
		r.HasBoard = true
		r.Board = [2]float64{float64(black), float64(squares - black)}
	}
	return &r
}

// ruled ends the name of the event of games whose result a person has set, the one place in which these
// files can say so.
const ruled = " (ruled)"

// event is the name of a game's event as it is stored.
func event(g *record.Game) string {
	if g.Ruling() == "" {
		return g.Event
	}
	name := []rune(g.Event)
	return string(name[:min(len(name), tournamentSize-1-len(ruled))]) + ruled
}

// FromRecords stores games with the names of their players and events, which belong
// into files of their own. Number 0 of both lists is "???", which stands for nobody, as
// in the files of the federation.
func FromRecords(list []*record.Game) (b *Base, players, tournaments *Names, err error) {
	b = &Base{Header: Header{Depth: 24, GameYear: year(list)}}
	people, events := newIndex(), newIndex()
	for _, g := range list {
		game, err := FromRecord(g, events.number(event(g)), people.number(g.Names[0]), people.number(g.Names[1]))
		if err != nil {
			return nil, nil, nil, fmt.Errorf("game %s: %w", g.ID, err)
		}
		b.Games = append(b.Games, game)
	}
	if err := errors.Join(people.full("players"), events.full("events")); err != nil {
		return nil, nil, nil, err
	}
	return b, &Names{List: people.list}, &Names{List: events.list}, nil
}

// index numbers names in the order in which they come.
type index struct {
	list []string
	at   map[string]int
}

func newIndex() *index { return &index{list: []string{"???"}, at: map[string]int{"": 0, "???": 0}} }

func (x *index) number(name string) uint16 {
	n, ok := x.at[name]
	if !ok {
		n = len(x.list)
		x.at[name], x.list = n, append(x.list, name)
	}
	return uint16(n)
}

func (x *index) full(what string) error {
	if len(x.list) > math.MaxUint16 {
		return fmt.Errorf("%d %s are more than a WTHOR file can count", len(x.list)-1, what)
	}
	return nil
}

// year is the year of the games if it is that of all, else 0.
func year(list []*record.Game) uint16 {
	all := ""
	for _, g := range list {
		y, _, _ := strings.Cut(g.Date, "-")
		all = cmp.Or(all, y)
		if y != all {
			return 0
		}
	}
	n, err := strconv.ParseUint(all, 10, 16)
	if err != nil {
		return 0
	}
	return uint16(n)
}

// FromRecord returns a record as a stored game. Players and tournament are
// numbers in files of names. Passes are left out; a start position, another
// decision than a square, or more than MaxMoves moves cannot be stored.
func FromRecord(g *record.Game, tournament, black, white uint16) (Game, error) {
	out := Game{Tournament: tournament, Black: black, White: white}
	if g.Spec != "othello" || g.Start != "" {
		return out, errors.New("only games of othello from the initial position can be stored as WTHOR")
	}
	n := 0
	for _, s := range g.Steps {
		if s.Move.Op == game.Pass || s.Move.Op == game.Resign {
			continue
		}
		if s.Move.Op != game.Place || !s.Move.To.On(8, 8) || n == MaxMoves {
			return out, fmt.Errorf("decision %q cannot be stored as WTHOR, which has room for %d squares", s.Move, MaxMoves)
		}
		out.Moves[n] = uint8(10*(s.Move.To.Y+1) + s.Move.To.X + 1)
		n++
	}
	out.Score = score(g.Result)
	out.Theoretical = out.Score
	if v, ok := g.Tag(TagTheoretical); ok {
		if t, err := strconv.Atoi(v); err == nil && t >= 0 && t <= 64 {
			out.Theoretical = uint8(t)
		}
	}
	return out, nil
}

// score returns Black's discs with the empty squares given to the winner.
func score(r *game.Result) uint8 {
	switch {
	case r == nil:
		return 0
	case r.HasBoard && r.Board[0]+r.Board[1] == 64 && r.Board[0] >= 0 && r.Board[1] >= 0:
		return uint8(r.Board[0])
	case r.Draw():
		return 32
	case r.Winner() == game.First:
		return 64
	default:
		return 0
	}
}
