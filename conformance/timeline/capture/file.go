package capture

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// record is one packet of a file. Its data is valid until the next is read.
type record struct {
	nanos  int64 // since 1970
	link   uint32
	data   []byte
	length int // what went over the wire; data may be less
}

// file reads the packets of a pcap or a pcapng. It allocates one buffer, whatever
// lengths the file claims.
type file struct {
	r       *bufio.Reader
	order   binary.ByteOrder
	next    func() (record, error)
	at      int64 // bytes that were read
	packets int
	dropped uint64 // packets that the capture says it lost

	// Of a pcap:
	link uint32
	unit int64 // nanoseconds in the smaller part of a stamp
	// Of a pcapng:
	interfaces []netInterface
	last       int64
}

// FormatError says that a file is no capture, or no longer one.
type FormatError struct {
	What    string
	At      int64 // how many bytes were read before it
	Packets int   // and how many packets
}

// Error describes what is wrong and how far the file was read.
func (e *FormatError) Error() string {
	if e.At == 0 && e.Packets == 0 {
		return e.What
	}
	return fmt.Sprintf("%s, at byte %d, behind %d packets", e.What, e.At, e.Packets)
}

// errCut says that the file ends inside a packet, as one does whose tcpdump was
// killed. What was read before counts.
var errCut = errors.New("the file ends inside a packet")

const (
	// largestPacket is what tcpdump takes at most.
	largestPacket = 256 << 10
	bufferSize    = 512 << 10
)

// The first four bytes of a file, read as little endian.
const (
	magicMicro   = 0xa1b2c3d4
	magicNano    = 0xa1b23c4d
	magicSection = 0x0a0d0d0a
	magicGzip    = 0x8b1f
)

// openFile reads the head of a capture.
func openFile(r io.Reader) (*file, error) {
	f := &file{r: bufio.NewReaderSize(r, bufferSize)}
	head, err := f.r.Peek(4)
	switch {
	case len(head) == 0 && errors.Is(err, io.EOF):
		return nil, &FormatError{What: "the file is empty"}
	case len(head) < 4:
		return nil, f.noCapture(err)
	}
	little, big := binary.LittleEndian.Uint32(head), binary.BigEndian.Uint32(head)
	switch {
	case little == magicSection:
		f.next = f.nextBlock
		return f, nil
	case little == magicMicro || little == magicNano:
		f.order = binary.LittleEndian
	case big == magicMicro || big == magicNano:
		f.order = binary.BigEndian
	case little&0xffff == magicGzip:
		return nil, &FormatError{What: "the file is compressed: unpack it first (gunzip)"}
	default:
		return nil, f.noCapture(nil)
	}
	return f, f.pcapHead()
}

func (f *file) noCapture(err error) error {
	if err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("reading the capture: %w", err)
	}
	return &FormatError{What: "the file is no capture: it begins like neither a pcap nor a pcapng, which tcpdump -w writes"}
}

func (f *file) broken(format string, args ...any) error {
	return &FormatError{What: "the capture is damaged: " + fmt.Sprintf(format, args...), At: f.at, Packets: f.packets}
}

// take returns the next n bytes, at most as many as the buffer has. io.EOF is the
// end before them, errCut the end inside them.
func (f *file) take(n int) ([]byte, error) {
	data, err := f.r.Peek(n)
	if err != nil {
		switch {
		case !errors.Is(err, io.EOF):
			return nil, fmt.Errorf("reading the capture: %w", err)
		case len(data) == 0:
			return nil, io.EOF
		}
		return nil, errCut
	}
	f.r.Discard(n)
	f.at += int64(n)
	return data, nil
}

// inside makes of the end of the file a cut: it came inside a packet.
func inside(err error) error {
	if errors.Is(err, io.EOF) {
		return errCut
	}
	return err
}

// skip passes over bytes, however many.
func (f *file) skip(n int64) error {
	for n > 0 {
		step, err := f.r.Discard(int(min(n, 1<<30)))
		f.at += int64(step)
		n -= int64(step)
		if err != nil {
			if errors.Is(err, io.EOF) {
				return errCut
			}
			return fmt.Errorf("reading the capture: %w", err)
		}
	}
	return nil
}

// pcapHead reads the rest of a pcap's header.
func (f *file) pcapHead() error {
	head, err := f.take(24)
	if err != nil {
		return &FormatError{What: "the file ends inside the header of a pcap"}
	}
	f.unit = 1000
	if f.order.Uint32(head) == magicNano {
		f.unit = 1
	}
	if major := f.order.Uint16(head[4:]); major != 2 {
		return f.broken("a pcap of version %d, and 2 is the only one", major)
	}
	f.link = f.order.Uint32(head[20:]) & 0x0fffffff // the rest tells of checksums
	f.next = f.nextPcap
	return nil
}

func (f *file) nextPcap() (record, error) {
	head, err := f.take(16)
	if err != nil {
		return record{}, err
	}
	r := record{
		link:   f.link,
		nanos:  int64(f.order.Uint32(head))*1e9 + int64(f.order.Uint32(head[4:]))*f.unit,
		length: int(f.order.Uint32(head[12:])),
	}
	kept := f.order.Uint32(head[8:])
	if kept > largestPacket {
		return record{}, f.broken("a packet of %d bytes, and none has more than %d", kept, largestPacket)
	}
	if r.data, err = f.take(int(kept)); err != nil {
		return record{}, inside(err)
	}
	f.packets++
	return r, nil
}
