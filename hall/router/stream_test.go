package router

import (
	"context"
	"testing"
)

// buffered is a connection that remembers how much may wait in it.
type buffered struct{ bytes int }

func (b *buffered) SetWriteBuffer(bytes int) error {
	b.bytes = bytes
	return nil
}

// Little waits in the kernel for who looks at a game; a connection that cannot be told is
// left as it is.
func TestBounded(t *testing.T) {
	c := &buffered{}
	Bounded(context.WithValue(t.Context(), connKey{}, c))
	if c.bytes != waiting {
		t.Errorf("%d bytes may wait, want %d", c.bytes, waiting)
	}
	Bounded(context.WithValue(t.Context(), connKey{}, "no connection"))
	Bounded(t.Context())
}
