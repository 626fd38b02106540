// Package darkchess is the built-in player of Chinese dark chess.
//
// Moves are searched by the search of package search, with quiescence over captures.
// At the root a flip is worth the mean of what can come to light, weighted by how many
// of each piece are face down. Deeper in the tree a flip is a move that changes nothing:
// somebody who still has pieces to turn over is never forced to move.
//
// Pieces are valued by what can still take them and what they can still take. A lead is
// worth less the closer the draw by quiet plies has come, a repeated position is worth a
// draw, and hunters are drawn towards their prey, so that a won ending is won. A lead
// that cannot win, because something of the other side cannot be taken any more, counts
// little; one piece against one other is known exactly.
package darkchess
