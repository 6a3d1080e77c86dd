package capture

import "encoding/binary"

// The link types that are read.
const (
	linkNull     = 0
	linkEthernet = 1
	linkRawBSD   = 12
	linkRawOld   = 14
	linkRaw      = 101
	linkLoop     = 108
	linkSLL      = 113
	linkIPv4     = 228
	linkIPv6     = 229
	linkSLL2     = 276
)

// The types that lead from a link to IP.
const (
	etherIPv4  = 0x0800
	etherIPv6  = 0x86dd
	etherVLAN  = 0x8100
	etherQinQ  = 0x88a8
	etherQinQ9 = 0x9100 // before the standard
)

// mostTags is how many VLAN tags may stand before IP.
const mostTags = 4

// knownLink reports whether packets of a link type are read.
func knownLink(link uint32) bool {
	switch link {
	case linkNull, linkEthernet, linkRawBSD, linkRawOld, linkRaw, linkLoop, linkSLL, linkIPv4, linkIPv6, linkSLL2:
		return true
	}
	return false
}

// network returns the IP packet in a packet of a link, nil where there is none.
func network(link uint32, data []byte) []byte {
	switch link {
	case linkEthernet:
		return behindType(data, 12, 14)
	case linkSLL:
		return behindType(data, 14, 16)
	case linkSLL2: // the type comes first
		return behindType(data, 0, 20)
	case linkNull, linkLoop:
		// A family of the system that captured, in its byte order. IP names its own
		// version.
		return from(data, 4)
	}
	return data
}

// behindType returns what stands behind a header of that size, and behind VLAN tags,
// where its type is IP.
func behindType(data []byte, typeAt, size int) []byte {
	if len(data) < size {
		return nil
	}
	kind, rest := binary.BigEndian.Uint16(data[typeAt:]), data[size:]
	for range mostTags {
		if kind != etherVLAN && kind != etherQinQ && kind != etherQinQ9 || len(rest) < 4 {
			break
		}
		kind, rest = binary.BigEndian.Uint16(rest[2:]), rest[4:]
	}
	if kind != etherIPv4 && kind != etherIPv6 {
		return nil
	}
	return rest
}

func from(data []byte, offset int) []byte {
	if len(data) < offset {
		return nil
	}
	return data[offset:]
}
