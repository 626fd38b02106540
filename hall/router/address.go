package router

import (
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// clientAddress returns the address of the client: that of the connection, or, behind
// trusted proxies, the last one in X-Forwarded-For that is not a trusted proxy's.
// Whatever a client itself writes into the header stands further left and is not
// believed.
func clientAddress(r *http.Request, proxies []netip.Prefix) netip.Addr {
	peer := parseAddress(r.RemoteAddr)
	if !trusted(peer, proxies) {
		return peer
	}
	return forwarded(peer, r.Header.Values("X-Forwarded-For"), proxies)
}

// forwarded reads X-Forwarded-For from the right.
func forwarded(peer netip.Addr, headers []string, proxies []netip.Prefix) netip.Addr {
	parts := strings.Split(strings.Join(headers, ","), ",")
	for i := len(parts) - 1; i >= 0 && len(parts)-i <= 32; i-- {
		a := parseAddress(strings.TrimSpace(parts[i]))
		if !a.IsValid() {
			return peer
		}
		peer = a
		if !trusted(a, proxies) {
			return a
		}
	}
	return peer
}

func parseAddress(s string) netip.Addr {
	if ap, err := netip.ParseAddrPort(s); err == nil {
		return ap.Addr().Unmap().WithZone("")
	}
	a, err := netip.ParseAddr(strings.Trim(s, "[]"))
	if err != nil {
		return netip.Addr{}
	}
	return a.Unmap().WithZone("")
}

func trusted(a netip.Addr, proxies []netip.Prefix) bool {
	return slices.ContainsFunc(proxies, func(p netip.Prefix) bool { return p.Contains(a) })
}

// limitKey is what limits are counted by: an IPv4 address, or the /64 network that
// one user of IPv6 usually has.
func limitKey(a netip.Addr) string {
	if !a.IsValid() {
		return "unknown"
	}
	if a.Is6() {
		if p, err := a.Prefix(64); err == nil {
			return p.String()
		}
	}
	return a.String()
}
