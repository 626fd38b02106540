// Package bot turns a search into a player: an Engine knows one game and thinks,
// the Player around it does all the rest.
//
// The rest is what every built-in engine needs alike: following the game (also
// undo), time management for every clock, nine levels, limits, stopping within a
// millisecond, streaming of hints, analysis of a whole game. A bot is therefore
// one folder with a search, an evaluation and
//
//	// New returns a player of the game.
//	func New(o bot.Options) player.Player { return bot.New("othello", &engine{}, o) }
//
// An engine keeps its own position and searches it by iterative deepening:
//
//	func (e *engine) Reset(s *player.Setup) error {
//		pos, err := parse(s.Start) // empty: the initial position
//		if err != nil {
//			return err
//		}
//		e.pos = pos
//		e.table.resize(bot.TableBytes(s.Limits.Memory, 64<<20))
//		return nil
//	}
//
//	func (e *engine) Update(u *player.Update) error {
//		return bot.Follow(u, e.pos.apply)
//	}
//
//	func (e *engine) Think(t *bot.Task) player.Answer {
//		best := player.Answer{Steps: []game.Move{e.pos.anyMove()}}
//		for depth := 1; t.More(depth); depth++ {
//			line, done := e.search(t, depth)
//			if !done {
//				break // stopped half-way: line is not to be trusted
//			}
//			best.Steps, best.Info = line.PV[:1], line
//			t.Report(line)
//		}
//		return best
//	}
//
// and inside the search, about every thousand positions,
//
//	if e.count++; e.count&1023 == 0 && t.Poll(1024) {
//		return 0, stopped
//	}
//
// More says whether another iteration may begin, Poll whether the running one may
// go on. An engine asks nobody for the time.
//
// Where a player ponders, Think is called in the opponent's time too, for the opponent,
// on another goroutine, and has returned before anything else is called. What it leaves
// in tables or a tree is all that comes of it.
//
// What an engine can do beyond Engine are the optional interfaces Pacer, Leveler,
// Blunderer, Forgetter and Starter.
package bot
