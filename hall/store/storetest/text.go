package storetest

import (
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"kibitz/game"
	"kibitz/hall/store"
)

// texts are what people and programs write to do harm, or without meaning any.
func texts() []string {
	return []string{
		`'; DROP TABLE users; --`, `" OR "1"="1`, `Robert'); DELETE FROM games;--`, `%_\'\"`, `$1 ? :a @b ?1`, "tab\tnewline\nreturn\r",
		"a\x00b", "\xff\xfe",
		"日本語 🎲 e\u0301 \u202e", "\\x00", "<script>alert(1)</script>", `{"json":null}`, " ", "NULL", "\x01\x7f", "\U0010FFFF",
	}
}

// told is a text as it comes back.
func told(s string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", "\uFFFD")
}

// testText puts each text into every field that takes one, and finds it by each that
// is searched.
func testText(t *testing.T, s store.Store) {
	for _, text := range texts() {
		w := told(text)
		var u store.User
		tok := store.Token{Name: text, Hash: []byte(text), Created: noon()}
		do(t, s, func(x store.Tx) error {
			u = store.User{
				Name: text, Kind: store.UserKind(text), Role: store.Role(text), Password: text,
				Settings: json.RawMessage(`"` + `x` + `"`),
			}
			if err := x.AddUser(&u); err != nil {
				return err
			}
			tok.User = u.ID
			if err := x.AddToken(&tok); err != nil {
				return err
			}
			for _, err := range []error{
				x.AddEntry(&store.Entry{Action: text, Subject: text, Detail: text, From: text}),
				x.SetSession([]byte(text), u.ID, []byte(text), later(1)),
				x.AddRoom(&store.Room{ID: text, Name: text, Game: text}),
				x.AddMessage(&store.Message{Room: text, Name: text, Channel: text, Text: text}),
				x.AddSaved(&store.Saved{ID: text, User: u.ID, Name: text, Spec: text, Position: text, Moves: []string{text}}),
				x.AddRequest(&store.Request{User: u.ID, Key: text, Hash: []byte(text), Body: []byte(text)}),
				x.SetRating(&store.Rating{Subject: text, Name: text, Game: text, Speed: text, LastGame: text}),
				x.AddTournament(&store.Tournament{ID: text, Name: text, Game: text, State: store.TournamentState(text)}),
				x.AddTournamentEvent(text, &store.TournamentEvent{Seq: 1, Kind: text}),
				x.SetEngine(&store.Engine{Name: text, Spec: text, Hash: text, Games: []string{text}}),
				x.AddGame(textGame(text)),
			} {
				if err != nil {
					return err
				}
			}
			return nil
		})
		see(t, s, func(x store.Tx) error { return checkText(t, x, text, w, &u) })
	}
}

func textGame(text string) *store.Game {
	return &store.Game{
		ID: text, Spec: game.Spec(text), Room: text, Tournament: text, State: store.Over, Worker: text, Speed: text, Opening: text, Note: text,
		Seats:  [2]store.Seat{{Name: text, Engine: text}, {Name: text, Engine: text}},
		Result: game.Result{Points: [2]float64{1, 0}, Reason: game.Reason(text), Detail: text},
	}
}

func checkText(t testing.TB, x store.Tx, text, w string, u *store.User) error {
	var failed error
	note := func(err error) { failed = errors.Join(failed, err) }
	got, err := x.UserNamed(text)
	note(err)
	same(t, []string{got.Name, string(got.Kind), string(got.Role), got.Password}, []string{w, w, w, w})
	list, err := x.Users(store.UserQuery{Prefix: text, Kind: store.UserKind(text)})
	note(err)
	same(t, len(list), 1)
	tok, err := x.TokenHashed([]byte(text))
	note(err)
	same(t, tok.Name+string(tok.Hash), w+text)
	entries, err := x.Audit(store.AuditQuery{Subject: text, Action: text})
	note(err)
	same(t, len(entries), 1)
	same(t, entries[0].Detail+entries[0].From, w+w)
	data, err := x.Session([]byte(text), noon())
	note(err)
	same(t, string(data), text)
	room, err := x.Room(text)
	note(err)
	same(t, room.ID+room.Name+room.Game, w+w+w)
	rooms, err := x.Rooms(store.RoomQuery{Game: text})
	note(err)
	same(t, len(rooms), 1)
	messages, err := x.Messages(text, []string{text}, 0, 0)
	note(err)
	same(t, len(messages), 1)
	same(t, messages[0].Text+messages[0].Name, w+w)
	saved, err := x.Saved(text)
	note(err)
	same(t, saved.Name+saved.Spec+saved.Position+saved.Moves[0], w+w+w+w)
	request, err := x.Request(u.ID, text)
	note(err)
	same(t, string(request.Hash)+string(request.Body)+request.Key, text+text+w)
	rating, err := x.Rating(store.RatingKey{Subject: text, Game: text, Speed: text})
	note(err)
	same(t, rating.Name+rating.LastGame, w+w)
	leaders, err := x.Leaders(text, text, 1, 0)
	note(err)
	same(t, len(leaders), 1)
	cup, err := x.Tournament(text)
	note(err)
	same(t, cup.Name+string(cup.State), w+w)
	events, err := x.TournamentEvents(store.TournamentEventQuery{Tournament: text, Kinds: []string{text}})
	note(err)
	same(t, len(events), 1)
	same(t, events[0].Kind, w)
	engine, err := x.Engine(text)
	note(err)
	same(t, engine.Spec+engine.Hash+engine.Games[0], w+w+w)
	want := textGame(w)
	g, err := x.Game(text)
	note(err)
	same(t, g, *want)
	for _, q := range []store.GameQuery{
		{Room: text},
		{Tournament: text},
		{Spec: game.Spec(text)},
		{Game: game.Spec(text).ID()},
		{Player: text},
		{Opponent: text},
		{Subject: "engine/" + text},
		{Reason: game.Reason(text)},
	} {
		p, err := x.FindGames(q)
		note(err)
		if len(p.Games) != 1 || p.Games[0].ID != w {
			t.Errorf("%q: %d games by %+v", text, len(p.Games), q)
		}
	}
	p, err := x.FindGames(store.GameQuery{Opening: text, Room: text})
	note(err)
	same(t, len(p.Games), 1)
	tallies, err := x.Tally(store.GameQuery{Player: text, Seat: 1}, store.ByOpponent)
	note(err)
	same(t, tallies, []store.Tally{{Key: w, Wins: 1}})
	return failed
}

// testValues has times, numbers and JSON come back as they were.
func testValues(t *testing.T, s store.Store) {
	zone := time.FixedZone("somewhere", 5*3600+1800)
	for i, at := range []time.Time{
		{},
		time.Unix(0, 0), noon(), noon().In(zone), time.Date(1900, 2, 3, 4, 5, 6, 789012345, zone),
		time.Date(9999, 12, 31, 23, 59, 59, 999999999, time.UTC),
		time.Date(2026, 3, 29, 2, 30, 0, 1000, time.UTC),
	} {
		e := store.Engine{Name: string(rune('a' + i)), Added: at}
		do(t, s, func(x store.Tx) error { return x.SetEngine(&e) })
		got := read(t, s, func(x store.Tx) (store.Engine, error) { return x.Engine(e.Name) }).Added
		if want := at.UTC().Truncate(time.Microsecond); !got.Equal(want) || got.Location() != time.UTC || got.IsZero() != at.IsZero() {
			t.Errorf("%v comes back as %v", at, got)
		}
	}
	for _, v := range []float64{0, 0.1, -1e300, 5e-324, math.MaxFloat64, 1 << 53} {
		do(t, s, func(x store.Tx) error { return x.SetRating(&store.Rating{Subject: "f", Value: v, Deviation: -v}) })
		r := read(t, s, func(x store.Tx) (store.Rating, error) { return x.Rating(store.RatingKey{Subject: "f"}) })
		same(t, [2]float64{r.Value, r.Deviation}, [2]float64{v, -v})
	}
	for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		refuse(t, s, store.ErrInvalid, func(x store.Tx) error { return x.SetRating(&store.Rating{Subject: "f", Value: v}) })
	}
	for i, raw := range []string{``, `null`, `{}`, "[ 1.0,\n1e400 , \"\\u0000\\ud800\" ]", `{"a":1,"a":2}`, `"日本"`} {
		r := store.Room{ID: string(rune('a' + i)), State: json.RawMessage(raw)}
		do(t, s, func(x store.Tx) error { r.Version = 0; return x.AddRoom(&r) })
		same(t, string(read(t, s, func(x store.Tx) (store.Room, error) { return x.Room(r.ID) }).State), raw)
	}
	for _, n := range []int64{math.MinInt64, -1, 0, math.MaxInt64} {
		e := store.Entry{Actor: n, Subject: "n"}
		do(t, s, func(x store.Tx) error { return x.AddEntry(&e) })
		same(t, read(t, s, func(x store.Tx) ([]store.Entry, error) { return x.Audit(store.AuditQuery{Limit: 1}) })[0].Actor, n)
	}
}

// testLong has texts of any length kept, but for those by which rows are found.
func testLong(t *testing.T, s store.Store) {
	long := strings.Repeat("Länge ", 10_000)
	g := newGame("g")
	g.Opening, g.Seats[0].Name, g.Note, g.Result.Detail = long, long, long, long
	addGames(t, s, g)
	same(t, at(t, s, "g"), g)
	same(t, find(t, s, store.GameQuery{Player: strings.ToUpper(long)}), []string{"g"})
	same(t, find(t, s, store.GameQuery{Player: long + "x"}), []string(nil))
	same(t, find(t, s, store.GameQuery{Opening: "länge läng"}), []string{"g"})
	u := user(long)
	do(t, s, func(x store.Tx) error { return x.AddUser(&u) })
	v := user(long + "x")
	do(t, s, func(x store.Tx) error { return x.AddUser(&v) })
	refuse(t, s, store.ErrTaken, func(x store.Tx) error { u := user(strings.ToUpper(long)); return x.AddUser(&u) })
	for name, add := range map[string]func(x store.Tx) error{
		"game":       func(x store.Tx) error { g := newGame(long); return x.AddGame(&g) },
		"spec":       func(x store.Tx) error { g := newGame("s"); g.Spec = game.Spec(long); return x.AddGame(&g) },
		"reason":     func(x store.Tx) error { g := newGame("s"); g.Result.Reason = game.Reason(long); return x.AddGame(&g) },
		"place":      func(x store.Tx) error { g := newGame("s"); g.Room = long; return x.AddGame(&g) },
		"engine":     func(x store.Tx) error { g := newGame("s"); g.Seats[1].Engine = long; return x.AddGame(&g) },
		"room":       func(x store.Tx) error { return x.AddRoom(&store.Room{ID: long}) },
		"tournament": func(x store.Tx) error { return x.AddTournament(&store.Tournament{ID: long}) },
		"subject":    func(x store.Tx) error { return x.SetRating(&store.Rating{Subject: long}) },
		"request":    func(x store.Tx) error { return x.AddRequest(&store.Request{Key: long}) },
		"offer":      func(x store.Tx) error { return x.SetEngine(&store.Engine{Name: long}) },
		"entry":      func(x store.Tx) error { return x.AddEntry(&store.Entry{Subject: long}) },
		"challenge":  func(x store.Tx) error { return x.AddChallenge(&store.Challenge{Code: long, Owner: u.ID}, 1) },
		"saved":      func(x store.Tx) error { return x.AddSaved(&store.Saved{ID: long, User: u.ID}) },
	} {
		if err := s.Update(t.Context(), add); !errors.Is(err, store.ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
	miss(t, s, func(x store.Tx) error { _, err := x.Game(long); return err })
	miss(t, s, func(x store.Tx) error { _, err := x.Room(long); return err })
}
