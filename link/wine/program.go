package wine

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
)

// The machines of a PE header that matter here.
const (
	machineI386  = 0x014c
	machineAMD64 = 0x8664
	machineARM   = 0x01c4
	machineARM64 = 0xaa64
)

// Program is what the header of a Windows program says.
type Program struct {
	// Width is 32 or 64 bits.
	Width int
	// Machine is the processor, in the numbers of the PE format.
	Machine uint16
	// Managed is set for a .NET program.
	Managed bool
}

// ErrOther is the error of Read for a file that is no Windows program at all.
var ErrOther = errors.New("it is no Windows program")

// Open reads the header of a file.
func Open(path string) (Program, error) {
	f, err := os.Open(path)
	if err != nil {
		return Program{}, err
	}
	defer func() { _ = f.Close() }()
	return Read(f)
}

// Offsets and sizes of the PE format.
const (
	dosHeader      = 64
	peOffsetAt     = 0x3c
	coffHeader     = 4 + 20 // with the signature
	isExecutable   = 0x0002
	isLibrary      = 0x2000
	magic32        = 0x10b
	magic64        = 0x20b
	directories32  = 96 // of the optional header
	directories64  = 112
	managedEntry   = 14
	directoryEntry = 8
)

// Read reads the header of a program. ErrOther is returned for a file of another kind,
// another error for a Windows file that is no program which could be started.
func Read(r io.ReaderAt) (Program, error) {
	var p Program
	dos := make([]byte, dosHeader)
	if n, _ := r.ReadAt(dos, 0); n < 2 || dos[0] != 'M' || dos[1] != 'Z' {
		return p, ErrOther
	} else if n < dosHeader {
		return p, errors.New("it is a program of DOS or cut short")
	}
	le := binary.LittleEndian
	at := int64(le.Uint32(dos[peOffsetAt:]))
	head := make([]byte, coffHeader)
	if _, err := r.ReadAt(head, at); err != nil || string(head[:4]) != "PE\x00\x00" {
		return p, errors.New("it is a program of DOS or 16-bit Windows, which do not run here")
	}
	p.Machine = le.Uint16(head[4:])
	flags := le.Uint16(head[22:])
	if flags&isExecutable == 0 || flags&isLibrary != 0 {
		return p, errors.New("it is a Windows library and no program")
	}
	optional := make([]byte, le.Uint16(head[20:]))
	if _, err := r.ReadAt(optional, at+coffHeader); err != nil || len(optional) < directories32 {
		return p, errors.New("it is a Windows program that was cut short")
	}
	first := directories32
	switch le.Uint16(optional) {
	case magic32:
		p.Width = 32
	case magic64:
		p.Width, first = 64, directories64
	default:
		return p, errors.New("its header is neither that of a 32-bit nor of a 64-bit Windows program")
	}
	if end := first + (managedEntry+1)*directoryEntry; len(optional) >= end && le.Uint32(optional[first-4:]) > managedEntry {
		p.Managed = le.Uint64(optional[end-directoryEntry:]) != 0
	}
	return p, nil
}

func (p Program) machine() string {
	switch p.Machine {
	case machineARM, machineARM64:
		return "ARM processors"
	}
	return fmt.Sprintf("processors of the kind %#04x", p.Machine)
}
