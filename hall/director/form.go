package director

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"kibitz/game"
	"kibitz/hall/auth"
	"kibitz/hall/bus"
	"kibitz/hall/contest"
	"kibitz/hall/problem"
	"kibitz/hall/store"
	"kibitz/hall/upload"
	"kibitz/tournament"
)

// TournamentForm is a tournament as people describe it: what is a text is written as
// after the flag of that name of kibitz match.
type TournamentForm struct {
	Name        string   `json:"name,omitempty" maxLength:"100" doc:"what it is called; the game if nothing is said"`
	Game        string   `json:"game" maxLength:"200" doc:"a game with options, such as gomoku:rule=renju"`
	Format      string   `json:"format,omitempty" maxLength:"20" doc:"roundrobin, double, gauntlet, swiss, knockout, pyramid or ladder"`
	Games       int      `json:"games,omitempty" minimum:"0" maximum:"10000" doc:"games of each pair when it meets, 0 for 2"`
	Rounds      int      `json:"rounds,omitempty" minimum:"0" maximum:"10000" doc:"0 for as many as is usual"`
	Seeds       int      `json:"seeds,omitempty" minimum:"0" maximum:"500"`
	Repeat      bool     `json:"repeat,omitempty" doc:"play each opening twice, seats exchanged"`
	FixedSeats  bool     `json:"fixedSeats,omitempty"`
	Casual      bool     `json:"casual,omitempty" doc:"not rated"`
	Seed        uint64   `json:"seed,omitempty" maximum:"9007199254740991" doc:"of lots and of the order of openings; 0 draws one"`
	Concurrency int      `json:"concurrency,omitempty" minimum:"0" maximum:"1000" doc:"games at a time, 0 for 1"`
	Points      string   `json:"points,omitempty" maxLength:"60" doc:"W/D/L, such as 3/1/0"`
	TieBreaks   string   `json:"tiebreaks,omitempty" maxLength:"100" doc:"such as direct,sb,wins"`
	SPRT        string   `json:"sprt,omitempty" maxLength:"200" doc:"a sequential test of the engine entered first: elo0=0 elo1=5"`
	Draw        string   `json:"draw,omitempty" maxLength:"100" doc:"move=40 count=8 score=10"`
	Resign      string   `json:"resign,omitempty" maxLength:"100" doc:"count=3 score=900"`
	Adjudicate  string   `json:"adjudicate,omitempty" maxLength:"20" doc:"exact: end games whose result is certain"`
	MaxMoves    int      `json:"maxMoves,omitempty" minimum:"0" maximum:"100000"`
	Illegal     string   `json:"illegal,omitempty" maxLength:"20" doc:"lose, or retry:N"`
	Stall       float64  `json:"stall,omitempty" minimum:"0" maximum:"86400" doc:"seconds that an engine without a clock may be silent, 0 for 600"`
	Openings    string   `json:"openings,omitempty" maxLength:"200" doc:"suite, or file=NAME of the file that was sent, with order=random start=N plies=N transform=true"`
	Each        string   `json:"each,omitempty" maxLength:"500" doc:"words for every engine, such as tc=60+0.5"`
	Engines     []string `json:"engines,omitempty" maxItems:"500" doc:"engines that are entered at once: bot=1 to bot=9 or engine=NAME of an engine of the hall, with name=N and clocks"`

	Unlisted   bool `json:"unlisted,omitempty" doc:"shown to directors and to those who have entered engines"`
	Open       bool `json:"open,omitempty" doc:"every account may enter engines"`
	Late       bool `json:"late,omitempty" doc:"after the start too"`
	PerAccount int  `json:"perAccount,omitempty" minimum:"0" maximum:"500" doc:"how many, 0 for 1"`
	Start      bool `json:"start,omitempty" doc:"start at once"`
}

// NewTournament is a tournament that is to be made, with a file of openings.
type NewTournament struct {
	Body struct {
		TournamentForm
		OpeningsFile *struct {
			Name string `json:"name" maxLength:"100" doc:"its end tells the format"`
			Text string `json:"text" maxLength:"1048576"`
		} `json:"openingsFile,omitempty" doc:"the file that openings names"`
	}
}

// Make makes a tournament.
func (d *Desk) Make(ctx context.Context, in *NewTournament) (*TournamentView, error) {
	var file *OpeningsFile
	if f := in.Body.OpeningsFile; f != nil {
		file = &OpeningsFile{Name: upload.Name(f.Name), Data: []byte(f.Text)}
	}
	return d.create(ctx, &in.Body.TournamentForm, file, entryAt)
}

// entryAt is problem.At, with why of the words of an engine.
func entryAt(pointer string, err error) error {
	if words, ok := errors.AsType[*EntryError](err); ok {
		wrong := problem.Input(problem.OneLine(err))
		wrong.Why = words.Why
		err = wrong
	}
	return problem.At(pointer, err)
}

// Wishes are what is said beside the file of a run: that the tournament begins at once, that
// every account may enter engines, and its name unless that is empty.
type Wishes struct {
	Start, Open bool
	Name        string
}

// MakeOf makes a tournament of the file of a run, and the file of openings that it names.
func (d *Desk) MakeOf(ctx context.Context, files []upload.File, in Wishes) (*TournamentView, error) {
	if len(files) > 2 {
		return nil, problem.Input("want the file of a run, and with it at most a file of openings")
	}
	form, place, err := d.Tournaments.cfg.Maker.ReadFile(files[0].Name, files[0].Data)
	if err != nil {
		return nil, problem.Input(problem.OneLine(err))
	}
	form.Start, form.Open = form.Start || in.Start, form.Open || in.Open
	if in.Name != "" {
		form.Name = in.Name
	}
	var openings *OpeningsFile
	if len(files) == 2 {
		openings = &OpeningsFile{Name: files[1].Name, Data: files[1].Data}
	}
	wrong := func(pointer string, err error) error { return problem.Input(problem.OneLine(place(pointer, err))) }
	v, err := d.create(ctx, &form, openings, wrong)
	return v, unpointed(err)
}

// create makes a tournament with the engines that its form enters. wrong is told of
// an error and where in the form it belongs, "" if it says so itself.
func (d *Desk) create(ctx context.Context, f *TournamentForm, file *OpeningsFile,
	wrong func(pointer string, err error) error,
) (*TournamentView, error) {
	t := d.Tournaments
	if f.Seed == 0 {
		f.Seed = t.seed()
	}
	set, openings, err := t.cfg.Maker.Make(ctx, f, file)
	if err != nil {
		return nil, wrong("", err)
	}
	events, err := d.firstEvents(ctx, f, set, openings, wrong)
	if err != nil {
		return nil, err
	}
	settings, err := json.Marshal(set)
	if err != nil {
		return nil, err
	}
	secret, err := t.dispatcher.Secret()
	if err != nil {
		return nil, err
	}
	c, _ := auth.FromContext(ctx)
	row := store.Tournament{
		ID: store.NewID(d.Random, 8), Name: set.Name, Owner: c.ID, Game: set.Game.ID(), State: store.Entering,
		Listed: set.Listed, Created: t.now(),
		Changed:  t.now(),
		Settings: settings, Secret: secret,
	}
	if f.Start {
		row.State = store.Playing
	}
	err = d.Store.Update(ctx, func(tx store.Tx) error {
		row.Version = 0
		if err := tx.AddTournament(&row); err != nil {
			return err
		}
		for i := range events {
			if err := (&tournamentChange{t: t, tx: tx, row: row}).keep(&events[i]); err != nil {
				return err
			}
		}
		return d.Auth.Note(ctx, tx, "tournament-made", row.ID, set.Name)
	})
	if err != nil {
		return nil, err
	}
	t.tell(row.ID)
	t.next(ctx, row.ID)
	return d.Get(ctx, &TournamentPath{ID: row.ID})
}

// seed draws a seed that JSON and TOML hold exactly.
func (t *Tournaments) seed() uint64 {
	var n uint64
	b := make([]byte, 7)
	if _, err := t.cfg.Random.Read(b); err != nil {
		return 1
	}
	for _, x := range b {
		n = n<<8 | uint64(x)
	}
	return n>>3 | 1
}

// firstEvents are those with which a tournament begins: its openings, its entries, and
// the start.
func (d *Desk) firstEvents(ctx context.Context, f *TournamentForm, set contest.Config, openings []contest.Opening,
	wrong func(string, error) error,
) ([]contest.Event, error) {
	s := contest.New(set)
	var events []contest.Event
	add := func(e contest.Event) error {
		e.Seq = s.Seq + 1
		events = append(events, e)
		return s.Apply(e)
	}
	if len(openings) > 0 {
		if err := add(contest.Event{Kind: contest.AddOpenings, Openings: openings}); err != nil {
			return nil, err
		}
	}
	by := directorOf(ctx)
	entries := make([]contest.Entry, len(f.Engines))
	var faults []error
	for i, words := range f.Engines {
		var err error
		entries[i], err = d.entryOf(ctx, &set, f.Each, words)
		if _, ok := errors.AsType[*EntryError](err); ok {
			faults = append(faults, wrong(fmt.Sprintf("#/engines/%d", i), err))
		} else if err != nil {
			return nil, err
		}
	}
	if len(faults) > 0 {
		return nil, problem.Together(faults)
	}
	for _, entry := range entries {
		e, err := s.Settle(contest.Command{Do: contest.DoEnter, Entry: entry}, by)
		if err == nil {
			err = add(e)
		}
		if err != nil {
			return nil, problem.OfRefusal(err)
		}
	}
	if f.Start {
		e, err := s.Settle(contest.Command{Do: contest.DoStart}, by)
		if err == nil {
			err = add(e)
		}
		if err != nil {
			return nil, problem.OfRefusalAt("#/engines", err)
		}
	}
	return events, nil
}

// EntryError is what is wrong with the words of an engine.
type EntryError struct {
	// Why is the same as a code.
	Why game.Why
	Err error
}

func (e *EntryError) Error() string { return e.Err.Error() }

// Unwrap returns Err.
func (e *EntryError) Unwrap() error { return e.Err }

// noEngine tells that the words name no engine that may play.
func noEngine(words, format string, args ...any) error {
	return &EntryError{game.Because("noengine", game.Shown(words, 60)), fmt.Errorf(format, args...)}
}

// entryOf reads the words of an engine. One of the hall must be there and play the game.
func (d *Desk) entryOf(ctx context.Context, set *contest.Config, each, words string) (contest.Entry, error) {
	x, err := d.Tournaments.cfg.Maker.Entry(set, each, words)
	if _, known := errors.AsType[*EntryError](err); err != nil && !known {
		return x, noEngine(words, "%w", err)
	}
	if err != nil || x.Kind != bus.EngineSeat {
		return x, err
	}
	e, err := store.Get(ctx, d.Store, store.Tx.Engine, x.Engine)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return x, noEngine(words, "the hall offers no engine %q", game.Shown(x.Engine, 60))
	case err != nil:
		return x, err
	case !e.Enabled:
		return x, noEngine(words, "the hall does not offer %s at present", e.Name)
	}
	if !e.Plays(set.Game.ID()) {
		return x, noEngine(words, "%s does not play %s", e.Name, set.Game.ID())
	}
	x.Engine, x.Hash = e.Name, e.Hash
	return x, nil
}

// directorOf is whoever makes a tournament.
func directorOf(ctx context.Context) contest.Actor {
	c, _ := auth.FromContext(ctx)
	return contest.Actor{ID: c.ID, Name: c.Name, Director: true}
}

// commitment is what can be said of a tournament's secret before its end.
func commitment(row *store.Tournament) string {
	var secret [32]byte
	copy(secret[:], row.Secret)
	return tournament.Commitment(secret)
}
