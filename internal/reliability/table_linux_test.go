package reliability

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"kibitz/game"
	"kibitz/internal/testbin"
	"kibitz/link/guard"
)

var update = flag.Bool("update", false, "write docs/measured/reliability.md anew")

const page = "../../docs/measured/reliability.md"

// fullKey in the environment asks for the faults at full size.
const fullKey = "KIBITZ_RELIABILITY_FULL"

// atOnce is how many games are played at a time: most of them wait. At full size some
// take gigabytes.
const (
	atOnce     = 24
	atOnceFull = 2
)

func TestMain(m *testing.M) {
	guard.Helper() // does not return where the program is started as the guard of an engine
	os.Exit(m.Run())
}

// TestTable plays every fault in every protocol.
func TestTable(t *testing.T) {
	h := newHall(t)
	docs := modes(t, h.engine)
	cases, err := Cases(os.Getenv(fullKey) != "")
	if err != nil {
		t.Fatal(err)
	}
	complete(t, cases, docs)
	if testing.Short() {
		cases = cases[:6]
	}
	results := h.playAll(t, cases, docs)
	h.close(t)
	if t.Failed() && !*update || testing.Short() || os.Getenv(fullKey) != "" {
		return
	}
	var ids, specs []string
	for _, s := range seats() {
		ids, specs = append(ids, s.entry.ID), append(specs, strings.SplitN(s.spec, ":", 2)[0])
	}
	got := Page(results, ids, specs)
	if *update {
		if err := os.WriteFile(page, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	compare(t, got)
}

// hall is what all games share.
type hall struct {
	engine     string
	root       string // of the folders of all games
	copies     string // of the engines' folders
	supervisor *guard.Supervisor
	files      int // descriptors that were open before
	mu         sync.Mutex
	late       []string // games whose processes only the end of the supervisor ends
}

func newHall(t *testing.T) *hall {
	engine, remove, err := testbin.FaultEngine()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(remove)
	h := &hall{engine: engine, root: filepath.Dir(engine), files: descriptors()}
	h.copies = filepath.Join(h.root, "copies")
	if err := os.Mkdir(h.copies, 0o700); err != nil {
		t.Fatal(err)
	}
	if h.supervisor, err = guard.New(guard.Options{Temp: h.copies}); err != nil {
		t.Fatal(err)
	}
	return h
}

// descriptors counts what this process has open.
func descriptors() int {
	list, _ := os.ReadDir("/proc/self/fd")
	return len(list)
}

// close ends the supervisor and looks for what all games together have left.
func (h *hall) close(t *testing.T) {
	if err := h.supervisor.Close(); err != nil {
		t.Errorf("the supervisor: %v", err)
	}
	if pids := running(h.root); len(pids) > 0 {
		t.Errorf("processes %v are left; games that may leave some until the end: %v", pids, h.late)
	}
	if list := listing(h.copies); list != "" {
		t.Errorf("temporary files are left:\n%s", list)
	}
	if dead := children(); len(dead) > 0 {
		t.Errorf("children of the referee are left: %v", dead)
	}
	if n := descriptors(); n > h.files+slack {
		t.Errorf("%d descriptors are open, %d were before", n, h.files)
	}
}

// slack are the descriptors that the runtime opens once.
const slack = 4

// children returns this process's own, which each of its threads may have.
func children() []string {
	var out []string
	lists, _ := filepath.Glob("/proc/self/task/*/children")
	for _, path := range lists {
		b, _ := os.ReadFile(path)
		out = append(out, strings.Fields(string(b))...)
	}
	return out
}

// modes returns what the engine says of each of its modes.
func modes(t *testing.T, engine string) map[string]string {
	out, err := exec.Command(engine, "-list").Output()
	if err != nil {
		t.Fatal(err)
	}
	docs := map[string]string{}
	for line := range strings.Lines(string(out)) {
		f := strings.Split(strings.TrimSpace(line), "\t")
		docs[f[0]] = f[2]
	}
	return docs
}

// complete holds the file of faults to the modes of the engine.
func complete(t *testing.T, cases []Case, docs map[string]string) {
	seen := map[string]bool{}
	for i := range cases {
		seen[cases[i].Mode] = true
		if docs[cases[i].Mode] == "" {
			t.Errorf("the engine knows no mode %s", cases[i].Mode)
		}
	}
	for name := range docs {
		if !seen[name] {
			t.Errorf("mode %s of the engine is missing in faults.txt", name)
		}
	}
}

// playAll plays all cases in all protocols, many at a time.
func (h *hall) playAll(t *testing.T, cases []Case, docs map[string]string) []Result {
	results := make([]Result, len(cases))
	list := seats()
	var wg sync.WaitGroup
	most := atOnce
	if os.Getenv(fullKey) != "" {
		most = atOnceFull
	}
	slots := make(chan struct{}, most)
	for i := range cases {
		c := &cases[i]
		results[i] = Result{Case: *c, Doc: docs[c.Mode]}
		for _, s := range list {
			if c.Knows(s.entry.ID) {
				results[i].Rows = append(results[i].Rows, Row{Protocol: s.entry.ID})
			}
		}
		at := 0
		for _, s := range list {
			if !c.Knows(s.entry.ID) {
				continue
			}
			row := &results[i].Rows[at]
			at++
			dir := filepath.Join(h.root, fmt.Sprintf("%d-%s", i, s.entry.ID))
			slots <- struct{}{}
			wg.Go(func() {
				defer func() { <-slots }()
				h.play(t, dir, c, s, row)
			})
		}
	}
	wg.Wait()
	return results
}

// play plays one game and holds it to the verdict that is right.
func (h *hall) play(t *testing.T, dir string, c *Case, s seat, row *Row) {
	begin := time.Now()
	var err error
	if *row, err = h.playCase(t.Context(), dir, c, s); err != nil {
		t.Errorf("%s, %s: %v", c.Name(), s.entry.ID, err)
	}
	if testing.Verbose() {
		t.Logf("%6d ms %s, %s: %s", time.Since(begin).Milliseconds(), c.Name(), s.entry.ID, row.Reason)
	}
	if row.Left == someProcesses && c.daemon() {
		h.mu.Lock()
		h.late = append(h.late, c.Name())
		h.mu.Unlock()
		row.Left = Nothing
	}
	want := strings.Split(c.Want(s.entry.ID), "|")
	if !slices.Contains(want, row.Reason) {
		t.Errorf("%s, %s: %s (%s), want %s", c.Name(), s.entry.ID, row.Reason, row.Detail, want)
	}
	if len(want) > 1 {
		row.Reason = strings.Join(want, " or ")
	}
	if (len(want) > 1 || c.Varies) && row.Reason != Fine {
		row.Detail, row.Said = "(depends on the moment)", ""
	}
	if row.Reason == string(game.ByResource) {
		row.Said = "" // it may have come to say it, or not
	}
	if row.Left != c.Leaves(s.entry.ID) {
		t.Errorf("%s, %s: left behind: %s", c.Name(), s.entry.ID, row.Left)
	}
}

// compare tells the lines in which the page differs.
func compare(t *testing.T, got string) {
	data, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	if string(data) == got {
		return
	}
	have, want := strings.Split(string(data), "\n"), strings.Split(got, "\n")
	for _, line := range have {
		if !slices.Contains(want, line) {
			t.Errorf("docs/measured/reliability.md has\n%s", line)
		}
	}
	for _, line := range want {
		if !slices.Contains(have, line) {
			t.Errorf("docs/measured/reliability.md lacks\n%s", line)
		}
	}
	t.Error("docs/measured/reliability.md is not what the games show: run make reliability")
}
