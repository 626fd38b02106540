package wine

import (
	"bytes"
	"encoding/binary"
)

// forward is a library that has one function, which another library has under another
// name.
type forward struct {
	library, function string
	// target is LIBRARY.FUNCTION.
	target string
}

// forwards are what programs of today ask for and older versions of Wine lack. Go and
// Rust take their random numbers from ProcessPrng, which is the older RtlGenRandom.
var forwards = []forward{{"bcryptprimitives.dll", "ProcessPrng", "advapi32.SystemFunction036"}}

const (
	fileUnit    = 0x200
	memoryUnit  = 0x1000
	directories = 16
)

// bytes returns the library as a file for programs of a width. It holds no code: a name
// that leads to another one is all that the loader needs.
func (f forward) bytes(width int) []byte {
	exports := f.exports()
	var out bytes.Buffer
	put := func(values ...any) {
		for _, v := range values {
			_ = binary.Write(&out, binary.LittleEndian, v) // a buffer does not fail
		}
	}
	machine, magic, first, flags := uint16(machineI386), uint16(magic32), directories32, uint16(isLibrary|isExecutable|0x0100)
	if width == 64 {
		machine, magic, first, flags = machineAMD64, magic64, directories64, isLibrary|isExecutable|0x0020
	}
	word := func(n uint32) any { // of the width of addresses
		if width == 64 {
			return uint64(n)
		}
		return n
	}
	out.WriteString("MZ")
	out.Write(make([]byte, peOffsetAt-2))
	put(uint32(dosHeader))
	out.WriteString("PE\x00\x00")
	put(machine, uint16(1), [3]uint32{}, uint16(first+directories*directoryEntry), flags)
	put(magic, uint16(0), [3]uint32{fileUnit}, [2]uint32{}) // sizes of code and data, entry, base of code
	if width == 32 {
		put(uint32(0)) // base of data
	}
	put(word(0x10000000), uint32(memoryUnit), uint32(fileUnit))
	put([6]uint16{6, 0, 0, 0, 6, 0}, uint32(0), uint32(2*memoryUnit), uint32(fileUnit), uint32(0), uint16(3), uint16(0x0100))
	put(word(1<<20), word(memoryUnit), word(1<<20), word(memoryUnit), uint32(0), uint32(directories))
	put(uint32(memoryUnit), uint32(len(exports)), make([]byte, (directories-1)*directoryEntry))
	put([8]byte{'.', 'e', 'd', 'a', 't', 'a'}, uint32(len(exports)), uint32(memoryUnit), uint32(fileUnit), uint32(fileUnit))
	put([3]uint32{}, uint32(0x40000040)) // data that may be read
	file := make([]byte, 2*fileUnit)
	copy(file, out.Bytes())
	copy(file[fileUnit:], exports)
	return file
}

// exports returns the table of the names that the library has, as it lies in memory
// from memoryUnit on. An address within the table is that of the target's name.
func (f forward) exports() []byte {
	const addresses = memoryUnit + 40
	const names, ordinals, texts = addresses + 4, addresses + 8, addresses + 10
	function := texts + uint32(len(f.library)) + 1
	target := function + uint32(len(f.function)) + 1
	var out bytes.Buffer
	for _, v := range []any{
		[3]uint32{}, uint32(texts), [3]uint32{1, 1, 1}, uint32(addresses), uint32(names), uint32(ordinals), target, function, uint16(0),
	} {
		_ = binary.Write(&out, binary.LittleEndian, v)
	}
	out.WriteString(f.library + "\x00" + f.function + "\x00" + f.target + "\x00")
	return out.Bytes()
}
