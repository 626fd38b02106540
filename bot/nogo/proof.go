package nogo

import "kibitz/games/nogo"

// Decided returns the colour that wins however the other plays, Empty if counting
// eyes and harmless points does not tell. The colour to move must have a turn left.
func Decided(b *nogo.Board, toMove uint8) uint8 { return decided(b, toMove) }
