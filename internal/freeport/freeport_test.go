package freeport_test

import (
	"math/rand/v2"
	"net"
	"testing"

	"kibitz/internal/freeport"
)

// Addresses differ, also where the same port is chosen again, and can be listened at.
func TestTake(t *testing.T) {
	calls := 0
	list, err := freeport.Take(3, func(n int) int {
		calls++
		if calls <= 2 {
			return 7 % n
		}
		return rand.IntN(n)
	})
	if err != nil || len(list) != 3 || list[0] == list[1] || list[1] == list[2] || list[0] == list[2] {
		t.Fatal(list, err)
	}
	for _, at := range list {
		l, err := net.Listen("tcp", at)
		if err != nil {
			t.Fatal(err)
		}
		l.Close()
	}
	if _, err := freeport.Take(2, func(int) int { return 9 }); err == nil {
		t.Error("one port is two addresses")
	}
}
