// Package player defines who can play: a built-in engine, an engine behind a
// protocol, a person, a remote seat. All are a Player to the referee, and the
// referee is all that a Player ever sees.
//
// A Player serves one game at a time and is used by one goroutine, except for
// Stop, which may be called at any time from any other.
//
// The order of calls within a game is
//
//	NewGame (Tell | Choose)* Over
//
// and Close once at the very end. What a player can do beyond that is an optional
// interface: Positioner, Analyst, Learner, Ponderer, Suspender, Suggester, Consulter, Hurrier,
// Actor, Person, Explainer, Namer, Describer, Witness, Meter, Scheduled, Flooder.
package player

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"kibitz/clock"
	"kibitz/game"
)

// Player is whoever can play.
type Player interface {
	// NewGame prepares a game. It may take long (engines start here); ctx bounds
	// it. A *Failure says why the player cannot play.
	NewGame(ctx context.Context, s *Setup) error
	// Tell passes on what has happened, own decisions included. It queues or
	// writes and never waits for an answer; a failure surfaces at the next
	// Choose. The update and all it points to belong to the caller again as soon
	// as Tell returns.
	Tell(u *Update)
	// Choose asks for a decision. It returns at the latest shortly after
	// Prompt.Deadline, with a *Failure of reason time. ctx lives as long as the
	// game and is cancelled only to abandon it. Answer.Steps are valid until the
	// next call.
	Choose(ctx context.Context, p *Prompt) (Answer, error)
	// Stop asks a running Choose to answer at once with what it has. It is safe
	// at any time and does nothing when none runs.
	Stop()
	// Over ends the game. The player stays usable for a next NewGame unless it
	// failed.
	Over(r game.Result)
	// Close ends the player for good and releases all it holds. It returns what
	// went wrong in ending, which changes no result.
	Close() error
}

// StartLimit is how long a player may take to become ready where nobody says otherwise:
// an engine from the start of its process.
const StartLimit = 20 * time.Second

// Setup describes a game to one player.
type Setup struct {
	// ID is unique within a run. Players may show it; it is no secret and holds
	// none.
	ID   string
	Spec game.Spec
	// Width and Height are the size of the board.
	Width, Height int
	// Seat is the player's seat. Nobody means that it analyses for both.
	Seat  game.Seat
	Names [2]string
	// Start is the position the game starts from in the game's text form, empty
	// for the initial position. Only a Positioner that can is given one.
	Start string
	// ToMove is the seat on turn in the start position.
	ToMove game.Seat
	// Colours are what the seats play with now, after History, NoColour while
	// that is open (dark chess before the first flip).
	Colours [2]game.Colour
	// History is what was decided before this player came in, from Start: an
	// opening, a resumed game. It holds only what the seat may know.
	History []Update
	// View shows the position after History. It may be nil.
	View   Viewer
	Clocks [2]clock.Clock
	Limits Limits
	// Against says whom or where the player plays, for protocols that tell.
	Against Against
}

// Against says whom a player meets, or on which occasion.
type Against uint8

// The occasions.
const (
	AgainstEngine Against = iota
	AgainstPerson
	InTournament
	OverNetwork
)

// Viewer shows a position to one seat. It is not computed unless asked.
type Viewer interface {
	// View builds what the seat may know of the position.
	View() game.View
}

// Update is what one seat is told after decisions were applied: all steps of one
// answer together, with the dealer's that followed. A flip is told as two steps,
// the flip and what was dealt.
//
// An attempt that a game with hidden facts refused is told to the seat that made
// it and to nobody else: no Steps, a Refused notice, Ended false. A decision that
// the seat may not see comes without Steps too, as a Moved notice and whatever
// else it learned.
type Update struct {
	// By is the seat that decided.
	By game.Seat
	// Steps are the decisions that this seat may see, in order, the dealer's
	// included. Empty when it may not see them: Notices say what it may know.
	Steps []game.Move
	// Notices are what this seat learned beside Steps; AddNotices sorts them.
	Notices []game.Notice
	// Forced tells that the referee played the only legal decision (a forced
	// pass) for the seat, without its clock.
	Forced bool
	// Used is the time measured for By's decision; Clocks are both clocks after it.
	Used   time.Duration
	Clocks [2]clock.Clock
	// Next says who decides next, Ended whether By's turn is complete. If Next is
	// the reader's own turn, a Choose or a Result follows: a host whose protocol
	// sends news and prompt in one piece holds the news until then.
	Next  game.Turn
	Ended bool
	// Colours are what the seats play with after the steps.
	Colours [2]game.Colour
	// Rewind, if above zero, takes back that many of the latest decisions that
	// were told (steps, the dealer's included); the other fields but Clocks,
	// Next, Colours and View are then empty.
	Rewind int
	// Info is what the player itself said with this decision; only the mover's
	// own update carries it.
	Info *game.Info
	// Result is set by the update that ends the game on the board. Over follows
	// in any case.
	Result *game.Result
	// View shows the position after the update, valid only during Tell. It may
	// be nil.
	View Viewer
}

// AddNotices sorts what happened for the reader of the update: decisions that the
// seat may see in full become Steps, everything else it may know Notices. What is
// addressed to others is left out. The points of a notice are not copied.
func (u *Update) AddNotices(seat game.Seat, list []game.Notice) {
	for i := range list {
		n := &list[i]
		if !n.To.Includes(game.To(seat)) || n.Kind == game.Moved && n.By == seat {
			continue // its own decision it was told in full
		}
		if n.Kind == game.Played {
			u.Steps = append(u.Steps, n.Move)
		} else {
			u.Notices = append(u.Notices, *n)
		}
	}
}

// Clear empties the update and keeps its buffers for the next.
func (u *Update) Clear() {
	*u = Update{Steps: u.Steps[:0], Notices: u.Notices[:0]}
}

// Clone returns a copy that does not share memory with u, without its View.
func (u *Update) Clone() Update {
	c := *u
	c.View = nil
	c.Steps = slices.Clone(u.Steps)
	c.Notices = slices.Clone(u.Notices)
	for i := range c.Notices {
		c.Notices[i].Points = slices.Clone(c.Notices[i].Points)
	}
	if u.Info != nil {
		info := *u.Info
		info.PV = slices.Clone(info.PV)
		c.Info = &info
	}
	if u.Result != nil {
		r := *u.Result
		c.Result = &r
	}
	return c
}

// Legals lists the decisions that a seat on turn may make.
type Legals interface {
	Legal(dst []game.Move) []game.Move
}

// Prompt asks the seat on turn for a decision.
type Prompt struct {
	Seat game.Seat
	Turn game.Turn
	// Ply is how many decisions were made before, those of the opening and of chance included.
	Ply int
	// Moves lists what this seat may decide, as far as it may know. It is not
	// computed unless asked, and is valid only during Choose.
	Moves  Legals
	Clocks [2]clock.Clock
	// Colours are what the seats play with now.
	Colours [2]game.Colour
	// View shows the position to the seat, valid only during Choose. It may be
	// nil.
	View Viewer
	// Deadline is when the referee stops waiting; zero means it waits for ever.
	Deadline time.Time
	// Again counts the attempts of this turn that were refused or, where the run
	// allows another try, illegal; Rejected says which of both the last was.
	Again    int
	Rejected Rejection
	// Limits are those of this turn (depth, nodes).
	Limits Limits
	// Report, if not nil, is told what the player reports while it thinks, as often as
	// it does, from any goroutine: players should call it with what they know anew. The
	// info and its PV belong to the caller again as soon as Report returns. It is nil
	// where nobody would see it.
	Report func(i *game.Info)
	// Sent, if not nil, is called once by players that pass the question on to
	// somebody else, right after they have and before they wait: the referee then
	// does what was not to delay the question, the journal for one. Players that
	// think themselves need not call it.
	Sent func()
}

// Rejection says what became of the previous answer in the same turn.
type Rejection uint8

// The rejections.
const (
	// NotRejected: the prompt opens a turn or continues an accepted one.
	NotRejected Rejection = iota
	// AttemptRefused: a game with hidden facts refused the attempt; the notice
	// was told before.
	AttemptRefused
	// AnswerIllegal: the answer was illegal and the run allows another.
	AnswerIllegal
)

// Answer is what a player decided.
type Answer struct {
	// Steps are one or more decisions of one turn, in order.
	Steps []game.Move
	// Whole tells that Steps are meant to be the whole turn, as where a protocol
	// has one line for it: if the turn would go on after them, the answer is
	// illegal.
	Whole bool
	// Unread, if not empty, says why Raw is meant as a decision and cannot be read
	// as one; Steps are then empty. It is judged as an illegal answer.
	Unread string
	// Info is what the player says about them, Lines its further variations.
	Info  game.Info
	Lines []game.Info
	// Raw is the answer as it came over a protocol, for evidence. Empty for
	// players without one.
	Raw string
	// Taken tells that whoever gave the answer was told that it is taken: it counts
	// even if the game was stopped in the meantime, and ends after it.
	Taken bool
	// Used is the thinking time as the player's host measured it on the
	// monotonic clock, if Measured; otherwise the referee's own measure counts.
	Used     time.Duration
	Measured bool
	// Claimed is the thinking time as the other end of a connection measured it, if it
	// is above 0. It is on no clock: what is beyond it is the transmission error.
	Claimed time.Duration
	// Late is how much later than it arrived the answer was noticed, as far as
	// the link can tell, and for how long it could not have arrived: the referee's
	// own delay, which it does not charge. It is told with an error, too.
	Late time.Duration
}

// Failure is the error of a player that cannot go on. Reason is one of the
// constants of package game.
type Failure struct {
	Reason game.Reason
	// Detail is one line for people.
	Detail string
	// Evidence are the lines that show it: output, stderr, exit status.
	Evidence []string
	Err      error
}

// Error returns the reason and the detail.
func (f *Failure) Error() string { return fmt.Sprintf("%s: %s", f.Reason, f.Detail) }

// Unwrap returns the underlying error.
func (f *Failure) Unwrap() error { return f.Err }

// Fail builds a Failure.
func Fail(why game.Reason, err error, format string, args ...any) *Failure {
	return &Failure{Reason: why, Err: err, Detail: fmt.Sprintf(format, args...)}
}

// ErrUnsupported is what optional methods return for what a player cannot do.
var ErrUnsupported = errors.New("not supported by this player")

// Start says from where a player can begin a game.
type Start uint8

// The starts, each including the ones before it.
const (
	FromNothing  Start = iota // the initial position only
	FromHistory               // after moves from the initial position
	FromPosition              // any position
)

// Positioner is implemented by players that can start elsewhere than at the
// initial position. A player without it starts FromNothing.
type Positioner interface {
	// CanStart says from where, for the game. It is asked before the match.
	CanStart(spec game.Spec) Start
}

// Analyst is implemented by players that evaluate positions.
type Analyst interface {
	// Analyse thinks about the current position and streams what it finds, best
	// lines by Rank, until ctx ends, the engine is done, or yield returns false.
	Analyse(ctx context.Context, q Question, yield func(game.Info) bool) error
}

// Question says what to analyse.
type Question struct {
	Lines  int // how many first moves to evaluate
	Depth  int
	Budget time.Duration
	// WholeGame asks for one evaluation for every position of the game so far
	// instead; Info.Rank then counts the decisions made, 0 for the start.
	WholeGame bool
}

// Learner is implemented by players that learn from a finished game.
type Learner interface {
	Learn(ctx context.Context) error
}

// Ponderer is implemented by players that can think in the opponent's time.
type Ponderer interface {
	Ponder(on bool) error
}

// Suspender is implemented by players whose process can be stopped while the
// opponent thinks.
type Suspender interface {
	Suspend() error
	Resume() error
}

// Suggester is implemented by players that can name a decision without deciding.
type Suggester interface {
	Suggest(ctx context.Context, p *Prompt) (Answer, error)
}

// Consulter is implemented by players whose engine may propose a decision, and leave it to
// somebody else.
type Consulter interface {
	// Consult says who decides then: decide gets the question and what is proposed, and
	// returns at the latest when ctx ends. Without it what is proposed is decided.
	Consult(decide func(ctx context.Context, p *Prompt, proposed game.Move) game.Move)
}

// Decider is implemented by people, to whom an engine of the other seat may leave a decision of
// its own.
type Decider interface {
	// Decide asks what the engine is to play, p being its question. What was proposed is decided
	// where nobody decides otherwise, as when ctx ends or Stop is called.
	Decide(ctx context.Context, p *Prompt, proposed game.Move) game.Move
}

// Hurrier is implemented by players that answer Stop with a decision. All others have
// no word for it: their game ends with it.
type Hurrier interface {
	// Hurries does nothing.
	Hurries()
}

// Person is implemented by players who are people.
type Person interface {
	// IsPerson does nothing; it tells people from engines.
	IsPerson()
}

// Explainer is implemented by players that may know why they are misunderstood: hosts
// of protocols that can be spoken in more than one way.
type Explainer interface {
	// Explain returns the likely cause of an answer that is not legal, by its Raw, in a
	// few words, empty if it knows none. would says whether other steps would be legal.
	Explain(raw string, would func(steps []game.Move) bool) string
}

// Namer is implemented by players that learn their own name from an engine.
type Namer interface {
	// EngineName returns the name as the engine gave it, empty if it did not.
	EngineName() string
}

// MostOwnName is how much is kept and shown of what an engine calls itself, in characters.
const MostOwnName = 60

// OwnName is what the engine behind a player calls itself, as it is shown and kept; empty if
// it says nothing, or if there is none.
func OwnName(p Player) string {
	n, ok := p.(Namer)
	if !ok {
		return ""
	}
	return game.Shown(n.EngineName(), MostOwnName)
}

// Beside is what an engine calls itself, or nothing where the name of its seat says so already.
func Beside(own, seat string) string {
	if strings.Contains(seat, own) {
		return ""
	}
	return own
}

// Describer is implemented by players that learn from an engine what it says of itself.
type Describer interface {
	// EngineAbout returns that in one line, empty if it says nothing.
	EngineAbout() string
}

// Witness is implemented by players that can show what happened: the traffic and
// the diagnostics of the running game.
type Witness interface {
	// Evidence returns the latest lines of the engine's stderr and how its
	// process ended, if it has.
	Evidence() []string
}

// Used is what the processes behind a player have consumed.
type Used struct {
	// CPU is processor time of all their threads.
	CPU time.Duration
	// Peak is the largest resident memory in bytes, 0 if unknown.
	Peak int64
}

// Sched is how the kernel has scheduled the processes behind a player so far.
type Sched struct {
	// Ran is the time on a processor, Waited that in which a thread could have run and
	// none was free.
	Ran, Waited time.Duration
}

// Scheduled is implemented by players behind whom processes run. The method belongs to
// the goroutine that uses the player and costs too much for every move. It is false
// where the system does not tell.
type Scheduled interface {
	Sched() (Sched, bool)
}

// Flooder is implemented by players behind whom there is somebody who can say more than
// is kept. The method belongs to the goroutine that uses the player.
type Flooder interface {
	// Floods returns how often that has been more, between two lines to him, than is
	// shown to whoever watches: the difference of two calls is what it was in between.
	Floods() int64
}

// Placed is implemented by players behind whom one process runs that can be bound to
// processors: see link.Placed. The method belongs to the goroutine that uses the player.
type Placed interface {
	Place(processors, all []int) bool
}

// Meter is implemented by players behind whom processes run. Both methods belong to
// the goroutine that uses the player. They cost too much for every move.
type Meter interface {
	// Used returns what the processes have consumed so far, those before the running
	// one included: the difference of two calls is what they consumed in between.
	// The peak is that since Begin, where the system can tell. It is false if
	// nothing is known.
	Used() (Used, bool)
	// Begin begins the measurement of the peak anew, and returns what Used would of the
	// processor time.
	Begin() (Used, bool)
}
