// Package deptest holds the import rules of the house; its test reads every
// import of the module and fails on a breach.
package deptest

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// Rule says what a package may import directly and what it may never reach.
type Rule struct {
	// Package is an import path below the module, with one * for a folder name.
	Package string
	// May lists what the package may import of this module directly, in the same
	// form; "self" stands for the package's own folder and those below it.
	May []string
	// External lists modules it may import beside the standard library; "any"
	// allows all.
	External []string
	// Never lists what it may not reach even indirectly.
	Never []string
}

// Rules returns the import rules, the first match counts.
func Rules() []Rule {
	return []Rule{
		{Package: "game"},
		{Package: "clock"},
		{Package: "game/grid", May: []string{"game"}},
		{Package: "game/wire", May: []string{"game"}},
		{Package: "game/look", May: []string{"game/wire"}},
		{Package: "rules", May: []string{"game"}},
		{Package: "rules/rulestest", May: []string{"game", "rules"}, External: []string{"any"}},
		{Package: "games", May: []string{"game", "rules", "games/*"}},
		{Package: "games/*", May: []string{"game", "rules", "game/grid"}, Never: []string{"protocol", "protocol/*", "match", "player"}},
		{Package: "player", May: []string{"game", "clock", "internal/bell"}},
		{Package: "player/playertest", May: []string{"*", "*/*", "*/*/*", "*/*/*/*"}, External: []string{"any"}},
		{Package: "link", May: []string{"internal/bell"}, External: []string{"golang.org/x/sys"}},
		{Package: "link/procfs", External: []string{"golang.org/x/sys"}},
		{Package: "link/guard", May: []string{"link/procfs"}, External: []string{"golang.org/x/sys", "github.com/landlock-lsm/go-landlock"}},
		{Package: "link/proc", May: []string{"link", "link/guard", "link/procfs"}, External: []string{"golang.org/x/sys"}},
		{Package: "link/callback", May: []string{"link", "link/frame", "link/proc"}},
		{Package: "link/folder", May: []string{"link", "link/proc"}},
		{Package: "link/wine", May: []string{"internal/wholefile", "link/procfs"}, External: []string{"golang.org/x/sys"}},
		{Package: "link/*", May: []string{"internal/bell", "link"}, External: []string{"golang.org/x/sys"}},
		{Package: "journal", May: []string{"game", "clock"}},
		{Package: "record", May: []string{"game"}},
		{Package: "record/replay/verify", May: []string{
			"game", "internal/plain", "journal", "record", "record/folder", "record/formats", "record/replay", "rules", "tournament",
		}},
		{Package: "record/replay", May: []string{"game", "rules", "journal", "record", "record/*"}},
		{Package: "record/paste", May: []string{"game", "record", "record/formats", "record/replay", "rules"}},
		{Package: "record/gamebase/lookup", May: []string{
			"game", "record/gamebase", "record/gamebase/index", "internal/plain", "record",
			"record/replay", "rules",
		}},
		{Package: "record/gamebase/importing", May: []string{
			"game", "record/gamebase", "record/gamebase/index", "internal/plain", "internal/spread", "record",
			"record/formats", "record/replay", "rules",
		}},
		{Package: "record/gamebase/index", May: []string{"game", "record/gamebase", "record", "record/replay", "rules"}},
		{Package: "record/gamebase", May: []string{"game"}, External: []string{"modernc.org/sqlite"}},
		{Package: "record/formats", May: []string{"game", "internal/wholefile", "journal", "record", "record/*", "record/replay", "rules"}},
		{
			Package: "hall/archive",
			May: []string{
				"hall/bus", "clock", "exact", "game", "game/wire", "record/gamebase", "record/gamebase/index", "internal/plain", "internal/spread", "journal", "opening/names",
				"record", "record/formats", "record/paste", "record/replay", "rules", "hall/learn", "hall/records", "hall/play", "hall/store",
			},
			External: []string{"github.com/klauspost/compress"},
		},
		{
			Package: "record/folder", May: []string{"game", "internal/plain", "journal", "record"},
			External: []string{"github.com/pelletier/go-toml/v2"},
		},
		{
			Package: "record/*", May: []string{"game", "game/grid", "journal", "record"}, External: []string{"golang.org/x/text"},
			Never: []string{"rules", "games", "games/*", "match"},
		},
		{Package: "protocol", May: []string{"game", "game/grid", "clock", "player", "link"}},
		{Package: "protocol/serving", May: []string{"link", "link/frame", "protocol"}, Never: []string{"rules", "games", "games/*", "match"}},
		{
			Package: "protocol/*", May: []string{"protocol", "game", "game/grid", "clock", "player", "link", "record", "record/*"},
			External: []string{"golang.org/x/text"}, Never: []string{"rules", "games", "games/*", "match"},
		},
		{Package: "bot", May: []string{"game", "clock", "player"}},
		{Package: "bot/search/*", May: []string{"bot", "game", "player"}},
		{Package: "bot/search", May: []string{"bot", "game", "player"}},
		{Package: "bot/*", May: []string{
			"bot", "bot/search", "bot/search/*", "game", "clock", "player", "game/grid", "games/self", "rules",
			"bot/self/internal/*",
		}},
		{Package: "bot/*/internal/train", May: []string{"bot", "bot/*", "bot/*/internal/*", "game", "player", "games/*"}},
		{Package: "bot/*/internal/bookpack", May: []string{"bot/*"}},
		{Package: "bot/*/internal/*", May: []string{"games/*", "bot/*/internal/*"}},
		{Package: "exact", May: []string{"game", "rules"}},
		{Package: "exact/problems", May: []string{
			"exact", "game", "internal/plain", "record", "record/formats", "record/obf", "record/replay",
			"rules",
		}},
		{Package: "exact/*", May: []string{"exact", "game", "internal/plain", "rules", "games/self", "bot/self"}},
		{Package: "match", May: []string{"exact", "game", "rules", "clock", "player", "journal"}},
		{Package: "match/trial", May: []string{
			"clock", "game", "game/grid", "internal/plain", "link", "match", "player", "protocol", "rules", "term",
		}},
		{Package: "match/recorded", May: []string{"game", "journal", "match", "record"}},
		{Package: "analysis/records", May: []string{"analysis", "game", "game/wire", "internal/plain", "player", "record", "record/replay", "rules"}},
		{Package: "analysis", May: []string{"game", "game/wire", "journal", "rules", "clock", "player", "record/replay"}},
		{Package: "opening/balanced", May: []string{"game", "internal/plain", "opening", "player", "rules", "tournament"}},
		{Package: "opening/files", May: []string{"game", "opening", "record", "record/formats", "rules"}},
		{Package: "opening/names", May: []string{"rules"}},
		{Package: "opening", May: []string{"game", "rules", "record"}},
		{Package: "report", May: []string{
			"clock", "game", "game/wire", "internal/plain", "journal", "rating", "record", "record/pgn", "report/board",
		}},
		{
			Package: "report/runreport",
			May: []string{
				"game", "game/wire", "internal/plain", "internal/wholefile", "journal", "match/recorded", "rating", "record", "record/folder",
				"record/formats", "report", "rules", "run", "run/engines", "tournament",
			},
			External: []string{"github.com/google/shlex", "github.com/pelletier/go-toml/v2"},
		},
		{Package: "report/board", May: []string{"game"}},
		{Package: "report/picture", May: []string{"game", "report/board"}, External: []string{"golang.org/x/image"}},
		{Package: "catalog/gamelist", May: []string{"catalog", "game/look", "game/wire"}},
		{Package: "catalog", May: []string{
			"analysis", "bot", "bot/*", "exact", "exact/*", "game", "game/look", "game/wire", "games", "games/*", "opening", "player", "protocol",
			"protocol/*", "record", "rules",
		}},
		{Package: "run/compat", May: []string{
			"game", "internal/plain", "opening", "opening/files", "rating", "rules", "run", "run/engines", "run/result", "tournament",
		}},
		{Package: "run/compat/cgomoku", May: []string{
			"game", "game/grid", "games/gomoku", "internal/plain", "link", "link/proc", "match", "opening", "protocol/piskvork", "rating", "record",
			"record/pos", "rules", "run", "run/compat", "run/engines", "tournament",
		}},
		{Package: "run/compat/cutechess", May: []string{
			"catalog", "game", "games", "internal/plain", "match", "opening", "rating", "rules", "run", "run/compat", "run/engines",
			"run/result", "tournament",
		}},
		{
			Package:  "run/compat/fastchess",
			May:      []string{"match", "rating", "run", "run/compat", "run/compat/cutechess", "run/result", "tournament"},
			External: []string{"github.com/google/shlex", "gonum.org/v1/gonum"},
		},
		{
			Package: "run/compat/gogui", May: []string{
				"catalog", "clock", "game", "game/grid", "games", "internal/filelock", "internal/plain", "internal/wholefile", "journal", "match",
				"match/recorded", "opening", "player", "protocol/gtp", "record", "record/sgf", "rules", "run", "run/compat", "run/engines",
				"tournament",
			},
			External: []string{"gonum.org/v1/gonum"},
		},
		{Package: "rating/field", May: []string{
			"game", "internal/plain", "rating", "rating/results", "record", "record/folder", "record/replay",
			"rules", "tournament",
		}},
		{Package: "rating/results", May: []string{"game", "rating", "record"}},
		{Package: "rating", May: []string{"game"}, External: []string{"gonum.org/v1/gonum"}},
		{Package: "tournament", May: []string{"game", "journal", "rating"}},
		{Package: "hall/store", May: []string{"game"}},
		{Package: "hall/store/storetest", May: []string{"hall/store", "hall/store/backup", "game"}, External: []string{"any"}},
		{Package: "hall/store/sqlite/sqlitetest", May: []string{"hall/store/sqlite", "hall/store/sqlstore", "hall/store/storetest"}},
		{Package: "hall/store/backup", May: []string{"game", "hall/store"}, External: []string{"github.com/klauspost/compress"}, Never: hidden()},
		{Package: "hall/store/halldir", May: []string{"internal/filelock", "internal/wholefile", "hall/store", "hall/store/*"}, Never: hidden()},
		{
			Package: "hall/store/*", May: []string{"hall/store", "hall/store/*", "game"},
			External: []string{"modernc.org/sqlite", "github.com/jackc/pgx/v5", "github.com/pressly/goose/v3"}, Never: hidden(),
		},
		{Package: "hall/consolelog", May: []string{"hall/bus"}, External: []string{"github.com/klauspost/compress"}},
		{Package: "hall/bus/bustest", May: []string{"game", "hall/bus"}, Never: hidden()},
		{Package: "hall/live", May: []string{"game", "game/wire", "journal"}},
		{Package: "hall/bus", May: []string{"game", "game/wire", "internal/bell", "journal"}, External: []string{"github.com/nats-io"}, Never: hidden()},
		{Package: "player/remote", May: []string{"game", "clock", "internal/bell", "player"}},
		{Package: "player/remote/seats", May: []string{"game"}},
		{
			Package: "hall/join", May: []string{
				"clock", "game", "game/wire", "hall/live", "internal/plain", "journal", "player", "protocol", "record", "player/remote",
				"player/remote/seats", "rules", "run/engines",
			},
			External: []string{"github.com/coder/websocket"}, Never: append(hallHTTP(), "games", "hall/store"),
		},
		{
			Package: "hall/worker/factory", May: []string{
				"analysis", "catalog", "hall/bus", "clock", "game", "games", "internal/owntemp", "internal/plain", "journal", "link",
				"link/procfs", "match", "player", "protocol", "record", "record/replay", "rules", "run", "run/engines", "run/watchdog",
				"hall/worker",
			}, Never: append(hallHTTP(), "hall/store"),
		},
		{
			Package: "hall/worker", May: []string{
				"analysis", "hall/bus", "hall/consolelog", "clock", "game", "internal/bell", "journal", "match", "match/recorded", "player",
				"record", "record/native", "player/remote", "rules", "tournament",
			}, External: []string{"github.com/klauspost/compress"},
			Never: append(hallHTTP(), "games", "games/*", "hall/store"),
		},
		{Package: "hall/problem", May: []string{"game", "hall/auth", "hall/health", "hall/refuse", "hall/store"}, Never: hidden()},
		{Package: "hall/upload", May: []string{"game", "hall/problem"}},
		{
			Package: "hall/router", May: []string{"hall/auth", "hall/health", "hall/problem", "hall/store", "hall/web"},
			External: []string{"github.com/VictoriaMetrics/metrics"}, Never: hidden(),
		},
		{Package: "hall/admin", May: []string{"hall/auth", "hall/bus", "hall/play", "hall/problem", "hall/store"}, Never: hidden()},
		{Package: "hall/lobby", May: append(serviceMay(), "game/look", "hall/consolelog", "hall/refuse"), External: []string{"github.com/klauspost/compress"}, Never: hidden()},
		{
			Package: "hall/records", May: append(serviceMay(), "hall/lobby", "hall/upload", "internal/spread"),
			External: []string{"github.com/klauspost/compress"}, Never: hidden(),
		},
		{
			Package: "hall/director", May: append(serviceMay(), "hall/contest", "hall/lobby", "hall/upload", "tournament"),
			External: []string{"github.com/VictoriaMetrics/metrics"}, Never: hidden(),
		},
		{
			Package: "hall/api", May: append(serviceMay(), append(services(), "hall/router", "player/remote/seats")...),
			External: []string{"github.com/danielgtaylor/huma/v2", "github.com/coder/websocket", "golang.org/x/time"},
			Never:    append(hidden(), "hall/site", "hall/web/pages"),
		},
		{
			Package: "hall/site", May: append(serviceMay(), append(services(), "clock", "game/look", "hall/contest", "hall/learn", "hall/refuse",
				"hall/router", "hall/web", "hall/web/*", "report/board", "report/picture", "term/board", "tournament")...),
			External: []string{"golang.org/x/net", "github.com/klauspost/compress"}, Never: append(hidden(), "hall/api"),
		},
		{
			Package: "hall/server", May: append(serviceMay(), append(services(), "hall/api", "hall/router", "hall/site", "hall/web/pages")...),
			External: []string{"github.com/klauspost/compress", "github.com/VictoriaMetrics/metrics"}, Never: hidden(),
		},
		{Package: "hall/entry", May: []string{"clock", "game", "game/look", "run/engines"}, Never: append(hallHTTP(), "hall/store")},
		{
			Package: "hall/forms", May: []string{
				"clock", "game", "games", "hall/bus", "hall/contest", "hall/director", "hall/entry", "hall/problem", "journal", "rules", "run",
				"run/engines", "run/openings", "tournament",
			},
		},
		{
			Package: "hall/service", May: []string{
				"catalog", "exact", "games", "hall/*", "hall/store/*", "hall/web/pages", "hall/worker/factory", "internal/drain", "internal/plain",
				"record/formats", "run/engines", "run/watchdog",
			},
			External: []string{"github.com/nats-io/nats.go", "golang.org/x/sys/unix"},
		},
		{Package: "hall/learn", May: []string{"game"}, External: []string{"github.com/pelletier/go-toml/v2"}, Never: hidden()},
		{Package: "hall/queuetls", May: []string{"hall/bus", "hall/store/halldir", "internal/wholefile"}},
		{Package: "hall/web", May: []string{"game", "report/board", "hall/web/*"}, External: []string{"github.com/klauspost/compress"}, Never: hidden()},
		{
			Package: "hall/web/*", May: []string{"clock", "game", "game/look", "report/board", "hall/web", "hall/web/*"},
			External: []string{"golang.org/x/text", "rsc.io/qr"},
			Never:    hidden(),
		},
		{Package: "term", External: []string{"golang.org/x/term"}},
		{Package: "term/progress", May: []string{"internal/plain", "term"}, External: []string{"github.com/vbauerster/mpb/v8"}},
		{Package: "term/show", May: []string{
			"game", "internal/plain", "record", "record/folder", "record/replay", "rules", "term/board",
		}},
		{Package: "term/board", May: []string{"game", "term"}},
		{Package: "term/person", May: []string{"analysis", "clock", "game", "internal/bell", "internal/plain", "player", "rules", "term", "term/board"}},
		{
			Package: "run", May: []string{
				"bot", "catalog", "clock", "exact", "game", "games", "internal/drain", "internal/plain", "internal/process", "journal", "link/guard",
				"link/procfs", "match", "match/recorded", "opening", "player", "protocol", "rating", "record", "record/folder",
				"record/formats", "record/native", "rules", "run/engines", "run/folder", "run/openings", "run/orders", "run/repair", "run/result",
				"run/roster", "run/shuffle", "run/standing", "run/watchdog", "tournament",
			},
			External: []string{"github.com/google/shlex", "github.com/pelletier/go-toml/v2"}, Never: hallHTTP(),
		},
		{
			Package: "run/engines", May: []string{
				"bot", "bot/random", "catalog", "clock", "game", "internal/wholefile", "link", "link/*", "player", "protocol", "rules",
			},
			External: []string{"github.com/google/shlex", "golang.org/x/sys"}, Never: append(hallHTTP(), "match"),
		},
		{Package: "run/folder", May: []string{"internal/filelock", "internal/wholefile", "journal", "run/engines"}},
		{Package: "run/fullscreen", May: []string{
			"game", "rules", "run", "run/lines", "run/orders", "run/result", "run/standing", "term/screen", "tournament",
		}},
		{Package: "run/ladder", May: []string{
			"bot", "catalog", "game", "games", "internal/wholefile", "opening", "rating", "run", "run/engines", "run/result",
		}},
		{Package: "run/lines", May: []string{
			"game", "internal/plain", "rating", "run", "run/result", "run/standing", "term/board", "term/progress", "tournament",
		}},
		{Package: "run/openings", May: []string{
			"bot", "catalog", "games", "opening", "opening/balanced", "opening/files", "player", "record/formats", "rules", "run/engines",
			"tournament",
		}},
		{Package: "run/orders", May: []string{
			"game", "internal/plain", "internal/process", "rating", "rating/field", "run/folder", "run/result", "tournament",
		}},
		{Package: "run/repair", May: []string{
			"game", "games", "internal/filelock", "internal/plain", "internal/wholefile", "journal", "match/recorded", "record", "record/formats",
			"record/native", "rules", "run/folder", "run/shuffle", "run/standing", "tournament",
		}},
		{Package: "run/roster", May: []string{
			"game", "internal/plain", "match", "player", "protocol", "rules", "run/engines", "tournament",
		}},
		{Package: "run/shuffle", May: []string{"journal", "match", "rules", "tournament"}},
		{Package: "run/standing", May: []string{"game", "journal", "match", "rating", "record/native", "run/result", "tournament"}},
		{Package: "run/result", May: []string{"rating"}},
		{Package: "run/watchdog"},
		{Package: "term/menu", May: []string{"clock", "internal/plain", "rules", "term"}, External: []string{"github.com/pelletier/go-toml/v2"}},
		{
			Package:  "term/screen",
			May:      []string{"clock", "game", "internal/plain", "journal", "rating", "rules", "term", "term/board", "tournament"},
			External: []string{"charm.land/bubbletea/v2", "github.com/charmbracelet/x/ansi"},
		},
		{Package: "internal/filelock", External: []string{"golang.org/x/sys"}},
		{Package: "hall/*", May: hallMay(), External: []string{"any"}, Never: hidden()},
		{Package: "internal/wholefile"},
		{Package: "internal/bell"},
		{Package: "internal/plain", May: []string{"game", "journal"}},
		{Package: "internal/spread"},
		{Package: "internal/*", May: []string{"*", "*/*", "*/*/*", "*/*/*/*"}, External: []string{"any"}},
		{Package: "cmd/kibitz/outside", May: []string{"player", "rules", "record", "record/formats", "run/engines"}},
		{Package: "examples/engine", May: []string{"catalog", "game", "games", "player", "protocol", "protocol/serving", "rules"}},
		{Package: "cmd/kibitz/full", May: []string{"*", "*/*", "*/*/*", "*/*/*/*"}, External: []string{"any"}},
		{Package: "cmd/kibitz", May: []string{"*", "*/*", "*/*/*", "*/*/*/*"}, External: []string{"any"}},
	}
}

// hidden are the packages that know what a seat or a spectator may not: whoever
// passes on what others may see cannot even name them.
func hidden() []string { return []string{"rules", "games", "games/*", "match", "record/replay"} }

// hallHTTP are the packages that answer over HTTP for a hall, and what they are made of.
func hallHTTP() []string {
	return []string{"hall/server", "hall/api", "hall/site", "hall/router", "hall/admin", "hall/director", "hall/lobby", "hall/records"}
}

// services are the packages with what callers of a hall may see and do.
func services() []string {
	return []string{"hall/admin", "hall/director", "hall/lobby", "hall/records", "hall/upload"}
}

// serviceMay is what all services of a hall may import.
func serviceMay() []string {
	return []string{
		"game", "game/wire", "hall/auth", "hall/bus", "hall/health", "hall/hub", "hall/live", "hall/play",
		"hall/problem", "hall/room", "hall/store", "internal/bell", "journal",
	}
}

// hallMay is what the packages of the hall may import that have no rule of their own.
func hallMay() []string {
	return []string{
		"hall/bus", "clock", "game", "game/wire", "internal/bell", "internal/plain", "journal", "rating", "hall/auth", "hall/contest",
		"hall/health", "hall/hub", "hall/live", "hall/play", "hall/refuse", "hall/room", "hall/store", "tournament",
	}
}

// Imports describes one package: its path below the module, the paths below the
// module that it imports, and the external ones.
type Imports struct {
	Package  string
	Own      []string
	External []string
	// Reached are all packages of the module that it reaches.
	Reached []string
}

// Check returns the breaches of the rules, one line each.
func Check(rules []Rule, list []Imports) []string {
	var out []string
	for _, p := range list {
		i := slices.IndexFunc(rules, func(r Rule) bool { return match(r.Package, p.Package, p.Package) })
		if i < 0 {
			out = append(out, fmt.Sprintf("%s: no rule says what it may import; add one to internal/deptest", p.Package))
			continue
		}
		out = append(out, rules[i].breaches(p)...)
	}
	return out
}

func (r Rule) breaches(p Imports) []string {
	var out []string
	for _, imp := range p.Own {
		if strings.HasPrefix(imp, p.Package+"/") && path.Base(imp) == "testdata" {
			continue
		}
		if !matchAny(r.May, imp, p.Package) {
			out = append(out, fmt.Sprintf("%s imports %s; it may import %s", p.Package, imp, orNothing(r.May)))
		}
	}
	for _, imp := range p.External {
		allowed := slices.ContainsFunc(r.External, func(e string) bool {
			return e == "any" || imp == e || strings.HasPrefix(imp, e+"/")
		})
		if !allowed {
			out = append(out, fmt.Sprintf("%s imports %s; outside the module it may import %s", p.Package, imp, orNothing(r.External)))
		}
	}
	for _, imp := range p.Reached {
		if matchAny(r.Never, imp, p.Package) {
			out = append(out, fmt.Sprintf("%s reaches %s, which it never may", p.Package, imp))
		}
	}
	return out
}

func orNothing(list []string) string {
	if len(list) == 0 {
		return "the standard library only"
	}
	return strings.Join(list, " ")
}

func matchAny(patterns []string, name, self string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool { return match(p, name, self) })
}

// match compares path elements; * matches any one, "self" the last element of
// the importing package.
func match(pattern, name, self string) bool {
	ps, ns := strings.Split(pattern, "/"), strings.Split(name, "/")
	if len(ps) != len(ns) {
		return false
	}
	for i := range ps {
		if ps[i] == "self" && ns[i] == path.Base(self) {
			continue
		}
		if ps[i] != "*" && ps[i] != ns[i] {
			return false
		}
	}
	return true
}
