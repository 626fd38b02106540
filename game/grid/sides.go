package grid

// sides are the names of the ways to see a board, in the order of Symmetries, for a
// board whose rows are counted from the top.
var sides = [...]string{
	"", "columns counted from the other side", "rows counted from the other end", "columns and rows counted from the other end",
	"x and y exchanged", "the board turned", "the board turned", "x and y exchanged, both counted from the other end",
}

// Side names a symmetry by its number in Symmetries. fromTop tells that the first row is
// the highest.
func Side(i int, fromTop bool) string {
	if !fromTop {
		switch i {
		case 4:
			i = 7
		case 7:
			return "letters and numbers exchanged"
		}
	}
	return sides[i]
}
