package archive

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/klauspost/compress/zstd"

	"kibitz/game"
	"kibitz/hall/bus"
	"kibitz/hall/play"
	"kibitz/hall/store"
	"kibitz/internal/plain"
	"kibitz/journal"
	"kibitz/record"
	"kibitz/record/gamebase/index"
	"kibitz/record/replay"
	"kibitz/rules"
)

// Verifier plays the records of results by the rules before a hall counts them. What
// it reads was sent by a worker, which may send anything.
type Verifier struct {
	archive Archive
	unpack  *zstd.Decoder
	// large is held by the one large record that is looked at.
	large chan struct{}
	// Limit bounds the replay of a record.
	Limit time.Duration
}

var _ play.Verifier = Verifier{}

// Bounds of a record that a hall takes: in bytes, unpacked; in decisions; in values, of
// which each takes some 500 bytes of memory at most; in the time of its replay, which takes
// less than a quarter of a millisecond for a decision. The longest games that engines
// played had some thousand decisions.
const (
	MostRecord = 8 << 20
	MostSteps  = 20_000
	MostValues = 300_000
	mostReplay = 10 * time.Second
	// largeRecord is the size from which on one record at a time is looked at.
	largeRecord = 256 << 10
)

// NewVerifier returns a verifier that opens games as an archive does.
func NewVerifier(h Archive) (Verifier, error) {
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(MostRecord))
	return Verifier{h, d, make(chan struct{}, 1), mostReplay}, err
}

// values counts what a text of JSON holds, at most.
func values(data []byte) (n int) {
	quoted, escaped := false, false
	for _, c := range data {
		switch {
		case escaped:
			escaped = false
		case c == '\\':
			escaped = quoted
		case c == '"':
			quoted = !quoted
		case !quoted && (c == ',' || c == '[' || c == '{'):
			n++
		}
	}
	return n
}

// Verify implements play.Verifier. While another large record is looked at, one is put
// off by bus.ErrNotNow.
func (v Verifier) Verify(ctx context.Context, play *bus.Play, r *bus.Result) (positions []store.Position, err error) {
	defer func() {
		if p := recover(); p != nil {
			positions, err = nil, fmt.Errorf("its record breaks what replays it: %v", p)
		}
	}()
	if len(r.Record) == 0 {
		return nil, errors.New("it has no record")
	}
	data, err := v.unpack.DecodeAll(r.Record, nil)
	if err != nil {
		return nil, fmt.Errorf("its record cannot be unpacked: %w", err)
	}
	if len(data) > largeRecord {
		select {
		case v.large <- struct{}{}:
			defer func() { <-v.large }()
		default:
			return nil, fmt.Errorf("another large record is looked at: %w", bus.ErrNotNow)
		}
	}
	if n := values(data); n > MostValues {
		return nil, fmt.Errorf("its record holds %d values, at most %d are possible", n, MostValues)
	}
	list, err := v.archive.Set.ReadNative(data)
	if err != nil {
		return nil, fmt.Errorf("its record cannot be read: %w", err)
	}
	if len(list) != 1 {
		return nil, fmt.Errorf("its record holds %s instead of one", plain.Count(len(list), "game"))
	}
	g := list[0]
	if err := v.sameGame(g, play); err != nil {
		return nil, fmt.Errorf("its record is of another game: %w", err)
	}
	within, cancel := context.WithTimeout(ctx, v.Limit)
	defer cancel()
	l, err := replay.PlayWithin(within, g, v.archive.openSpec)
	if err != nil {
		if within.Err() != nil && ctx.Err() == nil {
			err = fmt.Errorf("its record takes more than %s to replay", v.Limit)
		}
		return nil, err
	}
	if err := bearsOut(g, l, play, r); err != nil {
		return nil, err
	}
	if r.Result.Reason == game.ByAbort && len(g.Steps) == 0 {
		return nil, nil
	}
	return positionsOf(index.New(0), l)
}

// sameGame says in what a record differs from the game that was to be played.
func (v Verifier) sameGame(g *record.Game, play *bus.Play) error {
	r, err := v.archive.openSpec(play.Spec)
	if err != nil {
		return err
	}
	differ := func(what, is, want string) error {
		if is == want {
			return nil
		}
		return fmt.Errorf("%s %q instead of %q", what, game.Shown(is, 60), game.Shown(want, 60))
	}
	err = errors.Join(
		differ("game", g.ID, play.Game), differ("rules", string(g.Spec), string(r.Spec())), differ("position", g.Start, play.Position),
	)
	for s := range g.Names {
		err = errors.Join(err, differ(game.Seat(s).String()+" seat", g.Names[s], play.Seats[s].Name))
	}
	if _, shuffled := r.(rules.Shuffler); shuffled {
		err = errors.Join(err, differ("commitment", g.Commitment, play.Commitment))
	}
	if len(g.Steps) > MostSteps {
		err = errors.Join(err, fmt.Errorf("%d decisions", len(g.Steps)))
	}
	if slices.ContainsFunc(g.Steps, func(s record.Step) bool { return len(s.Variations) > 0 }) {
		err = errors.Join(err, errors.New("variations, which no game has that was played"))
	}
	if len(g.Steps) > 0 && !sameOpening(g, play.Opening) {
		err = errors.Join(err, errors.New("another opening"))
	}
	return err
}

// sameOpening compares the decisions of the seats in an opening: deals may have been drawn,
// and passes that are forced need not be given.
func sameOpening(g *record.Game, want []string) bool {
	chosen := func(m game.Move) bool { return m.Op != game.Deal && m.Op != game.Pass }
	var is, asked []game.Move
	for i := range g.Steps {
		if s := &g.Steps[i]; s.Opening && chosen(s.Move) {
			is = append(is, s.Move)
		}
	}
	for _, text := range want {
		m, err := journal.ParseMove(text)
		if err != nil {
			return false
		}
		if chosen(m) {
			asked = append(asked, m)
		}
	}
	return slices.Equal(is, asked)
}

// bearsOut says in what a record, as it was replayed, does not bear out a result. The
// result's plies become those of the record.
func bearsOut(g *record.Game, l *replay.Line, play *bus.Play, r *bus.Result) error {
	switch {
	case l.Illegal != nil:
		return fmt.Errorf("its record is not legal: %w", l.Illegal)
	case len(l.Steps) != len(g.Steps):
		return fmt.Errorf("its record has %d decisions, the game %d", len(g.Steps), len(l.Steps))
	case g.Result == nil:
		return errors.New("its record tells no result")
	case g.Result.Points != r.Result.Points || g.Result.Reason != r.Result.Reason || g.Result.Board != r.Result.Board:
		return fmt.Errorf("its record says %g-%g by %q", g.Result.Points[0], g.Result.Points[1], game.Shown(string(g.Result.Reason), 40))
	case len(l.Verdict.Issues) > 0:
		return errors.New(l.Verdict.Issues[0])
	case !knownReason(l.Rules, r.Result.Reason):
		return fmt.Errorf("%q is no reason for which a game ends", game.Shown(string(r.Result.Reason), 40))
	}
	r.Plies = l.Played()
	if _, shuffled := l.Rules.(rules.Shuffler); shuffled && len(play.Seed) == 32 {
		if err := l.CheckShuffle([32]byte(play.Seed)); err != nil {
			return fmt.Errorf("its record is not of the shuffle that was dealt: %w", err)
		}
	}
	return nil
}

// knownReason reports whether a game of the rules can end for a reason.
func knownReason(r rules.Rules, why game.Reason) bool {
	own := slices.ContainsFunc(r.Doc().Reasons, func(c rules.Code) bool { return c.Word == string(why) })
	return own || slices.Contains([]game.Reason{
		game.ByResign, game.ByTime, game.ByIllegal, game.ByCrash, game.ByStall, game.ByProtocol, game.ByResource, game.ByStart,
		game.ByDisconnect, game.ByAdjudication, game.ByAgreement, game.ByAbort,
	}, why)
}
