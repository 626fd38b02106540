package pages

import "time"

// Saved is a position that an account keeps.
type Saved struct {
	ID, Name, Spec string
	// Plies are the decisions since where it begins.
	Plies   int
	Created time.Time
}

// Import is the page that adds records.
type Import struct {
	Formats []Format
	// Format and Spec are as they were chosen.
	Format, Spec string
	// Done tells that files were read: Games were added, Known were there already.
	Done         bool
	Games, Known int
	IDs          []string
	// Lines say what was left out, Cut that there was more of it.
	Lines []string
	Cut   bool
}
