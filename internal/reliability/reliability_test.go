package reliability

import (
	"reflect"
	"strings"
	"testing"
)

func TestReadCases(t *testing.T) {
	const text = `# a remark

crash -at 0 => start~
forks -count 10/200 with processes=60/100 files=ro => fine|resource
    ponder dctp => crash: it cannot fork
    sau => leaves processes: nobody looks
	# another remark
nameonce only sau => fine
`
	for full, sizes := range map[bool][2]string{false: {"10", "processes=60"}, true: {"200", "processes=100"}} {
		got, err := ReadCases(text, full)
		if err != nil {
			t.Fatal(err)
		}
		want := []Case{
			{Mode: "crash", Flags: []string{"-at", "0"}, Reason: "start", Varies: true},
			{
				Mode: "forks", Flags: []string{"-count", sizes[0]}, With: []string{sizes[1], "files=ro"}, Reason: "fine|resource",
				Except: []Exception{
					{Protocols: []string{"ponder", "dctp"}, Reason: "crash", Why: "it cannot fork"},
					{Protocols: []string{"sau"}, Left: "processes", Why: "nobody looks"},
				},
			},
			{Mode: "nameonce", Only: []string{"sau"}, Reason: "fine"},
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("full %v:\n%+v, want\n%+v", full, got, want)
		}
	}
}

func TestCase(t *testing.T) {
	list, err := ReadCases("hang -at 3 with noclock only sau gtp => stall\n  gtp => time: why\n  soak sau => fine: why\n  sau => leaves a file: why\n", false)
	if err != nil {
		t.Fatal(err)
	}
	c := &list[0]
	if c.Name() != "hang -at 3 with noclock" || !c.Knows("gtp") || c.Knows("dctp") {
		t.Errorf("%q", c.Name())
	}
	if c.Want("gtp") != "time" || c.Want("sau") != "stall" || c.Leaves("sau") != "a file" || c.Leaves("gtp") != Nothing {
		t.Error("the exceptions are mixed up")
	}
	if c.InSoak("gtp") != "time" || c.InSoak("sau") != "fine" {
		t.Error("the exceptions of a soak are mixed up")
	}
	if list, err = ReadCases("busy => time\n  soak => time|fine: why\n", false); err != nil || list[0].InSoak("gtp") != "time|fine" || list[0].Want("gtp") != "time" {
		t.Errorf("%+v, %v", list, err)
	}
}

func TestBadCases(t *testing.T) {
	for text, want := range map[string]string{
		"crash\n":                              "line 1",
		"crash => \n":                          "without a reason",
		"crash => crash\ncrash => crash\n":     "line 2: crash: named twice",
		"  gtp => time: why\n":                 "an exception to nothing",
		"crash => crash\n  gtp => time\n":      "line 2: an exception is written",
		"crash => crash\n  => time: why\n":     "line 2: an exception is written",
		"crash => crash\n  gtp => time: \n":    "line 2: an exception is written",
		"crash => crash\n  gtp => leaves :x":   "line 2: an exception is written",
		"crash => crash\n soak => leaves x: y": "line 2: an exception is written",
	} {
		if _, err := ReadCases(text, false); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// Rows that say the same stand together, and a table is not broken by what an engine
// says.
func TestPage(t *testing.T) {
	results := []Result{{
		Case: Case{Mode: "crash", Reason: "crash", Except: []Exception{{Protocols: []string{"b"}, Reason: "time", Why: "so it is"}, {Soak: true, Reason: "fine", Why: "elsewhere"}}},
		Doc:  "dies",
		Rows: []Row{
			{Protocol: "a", Reason: "crash", Detail: "x|y\n<z>", Left: Nothing},
			{Protocol: "b", Reason: "time", Left: Nothing},
			{Protocol: "c", Reason: "crash", Detail: "x|y\n<z>", Left: Nothing},
		},
	}}
	got := Page(results, []string{"a", "b", "c"}, []string{"g", "h", "i"})
	if strings.Contains(got, "elsewhere") {
		t.Error("the page tells of soaks")
	}
	for _, line := range []string{
		"1 faults, 3 games.", "| fault | what the engine does | a (g) | b (h) | c (i) |", "| `crash` | dies | crash | time | crash |",
		"| `crash` | b | time | so it is |", "| `crash` | a, c | crash | x\\|y &lt;z> |  | nothing |", "| `crash` | b | time |  |  | nothing |",
	} {
		if !strings.Contains(got, line+"\n") {
			t.Errorf("the page lacks %q", line)
		}
	}
}
