package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"kibitz/catalog"
	"kibitz/cmd/kibitz/full"
	"kibitz/run"
	"kibitz/run/engines"
)

// flagsOfOthers are flags on our pages that are those of other programs, by the program.
func flagsOfOthers() map[string][]string {
	return map[string][]string{
		"systemd-run": {"user", "scope"},
		"fastchess":   {"compliance"},
		"systemctl":   {"now"},
		"basenc":      {"base64url"},
		"dpkg":        {"add-architecture"},
		"curl":        {"retry", "retry-connrefused", "retry-delay"},
	}
}

// TestNamesOnPages holds the commands, flags, protocols and keys of run files that the
// pages name to those that there are: what is in code, in a line or a block.
func TestNamesOnPages(t *testing.T) {
	k, err := kong.New(&commands{Plugins: kong.Plugins{&full.Commands{}}})
	if err != nil {
		t.Fatal(err)
	}
	byCommand, all := map[string][]string{}, []string{"help", "version"}
	for _, node := range k.Model.Leaves(false) {
		path := strings.TrimPrefix(node.Path(), "kibitz ")
		for _, flags := range node.AllFlags(false) {
			for _, f := range flags {
				byCommand[path] = append(byCommand[path], f.Name)
			}
		}
		first, _, _ := strings.Cut(path, " ")
		byCommand[first] = append(byCommand[first], byCommand[path]...)
		all = append(all, byCommand[path]...)
	}
	var others []string
	for _, list := range flagsOfOthers() {
		others = append(others, list...)
	}
	var protocols []string
	for _, p := range catalog.Protocols() {
		protocols = append(protocols, p.ID)
	}
	named, seen := 0, map[string]bool{}
	for _, page := range pagesOfDocs(t) {
		for _, code := range codeOf(t, page) {
			for _, m := range protoNamed.FindAllStringSubmatch(code, -1) {
				if !slices.Contains(protocols, m[1]) {
					t.Errorf("%s: there is no protocol %s: `%s`", page, m[1], code)
				}
			}
			command, flags := "", outsideQuotes(code)
			if m := commandNamed.FindStringSubmatchIndex(flags); m != nil {
				command, flags = flags[m[2]:m[3]], flags[m[1]:]
				if _, ok := byCommand[command]; !ok && command != "help" {
					t.Errorf("%s: there is no command %s: `%s`", page, command, code)
				}
			}
			for _, m := range flagNamed.FindAllStringSubmatchIndex(flags, -1) {
				name := flags[m[2]:m[3]]
				if strings.HasPrefix(flags[m[3]:], "-") {
					continue // the beginning of a name, as of --kb-…
				}
				named++
				seen[name] = true
				switch {
				case slices.Contains(others, name):
				case command != "" && !slices.Contains(append(byCommand[command], "help"), name):
					t.Errorf("%s: kibitz %s has no flag --%s: `%s`", page, command, name, code)
				case !slices.Contains(all, name):
					t.Errorf("%s: there is no flag --%s: `%s`", page, name, code)
				}
			}
		}
	}
	table, err := os.ReadFile("../../docs/match.md")
	if err != nil {
		t.Fatal(err)
	}
	row := regexp.MustCompile("(?m)^\\| `proto` \\|.*$").FindString(string(table))
	for _, id := range protocols {
		if !strings.Contains(row, "`"+id+"`") {
			t.Errorf("docs/match.md does not name the protocol %s: %s", id, row)
		}
	}
	if named < 300 {
		t.Errorf("%d flags were found: the test shows little", named)
	}
	for _, name := range others {
		if !seen[name] {
			t.Errorf("--%s of another program is on no page any more", name)
		}
	}
}

var (
	protoNamed   = regexp.MustCompile(`\bproto=([a-z][a-z-]*)`)
	commandNamed = regexp.MustCompile(`(?:^|[ /])kibitz ([a-z][a-z-]*)\b`)
	flagNamed    = regexp.MustCompile(`(?:^|[\s\[|(=])--([a-z][a-z0-9]*(?:-[a-z0-9]+)*)`)
	codeSpan     = regexp.MustCompile("`([^`\n]+)`")
	parts        = regexp.MustCompile(`\s(?:\||&&|;|then|do)\s`)
	notThere     = regexp.MustCompile(`no executable of that name|there is no such f(?:ile|older)|there is no file`)
	quoted       = regexp.MustCompile(`'[^']*'|"[^"]*"`)
)

// outsideQuotes leaves out what is an argument in quotes: the words of an engine may hold
// flags of its own.
func outsideQuotes(code string) string { return quoted.ReplaceAllString(code, "''") }

func pagesOfDocs(t *testing.T) []string {
	t.Helper()
	list := []string{"../../README.md", "../../examples/README.md"}
	for _, pattern := range []string{"../../docs/*.md", "../../docs/*/*.md"} {
		more, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, more...)
	}
	return list
}

// codeOf returns the pieces of code on a page: spans, and the commands of blocks, one for
// each part of a pipe or list.
func codeOf(t *testing.T, page string) []string {
	t.Helper()
	data, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for i, block := range strings.Split(string(data), "\n```") {
		if i%2 == 0 {
			for _, m := range codeSpan.FindAllStringSubmatch(block, -1) {
				out = append(out, m[1])
			}
			var indented []string
			for line := range strings.Lines(block) {
				if strings.HasPrefix(line, "    ") {
					indented = append(indented, line)
				}
			}
			block = "\n" + strings.Join(indented, "")
		}
		_, block, _ = strings.Cut(block, "\n")
		for line := range strings.Lines(strings.ReplaceAll(block, "\\\n", " ")) {
			line, _, _ = strings.Cut(line, " # ")
			out = append(out, parts.Split(line, -1)...)
		}
	}
	return out
}

// TestRunFilesOnPages reads the files of runs on the pages.
func TestRunFilesOnPages(t *testing.T) {
	read := 0
	for _, page := range pagesOfDocs(t) {
		data, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for i, block := range strings.Split(string(data), "\n```") {
			text, isFile := strings.CutPrefix(block, "toml\n")
			if i%2 == 0 || !isFile || !strings.Contains(text, "game =") {
				continue
			}
			read++
			f, err := run.ParseFile(page, []byte(text))
			if err == nil {
				_, err = f.Settings()
			}
			if err != nil {
				t.Error(err)
			}
		}
	}
	if read == 0 {
		t.Error("no file of a run was found")
	}
}

// TestKeysOnPages holds the words of engines on the pages to keys that there are, and the
// switches of protocols to those of some protocol.
func TestKeysOnPages(t *testing.T) {
	switches := map[string]bool{}
	for _, p := range catalog.Protocols() {
		for _, d := range p.Dialects {
			switches[d.Key] = true
		}
	}
	specs, dialects := 0, 0
	for _, page := range pagesOfDocs(t) {
		if strings.HasPrefix(page, "../../docs/measured/") || strings.HasSuffix(page, "/compat.md") {
			continue // what was printed then; words of other programs
		}
		for _, code := range codeOf(t, page) {
			for _, m := range regexp.MustCompile(`\bdialect\.([a-z0-9_]+)`).FindAllStringSubmatch(code, -1) {
				dialects++
				if !switches[m[1]] {
					t.Errorf("%s: no protocol has the switch dialect.%s: `%s`", page, m[1], code)
				}
			}
			for _, m := range regexp.MustCompile(`--(?:engine|each)[ =](?:'([^']+)'|"([^"]+)"|([a-z]+=\S+))`).FindAllStringSubmatch(code, -1) {
				specs++
				words := regexp.MustCompile(` levels=\S+`).ReplaceAllString(m[1]+m[2]+m[3], "") // gauntlet-self's own
				if !regexp.MustCompile(`(^| )(cmd|bot|human)=`).MatchString(words) {
					words += " cmd=./mine"
				}
				// That there is no such program or folder is the last thing to be found.
				if _, err := engines.Parse("", words); err != nil && !notThere.MatchString(err.Error()) {
					t.Errorf("%s: %v: `%s`", page, err, code)
				}
			}
		}
	}
	if specs < 80 || dialects < 60 {
		t.Errorf("%d engines and %d switches were found: the test shows little", specs, dialects)
	}
}
