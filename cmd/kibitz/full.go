//go:build full

package main

import "kibitz/cmd/kibitz/full"

// more are the commands of a program that is built in full.
func more() any { return &full.Commands{} }
