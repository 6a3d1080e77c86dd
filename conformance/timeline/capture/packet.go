package capture

import (
	"encoding/binary"
	"net/netip"
)

// endpoint is an address and a port in a form that compares fast. IPv4 is kept as
// in IPv6.
type endpoint struct {
	high, low uint64
	port      uint16
}

// mapped4 is what precedes an IPv4 address in the lower half of an IPv6 one.
const mapped4 = 0xffff << 32

func (e endpoint) addrPort() netip.AddrPort {
	var b [16]byte
	binary.BigEndian.PutUint64(b[:], e.high)
	binary.BigEndian.PutUint64(b[8:], e.low)
	return netip.AddrPortFrom(netip.AddrFrom16(b).Unmap(), e.port)
}

func (e endpoint) less(other endpoint) bool {
	switch {
	case e.high != other.high:
		return e.high < other.high
	case e.low != other.low:
		return e.low < other.low
	}
	return e.port < other.port
}

// segment is a TCP segment as it was captured: size is what it carries, payload what
// was kept of that.
type segment struct {
	from, to endpoint
	seq, ack uint32
	flags    uint8
	payload  []byte
	size     int
	nanos    int64
}

// What a packet may be that is no segment.
type nature int

const (
	isSegment nature = iota
	isOther          // another protocol, or too little of a header
	isFragment
)

const protocolTCP = 6

// parseIP reads an IP packet as a TCP segment.
func parseIP(data []byte, s *segment) nature {
	if len(data) == 0 {
		return isOther
	}
	switch data[0] >> 4 {
	case 4:
		return parseIPv4(data, s)
	case 6:
		return parseIPv6(data, s)
	}
	return isOther
}

func parseIPv4(data []byte, s *segment) nature {
	if len(data) < 20 {
		return isOther
	}
	header, total := int(data[0]&0xf)*4, int(binary.BigEndian.Uint16(data[2:]))
	if header < 20 || len(data) < header || data[9] != protocolTCP {
		return isOther
	}
	if total == 0 {
		total = len(data) // a segment that the network card cuts up later
	}
	if binary.BigEndian.Uint16(data[6:])&0x3fff != 0 { // more fragments, or an offset
		return isFragment
	}
	s.from = endpoint{low: mapped4 | uint64(binary.BigEndian.Uint32(data[12:]))}
	s.to = endpoint{low: mapped4 | uint64(binary.BigEndian.Uint32(data[16:]))}
	return parseTCP(data[header:], total-header, s)
}

// The extension headers of IPv6 that may stand before TCP.
const (
	hopByHop           = 0
	routing            = 43
	fragment           = 44
	authentication     = 51
	destinationOptions = 60
)

// mostExtensions bounds how many extension headers are passed over.
const mostExtensions = 8

func parseIPv6(data []byte, s *segment) nature {
	const header = 40
	if len(data) < header {
		return isOther
	}
	left, next, rest := int(binary.BigEndian.Uint16(data[4:])), data[6], data[header:]
	if left == 0 {
		left = len(rest) // larger than the field can tell
	}
	for range mostExtensions {
		if next == protocolTCP || len(rest) < 8 {
			break
		}
		size := 8 * (1 + int(rest[1]))
		switch next {
		case hopByHop, routing, destinationOptions:
		case authentication:
			size = 4 * (2 + int(rest[1]))
		case fragment:
			if binary.BigEndian.Uint16(rest[2:])&0xfff9 != 0 {
				return isFragment
			}
			size = 8
		default:
			return isOther
		}
		if len(rest) < size {
			return isOther
		}
		next, rest, left = rest[0], rest[size:], left-size
	}
	if next != protocolTCP {
		return isOther
	}
	s.from = endpoint{high: binary.BigEndian.Uint64(data[8:]), low: binary.BigEndian.Uint64(data[16:])}
	s.to = endpoint{high: binary.BigEndian.Uint64(data[24:]), low: binary.BigEndian.Uint64(data[32:])}
	return parseTCP(rest, left, s)
}

// parseTCP reads a segment of size bytes, header included, of which data was kept.
// Bytes of the link behind it do not belong to it.
func parseTCP(data []byte, size int, s *segment) nature {
	if len(data) < 14 || size < 20 {
		return isOther
	}
	header := int(data[12]>>4) * 4
	if header < 20 || header > size {
		return isOther
	}
	s.from.port, s.to.port = binary.BigEndian.Uint16(data), binary.BigEndian.Uint16(data[2:])
	s.seq, s.ack = binary.BigEndian.Uint32(data[4:]), binary.BigEndian.Uint32(data[8:])
	s.flags, s.size = data[13], size-header
	s.payload = nil
	if len(data) > header {
		s.payload = data[header:min(len(data), size)]
	}
	return isSegment
}
