//go:build !linux

package guard

import "time"

// Helper does nothing: only Linux limits processes.
func Helper() {}

// Supervisor makes cells, which on this system limit nothing.
type Supervisor struct{}

// New returns a Supervisor.
func New(Options) (*Supervisor, error) { return &Supervisor{}, nil }

// Refusals returns what the system does not honour, one line each.
func (w *Supervisor) Refusals(l Limits) ([]string, error) {
	if !l.Any() {
		return nil, nil
	}
	return []string{"this system runs engines without limits: memory, processor time, processes, files and network are as they are " +
		"(Linux can limit them)"}, nil
}

// Holds knows nobody.
func (w *Supervisor) Holds(int) bool { return false }

// Cell returns a cell that limits nothing.
func (w *Supervisor) Cell(Limits) (*Cell, error) { return &Cell{}, nil }

// Close does nothing.
func (w *Supervisor) Close() error { return nil }

// Cell holds one engine.
type Cell struct{}

// Reaped does nothing.
func (c *Cell) Reaped() {}

// Ended does nothing.
func (c *Cell) Ended(time.Duration) {}

// Reached returns nothing.
func (c *Cell) Reached() string { return "" }

// CPU returns nothing.
func (c *Cell) CPU() (time.Duration, bool) { return 0, false }

// Peak returns nothing.
func (c *Cell) Peak() int64 { return 0 }

// Members returns nothing.
func (c *Cell) Members() []int { return nil }

// Close does nothing.
func (c *Cell) Close() error { return nil }
