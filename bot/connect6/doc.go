// Package connect6 is the built-in player of Connect6, for every size of board.
//
// What counts are windows: six neighbouring points of a line. Each one knows how
// many stones of either side it holds; the ones that hold stones of one side only
// give the evaluation, the worth of each empty point, and the threats: a window
// with four or five wins on the next turn unless it is spoilt. Few pairs of stones
// spoil all threats at once, so that replies to two threats can be tried all. On
// that rests a search of attacks, in which every turn makes threats that take both
// stones of the reply. Around it is an alpha-beta search over pairs of promising
// points.
package connect6
