//go:build !full

package main

// more are the commands of a program that is not built in full: they hand over to one that is.
func more() any { return &fullCommands{} }
