//go:build linux

package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// parts is into how many parts a long run is divided, for the table of its course.
const parts = 20

// part is a stretch of a long run.
type part struct {
	last        int // the game that ended it
	took        time.Duration
	own         time.Duration // processor time of the runner, since its beginning
	memory      int64         // bytes resident at its end
	descriptors int
}

// many plays one long run and shows whether it gets slower or larger.
func (s *settings) many(w io.Writer) error {
	dir, err := os.MkdirTemp("", "kibitz-many-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	engine, err := compile(dir, s.engine, "instant")
	if err != nil {
		return err
	}
	path, err := filepath.Abs(s.kibitz[0])
	if err != nil {
		return err
	}
	out := filepath.Join(dir, "out")
	r := kibitz(path, engine, s.long)
	began := time.Now()
	list, err := course(append(strings.Fields(s.prefix), r.command(play{games: s.long, at: 1, out: out})...), s.long)
	if err != nil {
		return err
	}
	took := time.Since(began)
	fmt.Fprintf(w, "%d games of two instant engines in one run, %s, load %s: %.1f s, %.0f games/s\n\n", s.long,
		time.Now().UTC().Format("2006-01-02 15:04"), load(), took.Seconds(), float64(s.long)/took.Seconds())
	courseTable(w, list)
	return folderTable(w, path, out)
}

// course runs a match and looks at it at the end of each of its parts. Its output
// has one line for each game.
func course(argv []string, games int) ([]part, error) {
	cmd := exec.Command(argv[0], argv[1:]...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	var list []part
	before, n := time.Now(), 0
	for sc := bufio.NewScanner(stdout); sc.Scan(); {
		if !strings.HasPrefix(sc.Text(), `{"type":"game"`) {
			continue
		}
		if n++; n%max(1, games/parts) == 0 {
			now := time.Now()
			p := part{last: n, took: now.Sub(before)}
			err = errors.Join(err, p.look(cmd.Process.Pid))
			list, before = append(list, p), now
		}
	}
	if waitErr := cmd.Wait(); waitErr != nil {
		return nil, fmt.Errorf("%w: %s", waitErr, tail(stderr.String()))
	}
	if n != games {
		return nil, fmt.Errorf("%d of %d games were played: %s", n, games, tail(stderr.String()))
	}
	return list, err
}

// look notes what the process has used and holds.
func (p *part) look(pid int) error {
	proc := "/proc/" + strconv.Itoa(pid)
	stat, err := os.ReadFile(proc + "/stat")
	if err != nil {
		return err
	}
	if p.own, err = ownTime(string(stat)); err != nil {
		return err
	}
	statm, err := os.ReadFile(proc + "/statm")
	if err != nil {
		return err
	}
	fields := strings.Fields(string(statm))
	if len(fields) < 2 {
		return fmt.Errorf("/proc: %q is no statm", statm)
	}
	pages, err := strconv.ParseInt(fields[1], 10, 64)
	p.memory = pages * int64(os.Getpagesize())
	fds, listErr := os.ReadDir(proc + "/fd")
	p.descriptors = len(fds)
	return errors.Join(err, listErr)
}

func courseTable(w io.Writer, list []part) {
	fmt.Fprintln(w, "| games | games/s | own processor us/move | resident MiB | descriptors |")
	fmt.Fprintln(w, "|---|---|---|---|---|")
	from, own := 0, time.Duration(0)
	for _, p := range list {
		n := float64(p.last - from)
		fmt.Fprintf(w, "| %d to %d | %.0f | %.1f | %.1f | %d |\n", from+1, p.last, n/p.took.Seconds(), 1e3*ms(p.own-own)/n/gomokuPlies,
			float64(p.memory)/(1<<20), p.descriptors)
		from, own = p.last, p.own
	}
}

// folderTable tells how large the folder of the run is and how long commands take
// that read it.
func folderTable(w io.Writer, kibitz, dir string) error {
	files, bytes := 0, int64(0)
	err := filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			files, bytes = files+1, bytes+info.Size()
		}
		return err
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "\nThe folder: %d files, %.0f MiB.", files, float64(bytes)/(1<<20))
	for _, words := range [][]string{{"rate"}, {"verify"}} {
		began := time.Now()
		cmd := exec.Command(kibitz, append(words, dir)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("kibitz %s: %w: %s", strings.Join(words, " "), err, tail(string(out)))
		}
		used := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
		fmt.Fprintf(w, " kibitz %s: %.1f s, %.1f s of processor time.", strings.Join(words, " "), time.Since(began).Seconds(), used.Seconds())
	}
	fmt.Fprintln(w)
	return nil
}
