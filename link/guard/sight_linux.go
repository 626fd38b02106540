package guard

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// everybodys are the folders in which a system keeps programs and what they need. An
// engine sees them beside its own.
var everybodys = []string{
	"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store", "/gnu/store", "/run/current-system",
	"/sys/devices/system/cpu", "/sys/devices/system/node", "/sys/kernel/mm/transparent_hugepage",
}

// settings are the files of /etc that programs look up: names, languages, time, and what
// their loader has found. They are copied once for all engines. The rest of /etc is
// nobody's business, but for the folders of libraries and languages.
var (
	settings = []string{
		"ld.so.cache", "ld.so.preload", "localtime", "timezone", "locale.conf", "locale.alias", "os-release", "hostname", "hosts", "host.conf",
		"resolv.conf", "gai.conf", "nsswitch.conf", "protocols", "services", "passwd", "group", "magic", "mime.types",
	}
	settingsFolders = []string{
		"alternatives", "ssl/certs", "pki/tls/certs", "crypto-policies", "fonts", "terminfo", "perl", "mono", "wine", "R", "julia", "lua",
		"OpenCL",
		"vulkan", "java", "java-*", "python*",
	}
)

// copySettings makes the engines' /etc, with empty folders where others are bound.
func copySettings(to string) error {
	if err := os.Mkdir(to, 0o755); err != nil {
		return err
	}
	for _, name := range settings {
		b, err := os.ReadFile(filepath.Join("/etc", name))
		if err != nil {
			continue // few machines have all
		}
		if err := os.WriteFile(filepath.Join(to, name), b, 0o644); err != nil {
			return err
		}
	}
	for _, path := range foldersOf("/etc", settingsFolders) {
		at := filepath.Join(to, strings.TrimPrefix(path, "/etc"))
		link, err := os.Readlink(path)
		if err == nil {
			err = errors.Join(os.MkdirAll(filepath.Dir(at), 0o755), os.Symlink(link, at))
		} else {
			err = os.MkdirAll(at, 0o755)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// foldersOf returns the folders below root that match patterns.
func foldersOf(root string, patterns []string) []string {
	var out []string
	for _, pattern := range patterns {
		list, _ := filepath.Glob(filepath.Join(root, pattern))
		for _, path := range list {
			if st, err := os.Stat(path); err == nil && st.IsDir() {
				out = append(out, path)
			}
		}
	}
	return out
}

// sight is what an engine sees beside its own folders: what is everybody's, where
// programs are looked for, and where its own and the files of its command lie.
func sight(path string, args []string, dir string, env []string) []string {
	out := slices.Concat(everybodys, foldersOf("/etc", settingsFolders))
	if dir != "/" {
		out = append(out, dir)
	}
	out = append(out, searched(env)...)
	out = append(out, program(path, env)...)
	return append(out, named(args, dir)...)
}

// mostHops is how far scripts and links lead to a program.
const mostHops = 16

// program returns the folders of an executable: where it lies, where it leads to as a
// link, those of the interpreter that a script names, and the folder of folders to
// which a bin belongs, if it looks like one.
func program(path string, env []string) []string {
	var out []string
	for range mostHops {
		if !filepath.IsAbs(path) {
			break
		}
		out = append(out, filepath.Dir(path))
		to, err := os.Readlink(path)
		if err == nil {
			if !filepath.IsAbs(to) {
				to = filepath.Join(filepath.Dir(path), to)
			}
			path = to
			continue
		}
		if real, err := filepath.EvalSymlinks(path); err == nil {
			path = real
		}
		if root := prefix(path); root != "" {
			out = append(out, root)
		}
		path = interpreter(path, env)
	}
	return out
}

// prefix returns the folder above that of a program, if it is one of a language or the
// like: with programs in bin and with libraries beside, or with stand-ins in shims that
// begin one of several versions beside (pyenv and the like).
func prefix(path string) string {
	dir := filepath.Dir(path)
	root := filepath.Dir(dir)
	name := filepath.Base(dir)
	switch {
	case root == "/" || root == os.Getenv("HOME"):
		return ""
	case name == "shims":
		return root
	case name != "bin":
		return ""
	}
	for _, beside := range []string{"lib", "lib64", "pyvenv.cfg"} {
		if _, err := os.Stat(filepath.Join(root, beside)); err == nil {
			return root
		}
	}
	return ""
}

// interpreter returns the program that a script names in its first line, empty if it
// names none.
func interpreter(path string, env []string) string {
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close() //nolint:errcheck // only read
	line, _ := bufio.NewReader(io.LimitReader(f, 256)).ReadBytes('\n')
	line, ok := bytes.CutPrefix(line, []byte("#!"))
	if !ok {
		return ""
	}
	words := strings.Fields(string(line))
	if len(words) == 0 {
		return ""
	}
	if filepath.Base(words[0]) != "env" {
		return words[0]
	}
	for _, w := range words[1:] {
		if !strings.HasPrefix(w, "-") && !strings.Contains(w, "=") {
			return lookIn(env, w)
		}
	}
	return ""
}

// searched are the folders in which an environment has programs looked for.
func searched(env []string) []string {
	var out []string
	for _, v := range env {
		if list, ok := strings.CutPrefix(v, "PATH="); ok {
			for _, dir := range filepath.SplitList(list) {
				if filepath.IsAbs(dir) && len(wordsOf(dir)) > 0 {
					out = append(out, dir)
				}
			}
		}
	}
	return out
}

// lookIn finds a program in the folders that PATH of an environment names.
func lookIn(env []string, name string) string {
	for _, dir := range searched(env) {
		path := filepath.Join(dir, name)
		if st, err := os.Stat(path); err == nil && !st.IsDir() {
			return path
		}
	}
	return ""
}

// named returns the files and folders that the arguments of a command name, and the
// folder of the first file, which may be a script with others beside it.
func named(args []string, dir string) []string {
	var out []string
	first := true
	for _, a := range args {
		if _, value, ok := strings.Cut(a, "="); ok && strings.HasPrefix(a, "-") {
			a = value
		}
		if a == "" || len(a) > 4096 {
			continue
		}
		if !filepath.IsAbs(a) {
			a = filepath.Join(dir, a)
		}
		a = filepath.Clean(a)
		st, err := os.Stat(a)
		if err != nil || len(wordsOf(a)) < 2 { // a letter behind a stroke is no folder
			continue
		}
		out = append(out, a)
		if first && st.Mode().IsRegular() {
			first = false
			if folder := filepath.Dir(a); folder != "/" && folder != os.Getenv("HOME") {
				out = append(out, folder)
			}
		}
	}
	return out
}
