// Package playertest holds players and protocols to the contract of package
// player: Run for anything that plays, RoundTrip for both ends of a protocol,
// Table to play a game the way the referee does, and Script to let a test speak
// for the engine at the other end of a connection.
package playertest
