package tcp_test

import (
	"context"
	"errors"
	"io"
	"os"
	"testing"
	"time"

	"kibitz/internal/leaks"
	"kibitz/link"
	"kibitz/link/tcp"
)

func TestMain(m *testing.M) { leaks.Main(m) }

func TestConversation(t *testing.T) {
	o := link.Options{Now: time.Now}
	l, err := tcp.Listen(t.Context(), "127.0.0.1:0", o)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := l.Accept(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("nobody came: %v", err)
	}
	accepted := make(chan link.Conn, 1)
	go func() {
		c, err := l.Accept(t.Context())
		if err != nil {
			t.Error(err)
		}
		accepted <- c
	}()
	a, err := tcp.Dialer(l.Addr(), o)(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	b := <-accepted
	for _, step := range []struct {
		from, to link.Conn
		text     string
	}{{a, b, "/start"}, {b, a, "/move ? 5000 5000"}, {a, b, "/move a1-a2"}} {
		if err := step.from.Write([]byte(step.text + "\n")); err != nil {
			t.Fatal(err)
		}
		line, err := step.to.ReadLine(time.Now().Add(time.Minute))
		if err != nil || string(line) != step.text {
			t.Fatalf("%q %v", line, err)
		}
	}
	if _, err := a.ReadLine(time.Now().Add(20 * time.Millisecond)); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Error(err)
	}
	_ = a.Close()
	if _, err := b.ReadLine(time.Now().Add(time.Minute)); !errors.Is(err, io.EOF) {
		t.Error(err)
	}
	_ = b.Close()
	if _, err := tcp.Dialer("127.0.0.1:1", o)(t.Context()); err == nil {
		t.Error("connected to nobody")
	}
}
