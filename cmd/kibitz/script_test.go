package main

import (
	"archive/zip"
	"encoding/binary"
	"io"
	"os"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// scriptCommands are what scripts can do beside running programs.
var scriptCommands = map[string]func(ts *testscript.TestScript, neg bool, args []string){
	"pack": scriptPack, "winprogram": scriptWindowsProgram,
}

// scriptPack makes a ZIP file: pack ARCHIVE NAME=FILE...
func scriptPack(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: pack ARCHIVE NAME=FILE...")
	}
	out, err := os.Create(ts.MkAbs(args[0]))
	ts.Check(err)
	w := zip.NewWriter(out)
	for _, arg := range args[1:] {
		name, file, _ := strings.Cut(arg, "=")
		f, err := w.Create(name)
		ts.Check(err)
		in, err := os.Open(ts.MkAbs(file))
		ts.Check(err)
		_, err = io.Copy(f, in)
		ts.Check(err)
		ts.Check(in.Close())
	}
	ts.Check(w.Close())
	ts.Check(out.Close())
}

// scriptWindowsProgram writes a file that begins as a Windows program does, and holds
// nothing else: winprogram FILE 32|64
func scriptWindowsProgram(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: winprogram FILE 32|64")
	}
	b := make([]byte, 512)
	put := func(at int, n uint16) { binary.LittleEndian.PutUint16(b[at:], n) }
	copy(b, "MZ")
	put(0x3c, 64)
	copy(b[64:], "PE\x00\x00")
	machine, size, magic := uint16(0x8664), uint16(240), uint16(0x20b)
	if args[1] == "32" {
		machine, size, magic = 0x014c, 224, 0x10b
	}
	put(68, machine)
	put(64+20, size)
	put(64+22, 0x0002)
	put(64+24, magic)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), b, 0o600))
}
