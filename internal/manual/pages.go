// Package manual makes the manual pages of a command line, and the scripts by which shells complete
// it.
package manual

import (
	"fmt"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

// Page is a page of section 1 in the man macros of troff, without the ".1" of its file.
type Page struct{ Name, Text string }

// Pages returns the overview of a program and a page for each command that does something.
func Pages(program *kong.Application, version string) []Page {
	leaves := commandsOf(program.Node)
	out := []Page{overview(program, leaves, version)}
	for _, n := range leaves {
		out = append(out, commandPage(n, leaves, version))
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

func overview(program *kong.Application, leaves []*kong.Node, version string) Page {
	var b strings.Builder
	head(&b, "kibitz", version, program.Help)
	b.WriteString(".SH SYNOPSIS\n.B kibitz\n.I command\n[\\fIarguments\\fR]\n.SH COMMANDS\n")
	for _, n := range leaves {
		fmt.Fprintf(&b, ".TP\n.BR %s (1)\n%s\n", troffWord(pageName(n)), troff(n.Help))
	}
	b.WriteString(".SH EXIT STATUS\n.TP\n0\nthe job is done\n" +
		".TP\n1\nthe job ran and its verdict is bad: an engine failed, a check found a breach\n.TP\n2\n" +
		"the arguments cannot be used; one line says what is wrong and what would be right\n")
	return Page{"kibitz", b.String()}
}

func commandPage(n *kong.Node, leaves []*kong.Node, version string) Page {
	var b strings.Builder
	head(&b, pageName(n), version, n.Help)
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
	return Page{pageName(n), b.String()}
}

func head(b *strings.Builder, name, version, help string) {
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
