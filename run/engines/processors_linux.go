package engines

import (
	"fmt"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// AllowedProcessors returns the processors that Kibitz may use, one of each core
// before the second of any.
func AllowedProcessors() ([]int, error) {
	var set unix.CPUSet
	if err := unix.SchedGetaffinity(0, &set); err != nil {
		return nil, err
	}
	var list []int
	for n := range len(set) * 64 {
		if set.IsSet(n) {
			list = append(list, n)
		}
	}
	return spread(list, func(n int) string {
		b, err := os.ReadFile(fmt.Sprintf("/sys/devices/system/cpu/cpu%d/topology/thread_siblings_list", n))
		if err != nil {
			return fmt.Sprint(n) // a core of its own
		}
		return strings.TrimSpace(string(b))
	}), nil
}
