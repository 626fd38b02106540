package main

import (
	"io"

	"kibitz/game"
	"kibitz/internal/plain"
	"kibitz/rating"
)

func count(n int, thing string) string { return plain.Count(n, thing) }

func oneLine(err error) string { return plain.OneLine(err) }

func number(x float64) string { return plain.Number(x) }

func score(s [2]float64) string { return plain.Score(s) }

func resultText(r game.Result, names [2]string) string { return plain.Result(r, names) }

func writeJSONLine(w io.Writer, v any) error { return plain.JSONLine(w, v) }

func eloText(elo, err float64) string { return rating.Text(elo, err, 1) }
