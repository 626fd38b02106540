package main

import (
	"io"
	"slices"
	"strings"
	"testing"
)

// lines writes events: "ACTION PACKAGE TEST OUTPUT", with - for nothing.
func lines(events ...string) io.Reader {
	var b strings.Builder
	for _, e := range events {
		f := strings.SplitN(strings.ReplaceAll(e, " -", " "), " ", 4)
		for len(f) < 4 {
			f = append(f, "")
		}
		b.WriteString(`{"Action":"` + f[0] + `","Package":"` + f[1] + `","Test":"` + f[2] + `","Output":"` + f[3] + `"}` + "\n")
	}
	return strings.NewReader(b.String())
}

func TestReport(t *testing.T) {
	passes := []string{"pass a T1", "pass a T2", "skip a T3", "pass a -"}
	fails := []string{"output b T9 too late", "fail b T9", "pass b T8", "fail b -"}
	for _, c := range []struct {
		name   string
		first  []string
		second []string
		again  []string
		sum    string
		ok     bool
		// unsteady is what passed in the second run alone.
		unsteady []string
	}{
		{"all passes", passes, nil, nil, "2 passed, 0 failed, 1 skipped", true, nil},
		{"fails twice", slices.Concat(passes, fails), fails, []string{"b"}, "3 passed, 1 failed, 1 skipped", false, nil},
		{"passes alone", slices.Concat(passes, fails), []string{"pass b T9", "pass b T8", "pass b -"}, []string{"b"}, "4 passed, 0 failed, 1 skipped", false, []string{"b T9"}},
		{
			"another fails alone", slices.Concat(passes, fails),
			[]string{"pass b T9", "fail b T8", "fail b -"},
			[]string{"b"},
			"3 passed, 1 failed, 1 skipped", false,
			[]string{"b T9"},
		},
		{"a leak after all tests", []string{"pass a T1", "fail a -"}, []string{"pass a T1", "pass a -"}, []string{"a"}, "1 passed, 0 failed, 0 skipped", false, []string{"a"}},
		{
			"a part of a test",
			[]string{"fail a T/x", "pass a T/y", "fail a T", "fail a -"},
			[]string{"pass a T/x", "pass a T/y", "pass a T", "pass a -"},
			[]string{"a"},
			"3 passed, 0 failed, 0 skipped", false,
			[]string{"a T/x"},
		},
		{"a data race", []string{"output b T9 WARNING: DATA RACE", "fail b T9", "fail b -"}, nil, nil, "0 passed, 1 failed, 0 skipped", false, nil},
		{"a panic", []string{"output b T9 panic: nil map", "fail b T9", "fail b -"}, nil, nil, "0 passed, 1 failed, 0 skipped", false, nil},
		{"does not build", append([]string{"build-fail b -", "fail b -"}, passes...), nil, nil, "2 passed, 0 failed, 1 skipped", false, nil},
		{"many fail", []string{"fail a T", "fail b T", "fail c T", "fail d T"}, nil, nil, "0 passed, 4 failed, 0 skipped", false, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newReport(io.Discard)
			if err := r.read(lines(c.first...)); err != nil {
				t.Fatal(err)
			}
			if got := r.again(); !slices.Equal(got, c.again) {
				t.Errorf("once more %v, want %v", got, c.again)
			}
			if c.second != nil {
				r.second()
				if err := r.read(lines(c.second...)); err != nil {
					t.Fatal(err)
				}
			}
			if got := r.unsteady(); !slices.Equal(got, c.unsteady) {
				t.Errorf("unsteady %q, want %q", got, c.unsteady)
			}
			if sum, ok := r.sum(); sum != c.sum || ok != c.ok {
				t.Errorf("%s, %t; want %s, %t", sum, ok, c.sum, c.ok)
			}
		})
	}
}

// TestUnfinished: of a package that was stopped it is told which tests had not ended, and what
// they said; tests that had ended are not named.
func TestUnfinished(t *testing.T) {
	var out strings.Builder
	r := newReport(&out)
	events := lines("output b T8 fine", "pass b T8", "output b T9 panic: timed out", "output b T7 waits", "output bb T6 runs", "fail b -")
	if err := r.read(events); err != nil {
		t.Fatal(err)
	}
	want := "--- b T7 was not finished\nwaits--- b T9 was not finished\npanic: timed out--- b \n"
	if got := out.String(); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestFlags(t *testing.T) {
	if got := flags([]string{"-race", "-run=X/Y", "./a", "kibitz/b"}); !slices.Equal(got, []string{"-race", "-run=X/Y"}) {
		t.Errorf("%v", got)
	}
}
