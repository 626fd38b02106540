package clock_test

import (
	"fmt"
	"time"

	"kibitz/clock"
)

func ExampleFace() {
	for _, d := range []time.Duration{
		-time.Second, 9899 * time.Millisecond, 19990 * time.Millisecond, 20 * time.Second, 4*time.Minute + 58999*time.Millisecond, 3723 * time.Second,
	} {
		fmt.Println(clock.Face(d))
	}
	// Output:
	// 0.0
	// 9.8
	// 19.9
	// 0:20
	// 4:58
	// 1:02:03
}

func ExampleMinutes() {
	fmt.Println(clock.Minutes(7900*time.Millisecond), clock.Minutes(59*time.Minute+59*time.Second), clock.Minutes(time.Hour))
	// Output: 0:07 59:59 1:00:00
}
