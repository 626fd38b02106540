package bus

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"time"
)

// Refused logins are told of once a minute, with how many there were; other errors always.
func TestRefusedLogins(t *testing.T) {
	var out bytes.Buffer
	now := time.Unix(1000, 0)
	l := &serverLog{log: slog.New(slog.NewTextHandler(&out, nil)), now: func() time.Time { return now }}
	refuse := func(n int) {
		for range n {
			l.Errorf("%s - cid:%d - %s", "10.0.0.1:5", 7, "authentication error - User \"ann\"")
		}
	}
	refuse(500)
	l.Errorf("another error")
	now = now.Add(refusedEvery)
	refuse(3)
	text := out.String()
	if strings.Count(text, "\n") != 3 || strings.Count(text, "a login was refused") != 2 || !strings.Contains(text, "untold=0") || !strings.Contains(text, "untold=499") || !strings.Contains(text, "another error") {
		t.Errorf("the log says\n%s", text)
	}
}
