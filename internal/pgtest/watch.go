package pgtest

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"io"
	"net"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// Statement is what a program asks the cluster for.
type Statement struct {
	// Conn is the number of the connection, from 1.
	Conn int
	// Text is in small letters, with single blanks.
	Text string
	// Answered tells that the cluster has done it, and that the program is about to learn so.
	Answered bool
}

// Watch passes on what programs and a database of the cluster say to each other until the test
// ends, and returns the address for the programs. Seen is told of each statement before it is
// passed on, and of each answer; if it returns false the connection is cut in its place.
func (c *Cluster) Watch(t testing.TB, database string, seen func(Statement) bool) string {
	t.Helper()
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var wait sync.WaitGroup
	var mu sync.Mutex
	var open []net.Conn
	wait.Go(func() {
		for n := 1; ; n++ {
			near, err := l.Accept()
			if err != nil {
				return
			}
			far, err := net.Dial("unix", filepath.Join(c.dir, ".s.PGSQL.5432"))
			if err != nil {
				_ = near.Close()
				continue
			}
			mu.Lock()
			open = append(open, near, far)
			mu.Unlock()
			w := &watched{near: near, far: far, n: n, seen: seen}
			wait.Go(w.questions)
			wait.Go(w.answers)
		}
	})
	t.Cleanup(func() {
		_ = l.Close()
		mu.Lock()
		for _, c := range open {
			_ = c.Close()
		}
		mu.Unlock()
		wait.Wait()
	})
	name, _, _ := strings.Cut(strings.TrimPrefix(database, "postgres://kibitz@/"), "?")
	return "postgres://kibitz@" + l.Addr().String() + "/" + name + "?sslmode=disable"
}

// watched is a connection between a program (near) and the cluster (far).
type watched struct {
	near, far net.Conn
	n         int
	seen      func(Statement) bool

	mu    sync.Mutex
	asked string // what is not answered yet
}

func (w *watched) close() {
	_ = w.near.Close()
	_ = w.far.Close()
}

// questions passes on what the program asks. A message is a letter, its length and its text; the
// first has no letter.
func (w *watched) questions() {
	defer w.close()
	in, out := bufio.NewReader(w.near), bufio.NewWriter(w.far)
	prepared := map[string]string{}
	for first := true; ; first = false {
		head := make([]byte, 5)
		if first {
			head = head[:4]
		}
		if _, err := io.ReadFull(in, head); err != nil {
			return
		}
		body := make([]byte, max(4, binary.BigEndian.Uint32(head[len(head)-4:]))-4)
		if _, err := io.ReadFull(in, body); err != nil {
			return
		}
		if !first && !w.tell(head[0], body, prepared) {
			return
		}
		_, _ = out.Write(head)
		_, _ = out.Write(body) // an error comes again
		if in.Buffered() == 0 && out.Flush() != nil {
			return
		}
	}
}

// tell tells of the statement that a message runs, if it runs one.
func (w *watched) tell(kind byte, body []byte, prepared map[string]string) bool {
	first, rest, _ := bytes.Cut(body, []byte{0})
	second, _, _ := bytes.Cut(rest, []byte{0})
	var text string
	switch kind {
	case 'Q': // the statement
		text = string(first)
	case 'P': // its name, the statement
		prepared[string(first)] = string(second)
		return true
	case 'B': // a portal, the name of a statement
		text = prepared[string(second)]
	default:
		return true
	}
	text = strings.ToLower(strings.Join(strings.Fields(text), " "))
	if !w.seen(Statement{Conn: w.n, Text: text}) {
		return false
	}
	w.mu.Lock()
	w.asked = text
	w.mu.Unlock()
	return true
}

// answers passes on what the cluster says.
func (w *watched) answers() {
	defer w.close()
	buf := make([]byte, 64<<10)
	for {
		n, err := w.far.Read(buf)
		w.mu.Lock()
		asked := w.asked
		w.asked = ""
		w.mu.Unlock()
		if asked != "" && !w.seen(Statement{Conn: w.n, Text: asked, Answered: true}) {
			return
		}
		if err != nil {
			return
		}
		if _, err := w.near.Write(buf[:n]); err != nil {
			return
		}
	}
}
