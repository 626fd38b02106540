package wine

import (
	"bytes"
	"debug/pe"
	"encoding/binary"
	"errors"
	"strings"
	"testing"
)

// header is the beginning of a Windows program for a machine.
func header(machine, flags uint16, width int, managed bool) []byte {
	le := binary.LittleEndian
	first, magic := directories32, uint16(magic32)
	if width == 64 {
		first, magic = directories64, magic64
	}
	size := first + directories*directoryEntry
	b := make([]byte, dosHeader+coffHeader+size)
	copy(b, "MZ")
	le.PutUint32(b[peOffsetAt:], dosHeader)
	coff := b[dosHeader:]
	copy(coff, "PE\x00\x00")
	le.PutUint16(coff[4:], machine)
	le.PutUint16(coff[20:], uint16(size))
	le.PutUint16(coff[22:], flags)
	le.PutUint16(coff[24:], magic)
	le.PutUint32(coff[coffHeader+first-4:], directories)
	if managed {
		le.PutUint32(coff[coffHeader+first+managedEntry*directoryEntry:], 0x2008)
	}
	return b
}

func TestRead(t *testing.T) {
	whole := header(machineAMD64, isExecutable, 64, false)
	dos := bytes.Clone(whole)
	copy(dos[dosHeader:], "NE")
	for _, c := range []struct {
		name string
		data []byte
		want Program
		err  string
	}{
		{"64 bits", whole, Program{64, machineAMD64, false}, ""},
		{"32 bits", header(machineI386, isExecutable, 32, false), Program{32, machineI386, false}, ""},
		{".NET", header(machineI386, isExecutable, 32, true), Program{32, machineI386, true}, ""},
		{".NET of 64 bits", header(machineAMD64, isExecutable, 64, true), Program{64, machineAMD64, true}, ""},
		{"ARM", header(machineARM64, isExecutable, 64, false), Program{64, machineARM64, false}, ""},
		{"library", header(machineAMD64, isExecutable|isLibrary, 64, false), Program{}, "library and no program"},
		{"16 bits", dos, Program{}, "16-bit Windows"},
		{"cut in the header", whole[:100], Program{}, "cut short"},
		{"cut at once", whole[:40], Program{}, "cut short"},
		{"script", []byte("#!/bin/sh"), Program{}, ErrOther.Error()},
		{"nothing", nil, Program{}, ErrOther.Error()},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := Read(bytes.NewReader(c.data))
			switch {
			case c.err == "" && (err != nil || got != c.want):
				t.Errorf("%+v (%v), want %+v", got, err, c.want)
			case c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)):
				t.Errorf("error %v, want one with %q", err, c.err)
			}
		})
	}
}

func FuzzRead(f *testing.F) {
	f.Add(header(machineAMD64, isExecutable, 64, true))
	f.Add(header(machineI386, isExecutable, 32, false)[:150])
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := Read(bytes.NewReader(data))
		if err == nil && p.Width != 32 && p.Width != 64 {
			t.Errorf("a program of %d bits", p.Width)
		}
		if errors.Is(err, ErrOther) && bytes.HasPrefix(data, []byte("MZ")) {
			t.Error("a file of Windows was taken for none")
		}
	})
}

// The library is one that other readers of the format accept, and it leads where it
// should.
func TestForward(t *testing.T) {
	for _, width := range []int{32, 64} {
		f := forwards[0]
		data := f.bytes(width)
		file, err := pe.NewFile(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		var exports pe.DataDirectory
		switch h := file.OptionalHeader.(type) {
		case *pe.OptionalHeader32:
			exports = h.DataDirectory[0]
		case *pe.OptionalHeader64:
			exports = h.DataDirectory[0]
		}
		if is64 := file.Machine == pe.IMAGE_FILE_MACHINE_AMD64; is64 != (width == 64) || file.Characteristics&isLibrary == 0 {
			t.Errorf("%d bits: machine %#x, flags %#x", width, file.Machine, file.Characteristics)
		}
		s := file.Sections[0]
		table, err := s.Data()
		if err != nil || exports.VirtualAddress != s.VirtualAddress || int(exports.Size) != len(f.exports()) {
			t.Fatalf("%d bits: exports at %+v, section at %#x (%v)", width, exports, s.VirtualAddress, err)
		}
		text := func(address uint32) string {
			b, _, _ := bytes.Cut(table[address-s.VirtualAddress:], []byte{0})
			return string(b)
		}
		word := func(at uint32) uint32 { return binary.LittleEndian.Uint32(table[at:]) }
		address := word(28) - s.VirtualAddress
		target := word(address)
		if target < exports.VirtualAddress || target >= exports.VirtualAddress+exports.Size {
			t.Errorf("%d bits: the function is no forward", width)
		}
		names := word(32) - s.VirtualAddress
		if text(word(12)) != f.library || text(word(names)) != f.function || text(target) != f.target {
			t.Errorf("%d bits: %q has %q, which is %q", width, text(word(12)), text(word(names)), text(target))
		}
	}
}
