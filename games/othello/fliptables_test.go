package othello

import (
	"bytes"
	"flag"
	"fmt"
	"go/format"
	"math/bits"
	"os"
	"testing"
)

var updateTables = flag.Bool("update-tables", false, "write fliptables.go anew")

// TestFlipTables holds the tables, which are data so that nobody makes them at each start,
// to the functions that say what is in them.
func TestFlipTables(t *testing.T) {
	var b bytes.Buffer
	b.WriteString("package othello\n\n// Written by go test ./games/othello -run TestFlipTables -update-tables.\n\nvar (\n")
	put := func(doc, name, typ string, rows any) {
		fmt.Fprintf(&b, "%s\n%s = %s", doc, name, typ)
		switch x := rows.(type) {
		case [Size][256]uint8:
			b.WriteString("{\n")
			for _, row := range x {
				b.WriteString("{\n")
				for i := range 16 {
					for _, v := range row[i*16 : i*16+16] {
						fmt.Fprintf(&b, "%d, ", v)
					}
					b.WriteString("\n")
				}
				b.WriteString("},\n")
			}
		case [Squares][2]uint64:
			b.WriteString("{\n")
			for _, v := range x {
				fmt.Fprintf(&b, "{%#x, %#x},\n", v[0], v[1])
			}
		case [256]uint64:
			b.WriteString("{\n")
			for i := range 64 {
				fmt.Fprintf(&b, "%#x, %#x, %#x, %#x,\n", x[4*i], x[4*i+1], x[4*i+2], x[4*i+3])
			}
		}
		b.WriteString("}\n")
	}
	put("// lineEnds holds, by a square of a line and the opponent's discs on the line,\n"+
		"// the squares behind the runs of those discs that begin beside the square: an\n"+
		"// own disc there brackets the run.", "lineEnds", "[Size][256]uint8", makeLineEnds())
	put("// lineRuns holds, by a square of a line and the own discs that bracket runs\n// seen from it, the squares between.",
		"lineRuns", "[Size][256]uint8", makeLineRuns())
	put("// lastRuns holds, by a square of a line and one side's discs on it, how many discs\n"+
		"// the square's brackets if all other squares hold the opponent's.", "lastRuns",
		"[Size][256]uint8", makeLastRuns())
	put("// diagonals holds the falling and the rising diagonal through each square.", "diagonals", "[Squares][2]uint64", makeDiagonals())
	put("// spread holds the bytes laid out along column a.", "spread", "[256]uint64", makeSpread())
	b.WriteString(")\n")
	want, err := format.Source(b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if *updateTables {
		if err := os.WriteFile("fliptables.go", want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile("fliptables.go")
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("fliptables.go is not what the functions make (%v)", err)
	}
}

func makeLineEnds() (t [Size][256]uint8) {
	for x := range t {
		for opp := range t[x] {
			for _, d := range [2]int{1, -1} {
				end := x + d
				for end >= 0 && end < Size && opp>>end&1 != 0 {
					end += d
				}
				if end >= 0 && end < Size && end != x+d {
					t[x][opp] |= 1 << end
				}
			}
		}
	}
	return t
}

func makeLineRuns() (t [Size][256]uint8) {
	for x := range t {
		for ends := range t[x] {
			for end := range Size {
				if ends>>end&1 == 0 {
					continue
				}
				for i := min(x, end) + 1; i < max(x, end); i++ {
					t[x][ends] |= 1 << i
				}
			}
		}
	}
	return t
}

func makeDiagonals() (t [Squares][2]uint64) {
	for s := range t {
		for i := range Squares {
			dx, dy := i%Size-s%Size, i/Size-s/Size
			if dx == dy {
				t[s][0] |= 1 << i
			}
			if dx == -dy {
				t[s][1] |= 1 << i
			}
		}
	}
	return t
}

func makeSpread() (t [256]uint64) {
	for b := range t {
		for y := range Size {
			t[b] |= uint64(b>>y&1) << (Size * y)
		}
	}
	return t
}

func makeLastRuns() (t [Size][256]uint8) {
	ends, runs := makeLineEnds(), makeLineRuns()
	for x := range t {
		for own := range t[x] {
			opp := ^own & 255 &^ (1 << x)
			t[x][own] = uint8(bits.OnesCount8(runs[x][int(ends[x][opp])&own]))
		}
	}
	return t
}
