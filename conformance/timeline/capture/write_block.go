package capture

import (
	"encoding/binary"
	"io"
	"time"

	"github.com/google/gopacket/pcapgo"
)

// The parts of an enhanced packet block.
const (
	blockEnhanced   = 6
	blockFixed      = 8 + 20 + 4 // type and length, the packet's head, the length again
	optionComment   = 1
	optionEnd       = 0
	optionHead      = 4
	blockAlignment  = 4
	interfaceNumber = 0
)

// writeCommented writes an enhanced packet block with comments.
func writeCommented(w io.Writer, ng *pcapgo.NgWriter, stamp time.Time, p packet, comments []string) error {
	if err := ng.Flush(); err != nil {
		return err
	}
	_, err := w.Write(enhancedBlock(stamp, p, comments))
	return err
}

func enhancedBlock(stamp time.Time, p packet, comments []string) []byte {
	size := blockFixed + aligned(len(p.data)) + optionHead
	for _, text := range comments {
		size += optionHead + aligned(len(text))
	}
	order, nanos := binary.LittleEndian, uint64(stamp.UnixNano())
	b := order.AppendUint32(make([]byte, 0, size), blockEnhanced)
	b = order.AppendUint32(b, uint32(size))
	b = order.AppendUint32(b, interfaceNumber)
	b = order.AppendUint32(b, uint32(nanos>>32))
	b = order.AppendUint32(b, uint32(nanos))
	b = order.AppendUint32(b, uint32(len(p.data)))
	b = order.AppendUint32(b, uint32(p.length))
	b = padded(append(b, p.data...))
	for _, text := range comments {
		b = order.AppendUint16(b, optionComment)
		b = order.AppendUint16(b, uint16(len(text)))
		b = padded(append(b, text...))
	}
	b = order.AppendUint16(b, optionEnd)
	b = order.AppendUint16(b, 0)
	return order.AppendUint32(b, uint32(size))
}

func aligned(n int) int { return (n + blockAlignment - 1) / blockAlignment * blockAlignment }

func padded(b []byte) []byte { return append(b, make([]byte, aligned(len(b))-len(b))...) }
