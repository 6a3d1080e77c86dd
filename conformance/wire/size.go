package wire

import "encoding/binary"

// Size returns how many bytes the frame that begins p has, as far as p tells, and
// whether p holds all of it. It is 0 where p is empty or begins with no type.
func Size(p []byte) (size int, whole bool) {
	if len(p) == 0 {
		return 0, false
	}
	switch Type(p[0]) {
	case TypeHeartbeat, TypeWaiting:
		return 1, true
	case TypeAcquired:
		return AcquiredSize, len(p) >= AcquiredSize
	case TypeAcquire:
		return sizeWithTail(p, AcquireHeaderSize, func() int { return int(binary.BigEndian.Uint16(p[AcquireHeaderSize-2:])) })
	case TypeError:
		return sizeWithTail(p, ErrorHeaderSize, func() int { return int(p[ErrorHeaderSize-1]) })
	}
	return 0, false
}

// sizeWithTail is the size of a frame whose header ends with the length of the rest.
func sizeWithTail(p []byte, header int, tail func() int) (size int, whole bool) {
	if len(p) < header {
		return header, false
	}
	size = header + tail()
	return size, len(p) >= size
}
