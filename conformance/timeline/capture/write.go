package capture

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/google/gopacket"
	"github.com/google/gopacket/layers"
	"github.com/google/gopacket/pcapgo"

	"github.com/monolock-dev/monolock-conform/conformance/timeline"
)

// About is what the header of a written capture says.
type About struct {
	Scenario string // its ID
	Suite    string // the suite's name and version
}

// Write writes a timeline that began at start as pcapng. Each connection becomes a
// TCP stream with handshake, numbers, checksums and endings, stamped in nanoseconds.
// Faults and remarks become comments of the nearest packet, of their own connection
// where they have one; with no packet at all they stand in the section's header.
//
// The link type is raw IP: a timeline knows addresses and ports and no hardware.
// Bytes that the timeline did not keep are cut off as by a snap length. A moment of
// handshake and acknowledgements is made up, as a delayed acknowledgement would come.
// The errors are those of w.
func Write(w io.Writer, start time.Time, events []timeline.Event, about About) error {
	packets, remarks := compose(events)
	comments, rest := attach(packets, remarks)
	return writePackets(w, start, packets, comments, about.header(rest))
}

// header is the text of the section's header.
func (a About) header(remarks []timeline.Event) pcapgo.NgSectionInfo {
	lines := []string{}
	if a.Scenario != "" {
		lines = append(lines, a.Scenario)
	}
	for _, e := range remarks {
		lines = append(lines, comment(e))
	}
	return pcapgo.NgSectionInfo{Application: a.Suite, Comment: limited(strings.Join(lines, "\n"))}
}

// compose builds all packets in the order of their stamps, and returns the events
// that are none.
func compose(events []timeline.Event) (packets []packet, remarks []timeline.Event) {
	conns := map[string]*writtenConn{}
	inOrder := slices.Clone(events)
	slices.SortStableFunc(inOrder, func(a, b timeline.Event) int { return cmp.Compare(a.At, b.At) })
	var order []*writtenConn
	for i, e := range inOrder {
		if e.What == timeline.Remark || e.What == timeline.Fault {
			remarks = append(remarks, e)
			continue
		}
		c, known := conns[e.Who]
		if !known {
			c = &writtenConn{who: e.Who, number: len(conns)}
			conns[e.Who] = c
			order = append(order, c)
		}
		c.events, c.orders = append(c.events, e), append(c.orders, i)
	}
	for _, c := range order {
		packets = append(packets, c.packets()...)
	}
	slices.SortStableFunc(packets, func(a, b packet) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.order, b.order)) })
	return packets, remarks
}

// attach finds the packet of each remark: the nearest one, at best of the remark's
// own connection. With no packet, all are left over.
func attach(packets []packet, remarks []timeline.Event) (comments map[int][]string, rest []timeline.Event) {
	if len(packets) == 0 {
		return nil, remarks
	}
	comments = map[int][]string{}
	all, byWho := []int{}, map[string][]int{}
	for i, p := range packets {
		all = append(all, i)
		byWho[p.who] = append(byWho[p.who], i)
	}
	for _, e := range remarks {
		among := all
		if own := byWho[e.Who]; len(own) > 0 {
			among = own
		}
		i := nearest(packets, among, e.At)
		comments[i] = append(comments[i], comment(e))
	}
	return comments, nil
}

// nearest returns which of the packets among, in the order of their stamps, is
// nearest to an instant.
func nearest(packets []packet, among []int, at time.Duration) int {
	k, _ := slices.BinarySearchFunc(among, at, func(i int, at time.Duration) int { return cmp.Compare(packets[i].at, at) })
	if k == len(among) || k > 0 && at-packets[among[k-1]].at <= packets[among[k]].at-at {
		k--
	}
	return among[k]
}

// comment is the text of an event that is no packet.
func comment(e timeline.Event) string {
	return limited(fmt.Sprintf("%.6f s %s: %s", e.At.Seconds(), e.Who, e.Text()))
}

// limited cuts a text that does not fit an option of a block.
func limited(text string) string {
	const longest = 60000
	if len(text) <= longest {
		return text
	}
	return strings.ToValidUTF8(text[:longest], "") + " …"
}

// writePackets writes the file. pcapgo knows no comments of packets, so a packet with
// some is a block of our own between two of its.
func writePackets(w io.Writer, start time.Time, packets []packet, comments map[int][]string, info pcapgo.NgSectionInfo) error {
	ng, err := pcapgo.NewNgWriterInterface(w, pcapgo.NgInterface{
		Name: "timeline", Description: "both ends of every connection of one scenario, on one clock", LinkType: layers.LinkTypeRaw,
	}, pcapgo.NgWriterOptions{SectionInfo: info})
	if err != nil {
		return err
	}
	for i, p := range packets {
		stamp := start.Add(p.at)
		if len(comments[i]) > 0 {
			if err := writeCommented(w, ng, stamp, p, comments[i]); err != nil {
				return err
			}
			continue
		}
		if err := ng.WritePacket(gopacket.CaptureInfo{Timestamp: stamp, CaptureLength: len(p.data), Length: p.length}, p.data); err != nil {
			return err
		}
	}
	return ng.Flush()
}
