package wire

import "encoding/binary"

// Append appends f's bytes to dst and returns the longer slice. It allocates
// only where dst is too small. A name longer than 65,535 bytes and a reason
// longer than 255 do not fit their length fields and are cut there.
// A frame of an unknown type becomes that one byte.
func Append(dst []byte, f Frame) []byte {
	dst = append(dst, byte(f.Type))
	switch f.Type {
	case TypeAcquire:
		return appendAcquire(dst, f.Acquire)
	case TypeAcquired:
		return binary.BigEndian.AppendUint64(dst, f.Token)
	case TypeError:
		reason := f.Reason[:min(len(f.Reason), MaxReasonLen)]
		dst = append(dst, byte(f.Code), byte(len(reason)))
		return append(dst, reason...)
	}
	return dst
}

func appendAcquire(dst []byte, a Acquire) []byte {
	name := a.Name[:min(len(a.Name), 0xffff)]
	dst = append(dst, a.Version)
	dst = binary.BigEndian.AppendUint32(dst, a.LeaseMS)
	dst = binary.BigEndian.AppendUint16(dst, uint16(len(name)))
	return append(dst, name...)
}

// Bytes returns f's bytes in a slice of its own.
func Bytes(f Frame) []byte { return Append(nil, f) }
