package capture

import (
	"net/netip"

	"github.com/monolock-dev/monolock-conform/conformance/timeline"
)

// DefaultPort is where the documents' server listens.
const DefaultPort = 7070

// Addresses of documentation (RFC 5737) stand in for those that are not known.
var (
	inventedSuite = netip.MustParseAddr("192.0.2.1")
	inventedPeer  = netip.MustParseAddr("192.0.2.2")
)

// firstPort is the port of the first client that has no address.
const firstPort = 49152

// endsOf returns the two addresses of a connection, the suite's first. Where either
// is not known, or they do not belong together, both are invented: the side that was
// called has the server's port.
func endsOf(open timeline.Event, number int) (suite, peer netip.AddrPort) {
	suite, suiteOK := parseEnd(open.Ends.Suite)
	peer, peerOK := parseEnd(open.Ends.Peer)
	if suiteOK && peerOK && suite != peer && suite.Addr().Is4() == peer.Addr().Is4() {
		return suite, peer
	}
	port := uint16(firstPort + number%(1<<16-firstPort))
	if open.By == timeline.Subject {
		return netip.AddrPortFrom(inventedSuite, DefaultPort), netip.AddrPortFrom(inventedPeer, port)
	}
	return netip.AddrPortFrom(inventedSuite, port), netip.AddrPortFrom(inventedPeer, DefaultPort)
}

func parseEnd(text string) (netip.AddrPort, bool) {
	end, err := netip.ParseAddrPort(text)
	if err != nil || end.Port() == 0 || end.Addr().IsUnspecified() {
		return netip.AddrPort{}, false
	}
	return netip.AddrPortFrom(end.Addr().Unmap().WithZone(""), end.Port()), true
}
