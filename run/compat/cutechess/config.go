package cutechess

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"kibitz/run/compat"
)

// config is an engine of engines.json.
type config struct {
	Name        string   `json:"name"`
	Command     string   `json:"command"`
	Dir         string   `json:"workingDirectory"`
	Stderr      string   `json:"stderrFile"`
	Protocol    string   `json:"protocol"`
	Scale       float64  `json:"timeoutScaleFactor"`
	InitStrings []string `json:"initStrings"`
	WhitePOV    bool     `json:"whitepov"`
	Ponder      bool     `json:"ponder"`
	Restart     string   `json:"restart"`
	Options     []struct {
		Name  string `json:"name"`
		Value any    `json:"value"`
	} `json:"options"`
}

// configs reads engines.json: that of this folder, else that of cutechess's settings.
func configs() ([]config, error) {
	name := "engines.json"
	data, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		var dir string
		if dir, err = os.UserConfigDir(); err == nil {
			name = filepath.Join(dir, "cutechess", "engines.json")
			data, err = os.ReadFile(name)
		}
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var list []config
	if err := json.Unmarshal(data, &list); err != nil {
		if at, ok := errors.AsType[*json.SyntaxError](err); ok {
			return nil, fmt.Errorf("%s: line %d: %w", name, 1+strings.Count(string(data[:at.Offset]), "\n"), err)
		}
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return list, nil
}

// configure takes over an engine of engines.json.
func (e *Engine) configure(_ *compat.Args, name string) error {
	list, err := configs()
	if err != nil {
		return err
	}
	for _, c := range list {
		if c.Name != name {
			continue
		}
		if len(c.InitStrings) > 0 {
			return fmt.Errorf("conf=%s: initStrings: lines before the protocol begins are not sent", name)
		}
		*e = Engine{
			Name: c.Name, Cmd: c.Command, Dir: c.Dir, Stderr: c.Stderr, Proto: c.Protocol, Scale: c.Scale, WhitePOV: c.WhitePOV, Ponder: c.Ponder,
			Restart: c.Restart, TC: e.TC, Margin: e.Margin,
		}
		for _, x := range c.Options {
			if x.Value != nil {
				e.Options = append(e.Options, fmt.Sprintf("%s=%v", x.Name, x.Value))
			}
		}
		return nil
	}
	return fmt.Errorf("conf=%s: engines.json has no engine of that name", name)
}

// program is the executable, as it counts from here.
func (e *Engine) program() string {
	if e.Dir == "" || filepath.IsAbs(e.Cmd) {
		return e.Cmd
	}
	inside := filepath.Join(e.Dir, e.Cmd)
	if st, err := os.Stat(inside); err != nil || !st.Mode().IsRegular() {
		return e.Cmd
	}
	if filepath.IsAbs(inside) {
		return inside
	}
	return "./" + inside
}
