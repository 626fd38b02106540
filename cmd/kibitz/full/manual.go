package full

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/alecthomas/kong"

	"kibitz/cmd/kibitz/outside"
	"kibitz/internal/manual"
	"kibitz/internal/plain"
)

type manualCmd struct {
	Dir string `arg:"" help:"Folder for the pages; made if there is none."`
}

// Help returns the example that --help shows.
func (manualCmd) Help() string {
	return "Writes kibitz.1 with an overview, a page for each command (kibitz-match.1) and nothing else.\n" +
		"Example: kibitz manual /usr/local/share/man/man1"
}

// Run writes the manual pages.
func (c manualCmd) Run(w *outside.World, k *kong.Kong) error {
	if err := os.MkdirAll(c.Dir, 0o755); err != nil {
		return err
	}
	pages := manual.Pages(k.Model, w.Version)
	for _, p := range pages {
		if err := os.WriteFile(filepath.Join(c.Dir, p.Name+".1"), []byte(p.Text), 0o644); err != nil {
			return err
		}
	}
	fmt.Fprintf(w.Stdout, "%s written to %s\n", plain.Count(len(pages), "page"), c.Dir)
	return nil
}

type completionCmd struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"bash, zsh or fish."`
}

// Help returns the example that --help shows.
func (completionCmd) Help() string {
	return "Example: kibitz completion bash > /etc/bash_completion.d/kibitz"
}

// Run prints the script by which a shell completes commands and flags.
func (c completionCmd) Run(w *outside.World, k *kong.Kong) error {
	_, err := io.WriteString(w.Stdout, manual.Completion(k.Model, c.Shell))
	return err
}
