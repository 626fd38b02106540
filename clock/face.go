package clock

import (
	"fmt"
	"time"
)

// tenthsBelow is the time below which clocks show tenths of a second.
const tenthsBelow = 20 * time.Second

// Face returns a time as a clock shows it, never more than is left: "9.8", "4:58", "1:02:03".
func Face(d time.Duration) string {
	if d < tenthsBelow {
		tenths := max(0, d) / (100 * time.Millisecond)
		return fmt.Sprintf("%d.%d", tenths/10, tenths%10)
	}
	return Minutes(d)
}

// Minutes returns a time in hours, where there are any, minutes and whole seconds: "0:07", "4:58", "1:02:03".
func Minutes(d time.Duration) string {
	s := max(0, d) / time.Second
	if s >= 3600 {
		return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
	}
	return fmt.Sprintf("%d:%02d", s/60, s%60)
}
