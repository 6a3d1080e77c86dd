package capture

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"net"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/google/gopacket"
	"github.com/google/gopacket/layers"
	"github.com/google/gopacket/pcapgo"

	"github.com/monolock-dev/monolock-conform/conformance/timeline"
	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

// lab builds captures by hand.
type lab struct {
	packets []labPacket
	now     time.Duration
}

type labPacket struct {
	at     time.Duration
	ip     []byte // from IP on
	length int
}

// dialogue is one connection of a lab: the client is end 0.
type dialogue struct {
	lab  *lab
	ends [2]netip.AddrPort
	next [2]uint32
}

var labClient, labServer = netip.MustParseAddrPort("10.0.0.1:40001"), netip.MustParseAddrPort("10.0.0.2:7070")

func (l *lab) dialogue(client, server netip.AddrPort) *dialogue {
	return &dialogue{lab: l, ends: [2]netip.AddrPort{client, server}, next: [2]uint32{1000, 5000}}
}

func (l *lab) connect(client, server netip.AddrPort) *dialogue {
	d := l.dialogue(client, server)
	d.handshake()
	return d
}

func (d *dialogue) handshake() {
	d.put(0, flagSYN, nil)
	d.put(1, flagSYN|flagACK, nil)
	d.put(0, flagACK, nil)
}

// put sends a segment in turn, a millisecond after the packet before it.
func (d *dialogue) put(from int, flags uint8, payload []byte) {
	d.at(from, d.next[from], flags, payload)
	d.next[from] += uint32(len(payload))
	if flags&(flagSYN|flagFIN) != 0 {
		d.next[from]++
	}
}

// at sends a segment with a number of one's choice.
func (d *dialogue) at(from int, seq uint32, flags uint8, payload []byte) {
	ack := d.next[1-from]
	if flags&flagACK == 0 {
		ack = 0
	}
	data, length := segmentBytes(d.ends[from], d.ends[1-from], seq, ack, flags, payload, len(payload))
	d.lab.now += time.Millisecond
	d.lab.packets = append(d.lab.packets, labPacket{d.lab.now, data, length})
}

func (d *dialogue) client(frames ...wire.Frame) { d.put(0, flagPSH|flagACK, bytesOf(frames)) }
func (d *dialogue) server(frames ...wire.Frame) { d.put(1, flagPSH|flagACK, bytesOf(frames)) }

func bytesOf(frames []wire.Frame) (data []byte) {
	for _, f := range frames {
		data = wire.Append(data, f)
	}
	return data
}

// close ends both sides in order.
func (d *dialogue) close() {
	d.put(0, flagFIN|flagACK, nil)
	d.put(1, flagFIN|flagACK, nil)
	d.put(0, flagACK, nil)
}

// usual is a session as it goes: granted, three heartbeats, closed.
func (d *dialogue) usual(token uint64) {
	d.client(wire.AcquireFrame("job", 10000))
	d.server(wire.AcquiredFrame(token))
	for range 3 {
		d.client(wire.HeartbeatFrame)
		d.server(wire.AcquiredFrame(token))
	}
	d.close()
}

const usualTale = "open; -> ACQUIRE; <- ACQUIRED; -> HEARTBEAT; <- ACQUIRED; -> HEARTBEAT; <- ACQUIRED; -> HEARTBEAT; <- ACQUIRED; fin suite; fin subject"

// wrap puts a link's header before IP.
type wrap func(ip []byte) []byte

func raw(ip []byte) []byte { return ip }

// etherType is the type of an IP packet.
func etherType(ip []byte) layers.EthernetType {
	if ip[0]>>4 == 6 {
		return layers.EthernetTypeIPv6
	}
	return layers.EthernetTypeIPv4
}

// ethernet is a frame with VLAN tags, padded to the least that an Ethernet carries.
func ethernet(tags ...layers.EthernetType) wrap {
	return func(ip []byte) []byte {
		kinds := append(tags, etherType(ip))
		stack := []gopacket.SerializableLayer{&layers.Ethernet{
			SrcMAC: net.HardwareAddr{2, 0, 0, 0, 0, 1}, DstMAC: net.HardwareAddr{2, 0, 0, 0, 0, 2}, EthernetType: kinds[0],
		}}
		for i := range tags {
			stack = append(stack, &layers.Dot1Q{VLANIdentifier: uint16(i + 7), Type: kinds[i+1]})
		}
		buffer := gopacket.NewSerializeBuffer()
		if err := gopacket.SerializeLayers(buffer, gopacket.SerializeOptions{}, append(stack, gopacket.Payload(ip))...); err != nil {
			panic(err)
		}
		return append(buffer.Bytes(), make([]byte, max(0, 60-len(buffer.Bytes())))...)
	}
}

func sll(ip []byte) []byte {
	head := append(make([]byte, 14), byte(etherType(ip)>>8), byte(etherType(ip)))
	return append(head, ip...)
}

func sll2(ip []byte) []byte {
	head := append([]byte{byte(etherType(ip) >> 8), byte(etherType(ip))}, make([]byte, 18)...)
	return append(head, ip...)
}

// family is the header of a loopback of BSD.
func family(order binary.ByteOrder, v4, v6 uint32) wrap {
	return func(ip []byte) []byte {
		head, number := make([]byte, 4), v4
		if ip[0]>>4 == 6 {
			number = v6
		}
		order.PutUint32(head, number)
		return append(head, ip...)
	}
}

// pcap writes a lab's packets in the old format.
func (l *lab) pcap(order binary.ByteOrder, magic, link uint32, w wrap, snap int) []byte {
	var out []byte
	u32 := func(values ...uint32) {
		for _, v := range values {
			word := make([]byte, 4)
			order.PutUint32(word, v)
			out = append(out, word...)
		}
	}
	u32(magic)
	version := make([]byte, 4)
	order.PutUint16(version, 2)
	order.PutUint16(version[2:], 4)
	out = append(out, version...)
	u32(0, 0, uint32(snap), link)
	for _, p := range l.packets {
		data := w(p.ip)
		stamp := epoch.Add(p.at)
		part := uint32(stamp.Nanosecond())
		if magic == magicMicro {
			part /= 1000
		}
		kept := data[:min(len(data), snap)]
		u32(uint32(stamp.Unix()), part, uint32(len(kept)), uint32(len(data)+p.length-len(p.ip)))
		out = append(out, kept...)
	}
	return out
}

// file is the lab's packets in the plainest form.
func (l *lab) file() []byte {
	return l.pcap(binary.LittleEndian, magicMicro, linkRaw, raw, 65535)
}

// pcapng writes a lab's packets with gopacket.
func (l *lab) pcapng(t *testing.T, link layers.LinkType, w wrap) []byte {
	t.Helper()
	var out bytes.Buffer
	ng, err := pcapgo.NewNgWriter(&out, link)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range l.packets {
		data := w(p.ip)
		info := gopacket.CaptureInfo{Timestamp: epoch.Add(p.at), CaptureLength: len(data), Length: len(data)}
		if err := ng.WritePacket(info, data); err != nil {
			t.Fatal(err)
		}
	}
	if err := ng.Flush(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// heard is what a reading tells: a short text for each connection.
type heard struct {
	tales   map[string][]string
	order   []string
	conns   map[string]Conn
	ended   map[string]bool
	events  []timeline.Event
	summary Summary
	err     error
}

func (h *heard) tale(who string) string { return strings.Join(h.tales[who], "; ") }

func hear(file []byte, port uint16) *heard {
	h := &heard{tales: map[string][]string{}, conns: map[string]Conn{}, ended: map[string]bool{}}
	h.summary, h.err = Read(bytes.NewReader(file), Options{
		Port: port,
		Begin: func(c *Conn) {
			h.order = append(h.order, c.Who)
			h.conns[c.Who] = *c
		},
		Event: func(c *Conn, e *timeline.Event) {
			h.events = append(h.events, *e)
			h.tales[c.Who] = append(h.tales[c.Who], brief(e))
		},
		End: func(c *Conn) { h.ended[c.Who] = true },
	})
	return h
}

// brief is an event in few words.
func brief(e *timeline.Event) string {
	sign := map[timeline.What]string{timeline.Send: "->", timeline.Recv: "<-"}[e.What]
	switch {
	case e.What == timeline.Remark:
		return e.Note
	case sign == "":
		if e.What == timeline.Open {
			return "open"
		}
		return fmt.Sprintf("%s %s", e.What, e.By)
	case e.Frame == nil:
		return fmt.Sprintf("%s %x %s", sign, e.Bytes, e.Note)
	}
	text := fmt.Sprintf("%s %v", sign, e.Frame.Type)
	if e.Note != "" {
		text += " " + e.Note
	}
	return text
}

func wantTale(t *testing.T, h *heard, who, want string) {
	t.Helper()
	if h.err != nil {
		t.Fatal(h.err)
	}
	if got := h.tale(who); got != want {
		t.Errorf("%s is\n  %s\nwant\n  %s", who, got, want)
	}
}
