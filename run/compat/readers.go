package compat

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"kibitz/rating"
	"kibitz/run"
)

// Ignoring passes over what is given with a warning that says why.
func Ignoring(note string) Reader {
	return func(p *Args) error {
		p.Warn(p.Flag + " is ignored: " + note)
		return nil
	}
}

// Refusing is an error that says why.
func Refusing(note string) Reader {
	return func(p *Args) error {
		return fmt.Errorf("%s: %s", strings.TrimSpace(p.Flag+" "+strings.Join(p.Words, " ")), note)
	}
}

// One hands on the only value of an option.
func One(take func(p *Args, value string) error) Reader {
	return func(p *Args) error {
		if len(p.Words) != 1 {
			return fmt.Errorf("%s takes one value, %d are given", p.Flag, len(p.Words))
		}
		return take(p, p.Words[0])
	}
}

// None refuses values.
func None(p *Args) error {
	if len(p.Words) != 0 {
		return fmt.Errorf("%s takes no value, %q is given", p.Flag, p.Words[0])
	}
	return nil
}

// Whole reads a whole number from least on.
func Whole(dst *int, least int) Reader {
	return One(func(p *Args, v string) (err error) {
		if *dst, err = strconv.Atoi(v); err != nil || *dst < least {
			return p.Must(v, "must be a whole number from %d", least)
		}
		return nil
	})
}

// Within reads a whole number of a range.
func Within(dst *int, least, most int) Reader {
	return One(func(p *Args, v string) (err error) {
		if *dst, err = strconv.Atoi(v); err != nil || *dst < least || *dst > most {
			return p.Must(v, "must be a whole number from %d to %d", least, most)
		}
		return nil
	})
}

// WholeOr reads a whole number from 1 on; usual is what is meant without one.
func WholeOr(dst *int, usual int) Reader {
	return func(p *Args) error {
		if *dst = usual; len(p.Words) == 0 {
			return nil
		}
		return Whole(dst, 1)(p)
	}
}

// Count reads a whole number of 64 bits that is not negative.
func Count(dst *int64) Reader {
	return One(func(p *Args, v string) (err error) {
		if *dst, err = strconv.ParseInt(v, 10, 64); err != nil || *dst < 0 {
			return p.Must(v, "must be a whole number from 0")
		}
		return nil
	})
}

// Seed reads a number of so many bits.
func Seed(dst **uint64, bits int) Reader {
	return One(func(p *Args, v string) error {
		n, err := strconv.ParseUint(v, 10, bits)
		if *dst = &n; err != nil {
			return p.Must(v, "must be a whole number from 0 to %d", uint64(1)<<bits-1)
		}
		return nil
	})
}

// Amount reads a number from 0 to 1e12.
func Amount(dst *float64) Reader {
	return One(func(p *Args, v string) (err error) {
		if *dst, err = ParseAmount(v); err != nil {
			return p.Must(v, "%v", err)
		}
		return nil
	})
}

// ParseAmount reads a number from 0 to 1e12.
func ParseAmount(v string) (float64, error) {
	x, err := strconv.ParseFloat(v, 64)
	if err != nil || !(x >= 0 && x <= 1e12) {
		return 0, fmt.Errorf("must be a number from 0")
	}
	return x, nil
}

// Times reads a number that is not negative and counts times unit: 1000 makes
// milliseconds of seconds.
func Times(dst *int64, unit float64) Reader {
	return func(p *Args) error {
		var x float64
		err := Amount(&x)(p)
		*dst = int64(x * unit)
		return err
	}
}

func number(dst *float64) Reader {
	return One(func(p *Args, v string) (err error) {
		if *dst, err = strconv.ParseFloat(v, 64); err != nil {
			return p.Must(v, "must be a number")
		}
		return nil
	})
}

// Text reads a text.
func Text[T ~string](dst *T) Reader {
	return One(func(_ *Args, v string) error {
		*dst = T(v)
		return nil
	})
}

// Joined reads words that belong together.
func Joined(dst *string) Reader {
	return func(p *Args) error {
		if *dst = strings.Join(p.Words, " "); *dst == "" {
			return fmt.Errorf("%s takes a value", p.Flag)
		}
		return nil
	}
}

// All appends the values.
func All(dst *[]string) Reader {
	return func(p *Args) error {
		*dst = append(*dst, p.Words...)
		return nil
	}
}

// Lists appends the values as a list of their own.
func Lists(dst *[][]string) Reader {
	return func(p *Args) error {
		*dst = append(*dst, p.Words)
		return nil
	}
}

// Named appends NAME=VALUE of a word "option.NAME=VALUE".
func Named(dst *[]string) Reader {
	return func(p *Args) error {
		_, name, _ := strings.Cut(p.Flag, "option.")
		*dst = append(*dst, name+"="+p.Words[0])
		return nil
	}
}

// On is set by an option without values.
func On(list ...*bool) Reader {
	return func(p *Args) error {
		for _, b := range list {
			*b = true
		}
		return None(p)
	}
}

// Given is set by an option, whatever its value.
func Given(dst *bool) Reader {
	return func(*Args) error {
		*dst = true
		return nil
	}
}

// OneOf reads one of some words.
func OneOf[T ~string](dst *T, list ...string) Reader {
	return One(func(p *Args, v string) error {
		if *dst = T(v); !slices.Contains(list, v) {
			return p.Must(v, "must be one of %s", strings.Join(list, " "))
		}
		return nil
	})
}

// Second reads one of two words and tells whether it is the second.
func Second(dst *bool, first, second string) Reader {
	return func(p *Args) error {
		var v string
		err := OneOf(&v, first, second)(p)
		*dst = v == second
		return err
	}
}

// Test reads elo0= elo1= alpha= beta= of a sequential test, and model= if there are models
// to choose from. What is not given is as in usual; need are the words that must be.
func Test(dst **run.Test, usual rating.SPRT, models []string, need ...string) Reader {
	return func(p *Args) error {
		t := &run.Test{SPRT: usual}
		*dst = t
		words := Words{"elo0=": number(&t.Elo0), "elo1=": number(&t.Elo1), "alpha=": number(&t.Alpha), "beta=": number(&t.Beta)}
		if len(models) > 0 {
			words["model="] = OneOf(&t.Model, models...)
		}
		return words.Read(p, need...)
	}
}
