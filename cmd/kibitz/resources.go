package main

import (
	"fmt"

	"kibitz/internal/plain"
	"kibitz/record"
)

// resourcesText tells for people what the seats of a game used: "A 1.2s of processor
// time and 45 MB, B 300ms and 8.1 MB". It is empty where nothing is known.
func resourcesText(list [2]record.Resources, names [2]string) string {
	text := ""
	for i, u := range list {
		if !u.Known {
			continue
		}
		if text != "" {
			text += ", "
		}
		text += fmt.Sprintf("%s %s of processor time", names[i], plain.Span(u.CPU.Seconds()))
		if u.Memory > 0 {
			text += " and " + plain.Megabytes(u.Memory) + " of memory"
		}
	}
	return text
}
