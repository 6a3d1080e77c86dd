package capture

import (
	"encoding/binary"
	"errors"
	"io"
	"math/bits"
)

// The blocks of a pcapng that matter here.
const (
	blockInterface  = 1
	blockOldPacket  = 2
	blockSimple     = 3
	blockStatistics = 5
)

// The options of these blocks that matter.
const (
	optionResolution = 9  // of an interface
	optionOffset     = 14 // of an interface, in seconds
	optionIfDrop     = 5  // of statistics
	optionOSDrop     = 7  // of statistics
)

// netInterface is what an interface description says.
type netInterface struct {
	link   uint32
	snap   uint32
	scale  stampScale
	offset int64 // nanoseconds
}

// mostInterfaces is far above what any machine has.
const mostInterfaces = 1 << 12

// trailer is the size of a block, which stands behind it again.
const trailer = 4

// nextBlock reads blocks up to the next packet.
func (f *file) nextBlock() (record, error) {
	for {
		head, err := f.take(8)
		if err != nil {
			return record{}, err
		}
		if binary.LittleEndian.Uint32(head) == magicSection {
			if err := f.section([4]byte(head[4:])); err != nil {
				return record{}, err
			}
			continue
		}
		kind, size := f.order.Uint32(head), int64(f.order.Uint32(head[4:]))
		if size < 12 {
			return record{}, f.broken("a block of %d bytes, and none has less than 12", size)
		}
		r, isPacket, err := f.block(kind, size-12)
		if err != nil {
			return record{}, err
		}
		if isPacket {
			f.packets++
			f.last = r.nanos
			return r, nil
		}
	}
}

// section begins a section, in which interfaces are numbered afresh.
func (f *file) section(rawSize [4]byte) error {
	head, err := f.take(8)
	if err != nil {
		return f.headCut(err)
	}
	switch uint32(0x1a2b3c4d) {
	case binary.LittleEndian.Uint32(head):
		f.order = binary.LittleEndian
	case binary.BigEndian.Uint32(head):
		f.order = binary.BigEndian
	default:
		return f.broken("a section without a byte order")
	}
	if major := f.order.Uint16(head[4:]); major != 1 {
		return f.broken("a pcapng section of version %d, and 1 is the only one", major)
	}
	size := int64(f.order.Uint32(rawSize[:]))
	if size < 28 {
		return f.broken("a section header of %d bytes, and none has less than 28", size)
	}
	f.interfaces = f.interfaces[:0]
	return f.headCut(f.skip(size - 16))
}

// headCut says of a file that ends before its first packet that it is none.
func (f *file) headCut(err error) error {
	if f.packets == 0 && (errors.Is(err, errCut) || errors.Is(err, io.EOF)) {
		return &FormatError{What: "the file ends inside the header of a pcapng"}
	}
	return inside(err)
}

// block reads the body of one block, of size bytes, and the size behind it.
func (f *file) block(kind uint32, size int64) (r record, isPacket bool, err error) {
	switch kind {
	case blockInterface:
		return r, false, f.headCut(f.describe(size))
	case blockStatistics:
		return r, false, f.statistics(size)
	case blockEnhanced, blockOldPacket:
		r, err = f.packet(kind, size)
		return r, true, inside(err)
	case blockSimple:
		r, err = f.simple(size)
		return r, true, inside(err)
	}
	return r, false, f.skip(size + trailer)
}

// packet reads an enhanced packet block, or the packet block that it replaced.
func (f *file) packet(kind uint32, size int64) (record, error) {
	if size < 20 {
		return record{}, f.broken("a packet block of %d bytes", size)
	}
	head, err := f.take(20)
	if err != nil {
		return record{}, err
	}
	number := f.order.Uint32(head)
	if kind == blockOldPacket {
		number = uint32(f.order.Uint16(head))
	}
	if int64(number) >= int64(len(f.interfaces)) {
		return record{}, f.broken("a packet of interface %d, and %d are described", number, len(f.interfaces))
	}
	on := f.interfaces[number]
	stamp := uint64(f.order.Uint32(head[4:]))<<32 | uint64(f.order.Uint32(head[8:]))
	r := record{link: on.link, nanos: on.scale.nanos(stamp) + on.offset, length: int(f.order.Uint32(head[16:]))}
	return f.body(r, int64(f.order.Uint32(head[12:])), size-20)
}

// simple reads a packet without a stamp: it happened when the one before it did.
func (f *file) simple(size int64) (record, error) {
	if size < 4 || len(f.interfaces) == 0 {
		return record{}, f.broken("a simple packet block of %d bytes behind %d interfaces", size, len(f.interfaces))
	}
	head, err := f.take(4)
	if err != nil {
		return record{}, err
	}
	on, length := f.interfaces[0], f.order.Uint32(head)
	kept := length
	if on.snap > 0 {
		kept = min(kept, on.snap)
	}
	return f.body(record{link: on.link, nanos: f.last, length: int(length)}, int64(kept), size-4)
}

// body reads the kept bytes of a packet, and its options and the size again, in one
// go: what is taken stays valid only up to the next reading.
func (f *file) body(r record, kept, size int64) (record, error) {
	if kept > largestPacket || kept > size || size+trailer > bufferSize {
		return record{}, f.broken("a packet of %d bytes in a block with room for %d", kept, size)
	}
	whole, err := f.take(int(size + trailer))
	if err != nil {
		return record{}, inside(err)
	}
	r.data = whole[:kept]
	return r, nil
}

// describe reads an interface description block.
func (f *file) describe(size int64) error {
	body, err := f.small(size, 8)
	if err != nil {
		return err
	}
	if len(f.interfaces) == mostInterfaces {
		return f.broken("more than %d interfaces", mostInterfaces)
	}
	on := netInterface{link: uint32(f.order.Uint16(body)), snap: f.order.Uint32(body[4:]), scale: decimalScale(6)}
	f.options(body[8:], func(code uint16, value []byte) {
		switch {
		case code == optionResolution && len(value) >= 1:
			on.scale = scaleOf(value[0])
		case code == optionOffset && len(value) >= 8:
			on.offset = int64(f.order.Uint64(value)) * 1e9
		}
	})
	f.interfaces = append(f.interfaces, on)
	return nil
}

// statistics reads how many packets the capture lost.
func (f *file) statistics(size int64) error {
	body, err := f.small(size, 12)
	if err != nil {
		return inside(err)
	}
	dropped := uint64(0)
	f.options(body[12:], func(code uint16, value []byte) {
		if (code == optionIfDrop || code == optionOSDrop) && len(value) >= 8 {
			dropped += f.order.Uint64(value)
		}
	})
	f.dropped = max(f.dropped, dropped)
	return nil
}

// small takes a block of at least least bytes that is far smaller than the buffer.
func (f *file) small(size int64, least int) ([]byte, error) {
	if size < int64(least) || size > bufferSize/2 {
		return nil, f.broken("a description of %d bytes", size)
	}
	body, err := f.take(int(size + trailer))
	if err != nil {
		return nil, err
	}
	return body[:size], nil
}

// options calls each for every option that is whole.
func (f *file) options(data []byte, each func(code uint16, value []byte)) {
	for len(data) >= optionHead {
		code, size := f.order.Uint16(data), int(f.order.Uint16(data[2:]))
		if code == optionEnd || size > len(data)-optionHead {
			return
		}
		each(code, data[optionHead:optionHead+size])
		data = data[min(optionHead+aligned(size), len(data)):]
	}
}

// stampScale turns a stamp's units into nanoseconds.
type stampScale struct {
	times, over int64
	shift       uint // of a power of two
}

// scaleOf reads an if_tsresol: a negative power of ten, or of two.
func scaleOf(resolution byte) stampScale {
	if resolution&0x80 != 0 {
		return stampScale{shift: uint(min(resolution&0x7f, 63))}
	}
	return decimalScale(resolution)
}

func decimalScale(exponent byte) stampScale {
	s := stampScale{times: 1, over: 1}
	for ; exponent < 9; exponent++ {
		s.times *= 10
	}
	for ; exponent > 9 && s.over < 1e18; exponent-- {
		s.over *= 10
	}
	return s
}

func (s stampScale) nanos(stamp uint64) int64 {
	if s.times > 0 {
		return int64(stamp) * s.times / s.over
	}
	high, low := bits.Mul64(stamp, 1e9)
	if s.shift == 0 {
		return int64(low)
	}
	return int64(high<<(64-s.shift) | low>>s.shift)
}
