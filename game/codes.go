package game

// Numbers that a game and the protocols which carry it must share, because
// neither may import the other.

// The choices of the swap2 opening, for ChooseArg in the phase "choose". All
// three are offered when three stones lie, all but Swap2More when five do. After
// Swap2Stay the same seat places white's next stone in the same turn, after
// Swap2More it places two stones, white and black.
const (
	Swap2Stay = 0 // play white
	Swap2Swap = 1 // take black; the other seat places white's next stone
	Swap2More = 2 // place two more stones and let the other seat choose
)

// DarkChessPieces are the letters of the pieces of dark chess, red in upper case,
// in the order of their numbers: Arg of the Deal that reveals one is its index.
const DarkChessPieces = "KGMRNCPkgmrncp"
