package manual

import (
	"fmt"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

// Completion returns the script by which a shell (bash, zsh or fish) completes commands and flags.
func Completion(program *kong.Application, shell string) string {
	leaves := commandsOf(program.Node)
	switch shell {
	case "fish":
		return completeFish(leaves)
	case "zsh":
		return completeZsh(leaves)
	default:
		return completeBash(leaves)
	}
}

// wordsTo are the names that lead to a command, without that of the program.
func wordsTo(n *kong.Node) []string { return strings.Fields(n.FullPath())[1:] }

// completeBash is the script for bash: the commands after the program's name, the
// flags after a dash, else files.
func completeBash(leaves []*kong.Node) string {
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
	return b.String()
}

// completeZsh is the script for zsh, which reads that of bash but has no mapfile.
func completeZsh(leaves []*kong.Node) string {
	text := strings.ReplaceAll(completeBash(leaves), "mapfile -t COMPREPLY < <(", "COMPREPLY=($(")
	text = strings.ReplaceAll(text, `-- "$cur");`, `-- "$cur"));`)
	text = strings.ReplaceAll(text, `-- "$cur") ;;`, `-- "$cur")) ;;`)
	return "#compdef kibitz\nautoload -U +X bashcompinit && bashcompinit\n" + text
}

// completeFish is the script for fish, which shows what each flag means.
func completeFish(leaves []*kong.Node) string {
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
	return b.String()
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
