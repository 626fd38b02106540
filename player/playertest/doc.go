// Package playertest holds players and protocols to the contract of package
// player: Run for anything that plays, RoundTrip for both ends of a protocol, and
// Table to play a game the way the referee does. Series, Lines and CheckAll are what
// the tests of built-in engines and of protocols have in common beside that.
package playertest
