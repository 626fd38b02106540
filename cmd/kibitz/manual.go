package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"kibitz/internal/plain"

	"github.com/alecthomas/kong"
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
func (c manualCmd) Run(a *app, k *kong.Kong) error {
	if err := os.MkdirAll(c.Dir, 0o755); err != nil {
		return err
	}
	pages := manualPages(k)
	for _, p := range pages {
		if err := os.WriteFile(filepath.Join(c.Dir, p.name+".1"), []byte(p.text), 0o644); err != nil {
			return err
		}
	}
	fmt.Fprintf(a.stdout, "%s written to %s\n", plain.Count(len(pages), "page"), c.Dir)
	return nil
}

// manualPage is a page of section 1 in the man macros of troff.
type manualPage struct{ name, text string }

// manualPages returns the overview and a page for each command that does something.
func manualPages(k *kong.Kong) []manualPage {
	leaves := commandsOf(k.Model.Node)
	out := []manualPage{overview(k, leaves)}
	for _, n := range leaves {
		out = append(out, commandPage(n, leaves))
	}
	return out
}

// commandsOf returns the commands without commands of their own, in order.
func commandsOf(n *kong.Node) []*kong.Node {
	var out []*kong.Node
	for _, c := range n.Children {
		switch {
		case c.Hidden || c.Type != kong.CommandNode:
		case len(c.Children) == 0:
			out = append(out, c)
		default:
			out = append(out, commandsOf(c)...)
		}
	}
	return out
}

// pageName is the name of a command's page.
func pageName(n *kong.Node) string { return strings.ReplaceAll(n.FullPath(), " ", "-") }

func overview(k *kong.Kong, leaves []*kong.Node) manualPage {
	var b strings.Builder
	head(&b, "kibitz", k.Model.Help)
	b.WriteString(".SH SYNOPSIS\n.B kibitz\n.I command\n[\\fIarguments\\fR]\n.SH COMMANDS\n")
	for _, n := range leaves {
		fmt.Fprintf(&b, ".TP\n.BR %s (1)\n%s\n", troffWord(pageName(n)), troff(n.Help))
	}
	b.WriteString(".SH EXIT STATUS\n.TP\n0\nthe job is done\n" +
		".TP\n1\nthe job ran and its verdict is bad: an engine failed, a check found a breach\n.TP\n2\n" +
		"the arguments cannot be used; one line says what is wrong and what would be right\n")
	return manualPage{"kibitz", b.String()}
}

func commandPage(n *kong.Node, leaves []*kong.Node) manualPage {
	var b strings.Builder
	head(&b, pageName(n), n.Help)
	fmt.Fprintf(&b, ".SH SYNOPSIS\n.B %s\n", troff(n.FullPath()))
	if rest := strings.TrimSpace(strings.TrimPrefix(n.Summary(), n.Path())); rest != "" {
		b.WriteString(troff(rest) + "\n")
	}
	if n.Detail != "" {
		b.WriteString(".SH DESCRIPTION\n.nf\n" + troff(n.Detail) + "\n.fi\n")
	}
	if len(n.Positional) > 0 {
		b.WriteString(".SH ARGUMENTS\n")
		for _, p := range n.Positional {
			fmt.Fprintf(&b, ".TP\n.I %s\n%s\n", troff(p.Summary()), troff(p.Help))
		}
	}
	b.WriteString(".SH OPTIONS\n")
	for _, f := range flagsBelow(n) {
		fmt.Fprintf(&b, ".TP\n.B %s\n%s\n", troff(flagText(f)), troff(helpOf(f)))
	}
	b.WriteString(".SH SEE ALSO\n.BR kibitz (1)")
	for _, other := range leaves {
		if other.Parent == n.Parent && other != n && other.Parent.Type == kong.CommandNode {
			fmt.Fprintf(&b, ",\n.BR %s (1)", troffWord(pageName(other)))
		}
	}
	b.WriteString("\n")
	return manualPage{pageName(n), b.String()}
}

func head(b *strings.Builder, name, help string) {
	fmt.Fprintf(b, ".TH %s 1 \"\" \"kibitz %s\" \"Kibitz\"\n.SH NAME\n%s \\- %s\n", strings.ToUpper(troffWord(name)), version,
		troffWord(name), troff(strings.TrimSuffix(help, ".")))
}

// flagsBelow returns the flags of a command and of those above it, without hidden
// ones.
func flagsBelow(n *kong.Node) []*kong.Flag {
	var out []*kong.Flag
	for _, group := range n.AllFlags(true) {
		out = append(out, group...)
	}
	return slices.DeleteFunc(out, func(f *kong.Flag) bool { return f.Hidden })
}

// flagText is a flag as it is written: "-o, --out=DIR".
func flagText(f *kong.Flag) string {
	text := "--" + f.Name
	if f.Short != 0 {
		text = "-" + string(f.Short) + ", " + text
	}
	if !f.IsBool() {
		text += "=" + f.FormatPlaceHolder()
	}
	return text
}

func helpOf(f *kong.Flag) string {
	text := f.Help
	if f.HasDefault && f.Default != "" && !f.IsBool() && !strings.Contains(text, f.Default) {
		text = strings.TrimSpace(text + " Default: " + f.Default + ".")
	}
	return text
}

// troff returns text so that troff prints it as it is.
func troff(text string) string {
	lines := strings.Split(strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text), "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			lines[i] = `\&` + line
		}
	}
	return strings.Join(lines, "\n")
}

func troffWord(text string) string { return strings.ReplaceAll(text, "-", `\-`) }

type completionCmd struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"bash, zsh or fish."`
}

// Help returns the example that --help shows.
func (completionCmd) Help() string {
	return "Example: kibitz completion bash > /etc/bash_completion.d/kibitz"
}

// Run prints the script by which a shell completes commands and flags.
func (c completionCmd) Run(a *app, k *kong.Kong) error {
	write := map[string]func(io.Writer, []*kong.Node) error{"bash": completeBash, "zsh": completeZsh, "fish": completeFish}[c.Shell]
	return write(a.stdout, commandsOf(k.Model.Node))
}

// words are the names that lead to a command, without that of the program.
func wordsTo(n *kong.Node) []string { return strings.Fields(n.FullPath())[1:] }

// completeBash prints the script for bash: the commands after the program's name, the
// flags after a dash, else files.
func completeBash(w io.Writer, leaves []*kong.Node) error {
	var b strings.Builder
	b.WriteString("# bash completion for kibitz\n_kibitz() {\n" +
		"\tlocal cur=${COMP_WORDS[COMP_CWORD]} line=\"${COMP_WORDS[*]:1:$((COMP_CWORD-1))} \" flags=\n\tCOMPREPLY=()\n\tcase $line in\n")
	next := map[string][]string{}
	var order []string
	for _, n := range leaves {
		words := wordsTo(n)
		for i, word := range words {
			before := strings.Join(words[:i], " ")
			if next[before] == nil {
				order = append(order, before)
			}
			if !slices.Contains(next[before], word) {
				next[before] = append(next[before], word)
			}
		}
		var flags []string
		for _, f := range flagsBelow(n) {
			flags = append(flags, "--"+f.Name)
		}
		fmt.Fprintf(&b, "\t%q*) flags=%q ;;\n", strings.Join(words, " ")+" ", strings.Join(flags, " "))
	}
	b.WriteString("\tesac\n\tcase $line in\n")
	for _, before := range order {
		line := before + " "
		fmt.Fprintf(&b, "\t%q) mapfile -t COMPREPLY < <(compgen -W %q -- \"$cur\"); return ;;\n", line, strings.Join(next[before], " "))
	}
	b.WriteString("\tesac\n\tcase $cur in\n\t-*) mapfile -t COMPREPLY < <(compgen -W \"$flags\" -- \"$cur\") ;;\n" +
		"\t*) mapfile -t COMPREPLY < <(compgen -f -- \"$cur\") ;;\n\tesac\n}\ncomplete -o filenames -F _kibitz kibitz\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// completeZsh prints the script for zsh, which reads that of bash.
func completeZsh(w io.Writer, leaves []*kong.Node) error {
	if _, err := io.WriteString(w, "#compdef kibitz\nautoload -U +X bashcompinit && bashcompinit\n"); err != nil {
		return err
	}
	var b strings.Builder
	if err := completeBash(&b, leaves); err != nil {
		return err
	}
	// zsh has no mapfile.
	text := strings.ReplaceAll(b.String(), "mapfile -t COMPREPLY < <(", "COMPREPLY=($(")
	text = strings.ReplaceAll(text, `-- "$cur");`, `-- "$cur"));`)
	text = strings.ReplaceAll(text, `-- "$cur") ;;`, `-- "$cur")) ;;`)
	_, err := io.WriteString(w, text)
	return err
}

// completeFish prints the script for fish, which shows what each flag means.
func completeFish(w io.Writer, leaves []*kong.Node) error {
	var b strings.Builder
	b.WriteString("# fish completion for kibitz\n")
	shown := map[string]bool{}
	for _, n := range leaves {
		words := wordsTo(n)
		for i, word := range words {
			seen, rest := "not __fish_seen_subcommand_from "+strings.Join(siblings(leaves, words[:i]), " "), ""
			if i > 0 {
				rest = "; and __fish_seen_subcommand_from " + words[i-1]
			}
			line := fmt.Sprintf("complete -c kibitz -n %s -fa %s", fishQuote(seen+rest), word)
			if i == len(words)-1 {
				line += " -d " + fishQuote(n.Help)
			}
			if !shown[line] {
				b.WriteString(line + "\n")
			}
			shown[line] = true
		}
		for _, f := range flagsBelow(n) {
			fmt.Fprintf(&b, "complete -c kibitz -n %s -l %s -d %s",
				fishQuote("__fish_seen_subcommand_from "+words[len(words)-1]), f.Name, fishQuote(f.Help))
			if !f.IsBool() {
				b.WriteString(" -r")
			}
			b.WriteString("\n")
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// siblings are the words that may follow some words.
func siblings(leaves []*kong.Node, before []string) []string {
	var out []string
	for _, n := range leaves {
		words := wordsTo(n)
		if len(words) > len(before) && slices.Equal(words[:len(before)], before) && !slices.Contains(out, words[len(before)]) {
			out = append(out, words[len(before)])
		}
	}
	return out
}

func fishQuote(text string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`, "\n", " ").Replace(text) + "'"
}
