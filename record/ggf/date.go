package ggf

import (
	"strconv"
	"strings"
	"time"
)

// dateLayout is how records of this program write a date, in universal time.
const dateLayout = "2006-01-02 15:04:05"

// zones are the time zones that game servers write, in hours east of Greenwich.
func zone(name string) (hours int, ok bool) {
	switch name {
	case "", "GMT", "UTC", "Z", "WET":
		return 0, true
	case "CET", "BST", "MET":
		return 1, true
	case "CEST", "EET", "MEST":
		return 2, true
	case "JST":
		return 9, true
	case "EDT":
		return -4, true
	case "EST", "CDT":
		return -5, true
	case "CST", "MDT":
		return -6, true
	case "MST", "PDT":
		return -7, true
	case "PST":
		return -8, true
	}
	return 0, false
}

// ParseDate reads the forms of date that occur: "2003.12.15_12:33:18.MST",
// "2014-02-21 20:52:27 GMT", "2014-02-21", and seconds since 1970. Free text and
// unknown zones are false.
func ParseDate(text string) (time.Time, bool) {
	text = strings.TrimSpace(text)
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		// Shorter numbers are years or the like.
		if len(text) < 8 || n < 0 || n > 1e11 {
			return time.Time{}, false
		}
		return time.Unix(n, 0).UTC(), true
	}
	// Both long forms have 19 characters, and then the zone.
	if len(text) >= 19 {
		hours, ok := zone(strings.TrimLeft(text[19:], " ."))
		if !ok {
			return time.Time{}, false
		}
		for _, layout := range []string{dateLayout, "2006.01.02_15:04:05", "2006.01.02 15:04:05"} {
			if t, err := time.Parse(layout, text[:19]); err == nil {
				return t.Add(-time.Duration(hours) * time.Hour), true
			}
		}
		return time.Time{}, false
	}
	for _, layout := range []string{"2006-01-02", "2006.01.02"} {
		if t, err := time.Parse(layout, text); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}

// formatDate returns a date as the writer writes it: universal time if it is
// understood, date alone if it has no time of day, else as it stands.
func formatDate(text string) string {
	t, ok := ParseDate(text)
	if !ok || t.Year() < 0 || t.Year() > 9999 {
		return text
	}
	if len(strings.TrimSpace(text)) == len("2006-01-02") && strings.ContainsAny(text, "-.") {
		return t.Format("2006-01-02")
	}
	return t.Format(dateLayout) + " GMT"
}
