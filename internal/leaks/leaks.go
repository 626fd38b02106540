// Package leaks tells tests of goroutines that they leave behind. What is about to end
// gets ten seconds for it: goleak alone allows half of one, too little for a machine on
// which many tests run at a time.
package leaks

import (
	"fmt"
	"os"
	"testing"
	"time"

	"go.uber.org/goleak"
)

const patience = 10 * time.Second

// excepted are goroutines of libraries that nobody can end: nats-server stops the streams
// that it has when it is shut down, but not one that it is making at that moment.
var excepted = []goleak.Option{
	goleak.IgnoreTopFunction("github.com/nats-io/nats-server/v2/server.(*fileStore).flushStreamStateLoop"),
	goleak.IgnoreTopFunction("github.com/nats-io/nats-server/v2/server/ats.Register.func1"),
}

// Main runs the tests of a package, and fails if goroutines are left. clean is called in
// any case, before the process ends.
func Main(m *testing.M, clean ...func()) {
	code := m.Run()
	if code == 0 {
		if err := find(); err != nil {
			fmt.Fprintln(os.Stderr, "goroutines are left after all tests:", err)
			code = 1
		}
	}
	for _, f := range clean {
		f()
	}
	os.Exit(code)
}

// None fails the test if there are goroutines that the options do not except.
func None(t testing.TB, o ...goleak.Option) {
	t.Helper()
	if err := find(o...); err != nil {
		t.Error("unexpected goroutines are left:", err)
	}
}

func find(o ...goleak.Option) error {
	o = append(o, excepted...)
	for end := time.Now().Add(patience); ; {
		err := goleak.Find(o...)
		if err == nil || time.Now().After(end) {
			return err
		}
	}
}
