package othello

import (
	"context"
	"fmt"
	"math/rand/v2"

	"kibitz/bot"
	"kibitz/game"
	"kibitz/games/othello"
	"kibitz/player"
)

// Player is a bot with an opening book of its own, which grows by what it is told
// to learn. The book belongs to the player and lasts as long as it does, unless
// somebody keeps it. At the strongest level it lies over the book that comes with the
// program, which nothing is written to.
type Player struct {
	*bot.Player
	engine *engine
	keep   func([]byte) error
	depth  int // of the search of positions that the book is expanded by
}

var _ player.Learner = (*Player)(nil)

// UseBook makes the player play by the book that the data hold, or by an empty one.
// Where it says nothing of a position, that which comes with the program may. Keep is
// given all of the player's own after each game that was learned; it may be nil.
func (p *Player) UseBook(data []byte, keep func([]byte) error) error {
	k, err := readBook(data)
	if err != nil {
		return err
	}
	k.contempt = p.engine.book.contempt
	p.engine.book, p.keep = *k, keep
	return nil
}

// WithoutBook puts away the book that comes with the program.
func (p *Player) WithoutBook() { p.engine.closeBook() }

// SetContempt says what a draw by the book is worth to Black, in discs.
func (p *Player) SetContempt(n int) {
	p.engine.book.contempt, p.engine.book.worth = n, nil
}

// learnDepth is how deep the positions of a game are searched to learn it.
const learnDepth = 12

// Learn evaluates the positions of the game from the last to the first and keeps
// them in the book.
func (p *Player) Learn(ctx context.Context) error {
	q := player.Question{Depth: learnDepth, WholeGame: true}
	err := p.Analyse(ctx, q, func(info game.Info) bool {
		b := p.engine.board
		if b.Empties() < bookEnd || !b.HasMoves() || len(info.PV) == 0 {
			return true
		}
		if sq, ok := othello.SquareOf(info.PV[0].To); ok {
			p.engine.book.add(b, int(info.Eval.Lo*disc), sq, info.Bound == game.Exact)
		}
		return true
	})
	if err != nil {
		return err
	}
	return p.kept()
}

// kept hands the book to whoever keeps it.
func (p *Player) kept() error {
	if p.keep == nil {
		return nil
	}
	return p.keep(p.engine.book.write())
}

const (
	// playDepth is the depth of search in games against itself, strayPlies the
	// number of plies in which one of strayIn moves is drawn by lot.
	playDepth  = 10
	strayPlies = 20
	strayIn    = 5
)

// SelfPlay plays games against itself and learns them. The same seed and book make
// the same games. The book that comes with the program is put away for good.
func (p *Player) SelfPlay(ctx context.Context, games int, seed uint64) error {
	p.WithoutBook()
	rng := rand.New(rand.NewPCG(seed, 0))
	for n := range games {
		if err := p.selfPlay(ctx, fmt.Sprintf("book %d %d", seed, n), rng); err != nil {
			return err
		}
		if err := p.Learn(ctx); err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return nil
}

func (p *Player) selfPlay(ctx context.Context, id string, rng *rand.Rand) error {
	spec := game.Spec(othello.ID)
	st := othello.NewState(othello.Start(), game.First)
	setup := player.Setup{ID: id, Spec: spec, Width: othello.Size, Height: othello.Size, Seat: game.Nobody, ToMove: game.First}
	if err := p.NewGame(ctx, &setup); err != nil {
		return err
	}
	for ply := 0; ; ply++ {
		if _, over := st.Result(); over {
			return nil
		}
		move, err := p.nextMove(ctx, st, ply, rng)
		if err != nil {
			return err
		}
		by := st.Turn().Seat
		if _, err := st.Apply(move, nil); err != nil {
			return err
		}
		u := player.Update{By: by, Steps: []game.Move{move}, Next: st.Turn(), Ended: true}
		if r, over := st.Result(); over {
			u.Result = &r
		}
		p.Tell(&u)
	}
}

// nextMove draws or thinks.
func (p *Player) nextMove(ctx context.Context, st *othello.State, ply int, rng *rand.Rand) (game.Move, error) {
	moves := st.Legal(nil)
	if ply < strayPlies && rng.IntN(strayIn) == 0 {
		return moves[rng.IntN(len(moves))], nil
	}
	a, err := p.Choose(ctx, &player.Prompt{
		Seat: st.Turn().Seat, Turn: st.Turn(), Moves: st, Limits: player.Limits{Depth: playDepth},
	})
	if err != nil {
		return game.Move{}, err
	}
	return a.Steps[0], nil
}
