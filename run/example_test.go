package run_test

import (
	"context"
	"crypto/rand"
	"fmt"
	"os"
	"time"

	"kibitz/run"
	"kibitz/run/engines"
)

// The file of a run is TOML: settings, and a table for each engine. What it leaves out has
// its default.
func ExampleParseFile() {
	f, err := run.ParseFile("event.toml", []byte(`
game = 'othello'
games = 4
points = '3/1/0'

[[engine]]
name = 'Kibitz 3'
bot = 3

[[engine]]
name = 'Kibitz 5'
bot = 5
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	s, err := f.Settings()
	if err != nil {
		fmt.Println(err)
		return
	}
	plan := s.Plan(len(s.Engine), 0)
	fmt.Println(s.Game, plan.Format, plan.Games, "games,", s.Points.Win, "points for a win")
	fmt.Println("faults:", s.Check())
	// Output:
	// othello roundrobin 4 games, 3 points for a win
	// faults: <nil>
}

// A setting that is no value is told with its row and column.
func ExampleFile_Settings() {
	f, err := run.ParseFile("event.toml", []byte("game = 'othello'\npoints = '0/1/3'\n[[engine]]\nbot = 3\n"))
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = f.Settings()
	fmt.Println(err)
	// Output:
	// event.toml:2:1: points 0/1/3: a win must count more than a loss, and a draw lie between
}

// Check finds all settings that cannot be meant, not the first alone. Each is an Error with
// a JSON pointer, which a flag, a file or a form translates into its own place.
func ExampleConfig_Check() {
	c := run.Usual().Config
	c.Game, c.Concurrency, c.MaxMoves = "othello", 0, -1
	for _, e := range run.Faults(c.Check()) {
		fmt.Println(e.Path, "|", e)
	}
	// Output:
	// /concurrency | --concurrency 0: must be at least 1
	// /engine | a match needs at least two engines: give --engine twice or more
	// /max-moves | --max-moves -1: must not be negative
}

// A run is New, with what it needs of the world, and Play. What it came to is a value; journal,
// records and logs are in its folder.
func ExampleRun_Play() {
	dir, err := os.MkdirTemp("", "kibitz-example-")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	s := run.Usual()
	s.Game, s.Games, s.Seed, s.Quiet, s.Out = "othello", 2, 7, true, dir
	for _, level := range []string{"3", "random"} {
		s.Engine = append(s.Engine, engines.Words{{Key: "bot", Value: level}})
	}
	r, err := run.New(s, run.Deps{Launcher: &engines.Launcher{Now: time.Now, Random: rand.Reader, Guards: &engines.Guards{}}})
	if err != nil {
		fmt.Println(err)
		return
	}
	sum, err := r.Play(context.Background())
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, e := range sum.Engines {
		fmt.Println(e.Name, e.Wins, "of", e.Games)
	}
	// Output:
	// level3 2 of 2
	// random 0 of 2
}
