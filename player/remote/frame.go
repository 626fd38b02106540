// Package remote lets a Player play at the other end of a connection that carries
// messages.
//
// Player stands where the referee is, Client where the engine is. What the referee
// tells goes out in numbered frames that are kept until the game is over, so that
// whoever comes back says what he has and gets the rest; what comes back answers a
// numbered question and may come twice. A frame holds what its seat may know and
// nothing else: the set-up, updates, and questions with the decisions that may be made.
package remote

import (
	"encoding/json"
	"fmt"
	"math"
	"time"

	"kibitz/clock"
	"kibitz/game"
	"kibitz/player"
)

// Version is the version of the frames. Both ends must have the same.
const Version = 2

// What a frame may hold at most.
const (
	// MaxFrame is how long a frame may be, in bytes.
	MaxFrame    = 1 << 20
	maxSteps    = 1000
	maxLines    = 64
	maxEvidence = 100
	maxText     = 2000
	maxName     = 100
)

type kind string

// The kinds. From the referee: all that have a number (Frame.N), acks, and answers to
// acts. From the engine: the others; those with a question (Frame.Q) or a number of their
// own (Frame.I) are repeated until they are answered.
const (
	kindNew    kind = "new"    // Setup: a game begins
	kindUpdate kind = "update" // Update: what happened
	kindPrompt kind = "prompt" // Prompt: a decision is wanted
	kindStop   kind = "stop"   // Q: an answer is wanted at once
	kindAsks   kind = "asks"   // Asks: what the seats ask of each other
	kindOver   kind = "over"   // Result: the game is over
	kindGone   kind = "gone"   // a question that is answered: nothing to do
	kindBye    kind = "bye"    // the seat is closed
	kindAck    kind = "ack"    // Q was heard
	kindHello  kind = "hello"  // Session, Last: who comes, and what he has
	kindReady  kind = "ready"  // Q: the game can begin
	kindAnswer kind = "answer" // Q, Answer: the decision
	kindFailed kind = "failed" // Q, Failure: the player cannot go on
	kindThink  kind = "think"  // Q, Think: what the player reports while it thinks; may be lost
	kindLines  kind = "lines"  // Lines: what passes between the player and its engine; may be lost
	// I, Move: a decision of question Q that is left to somebody else, and what he decided
	kindPropose kind = "propose"
	kindDecided kind = "decided"
	kindAct     kind = "act"   // I, Act: what is done beside the moves
	kindActed   kind = "acted" // I, Reply: what came of it
)

type frame struct {
	V int  `json:"v"`
	K kind `json:"k"`
	// S names the game and its attempt; frames of another one are left alone.
	S string `json:"s,omitempty"`
	// N numbers the frames of the referee in a session from 1, Q its questions.
	N int `json:"n,omitempty"`
	Q int `json:"q,omitempty"`
	// I numbers what the engine's end does beside the moves: the same number is done once.
	I int `json:"i,omitempty"`
	// Last is the latest frame that the sender of a hello has, in order.
	Last int `json:"last,omitempty"`

	Setup   *wireSetup     `json:"setup,omitempty"`
	Update  *player.Update `json:"update,omitempty"`
	Prompt  *wirePrompt    `json:"prompt,omitempty"`
	Result  *game.Result   `json:"result,omitempty"`
	Act     *player.Act    `json:"act,omitempty"`
	Reply   *player.Reply  `json:"reply,omitempty"`
	Asks    *player.Asks   `json:"asks,omitempty"`
	Move    *game.Move     `json:"move,omitempty"`
	Answer  *wireAnswer    `json:"answer,omitempty"`
	Failure *wireFailure   `json:"failure,omitempty"`
	Think   *game.Info     `json:"think,omitempty"`
	Lines   []wireLine     `json:"lines,omitempty"`
	// Whole tells that no line of the game follows Lines.
	Whole bool `json:"whole,omitempty"`
	// Start is from where the engine can begin, Name its own name; Asked tells that it
	// can be asked for something.
	Start player.Start `json:"start,omitempty"`
	Name  string       `json:"name,omitempty"`
	Asked bool         `json:"asked,omitempty"`
	Used  *player.Used `json:"used,omitempty"`
}

// wireSetup is a Setup without what cannot be sent.
type wireSetup struct {
	Setup player.Setup `json:"setup"`
	View  *game.View   `json:"view,omitempty"`
	// Patience is how long the referee waits for the player to become ready.
	Patience time.Duration `json:"patience"`
	// Lines asks for what passes between the player and its engine.
	Lines bool `json:"lines,omitempty"`
}

// wirePrompt is a Prompt: the decisions themselves, and the time that is left instead
// of a point in time, because clocks differ.
type wirePrompt struct {
	Seat     game.Seat        `json:"seat"`
	Turn     game.Turn        `json:"turn"`
	Legal    []game.Move      `json:"legal"`
	Clocks   [2]clock.Clock   `json:"clocks"`
	Colours  [2]game.Colour   `json:"colours"`
	View     *game.View       `json:"view,omitempty"`
	Left     time.Duration    `json:"left,omitempty"`
	Timed    bool             `json:"timed,omitempty"`
	Again    int              `json:"again,omitempty"`
	Rejected player.Rejection `json:"rejected,omitempty"`
	Limits   player.Limits    `json:"limits"`
	// Think asks for what the player reports while it thinks.
	Think bool `json:"think,omitempty"`
	// Consult tells that somebody decides what the engine proposes.
	Consult bool `json:"consult,omitempty"`
}

// wireAnswer is an Answer with the time that the engine's end measured.
type wireAnswer struct {
	Steps  []game.Move   `json:"steps,omitempty"`
	Whole  bool          `json:"whole,omitempty"`
	Unread string        `json:"unread,omitempty"`
	Info   game.Info     `json:"info"`
	Lines  []game.Info   `json:"lines,omitempty"`
	Raw    string        `json:"raw,omitempty"`
	Used   time.Duration `json:"used"`
}

type wireFailure struct {
	Reason   game.Reason `json:"reason"`
	Detail   string      `json:"detail"`
	Evidence []string    `json:"evidence,omitempty"`
}

func encode(f *frame) ([]byte, error) {
	f.V = Version
	data, err := json.Marshal(f)
	if err != nil {
		return nil, fmt.Errorf("a frame of kind %q: %w", f.K, err)
	}
	if len(data) > MaxFrame {
		return nil, fmt.Errorf("a frame of kind %q has %d bytes, at most %d are sent", f.K, len(data), MaxFrame)
	}
	return data, nil
}

// decode reads a frame. What it holds is bounded, and is not judged.
func decode(data []byte) (*frame, error) {
	if len(data) > MaxFrame {
		return nil, fmt.Errorf("a frame of %d bytes: at most %d are read", len(data), MaxFrame)
	}
	var f frame
	if err := json.Unmarshal(data, &f); err != nil {
		return nil, fmt.Errorf("no frame: %w", err)
	}
	if f.V != Version {
		return nil, fmt.Errorf("a frame of version %d: this program has version %d", f.V, Version)
	}
	if f.N < 0 || f.Q < 0 || f.I < 0 || f.Last < 0 {
		return nil, fmt.Errorf("a frame of kind %q with a number below zero", f.K)
	}
	return &f, f.check()
}

// check looks whether a frame holds what its kind says.
func (f *frame) check() error {
	missing := false
	switch f.K {
	case kindNew:
		missing = f.Setup == nil
	case kindUpdate:
		missing = f.Update == nil
	case kindPrompt:
		missing = f.Prompt == nil
	case kindOver:
		missing = f.Result == nil
	case kindAnswer:
		missing = f.Answer == nil
	case kindFailed:
		missing = f.Failure == nil
	case kindThink:
		missing = f.Think == nil
	case kindAsks:
		missing = f.Asks == nil
	case kindAct:
		missing = f.I == 0 || f.Act == nil
	case kindPropose, kindDecided:
		missing = f.I == 0 || f.Move == nil
	case kindActed:
		missing = f.I == 0 || f.Reply == nil
	case kindStop, kindGone, kindBye, kindAck, kindHello, kindReady, kindLines:
	default:
		return fmt.Errorf("a frame of the unknown kind %q", game.Shown(string(f.K), 40))
	}
	if missing {
		return fmt.Errorf("a frame of kind %q without its data", f.K)
	}
	f.Name = game.Shown(f.Name, maxText)
	if f.Act != nil {
		f.Act.ID, f.Act.Do = game.Shown(f.Act.ID, maxName), player.Deed(game.Shown(string(f.Act.Do), maxName))
	}
	if u := f.Used; u != nil {
		u.CPU, u.Peak = max(0, u.CPU), max(0, u.Peak)
	}
	if f.Think != nil {
		*f.Think = told(*f.Think)
	}
	if f.K == kindLines {
		return boundLines(f.Lines)
	}
	if f.Failure != nil {
		f.Failure.bound()
	}
	if f.Answer != nil {
		return f.Answer.bound()
	}
	return nil
}

// bound cuts what is too long.
func (w *wireFailure) bound() {
	w.Detail = game.Shown(w.Detail, maxText)
	w.Evidence = w.Evidence[:min(len(w.Evidence), maxEvidence)]
	for i, line := range w.Evidence {
		w.Evidence[i] = game.Shown(line, maxText)
	}
}

// bound refuses an answer that no game can want, and cuts words.
func (w *wireAnswer) bound() error {
	if len(w.Steps) > maxSteps || len(w.Lines) > maxLines || len(w.Info.PV) > maxSteps {
		return fmt.Errorf("an answer of %d steps with %d lines", len(w.Steps), len(w.Lines))
	}
	w.Unread, w.Raw = game.Shown(w.Unread, maxText), game.Shown(w.Raw, maxText)
	w.Used = max(0, w.Used)
	w.Info = told(w.Info)
	for i := range w.Lines {
		w.Lines[i] = told(w.Lines[i])
	}
	return nil
}

// told returns what an engine says as it can be sent: JSON knows no infinity.
func told(i game.Info) game.Info {
	if odd(i.Eval.Lo) || odd(i.Eval.Hi) || i.Eval.Lo > i.Eval.Hi {
		i.Eval = game.Eval{}
	}
	if odd(i.Confidence) {
		i.Confidence = 0
	}
	i.Depth, i.SelDepth, i.Nodes, i.Time = max(0, i.Depth), max(0, i.SelDepth), max(0, i.Nodes), max(0, i.Time)
	i.Text = game.Shown(i.Text, maxText)
	i.PV = i.PV[:min(len(i.PV), maxSteps)]
	return i
}

func odd(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) }

// toldUpdate returns an update as it can be sent.
func toldUpdate(u *player.Update) *player.Update {
	c := u.Clone()
	if c.Info != nil {
		*c.Info = told(*c.Info)
	}
	return &c
}

// shown shows a view that came in a frame, or nothing.
type shown struct{ v game.View }

func (s shown) View() game.View { return s.v }

// viewOf builds what a viewer shows.
func viewOf(v player.Viewer) *game.View {
	if v == nil {
		return nil
	}
	view := v.View()
	return &view
}

// legal are decisions that came in a frame.
type legal []game.Move

func (l legal) Legal(dst []game.Move) []game.Move { return append(dst, l...) }
