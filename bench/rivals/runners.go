//go:build linux

package main

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strconv"
)

// The rivals.
const (
	gomokuCli = "c-gomoku-cli"
	fastchess = "fastchess"
	cutechess = "cutechess-cli"
)

// How long the games of the instant engines are: the relay knows no end, a referee
// of five in a row sees five on a diagonal, and chess is drawn by repetition.
const (
	relayPlies  = 65
	gomokuPlies = 61
	chessPlies  = 58
)

// runner is one program under measurement.
type runner struct {
	name, game string
	plies      int
	games      int // of one run with engines that are reused
	restarts   int // of one run with engines started anew, 0 if it cannot do that
	// mark is printed once for each game that ended as it should, empty if the
	// exit status must do.
	mark    string
	single  bool                // it plays one game at a time
	command func(play) []string // the words of a run
}

// play is what a runner is to play.
type play struct {
	games, at int // so many, and so many at a time
	restart   bool
	out       string // the folder to which it may write
}

// runners builds the engines and lists who plays.
func (s *settings) runners(dir string) ([]runner, error) {
	engine, err := compile(dir, s.engine, "instant")
	if err != nil {
		return nil, err
	}
	relay, err := compile(dir, s.relay, "relay")
	if err != nil {
		return nil, err
	}
	chess, err := compile(dir, s.chess, "uci")
	if err != nil {
		return nil, err
	}
	list := []runner{{
		name: "relay", game: "five in a row", plies: relayPlies, games: s.games, single: true,
		command: func(p play) []string { return []string{relay, strconv.Itoa(p.games), engine} },
	}}
	for _, path := range s.kibitz {
		if path, err = filepath.Abs(path); err != nil {
			return nil, err
		}
		list = append(list, kibitz(path, engine, s.games))
		if len(s.kibitz) > 1 {
			list[len(list)-1].name = path
		}
	}
	for _, r := range []runner{
		gomoku(s.paths[gomokuCli], engine, s.games), fast(s.paths[fastchess], chess, s.games),
		cute(s.paths[cutechess], chess, s.games),
	} {
		if path := s.paths[r.name]; path != "" {
			if _, err := exec.LookPath(path); err != nil {
				return nil, fmt.Errorf("%s: %w", r.name, err)
			}
			list = append(list, r)
		}
	}
	return list, nil
}

// compile builds a C program in dir.
func compile(dir, source, name string) (string, error) {
	path := filepath.Join(dir, name)
	if out, err := exec.Command("cc", "-O2", "-w", "-o", path, source).CombinedOutput(); err != nil {
		return "", fmt.Errorf("cc %s: %w\n%s", source, err, out)
	}
	return path, nil
}

func kibitz(path, engine string, games int) runner {
	return runner{
		name: "Kibitz", game: "five in a row", plies: gomokuPlies, games: games, restarts: max(1, games/15), mark: `"plies":61,`,
		command: func(p play) []string {
			argv := []string{
				path, "match", "--game", "gomoku", "--games", strconv.Itoa(p.games), "--concurrency", strconv.Itoa(p.at),
				"--json", "--quiet", "--out", p.out,
			}
			if p.restart {
				argv = append(argv, "--each", "restart=game")
			}
			return append(argv, "--engine", "cmd="+engine+" name=a", "--engine", "cmd="+engine+" name=b")
		},
	}
}

func gomoku(path, engine string, games int) runner {
	return runner{
		name: gomokuCli, game: "five in a row", plies: gomokuPlies, games: games, mark: "five connection}",
		command: func(p play) []string {
			return []string{
				path, "-engine", "name=a", "cmd=" + engine, "-engine", "name=b", "cmd=" + engine, "-each", "tc=0/60",
				"-games", strconv.Itoa(p.games), "-rule", "0", "-boardsize", "15", "-concurrency", strconv.Itoa(p.at),
			}
		},
	}
}

// fast plays rounds of two games.
func fast(path, engine string, games int) runner {
	return runner{
		name: fastchess, game: "chess", plies: chessPlies, games: max(1, games/6) * 2, restarts: 10, mark: "3-fold repetition}",
		command: func(p play) []string {
			return []string{
				path, "-engine", "name=a", "cmd=" + engine, "-engine", "name=b", "cmd=" + engine,
				"-each", "proto=uci", "tc=60+1", "restart=" + onOff(p.restart), "-rounds", strconv.Itoa(p.games / 2),
				"-concurrency", strconv.Itoa(p.at),
			}
		},
	}
}

func cute(path, engine string, games int) runner {
	return runner{
		name: cutechess, game: "chess", plies: chessPlies, games: max(1, games/12), restarts: max(1, games/60), mark: "3-fold repetition}",
		command: func(p play) []string {
			return []string{
				path, "-engine", "name=a", "cmd=" + engine, "-engine", "name=b", "cmd=" + engine,
				"-each", "proto=uci", "tc=60+1", "restart=" + onOff(p.restart), "-rounds", strconv.Itoa(p.games), "-games", "1",
				"-concurrency", strconv.Itoa(p.at),
			}
		},
	}
}

func onOff(b bool) string {
	if b {
		return "on"
	}
	return "off"
}
