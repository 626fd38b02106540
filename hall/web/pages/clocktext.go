package pages

import (
	"regexp"
	"strconv"
	"strings"
)

// minutesUntil is the smallest number that stands for seconds where nothing says so: games of
// three hours a side are played by nobody, and programs write five minutes as 300.
const minutesUntil = 180

var (
	twoNumbers = regexp.MustCompile(`^(\d{1,5})(?:[.,](\d))?\s*(?:m|min|minutes?|minut[ay]?|minutos?|分鐘|分钟|分|')?\s*(?:(?:\+|\||,|\s)\s*(\d{1,4})\s*(?:s|sec|seconds?|sekund[ay]?|segundos?|秒|")?)?$`)
	eachMove   = regexp.MustCompile(`^(\d{1,5})\s*(?:s|sec|seconds?|sekund[ay]?|segundos?|秒|")(?:\s*(?:/|a |per |na |por |每).*)?$`)
	noClock    = regexp.MustCompile(`^(?:inf|none|no clock|0|-|∞)$`)
)

// ReadClock understands a time control as people write it: minutes + seconds a move ("5+3",
// "5|3", "5 min", "10"), seconds for each move ("10 s"), "inf"; numbers of 180 and more are
// seconds ("300+3").
func ReadClock(text string) (clock string, ok bool) {
	text = strings.ToLower(strings.TrimSpace(text))
	if noClock.MatchString(text) {
		return "inf", true
	}
	if m := eachMove.FindStringSubmatch(text); m != nil && m[1] != "0" {
		return "st=" + m[1], true
	}
	m := twoNumbers.FindStringSubmatch(text)
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
	add, _ := strconv.Atoi("0" + m[3])
	switch {
	case seconds == 0 && add == 0:
		return "", false
	case add == 0:
		return strconv.Itoa(seconds), true
	}
	return strconv.Itoa(seconds) + "+" + strconv.Itoa(add), true
}
