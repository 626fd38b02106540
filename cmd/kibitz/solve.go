package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"kibitz/catalog"
	"kibitz/exact"
	"kibitz/exact/problems"
	"kibitz/games"
	"kibitz/internal/process"
)

type solveCmd struct {
	File    string `arg:"" help:"Problems: .obf, a list of positions (.txt, with --game), or records; - reads stdin."`
	Game    string `help:"Game with options; Othello if the format does not say." placeholder:"G"`
	From    string `help:"Format of the file, if the extension does not say: one of kibitz convert, or positions." placeholder:"F"`
	Number  *int   `help:"Solve only problem number N of the file." placeholder:"N"`
	Ply     *int   `help:"Of records: the position after N decisions; default: the last." placeholder:"N"`
	Moves   bool   `help:"Solve what each scored move of the file leads to as well, and compare."`
	Nodes   int64  `help:"Give a problem up after so many positions searched; 0: as many as it takes in Othello and Dots and Boxes, 20 million in other games." default:"0"`
	Threads int    `default:"1" help:"How many positions to solve at a time."`
	JSON    bool   `name:"json" help:"One JSON object for each position, then a summary."`
	Quiet   bool   `help:"Print only what is wrong or unsolved, and the totals."`
}

// Help returns the example that --help shows.
func (solveCmd) Help() string {
	return "Examples: kibitz solve fforum-40-59.obf --threads 2\n          kibitz solve endings.txt --game dotsandboxes:size=4 --json\n    " +
		"      kibitz solve games.ggf --ply 44"
}

// Run solves the problems of a file.
func (c solveCmd) Run(a *app) error {
	if c.Threads < 1 || c.Threads > 1024 {
		return fmt.Errorf("--threads %d: must be from 1 to 1024", c.Threads)
	}
	if c.Nodes < 0 {
		return fmt.Errorf("--nodes %d: must be 0 or more", c.Nodes)
	}
	list, err := c.read(a)
	if err != nil {
		return err
	}
	began := a.now()
	out := &problems.Output{W: a.stdout, JSON: c.JSON, Quiet: c.Quiet, Summary: problems.Summary{Type: "summary", File: c.File}}
	how := problems.Solving{Solver: solverOf, Nodes: c.Nodes, Threads: c.Threads, Moves: c.Moves, ThreadTime: process.ThreadTime}
	out.Summary.Left, err = how.Run(a.ctx, a.drain, list, out.Show)
	if _, ok := errors.AsType[*problems.Stopped](err); ok {
		return badVerdict("%v", err)
	}
	if err == nil {
		err = out.Finish(a.now().Sub(began))
	}
	if fault := out.Summary.Fault(); err == nil && fault != "" {
		return badVerdict("%s", fault)
	}
	return err
}

// read reads the problems and looks whether they can be solved.
func (c *solveCmd) read(a *app) ([]problems.Problem, error) {
	number, err := fromOne("--number", c.Number)
	if err != nil {
		return nil, err
	}
	f := problems.File{Name: c.File, From: c.From, Number: number, Ply: c.Ply, Set: records(), Open: games.OpenSpec}
	if c.Game != "" {
		r, err := games.Open(c.Game)
		if err != nil {
			return nil, err
		}
		f.Game = r.Spec()
		if _, err := catalog.SolverOf(f.Game.ID()); err != nil {
			return nil, err
		}
	}
	data, err := readNamed(a, c.File)
	if err != nil {
		return nil, err
	}
	list, err := f.Read(data)
	if _, ok := errors.AsType[*problems.NumberError](err); ok {
		return nil, fmt.Errorf("--number %w", err)
	}
	if err != nil {
		return nil, err
	}
	for i := range list {
		if _, err := catalog.SolverOf(list[i].Game()); err != nil {
			return nil, fmt.Errorf("%s: %w", c.File, err)
		}
	}
	return list, nil
}

// solverOf makes what solves single positions of a game.
func solverOf(id string) (exact.Solver, int64, error) {
	how, err := catalog.SolverOf(id)
	if err != nil {
		return nil, 0, err
	}
	x, err := how.Whole()
	return x, how.Nodes, err
}

// readNamed reads a file; - is stdin.
func readNamed(a *app, name string) ([]byte, error) {
	if name == "-" {
		return io.ReadAll(a.stdin)
	}
	return os.ReadFile(name)
}
