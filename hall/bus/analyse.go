package bus

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"kibitz/game"
	"kibitz/game/wire"
)

// Signs of life of an analysis, in both directions: how often one is given, and after
// what silence the other end counts as gone.
const (
	analysisBeat    = 2 * time.Second
	analysisSilence = 10 * time.Second
	// freeTries is how often workers that have no place are asked again, freePause the
	// time between.
	freeTries = 8
	freePause = 250 * time.Millisecond
)

// analysisWord is in the subjects of analyses.
const analysisWord = "analysis"

// Codes of the AskError of an analysis.
const (
	// AnalysisBusy: no worker has a place at present.
	AnalysisBusy = "busy"
	// AnalysisNobody: no worker has the engine.
	AnalysisNobody = "nobody"
	// AnalysisFailed: the position or the engine is not up to it.
	AnalysisFailed = "failed"
)

// Analysis is what an engine is to evaluate: a position, or every position of a game.
// It is for games that are over, for positions that people set up, and for kibitzers of
// games that hide nothing: nothing of it is hidden from whoever asks.
type Analysis struct {
	// ID is unique, it names the analysis in subjects.
	ID string `json:"id"`
	// Spec is what is played, Position the text of the position it begins from (empty
	// for the initial one), Moves are the decisions from there in the journal's form.
	Spec     game.Spec `json:"spec"`
	Position string    `json:"position,omitempty"`
	Moves    []string  `json:"moves,omitempty"`
	// Whole asks for every position of the game instead of the last one.
	Whole bool `json:"whole,omitempty"`
	// Engine is "bot=3", or the name of an engine of a worker; Hash is then that of its
	// program.
	Engine string `json:"engine"`
	Hash   string `json:"hash,omitempty"`
	// Lines is how many first moves to evaluate, Time bounds each position, Total all
	// of them.
	Lines int           `json:"lines"`
	Time  time.Duration `json:"time"`
	Total time.Duration `json:"total"`
	// Depth and Nodes bound each position too, in plies and positions; 0 is no bound.
	Depth int   `json:"depth,omitempty"`
	Nodes int64 `json:"nodes,omitempty"`
}

// Analysed is what an engine says of a position.
type Analysed struct {
	// Ply is the number of decisions made before the position, Seat who decides there.
	Ply  int       `json:"ply"`
	Seat game.Seat `json:"seat"`
	// Lines are the best lines so far, the best first, as the seat on turn sees them.
	Lines []AnalysedLine `json:"lines"`
	// Final tells that no more will be said of the position. Done and All count the
	// positions of a whole game.
	Final bool `json:"final,omitempty"`
	Done  int  `json:"done,omitempty"`
	All   int  `json:"all,omitempty"`
	// Review, if not nil, is the last word about a whole game; it has no lines.
	Review *wire.Review `json:"review,omitempty"`
}

// AnalysedLine is a line that an engine expects.
type AnalysedLine struct {
	Eval  game.Eval     `json:"eval"`
	Depth int           `json:"depth,omitempty"`
	Nodes int64         `json:"nodes,omitempty"`
	Time  time.Duration `json:"time,omitempty"`
	// Exact tells that the evaluation is proved.
	Exact bool `json:"exact,omitempty"`
	// Moves are in the journal's form.
	Moves []string `json:"moves,omitempty"`
	Text  string   `json:"text,omitempty"`
}

// analysisNews is a message from the worker: what was found, a sign of life (all
// empty), or the end.
type analysisNews struct {
	Found *Analysed `json:"found,omitempty"`
	End   bool      `json:"end,omitempty"`
	Error string    `json:"error,omitempty"`
	Code  string    `json:"code,omitempty"`
}

// analysisSubject is where an analysis is asked for: of any worker, or of those that
// have an engine.
func (n names) analysisSubject(hash string) (string, error) {
	if hash == "" {
		return n.subject(analysisWord, "any"), nil
	}
	if err := CheckName("hash of an engine", hash); err != nil {
		return "", err
	}
	return n.subject(analysisWord, "need", hash), nil
}

// Analyses are what workers with free places say of positions.
type Analyses struct{ *conn }

// Analyse has one worker analyse, and passes on what it finds until it is done, ctx
// ends or fn returns an error. An *AskError says why nothing came of it. Nothing of an
// analysis is kept: if the worker is lost, so is the analysis.
func (x *Analyses) Analyse(ctx context.Context, q Analysis, fn func(Analysed) error) error {
	subject, err := x.names.analysisSubject(q.Hash)
	if err != nil {
		return err
	}
	if err := CheckName("analysis", q.ID); err != nil {
		return err
	}
	data, err := json.Marshal(q)
	if err != nil {
		return fmt.Errorf("bus: analysis: %w", err)
	}
	if err := x.tooLong("analysis", len(data)); err != nil {
		return err
	}
	for try := 1; ; try++ {
		err := x.analyseOnce(ctx, subject, q.ID, data, fn)
		if own := (*AskError)(nil); try == freeTries || !errors.As(err, &own) || own.Code != AnalysisBusy {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-x.life.Done():
			return ErrClosed
		case <-time.After(freePause):
		}
	}
}

// analyseOnce asks one worker.
func (x *Analyses) analyseOnce(ctx context.Context, subject, id string, data []byte, fn func(Analysed) error) error {
	inbox := x.nc.NewInbox()
	news := make(chan *nats.Msg, 256)
	sub, err := x.nc.ChanSubscribe(inbox, news)
	if err != nil {
		return fmt.Errorf("bus: analysis: %w", err)
	}
	defer sub.Unsubscribe() //nolint:errcheck // the connection is gone then, and the subscription with it
	if err := x.nc.PublishRequest(subject, inbox, data); err != nil {
		return fmt.Errorf("bus: analysis: %w", err)
	}
	on := x.names.subject(analysisWord, "on", id)
	defer x.publish(on, []byte("stop")) //nolint:errcheck // the worker notices the silence
	beat := time.NewTicker(analysisBeat)
	defer beat.Stop()
	silence := time.NewTimer(analysisSilence)
	defer silence.Stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-x.life.Done():
			return ErrClosed
		case <-beat.C:
			if err := x.publish(on, []byte("on")); err != nil {
				return err
			}
		case <-silence.C:
			return &AskError{Code: AnalysisFailed, Text: "the worker that analysed gives no sign any more"}
		case m := <-news:
			silence.Reset(analysisSilence)
			if end, err := readNews(m, fn); end || err != nil {
				return err
			}
		}
	}
}

// readNews passes on a message of the worker, and reports whether it was the last.
func readNews(m *nats.Msg, fn func(Analysed) error) (end bool, err error) {
	if len(m.Data) == 0 && m.Header.Get("Status") == "503" {
		return true, &AskError{Code: AnalysisNobody, Text: "no worker that has the engine is there"}
	}
	var n analysisNews
	if err := json.Unmarshal(m.Data, &n); err != nil {
		return true, fmt.Errorf("bus: news of an analysis cannot be read: %w", err)
	}
	if n.Error != "" {
		return true, &AskError{Code: n.Code, Text: n.Error}
	}
	if n.Found != nil {
		if err := fn(*n.Found); err != nil {
			return true, err
		}
	}
	return n.End, nil
}

// ServeAnalyses lets a worker analyse, up to places at a time, for whoever asks for any
// engine or for one of those of the hashes. The context of fn ends when nobody wants
// the analysis any more; its error is one line for people.
func (x *Analyses) ServeAnalyses(
	hashes []string, places int, fn func(ctx context.Context, q Analysis, found func(Analysed)) error,
) (stop func(), err error) {
	s := &analysisServer{conn: x.conn, free: make(chan struct{}, places), fn: fn}
	s.ctx, s.end = context.WithCancel(x.life)
	for _, h := range append([]string{""}, hashes...) {
		subject, err := x.names.analysisSubject(h)
		if err == nil {
			var sub *nats.Subscription
			if sub, err = x.nc.QueueSubscribe(subject, "workers", s.take); err == nil {
				s.subs = append(s.subs, &Subscription{sub})
			}
		}
		if err != nil {
			s.close()
			return nil, fmt.Errorf("bus: listening for analyses: %w", err)
		}
	}
	return s.close, x.reach()
}

// analysisServer is a worker's side of analyses.
type analysisServer struct {
	conn    *conn
	free    chan struct{}
	fn      func(context.Context, Analysis, func(Analysed)) error
	subs    []*Subscription
	ctx     context.Context
	end     context.CancelFunc
	running sync.WaitGroup
}

func (s *analysisServer) close() {
	for _, sub := range s.subs {
		sub.Close()
	}
	s.end()
	s.running.Wait()
}

func (s *analysisServer) tell(to string, n analysisNews) {
	data, err := json.Marshal(n)
	if err == nil {
		err = s.conn.publish(to, data)
	}
	if err != nil {
		s.conn.opts.Log.Warn("bus: news of an analysis are lost: " + err.Error())
	}
}

// take begins an analysis if there is a place.
func (s *analysisServer) take(m *nats.Msg) {
	var q Analysis
	if err := json.Unmarshal(m.Data, &q); err != nil || CheckName("analysis", q.ID) != nil {
		s.tell(m.Reply, analysisNews{Error: "the question cannot be read", Code: AnalysisFailed})
		return
	}
	select {
	case s.free <- struct{}{}:
	default:
		s.tell(m.Reply, analysisNews{Error: "all places for analyses are taken", Code: AnalysisBusy})
		return
	}
	if s.ctx.Err() != nil || !s.conn.begin() {
		<-s.free
		return
	}
	s.running.Go(func() {
		defer s.conn.running.Done()
		defer func() { <-s.free }()
		s.run(m.Reply, q)
	})
}

// run analyses until it is done, or whoever asked is gone.
func (s *analysisServer) run(to string, q Analysis) {
	ctx, cancel := context.WithTimeout(s.ctx, q.Total)
	defer cancel()
	signs := make(chan string, 4)
	sub, err := s.conn.hear(s.conn.names.subject(analysisWord, "on", q.ID), func(m *nats.Msg) {
		select {
		case signs <- string(m.Data):
		default:
		}
	})
	if err != nil {
		s.tell(to, analysisNews{Error: err.Error(), Code: AnalysisFailed})
		return
	}
	defer sub.Close()
	done := make(chan struct{})
	defer close(done)
	go func() {
		defer cancel()
		s.attend(ctx, done, signs, to)
	}()
	err = s.fn(ctx, q, func(a Analysed) { s.tell(to, analysisNews{Found: &a}) })
	n := analysisNews{End: true}
	if err != nil && ctx.Err() == nil {
		n.Error, n.Code = err.Error(), AnalysisFailed
	}
	s.tell(to, n)
}

// attend gives signs of life, and returns when whoever asked gives none.
func (s *analysisServer) attend(ctx context.Context, done <-chan struct{}, signs <-chan string, to string) {
	beat := time.NewTicker(analysisBeat)
	defer beat.Stop()
	silence := time.NewTimer(analysisSilence)
	defer silence.Stop()
	for {
		select {
		case <-done:
			return
		case <-ctx.Done():
			return
		case <-silence.C:
			return
		case sign := <-signs:
			if sign == "stop" {
				return
			}
			silence.Reset(analysisSilence)
		case <-beat.C:
			s.tell(to, analysisNews{})
		}
	}
}
