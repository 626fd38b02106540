package service

import (
	"net"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// A connection of a browser that answers nothing ends in time, without a word from the other end.
func TestSilence(t *testing.T) {
	l, err := ListenWeb(t.Context(), "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	far, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer far.Close()
	near, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer near.Close()
	raw, err := near.(*net.TCPConn).SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	var got int
	if e := raw.Control(func(fd uintptr) { got, err = unix.GetsockoptInt(int(fd), unix.IPPROTO_TCP, unix.TCP_USER_TIMEOUT) }); e != nil || err != nil {
		t.Fatal(e, err)
	}
	if d := time.Duration(got) * time.Millisecond; d != silence {
		t.Errorf("what is sent may be unanswered for %s, want %s", d, silence)
	}
}
