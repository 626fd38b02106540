// Package boardtxt reads and writes board.txt, the file that dark chess engines of
// the NTPU client are given for every ply, and the records that the client and its
// servers keep of finished games, which are the same text with a result.
//
//	line                             what it says
//	* 1:04am Jan 16, 2017            when the game began
//	* alice vs bob                   who moves first comes first
//	* 1 2 2 2 2 2 5 1 2 2 2 2 2 5    pieces of each kind, those face down included
//	* X X X X                        eight rows, row 8 first: before the plies
//	* first 0                        colour of the first player: 0 red, 1 black, 2 unknown
//	* time 900
//	* 1. d7(p) a3(K)                 the plies
//	* alice wins                     in records of finished games
//	* Comment 0 0
//	0. 1484499863046                 when each ply came, in milliseconds since 1970
//
// There are three kinds of record. Those of the servers up to 2018 end their lines
// with CR LF; why a game ended stands in the name of the file only (FileName).
// Those of the server of 2021/22 begin with the line INITIAL, have a result line
// like "* NoMove alice wins 1,0" and one more time, that of the game's beginning
// (Form, RoomFileName). Those of the client have no result line.
//
// Sources: the manual of the client (December 2019), records of its servers, public
// engines.
package boardtxt

import "kibitz/game"

// File is what such a text says.
type File struct {
	// Form is the kind of record.
	Form Form
	// Date is when the game began, as written.
	Date string
	// Names are the players, the one who moves first before the other.
	Names [2]string
	// Start is the position before the plies.
	Start Board
	// First is the colour of the player who moves first, NoColour if unknown.
	First game.Colour
	// Time is the limit in the unit of the file, which nothing tells.
	Time int64
	// Plies are the plies since Start: a shift, or a flip and what was dealt.
	Plies [][]game.Move
	// Resigned tells that the list ended with the resignation of the side to move.
	Resigned bool
	// Result is the line behind the plies, without its star; empty if there is none.
	Result string
	// Ruling is what a person ruled, as record.Game.Ruling writes it; empty if nobody has. It stands in
	// the line of the comment, behind what other readers look at.
	Ruling string
	// Stamps are when the plies came, in milliseconds; one more than plies if the
	// first is that of the game's beginning.
	Stamps []int64
	// Warnings are what the reader passed over.
	Warnings []string

	// Of a record that is to be written: whether there is a result, and who of the
	// file's players has won.
	over   bool
	winner game.Seat
}

// Form is the kind of a record.
type Form uint8

// The kinds.
const (
	// Server is the record of a server up to 2018, and what engines are given.
	Server Form = iota
	// Client is the record of a client: its names stand in brackets behind Player1
	// and Player2.
	Client
	// Room is the record of the server of 2021/22.
	Room
)

// initialLine is what the records of a room begin with.
const initialLine = "INITIAL"
