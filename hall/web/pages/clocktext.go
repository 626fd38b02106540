package pages

import (
	"cmp"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"kibitz/hall/web/words"
)

// minutesUntil is the smallest number that stands for seconds where nothing says so: games of
// three hours a side are played by nobody, and programs write five minutes as 300.
const minutesUntil = 180

var (
	twoNumbers = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(\d{1,5})(?:[.,](\d))?\s*(?:m|min|minutes?|minut[ay]?|minutos?|分鐘|分钟|分|')?\s*(?:(?:\+|\||,|\s)\s*(\d{1,4})(?:[.,](\d))?\s*(?:s|sec|seconds?|sekund[ay]?|segundos?|秒|")?)?$`)
	})
	eachMove = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(\d{1,5})\s*(?:s|sec|seconds?|sekund[ay]?|segundos?|秒|")(?:\s*(?:/|a |per |na |por |每).*)?$`)
	})
	withColon = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(\d{1,3}):([0-5]\d)(?:\s*(?:\+|\|)\s*(\d{1,4})(?:[.,](\d))?)?$`)
	})
	noClock = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(?:inf|none|no clock|0|-|∞)$`)
	})
)

// ReadClock understands a time control as people write it: minutes + seconds a move ("5+3",
// "5|3", "5 min", "10", "1:30"), seconds for each move ("10 s"), "inf"; numbers of 180 and more are
// seconds ("300+3").
func ReadClock(text string) (clock string, ok bool) {
	text = strings.ToLower(strings.TrimSpace(text))
	if noClock().MatchString(text) {
		return "inf", true
	}
	if m := eachMove().FindStringSubmatch(text); m != nil && m[1] != "0" {
		return "st=" + m[1], true
	}
	if m := withColon().FindStringSubmatch(text); m != nil {
		minutes, _ := strconv.Atoi(m[1])
		seconds, _ := strconv.Atoi(m[2])
		return plus(minutes*60+seconds, m[3], m[4])
	}
	m := twoNumbers().FindStringSubmatch(text)
	if m == nil {
		return "", false
	}
	main, err := strconv.Atoi(m[1])
	if err != nil {
		return "", false
	}
	tenths, _ := strconv.Atoi("0" + m[2])
	seconds := main*60 + tenths*6
	if main >= minutesUntil {
		seconds = main
	}
	return plus(seconds, m[3], m[4])
}

// plus is a time control with seconds for the game and more for each move, whole ones and tenths.
func plus(seconds int, whole, tenths string) (clock string, ok bool) {
	add := strings.TrimLeft(whole, "0")
	if tenths != "" && tenths != "0" {
		add = cmp.Or(add, "0") + "." + tenths
	}
	switch {
	case seconds == 0 && add == "":
		return "", false
	case add == "":
		return strconv.Itoa(seconds), true
	}
	return strconv.Itoa(seconds) + "+" + add, true
}

// TypedClock is a time control as a field for one has it: as people write it if it is read so
// again, else as programs do.
func TypedClock(c *words.Catalogue, clock string) string {
	short := ShortClock(c, clock)
	main, add, more := strings.Cut(clock, "+")
	if n, err := strconv.Atoi(main); err == nil && n%60 != 0 {
		short = fmt.Sprintf("%d:%02d", n/60, n%60)
		if more {
			short += "+" + add
		}
	}
	if again, ok := ReadClock(short); ok && again == clock {
		return short
	}
	return clock
}

// FormClock is the time control that a field has, read as people write it, else as it is.
func FormClock(text string) string {
	if clock, ok := ReadClock(text); ok {
		return clock
	}
	return strings.TrimSpace(text)
}
