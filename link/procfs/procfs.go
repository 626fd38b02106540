// Package procfs reads what Linux tells of processes in /proc.
package procfs
