package wine

import (
	"path/filepath"
	"slices"
	"strings"
)

// homeName is the folder of a prefix that its programs take for the user's home.
const homeName = "home"

// overrides switch off what engines must not have: downloads of .NET and of the HTML
// engine, menus of the desktop, the debugger that would hold a crashed engine.
const overrides = "mscoree,mshtml=;winemenubuilder.exe,winedbg.exe=d"

// environ returns the environment of programs in a prefix: nothing of the user's Wine,
// no screen, and of Wine's own messages only those about libraries that are missing.
func environ(env []string, prefix string) []string {
	var out []string
	for _, v := range env {
		if key, _, _ := strings.Cut(v, "="); !strings.HasPrefix(key, "WINE") && key != "DISPLAY" && key != "WAYLAND_DISPLAY" {
			out = append(out, v)
		}
	}
	return merge(out, []string{
		"WINEPREFIX=" + prefix, "WINEDEBUG=-all,err+module", "WINEDLLOVERRIDES=" + overrides,
		"HOME=" + filepath.Join(prefix, homeName),
	})
}

// merge returns an environment in which each variable stands once; more counts more.
func merge(env, more []string) []string {
	set := map[string]string{}
	var keys []string
	for _, v := range slices.Concat(env, more) {
		key, _, _ := strings.Cut(v, "=")
		if _, known := set[key]; !known {
			keys = append(keys, key)
		}
		set[key] = v
	}
	out := make([]string, len(keys))
	for i, key := range keys {
		out[i] = set[key]
	}
	return out
}
