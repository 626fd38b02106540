package main

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"kibitz/link/guard"
)

// spy is an engine of NBoard that writes down what it sees of its hall, whose folder lies
// in its own.
const spy = `#!/bin/sh
{
	for f in hall/worker.token hall/hall.db hall/hall.lock engines.toml spy; do
		if head -c 1 DIR/$f > /dev/null 2>&1; then echo "reads $f"; fi
	done
	echo "in hall: $(ls DIR/hall)"
	if cat /proc/PID/environ > /dev/null 2>&1; then echo "reads the hall's environment"; fi
	env
	(echo x > DIR/hall/written) && echo writes
} > DIR/seen 2>&1
mv DIR/seen DIR/report
while read word rest; do
	case "$word" in
	ping) echo "pong $rest";;
	esac
done
`

// An engine of a hall sees nothing of the hall: not its folder, though it lies in the
// engine's own, nor the file of engines, which may hold passwords of others, nor what
// stands in its environment.
func TestHallIsHiddenFromItsEngines(t *testing.T) {
	w, err := guard.New(guard.Options{Temp: t.TempDir(), Token: "probe"})
	if err != nil {
		t.Fatal(err)
	}
	refused, err := w.Refusals(guard.Limits{ReadOnly: true})
	if err = errors.Join(err, w.Close()); err != nil || len(refused) > 0 {
		t.Skipf("this machine does not part engines from it: %v %v", refused, err)
	}
	t.Setenv("PGPASSWORD", "hush")
	t.Setenv("KIBITZ_HUSH", "hush")
	dir := t.TempDir()
	file := filepath.Join(dir, "engines.toml")
	for name, text := range map[string]string{
		filepath.Join(dir, "spy"): strings.NewReplacer("DIR", dir, "PID", strconv.Itoa(os.Getpid())).Replace(spy),
		file:                      "[[engine]]\nname = \"spy\"\ncmd = " + strconv.Quote(filepath.Join(dir, "spy")) + "\nproto = \"nboard\"\nenv.NAMED = \"yes\"\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	h := openHall(t, filepath.Join(dir, "hall"), "--engines", file, "--listen", "127.0.0.1:0")
	h.admin()
	h.ask("PUT", "/api/v1/admin/engines/spy", map[string]any{"games": []string{"othello"}, "enabled": true, "spec": "cmd=spy"}, nil)
	h.room(map[string]any{"game": "othello", "clocks": []string{"600", "600"}},
		map[string]any{"do": "sit", "place": 0, "kind": "engine", "engine": "spy"},
		map[string]any{"do": "sit", "place": 1, "kind": "bot", "engine": "bot=1"},
		map[string]any{"do": "start"})
	var report string
	for end := time.Now().Add(time.Minute); report == ""; time.Sleep(20 * time.Millisecond) {
		b, _ := os.ReadFile(filepath.Join(dir, "report"))
		if report = string(b); time.Now().After(end) {
			t.Fatalf("the engine writes nothing\n%s", h.stderr.String())
		}
	}
	for _, want := range []string{"reads spy\n", "NAMED=yes\n", "PATH="} {
		if !strings.Contains(report, want) {
			t.Errorf("%q is missing in:\n%s", want, report)
		}
	}
	for _, bad := range []string{"worker.token", "hall.db", "hall.lock", "reads engines.toml", "hush", "reads the hall's", "writes\n"} {
		if strings.Contains(report, bad) {
			t.Errorf("%q is in:\n%s", bad, report)
		}
	}
}
