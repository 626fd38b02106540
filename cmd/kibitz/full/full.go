// Package full holds the commands of kibitz that need a database or a queue, for halls,
// workers and game bases, and those that speak of all commands. A match needs neither, so
// the program has them only when it is built in full (go build -tags full ./cmd/kibitz).
package full

// Commands are these commands, in the order in which help shows them.
type Commands struct {
	Base    baseCmd    `cmd:"" group:"records" help:"Keep games in one file and look positions up in it."`
	Serve   serveCmd   `cmd:"" group:"hall" help:"Open a hall: rooms, people, engines, spectators, in the browser."`
	Worker  workerCmd  `cmd:"" group:"hall" help:"Play games for a hall elsewhere."`
	Backup  backupCmd  `cmd:"" group:"hall" help:"Write all that a hall keeps into one file."`
	Restore restoreCmd `cmd:"" group:"hall" help:"Fill an empty hall from the file of a backup."`
	Account accountCmd `cmd:"" group:"hall" help:"Set a password, or unlock an account, at the hall's own machine."`
	Join    joinCmd    `cmd:"" group:"author" help:"Let an engine of this machine play in a room of a hall."`

	Manual     manualCmd     `cmd:"" hidden:"" help:"Write the manual pages of all commands."`
	Completion completionCmd `cmd:"" hidden:"" help:"Print the script by which a shell completes commands and flags."`
}
