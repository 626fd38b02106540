package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"time"

	"kibitz/bench/people"
	"kibitz/link/procfs"
)

// peopleOptions are those of the load of people.
type peopleOptions struct {
	options
	config people.Config
	report string
	title  string
	// stop is the time between two stops of the hall's process, 0 without.
	stop time.Duration
}

func parsePeople(args []string) (*peopleOptions, error) {
	o := &peopleOptions{options: options{alone: true}}
	var specs, clocks, flags string
	c, s := &o.config, &o.config.Script
	f := flag.NewFlagSet("hallload people", flag.ContinueOnError)
	f.StringVar(&o.program, "kibitz", "bin/kibitz", "the program that is measured")
	f.StringVar(&o.dir, "dir", "", "folder for the hall and its log; none: a new one that is removed")
	f.IntVar(&c.Visitors, "visitors", 200, "people, the last two fifths of them in pairs")
	f.DurationVar(&c.For, "for", 30*time.Minute, "how long they stay")
	f.Uint64Var(&s.Seed, "seed", 1, "of the script")
	f.Float64Var(&s.Scale, "scale", 1, "of the times of people: 0.1 lets them think a tenth as long")
	f.StringVar(&specs, "specs", "othello gomoku nogo surakarta dotsandboxes phantomgo amazons connect6 darkchess",
		"what is played, with spaces between")
	f.StringVar(&clocks, "clocks", "300+3 300+3 60+1 inf", "time controls, MINUTES-LONG+MORE in seconds or inf, with spaces between")
	f.DurationVar(&s.Grace, "grace", time.Minute, "how long a place without a clock may be away")
	f.DurationVar(&c.Probe, "probe", 3*time.Second, "time between two new games whose beginning is measured")
	f.DurationVar(&o.stop, "stop", 0, "time between two stops of the whole hall (SIGSTOP) for 3, 6 and 9 s in turn; none by default")
	f.StringVar(&o.report, "report", "", "a page in which a section is written anew, such as docs/measured/people.md")
	f.StringVar(&o.title, "title", "Now", "of the section")
	f.StringVar(&flags, "serve", "", "further flags of kibitz serve, with spaces between")
	if err := f.Parse(args); err != nil {
		return nil, err
	}
	s.Games, s.Clocks, o.flags = strings.Fields(specs), strings.Fields(clocks), strings.Fields(flags)
	switch {
	case f.NArg() > 0:
		return nil, fmt.Errorf("unknown argument %q", f.Arg(0))
	case c.Visitors < 1 || c.Visitors > 10_000 || c.For <= 0 || s.Scale <= 0 || len(s.Games) == 0 || len(s.Clocks) == 0:
		return nil, errors.New("-visitors from 1 to 10000, -for and -scale above 0, -specs and -clocks not empty")
	}
	return o, nil
}

// errFound is returned when something was found.
var errFound = errors.New("not as it should be: see what was found above")

// loadPeople lets people into a hall and reports.
func loadPeople(ctx context.Context, args []string) (err error) {
	o, err := parsePeople(args)
	if err != nil {
		return err
	}
	remove, err := o.ownFolder()
	if err != nil {
		return err
	}
	defer func() {
		if errors.Is(err, errFound) {
			err = fmt.Errorf("%w; the folder of the hall, with its log, is %s", err, o.dir)
			return
		}
		remove()
	}()
	begun := time.Now()
	out, err := o.run(ctx, time.Now)
	if err != nil {
		return err
	}
	var text strings.Builder
	out.Section(&text, &people.About{
		Title: o.title, Date: begun.Format(time.DateOnly), Machine: machine(),
		Command: "bin/bench/hallload people " + strings.Join(written(args), " "),
	})
	fmt.Print(text.String())
	for _, kind := range out.Kinds() {
		for _, line := range out.Found(kind) {
			fmt.Fprintf(os.Stderr, "FOUND %s: %s\n", kind, line)
		}
	}
	if o.report != "" {
		page, _ := os.ReadFile(o.report) // none is an empty one
		if err := os.WriteFile(o.report, []byte(people.Put(string(page), text.String())), 0o644); err != nil {
			return err
		}
	}
	if len(out.Kinds()) > 0 {
		return errFound
	}
	return nil
}

// written leaves out what names places of this machine.
func written(args []string) (list []string) {
	for i := 0; i < len(args); i++ {
		switch args[i] {
		case "-kibitz", "-dir", "-report":
			i++
		default:
			word := args[i]
			if strings.Contains(word, " ") {
				word = "'" + word + "'"
			}
			list = append(list, word)
		}
	}
	return list
}

// run starts a hall with its default options and lets people in.
func (o *peopleOptions) run(ctx context.Context, now func() time.Time) (*people.Outcome, error) {
	h, err := startHall(ctx, &o.options, o.dir, now)
	if err != nil {
		return nil, err
	}
	o.config.URL, o.config.Now = "http://"+h.addr, now
	o.config.Memory = func() int64 { return procfs.StatusOf(h.cmd.Process.Pid).Resident }
	o.config.Tell = func(line string) { fmt.Fprintln(os.Stderr, line) }
	within, end := context.WithCancel(ctx)
	var stops sync.WaitGroup
	if o.stop > 0 {
		stops.Go(func() { freeze(within, h.cmd.Process, o.stop) })
	}
	out, err := people.Run(ctx, &o.config)
	end()
	stops.Wait()
	return out, errors.Join(err, h.stop())
}

// freeze stops a process now and then, and lets it go on.
func freeze(ctx context.Context, p *os.Process, every time.Duration) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for n := 0; ; n++ {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		_ = p.Signal(syscall.SIGSTOP)
		time.Sleep(time.Duration(3+n%3*3) * time.Second)
		_ = p.Signal(syscall.SIGCONT)
	}
}

// machine says what this one is.
func machine() string {
	return fmt.Sprintf("%s %s, %d processors, load average %.1f at the end", runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), loadAverage())
}
