//go:build linux && !amd64 && !arm64

package guard

// machines are unknown for other processors.
var machines []machine
