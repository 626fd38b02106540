package gogui

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"kibitz/record/sgf"
)

func rich(t *testing.T) ([]byte, *Table) {
	t.Helper()
	data, err := os.ReadFile("testdata/rich.dat")
	if err != nil {
		t.Fatal(err)
	}
	table, err := ParseTable(data)
	if err != nil {
		t.Fatal(err)
	}
	return data, table
}

// TestTable writes a table as it was read.
func TestTable(t *testing.T) {
	data, table := rich(t)
	if got := table.Append(nil); !bytes.Equal(got, data) {
		t.Errorf("written:\n%s\nread:\n%s", got, data)
	}
	if g := table.Games[4]; !g.Failed || g.Why != "Bob played invalid move: z99" || g.Number != 4 || g.Time != [2]float64{0.1, 0.1} {
		t.Errorf("%+v", g)
	}
	table.Add(Game{Number: 2, Black: "0", Duplicate: "-"})
	if n := table.Games[3].Number; n != 2 || len(table.Games) != 8 {
		t.Errorf("the game stands behind game %d", n)
	}
}

func TestOldTable(t *testing.T) {
	table, err := ParseTable([]byte("# Black: A\n#\n#GAME\tRES_B\tRES_W\tRES_R\tALT\tDUP\tLEN\tCPU_B\tCPU_W\tERR\tERR_MSG\n0\tB+R\tB+R\t?\t0\t-\t3\t1.5\t0\t0\n"))
	if err != nil || table.Games[0].CPU[0] != 1.5 || table.Games[0].Time[0] != 0 {
		t.Fatalf("%+v, %v", table, err)
	}
}

func TestBrokenTables(t *testing.T) {
	const head = "#\n#GAME\tRES_B\tRES_W\tRES_R\tALT\tDUP\tLEN\tTIME_B\tTIME_W\tCPU_B\tCPU_W\tERR\tERR_MSG\n"
	for text, want := range map[string]string{
		"":          "names of the columns",
		"# x\n":     "line 1: a property",
		"#\n0\t1\n": "line 2: 2 values for 0 columns",
		head + "x\t?\t?\t?\t0\t-\t3\t0\t0\t0\t0\t0": `line 3: GAME: "x"`,
		head + "0\t?\t?\t?\t0\t-\t3\tx\t0\t0\t0\t0": `line 3: TIME_B: "x"`,
		head + "0\t?\t?\t?\t0\t-\t3\t0\t0\t0\t0":    `line 3: ERR: ""`,
	} {
		if _, err := ParseTable([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v; want %s", text, err, want)
		}
	}
}

// TestSummary counts what gogui-twogtp 1.6.0 counted of the same table.
func TestSummary(t *testing.T) {
	_, table := rich(t)
	want, err := os.ReadFile("testdata/rich.summary.dat")
	if err != nil {
		t.Fatal(err)
	}
	a := Analyze(table)
	if got := a.AppendSummary(nil); !bytes.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if len(a.Odd) != 1 || a.Odd[0] != `game 6: "B+T" has no score that is a number` {
		t.Errorf("%q", a.Odd)
	}
}

// TestPage holds the figures of the page, which are those that gogui-twogtp 1.6.0 counted.
func TestPage(t *testing.T) {
	_, table := rich(t)
	var b bytes.Buffer
	table.Properties["Host"] = "<b>"
	if err := Analyze(table).WritePage(&b, table, "rich"); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"7: 5 used, 1 errors, 1 duplicates", "41.6 ± 6.4, from 22 to 60", "3.1 ± 1.7, from 0 to 10.4", "<h2>Results as Judge tells them</h2>", "-2.5 ± 3.1, from -13 to 2.5",
		"62.5 % ± 20.7", "25 % ± 21.7", "<td>-20</td><td>1</td>", "<td>0</td><td>3</td>", `<a href="rich-4.sgf">4</a>`, "<td>Bob played invalid move: z99</td>", "&lt;b&gt;",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("without %s:\n%s", want, &b)
		}
	}
}

// TestDuplicate finds what gogui-twogtp 1.6.0 finds in the same games.
func TestDuplicate(t *testing.T) {
	var earlier []*Moves
	for i, k := range []struct{ moves, want string }{
		{";B[ba];W[ed];B[da];W[eb];B[dd];W[ca];B[ab];W[de];B[ad];W[bc]", "-"},
		{";B[da];W[ad];B[ba];W[ab];B[bd];W[ca];B[eb];W[be];B[ed];W[dc]", "0"},
		{";B[ab];W[de];B[ad];W[be];B[dd];W[ac];B[ba];W[ed];B[da];W[cb]", "0"},
		{";B[ba];W[ed];B[da];W[eb];B[dd];W[ca];B[ab];W[de];B[ad];W[cc]", "2?"},
		{";B[ba];W[ed];B[da];W[eb];B[dd];W[ca];B[ab];W[de];B[cc];W[bb]", "-"},
		{";B[ba];W[ed];B[da];W[eb];B[dd];W[ca];B[ab];W[de];B[]", "-"},
		{";B[ba];W[ed];B[da];W[eb];B[dd];W[ca];B[ab];W[de];B[tt]", "5"},
		{"AB[cc][aa]AW[bb];W[ed];B[da];W[eb];B[dd]", "-"},
		{"AB[aa][cc]AW[bb];W[ed];B[da];W[eb];B[dd]", "7"},
		{";W[ba];B[ed]", "-"},
		{"AB[ee][cc]AW[dd];W[ba];B[ab];W[ad];B[bb]", "-"},
	} {
		trees, err := sgf.Parse([]byte("(;FF[4]SZ[5]" + k.moves + ")"))
		if err != nil {
			t.Fatal(err)
		}
		m := MovesOf(i, trees[0])
		if got := Duplicate(m, earlier); got != k.want {
			t.Errorf("game %d: %s, want %s", i, got, k.want)
		}
		earlier = append(earlier, m)
	}
	if n := earlier[7].Len(); n != 4 {
		t.Errorf("%d moves, want 4", n)
	}
}

// TestDuplicateForms compares turns of several points and boards with numbers.
func TestDuplicateForms(t *testing.T) {
	for _, k := range []struct{ a, b string }{
		{"(;GM[18]SZ[5];B[aabbab])", "(;GM[18]SZ[5];B[eadbeb])"},
		{"(;GM[2]SZ[8];B[f5];W[d6])", "(;GM[2]SZ[8];B[e6];W[f4])"},
		{"(;GM[2]SZ[8];B[f5];W[PA])", "(;GM[2]SZ[8];B[e6];W[PA])"},
	} {
		var list [2]*Moves
		for i, text := range []string{k.a, k.b} {
			trees, err := sgf.Parse([]byte(text))
			if err != nil {
				t.Fatal(err)
			}
			list[i] = MovesOf(i, trees[0])
		}
		if got := Duplicate(list[1], list[:1]); got != "0" {
			t.Errorf("%s and %s: %s", k.a, k.b, got)
		}
	}
}
