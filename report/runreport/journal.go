package runreport

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"

	"kibitz/journal"
	"kibitz/report"
	"kibitz/tournament"
)

// Journals are read in blocks of whole lines; a line is at most maxBlock long.
const (
	blockSize = 256 << 10
	maxBlock  = 16 << 20
)

// published is what a journal says in the open of the secrets of its run.
type published struct {
	// commitment is the run's own, revealed those whose seeds are published.
	commitment string
	revealed   map[string]bool
	run        *journal.Run
	// entered are the engines that organisers let in late.
	entered []report.Engine
}

// over reports whether the secret of the run is published, which is the last thing
// that happens.
func (p *published) over() bool { return p.commitment != "" && p.revealed[p.commitment] }

// closed reports whether a game with the commitment may not be told yet.
func (p *published) closed(commitment string) bool {
	return commitment != "" && !p.over() && !p.revealed[commitment]
}

// scanJournal finds what was published, without reading the games.
func scanJournal(name string) (*published, error) {
	out := &published{revealed: map[string]bool{}}
	_, err := eachBlock(name, func(block []byte) error {
		for line := range bytes.Lines(block) {
			kind, _ := kindOf(line)
			switch journal.Kind(kind) {
			case journal.KindReveal, journal.KindRun, journal.KindOrder:
			default:
				continue
			}
			ev, err := journal.ParseEvent(line)
			switch {
			case errors.Is(err, journal.ErrNewer):
				return err
			case err != nil:
			case ev.Reveal != nil:
				out.revealed[ev.Reveal.Commitment] = true
			case ev.Run != nil && out.run == nil:
				out.run, out.commitment = ev.Run, ev.Run.Commitment
			case ev.Order != nil:
				out.enter(ev.Order)
			}
		}
		return nil
	})
	return out, err
}

// enter notes the engine that an order lets in, if it is such an order.
func (p *published) enter(o *journal.Order) {
	var order tournament.Order
	if json.Unmarshal(o.Order, &order) == nil && order.Kind == tournament.Enter && order.Name != "" {
		p.entered = append(p.entered, report.Engine{Name: order.Name, Spec: shownWords(engineWords(o.Engine))})
	}
}

// eachBlock passes the whole lines of a file in blocks that are valid during the
// call, and returns how many bytes follow the last whole line.
func eachBlock(name string, fn func(block []byte) error) (torn int, err error) {
	f, err := os.Open(name)
	if err != nil {
		return 0, err
	}
	defer f.Close() //nolint:errcheck // only read
	sc := bufio.NewScanner(f)
	sc.Buffer(make([]byte, blockSize), maxBlock)
	sc.Split(func(data []byte, end bool) (int, []byte, error) {
		if n := bytes.LastIndexByte(data, '\n') + 1; n > 0 {
			return n, data[:n], nil
		}
		if end {
			torn = len(data)
			return len(data), nil, nil
		}
		return 0, nil, nil
	})
	for sc.Scan() {
		if err := fn(sc.Bytes()); err != nil {
			return torn, err
		}
	}
	if err := sc.Err(); err != nil {
		return torn, fmt.Errorf("%s: %w", name, err)
	}
	return torn, nil
}

// parsed is a block of events, in order, with what was wrong among them.
type parsed struct {
	events []journal.Event
	faults []error
	err    error // of a journal that a newer program wrote
}

// readEvents passes the events of a journal that a report needs to fn in order.
// Blocks are parsed side by side. Torn is the length of an unfinished last line.
func readEvents(name string, fn func(*journal.Event) error) (torn int, faults []error, err error) {
	queue := make(chan chan parsed, 2*runtime.GOMAXPROCS(0))
	stop := make(chan struct{})
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	var bad error
	go func() {
		defer close(queue)
		torn, bad = eachBlock(name, func(block []byte) error {
			out, data := make(chan parsed, 1), bytes.Clone(block)
			select {
			case queue <- out:
			case <-stop:
				return io.EOF
			}
			slots <- struct{}{}
			go func() {
				out <- parseBlock(data)
				<-slots
			}()
			return nil
		})
	}()
	for out := range queue {
		if err != nil {
			continue
		}
		p := <-out
		faults = append(faults, p.faults...)
		err = p.err
		for i := range p.events {
			if err == nil {
				err = fn(&p.events[i])
			}
		}
		if err != nil {
			close(stop)
		}
	}
	return torn, faults, errors.Join(err, unlessEnd(bad))
}

func unlessEnd(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// parseBlock parses lines. Views and notices are for the audiences of a running
// game; what was said without a number tells a report nothing.
func parseBlock(block []byte) parsed {
	var p journal.Parser
	out := parsed{events: make([]journal.Event, 0, bytes.Count(block, []byte("\n")))}
	for line := range bytes.Lines(block) {
		if skipped(line) {
			continue
		}
		ev, err := p.Parse(line)
		switch {
		case errors.Is(err, journal.ErrNewer):
			out.err = err
			return out
		case err != nil:
			out.faults = append(out.faults, err)
		default:
			out.events = append(out.events, ev)
		}
	}
	return out
}

// kindOf returns the kind of the event of a line and what follows it. Within a text
// the quotation marks would be escaped.
func kindOf(line []byte) (kind, rest []byte) {
	_, rest, _ = bytes.Cut(line, []byte(`"kind":"`))
	kind, rest, _ = bytes.Cut(rest, []byte{'"'})
	return kind, rest
}

// skipped reports whether a line holds an event that no report needs.
func skipped(line []byte) bool {
	kind, rest := kindOf(line)
	switch journal.Kind(kind) {
	case journal.KindSaid:
		tells := func(key string) bool { return bytes.Contains(rest, []byte(key)) }
		return !slices.ContainsFunc([]string{`"unit":`, `"depth":`, `"nodes":`}, tells)
	case journal.KindNotices, journal.KindView:
		return true
	}
	return false
}
