package runreport

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
)

// runFilesIndex finds the files of a run's games: one of their own, or one that
// several games share.
type runFilesIndex struct {
	dir     string
	own     map[string]bool
	blocks  map[string][]gameRange // by folder and extension
	transit map[string]time.Duration
}

// gameRange are the games that share a file.
type gameRange struct {
	first, last int
	name        string
}

// gameFileName is of one game (000003, or 000003-2 where it was played again) or of
// several (000001-000100).
var gameFileName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^([0-9]+)(?:-([0-9]{6,})|-[0-9]{1,5})?\.(json|log)$`)
})

func newRunFilesIndex(dir string) (*runFilesIndex, error) {
	x := &runFilesIndex{dir: dir, own: map[string]bool{}, blocks: map[string][]gameRange{}, transit: map[string]time.Duration{}}
	for _, sub := range []string{"games", "logs"} {
		entries, err := os.ReadDir(filepath.Join(dir, sub))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		for _, e := range entries {
			m := gameFileName().FindStringSubmatch(e.Name())
			if m == nil {
				continue
			}
			name := sub + "/" + e.Name()
			if m[2] == "" {
				x.own[name] = true
			} else if first, err := strconv.Atoi(m[1]); err == nil {
				last, _ := strconv.Atoi(m[2]) // an empty range holds no game
				x.blocks[sub] = append(x.blocks[sub], gameRange{first, last, name})
			}
			if sub == "games" {
				if err := x.errors(filepath.Join(dir, sub, e.Name())); err != nil {
					return nil, err
				}
			}
		}
	}
	return x, nil
}

// find returns the file of a game in a folder, "" if there is none.
func (x *runFilesIndex) find(sub, id, ext string) string {
	if name := sub + "/" + id + ext; x.own[name] {
		return name
	}
	number, _, _ := strings.Cut(id, "-")
	n, err := strconv.Atoi(number)
	if err != nil {
		return ""
	}
	for _, b := range x.blocks[sub] {
		if n >= b.first && n <= b.last {
			return b.name
		}
	}
	return ""
}

func (x *runFilesIndex) links(id string) (record, log string) {
	return x.find("games", id, ".json"), x.find("logs", id, ".log")
}

func (x *runFilesIndex) worst(id string) time.Duration { return x.transit[id] }

// errors notes the worst transmission errors of the games in a file of records.
func (x *runFilesIndex) errors(name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close() //nolint:errcheck // only read
	in := bufio.NewReaderSize(f, 64<<10)
	for {
		line, err := in.ReadBytes('\n')
		if bytes.Contains(line, []byte(`"err":`)) {
			var g struct {
				ID    string `json:"id"`
				Steps []struct {
					Err int64 `json:"err"`
				} `json:"steps"`
			}
			if json.Unmarshal(line, &g) == nil {
				for _, s := range g.Steps {
					x.transit[g.ID] = max(x.transit[g.ID], time.Duration(s.Err)*time.Microsecond)
				}
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// What a report shows of a log: its end before the evidence.
const (
	tailBytes = 16 << 10
	tailLines = 15
)

// tail returns the last lines of a game's own log.
func (x *runFilesIndex) tail(id string) []string {
	name := "logs/" + id + ".log"
	if !x.own[name] {
		return nil
	}
	f, err := os.Open(filepath.Join(x.dir, filepath.FromSlash(name)))
	if err != nil {
		return nil
	}
	defer f.Close() //nolint:errcheck // only read
	if st, err := f.Stat(); err == nil && st.Size() > tailBytes {
		if _, err := f.Seek(-tailBytes, io.SeekEnd); err != nil {
			return nil
		}
	}
	data, err := io.ReadAll(io.LimitReader(f, tailBytes))
	if err != nil {
		return nil
	}
	text, _, _ := strings.Cut(string(data), "== evidence\n")
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	return lines[max(0, len(lines)-tailLines):]
}
