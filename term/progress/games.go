package progress

import (
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"kibitz/internal/plain"
	"kibitz/term"
)

// Games tells people how a run goes: a bar on a terminal, a line now and then
// elsewhere, nothing when quiet.
type Games struct {
	w        io.Writer
	total    int
	interval int
	quiet    bool
	now      func() time.Time
	began    time.Time
	bars     *mpb.Progress
	bar      *mpb.Bar
	line     atomic.Pointer[string]
	renewed  time.Time // when line was made
	before   int       // games that were played before the run was taken up again
}

// renewEvery is how often the standing beside the bar of a field of engines changes at
// most.
const renewEvery = time.Second

// Resumed tells that so many games were played before.
func (p *Games) Resumed(games int) {
	p.before = games
	if p.bar != nil && games > 0 {
		p.bar.SetRefill(int64(games))
		p.bar.IncrBy(games)
	}
}

// NewGames shows a run of so many games, whose standing is told in full every interval games,
// never for 0.
func NewGames(w io.Writer, total, interval int, quiet bool, now func() time.Time) *Games {
	p := &Games{w: w, total: total, interval: interval, quiet: quiet, now: now, began: now()}
	empty := ""
	p.line.Store(&empty)
	if !quiet && term.IsTerminal(w) {
		p.bars = mpb.New(mpb.WithOutput(term.Bare(w)), mpb.WithWidth(30))
		p.bar = p.bars.AddBar(int64(total),
			mpb.PrependDecorators(decor.CountersNoUnit("%d/%d games ")),
			mpb.AppendDecorators(
				decor.Any(func(decor.Statistics) string { return *p.line.Load() }),
				decor.OnComplete(decor.Any(func(s decor.Statistics) string { return p.Left(int(s.Current)) }, decor.WC{W: 8}), ""),
			))
	}
	return p
}

// Game prints one line about a finished game, above the bar if there is one.
func (p *Games) Game(text string) {
	if p.quiet {
		return
	}
	if p.bars != nil {
		fmt.Fprintln(p.bars, text)
		return
	}
	fmt.Fprintln(p.w, text)
}

// Warn prints a remark even when quiet.
func (p *Games) Warn(text string) {
	if p.bars != nil {
		fmt.Fprintln(p.bars, "warning: "+text)
		return
	}
	fmt.Fprintln(p.w, "warning: "+text)
}

// Standing is how a run stands.
type Standing struct {
	// Pair tells that there are two engines.
	Pair bool
	// Short is the standing in a few words; Detail is what is printed every so many
	// games, a table or the figures of a match.
	Short, Detail func() string
}

// Standing shows how the run stands after so many games: in the bar, and in full every so
// many games.
func (p *Games) Standing(done int, s Standing) {
	if p.quiet {
		return
	}
	if p.bar != nil {
		// The leader of many is found by fitting all ratings: not after every game.
		if now := p.now(); s.Pair || done >= p.total || now.Sub(p.renewed) >= renewEvery {
			text := s.Short()
			p.line.Store(&text)
			p.renewed = now
		}
		p.bar.Increment()
	}
	if p.interval <= 0 || done == 0 || done%p.interval != 0 || done >= p.total || p.bar != nil && s.Pair {
		return
	}
	text := fmt.Sprintf("%d of %d games", done, p.total)
	if s.Pair {
		text += ", " + s.Short()
	}
	text += fmt.Sprintf(", %s left\n%s", p.Left(done), s.Detail())
	p.Game(strings.TrimRight(text, "\n"))
}

// Left is how long the games that are left may take, by those of this start.
func (p *Games) Left(done int) string {
	return plain.Remaining(p.now().Sub(p.began), done-p.before, p.total-p.before)
}

// Grow takes over how many games there are: rematches add some.
func (p *Games) Grow(total int) {
	if total == p.total {
		return
	}
	p.total = total
	if p.bar != nil {
		p.bar.SetTotal(int64(total), false)
	}
}

// Close ends the display.
func (p *Games) Close() {
	if p.bars == nil {
		return
	}
	if !p.bar.Completed() {
		p.bar.Abort(false)
	}
	p.bars.Wait()
}
