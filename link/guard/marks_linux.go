package guard

import (
	"strings"

	"kibitz/link/procfs"
)

// tasksOf counts the processes and threads of a user.
func tasksOf(user int) int {
	n := 0
	all, _ := procfs.Processes()
	for _, pid := range all {
		if s := procfs.StatusOf(pid); s.User == user {
			n += s.Threads
		}
	}
	return n
}

// marked lists the processes whose mark begins with prefix.
func marked(prefix string) []int {
	var out []int
	all, _ := procfs.Processes()
	for _, pid := range all {
		if strings.HasPrefix(markOf(pid), prefix) {
			out = append(out, pid)
		}
	}
	return out
}

// markOf returns the mark in the environment with which a process was executed, empty
// if there is none, or none that may be read.
func markOf(pid int) string { return procfs.Variable(pid, markKey) }
