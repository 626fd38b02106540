package orders

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"kibitz/game"
	"kibitz/internal/plain"
	"kibitz/rating/field"
	"kibitz/tournament"
)

// Game returns the index of a game that is given by its number.
func Game(text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		return 0, fmt.Errorf("game %s: must be the number of a game, from 1", text)
	}
	return n - 1, nil
}

// Ruling reads "GAME first|second|draw NOTE...": a result that says who set it and
// why.
func Ruling(o Request) (game.Result, error) {
	detail := noteOf(o)
	if detail == "" {
		return game.Result{}, errors.New("a verdict needs a note that says why")
	}
	switch o.Args[1] {
	case "first":
		return game.Win(game.First, game.ByAdjudication, detail), nil
	case "second":
		return game.Win(game.Second, game.ByAdjudication, detail), nil
	case "draw":
		return game.Drawn(game.ByAdjudication, detail), nil
	}
	return game.Result{}, fmt.Errorf("%s: must be first, second or draw%s", o.Args[1], orNobody(o))
}

// orNobody is what else an order may say for a result.
func orNobody(o Request) string {
	if o.Do == string(tournament.Overrule) {
		return ", or nobody"
	}
	return ""
}

// Read reads an order of an organiser about engines of these names. Spec is the specification
// of one that enters, which enter takes into the run and names.
func Read(o Request, names []string, enter func(spec string) (name string, err error)) (order tournament.Order, spec string, err error) {
	order.Kind = tournament.OrderKind(o.Do)
	switch order.Kind {
	case tournament.Withdraw:
		order.Engine, err = engineOf(names, o.Args[0])
		if err == nil && len(o.Args) > 1 {
			order.Remaining = tournament.Remaining(o.Args[1])
		}
	case tournament.Enter:
		spec = o.Args[0]
		if len(o.Args) > 1 {
			if order.Byes, err = strconv.Atoi(o.Args[1]); err != nil || order.Byes < 0 {
				return order, "", fmt.Errorf("%s byes: must be a number from 0; the words of an engine are one text in quotes", o.Args[1])
			}
		}
		order.Name, err = enter(spec)
	case tournament.Pair:
		if order.Engine, err = engineOf(names, o.Args[0]); err == nil {
			order.Opponent, err = engineOf(names, o.Args[1])
		}
		if err == nil && len(o.Args) > 2 {
			if order.Games, err = strconv.Atoi(o.Args[2]); err != nil || order.Games < 1 {
				err = fmt.Errorf("%s games: must be a number from 1", o.Args[2])
			}
		}
	case tournament.Forfeit:
		if order.Engine, err = engineOf(names, o.Args[1]); err == nil {
			var n int
			if n, err = strconv.Atoi(o.Args[0]); err == nil {
				order.Game, order.Opponent = n, order.Engine
			} else {
				order.Opponent = order.Engine
				order.Engine, err = engineOf(names, o.Args[0])
			}
		}
	case tournament.Replay, tournament.Overrule:
		if order.Game, err = strconv.Atoi(o.Args[0]); err != nil {
			err = fmt.Errorf("game %s: must be the number of a game, from 1", o.Args[0])
		}
		order.Note = strings.Join(o.Args[1:], " ")
		if err == nil && order.Kind == tournament.Overrule {
			order.Points, order.Note, err = overruling(o)
		}
	}
	return order, spec, err
}

// overruling reads "GAME first|second|draw|nobody NOTE...".
func overruling(o Request) (points [2]float64, note string, err error) {
	if o.Args[1] == "nobody" {
		return points, noteOf(o), nil
	}
	res, err := Ruling(o)
	return res.Points, res.Detail, err
}

func noteOf(o Request) string {
	note := strings.TrimSpace(strings.Join(o.Args[2:], " "))
	if o.By != "" && note != "" {
		note = o.By + ": " + note
	}
	return note
}

// engineOf returns the number of an engine that is given by its name.
func engineOf(names []string, name string) (int, error) {
	if i := slices.Index(names, name); i >= 0 {
		return i, nil
	}
	return 0, fmt.Errorf("there is no engine %q: they are %s", name, field.SomeNames(names))
}

// Text says what an order about engines of these names has done.
func Text(o tournament.Order, names []string) string {
	name := func(i int) string { return names[i] }
	switch o.Kind {
	case tournament.Withdraw:
		if o.Remaining == tournament.Annulled {
			return name(o.Engine) + " has withdrawn; its games do not count"
		}
		return name(o.Engine) + " has withdrawn; what is left of its games is awarded to the others"
	case tournament.Enter:
		return name(o.Engine) + " takes part from now on"
	case tournament.Pair:
		if o.Games == 0 {
			return fmt.Sprintf("%s and %s meet in the next round", name(o.Engine), name(o.Opponent))
		}
		return fmt.Sprintf("%s and %s play %s more", name(o.Engine), name(o.Opponent), plain.Count(o.Games, "game"))
	case tournament.Forfeit:
		if o.Game > 0 {
			return fmt.Sprintf("game %d is lost by %s", o.Game, name(o.Engine))
		}
		return fmt.Sprintf("%s loses what it has not played against %s", name(o.Engine), name(o.Opponent))
	case tournament.Replay:
		return fmt.Sprintf("game %d is played again", o.Game)
	}
	return fmt.Sprintf("game %d now counts %s-%s; %s", o.Game, plain.Number(o.Points[0]), plain.Number(o.Points[1]), o.Note)
}

// Named tells the engines of an order by name.
func Named(err error, names []string) error {
	return errors.New(tournament.Named(err, len(names), func(n int) string { return names[n] }).Text)
}
