package leaks

import (
	"testing"
	"time"
)

// A goroutine that ends within the time is none that is left.
func TestSlowEnd(t *testing.T) {
	go time.Sleep(time.Second)
	None(t)
}
