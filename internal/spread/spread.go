// Package spread does work for many items on every processor.
package spread

import (
	"iter"
	"runtime"
	"sync"
)

// Over has work done on each processor, each time for some of the items from 0 to n-1, and returns
// when all is done. Between two items others, such as pages that are asked for, have their turn.
func Over(n int, work func(items iter.Seq[int])) {
	threads := min(runtime.GOMAXPROCS(0), n)
	var wg sync.WaitGroup
	for t := range threads {
		wg.Go(func() {
			work(func(yield func(int) bool) {
				for i := t; i < n && yield(i); i += threads {
					runtime.Gosched()
				}
			})
		})
	}
	wg.Wait()
}
