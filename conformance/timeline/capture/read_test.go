package capture

import (
	"bytes"
	"encoding/binary"
	"errors"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/gopacket/layers"

	"github.com/monolock-dev/monolock-conform/conformance/timeline"
	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

var (
	labClient6 = netip.MustParseAddrPort("[2001:db8::1]:40001")
	labServer6 = netip.MustParseAddrPort("[2001:db8::2]:7070")
)

func usualLab(client, server netip.AddrPort) *lab {
	var l lab
	l.connect(client, server).usual(7)
	return &l
}

// Every link type that tcpdump writes, with both versions of IP, tells the same.
func TestEveryLinkType(t *testing.T) {
	little, big := binary.LittleEndian, binary.BigEndian
	for _, test := range []struct {
		name string
		link uint32
		wrap wrap
	}{
		{"Ethernet", linkEthernet, ethernet()},
		{"Ethernet with VLAN", linkEthernet, ethernet(layers.EthernetTypeDot1Q)},
		{"Ethernet with QinQ", linkEthernet, ethernet(layers.EthernetTypeQinQ, layers.EthernetTypeDot1Q)},
		{"Linux cooked", linkSLL, sll},
		{"Linux cooked 2", linkSLL2, sll2},
		{"raw", linkRaw, raw},
		{"raw, as BSD numbers it", linkRawBSD, raw},
		{"raw, as OpenBSD does", linkRawOld, raw},
		{"loopback, little endian", linkNull, family(little, 2, 30)},
		{"loopback, big endian", linkNull, family(big, 2, 24)},
		{"loopback of OpenBSD", linkLoop, family(big, 2, 24)},
	} {
		for _, ends := range [][2]netip.AddrPort{{labClient, labServer}, {labClient6, labServer6}} {
			t.Run(test.name+" "+ends[0].Addr().String(), func(t *testing.T) {
				h := hear(usualLab(ends[0], ends[1]).pcap(little, magicMicro, test.link, test.wrap, 65535), 0)
				wantTale(t, h, "conn-1", usualTale)
				if c := h.conns["conn-1"]; c.Client != ends[0] || c.Server != ends[1] || !c.Started {
					t.Errorf("the ends are %+v", c)
				}
			})
		}
	}
	for link, ends := range map[uint32][2]netip.AddrPort{linkIPv4: {labClient, labServer}, linkIPv6: {labClient6, labServer6}} {
		wantTale(t, hear(usualLab(ends[0], ends[1]).pcap(little, magicMicro, link, raw, 65535), 0), "conn-1", usualTale)
	}
}

// Both formats, both byte orders and both resolutions tell the same instants.
func TestEveryFileFormat(t *testing.T) {
	l := usualLab(labClient, labServer)
	files := map[string][]byte{"pcapng": l.pcapng(t, layers.LinkTypeEthernet, ethernet())}
	for name, order := range map[string]interface {
		binary.ByteOrder
		binary.AppendByteOrder
	}{"little endian": binary.LittleEndian, "big endian": binary.BigEndian} {
		files["microseconds, "+name] = l.pcap(order, magicMicro, linkEthernet, ethernet(), 65535)
		files["nanoseconds, "+name] = l.pcap(order, magicNano, linkEthernet, ethernet(), 65535)
		files["pcapng, "+name] = l.sections(order)
	}
	for name, file := range files {
		t.Run(name, func(t *testing.T) {
			h := hear(file, 0)
			wantTale(t, h, "conn-1", usualTale)
			first := epoch.Add(time.Millisecond)
			if strings.HasPrefix(name, "micro") || name == "pcapng, big endian" || name == "pcapng, little endian" {
				first = first.Truncate(time.Microsecond)
			}
			if !h.summary.First.Equal(first) {
				t.Errorf("the first packet is of %v; want %v", h.summary.First, first)
			}
			if at := h.events[1].At; at != 3*time.Millisecond {
				t.Errorf("ACQUIRE is %v behind the first packet; want 3ms", at)
			}
		})
	}
}

// sections writes a pcapng by hand: two sections, each with its own interfaces, an
// unknown block, a simple packet's neighbour, microseconds by default, and comments.
func (l *lab) sections(order binary.AppendByteOrder) []byte {
	var out []byte
	block := func(kind uint32, body []byte) {
		body = padded(body)
		out = order.AppendUint32(out, kind)
		out = order.AppendUint32(out, uint32(len(body)+12))
		out = append(out, body...)
		out = order.AppendUint32(out, uint32(len(body)+12))
	}
	begin := func() {
		head := order.AppendUint32(nil, 0x1a2b3c4d)
		head = order.AppendUint16(head, 1)
		head = order.AppendUint16(head, 0)
		block(magicSection, order.AppendUint64(head, 1<<64-1))
		other := order.AppendUint32(order.AppendUint16(order.AppendUint16(nil, 147), 0), 0) // not read
		block(blockInterface, other)
		block(blockInterface, order.AppendUint32(order.AppendUint16(order.AppendUint16(nil, linkSLL2), 0), 0))
		block(0x0bad, []byte("custom"))
	}
	begin()
	for i, p := range l.packets {
		if i == len(l.packets)/2 {
			begin()
		}
		data, micros := sll2(p.ip), uint64(epoch.Add(p.at).UnixMicro())
		body := order.AppendUint32(nil, 1)
		body = order.AppendUint32(order.AppendUint32(body, uint32(micros>>32)), uint32(micros))
		body = order.AppendUint32(order.AppendUint32(body, uint32(len(data))), uint32(len(data)))
		body = padded(append(body, data...))
		body = padded(append(order.AppendUint16(order.AppendUint16(body, optionComment), 5), "hello"...))
		block(blockEnhanced, order.AppendUint32(body, 0))
	}
	statistics := order.AppendUint64(order.AppendUint32(nil, 1), 0)
	statistics = order.AppendUint64(order.AppendUint16(order.AppendUint16(statistics, optionIfDrop), 8), 17)
	block(blockStatistics, statistics)
	return out
}

func TestDroppedPacketsAreCounted(t *testing.T) {
	if h := hear(usualLab(labClient, labServer).sections(binary.BigEndian), 0); h.summary.Dropped != 17 {
		t.Errorf("%d packets dropped; want 17", h.summary.Dropped)
	}
}

// Extension headers of IPv6 are passed over, fragments are counted and not read.
func TestExtensionHeaders(t *testing.T) {
	with := func(extension ...byte) *lab {
		l := usualLab(labClient6, labServer6)
		for i, p := range l.packets {
			ip := slices.Concat(p.ip[:40], extension, p.ip[40:])
			ip[6] = map[int]byte{16: hopByHop, 8: fragment}[len(extension)]
			binary.BigEndian.PutUint16(ip[4:], uint16(len(ip)-40))
			l.packets[i].ip, l.packets[i].length = ip, len(ip)
		}
		return l
	}
	two := []byte{destinationOptions, 0, 1, 4, 0, 0, 0, 0, protocolTCP, 0, 1, 4, 0, 0, 0, 0}
	wantTale(t, hear(with(two...).file(), 0), "conn-1", usualTale)
	atomic := []byte{protocolTCP, 0, 0, 0, 0, 0, 0, 9}
	wantTale(t, hear(with(atomic...).file(), 0), "conn-1", usualTale)
	piece := []byte{protocolTCP, 0, 0, 1, 0, 0, 0, 9}
	if h := hear(with(piece...).file(), 0); h.summary.Fragments != h.summary.Packets || !errors.Is(h.err, ErrForeign) {
		t.Errorf("%+v, %v; want fragments and nothing else", h.summary, h.err)
	}
}

// Whichever way segments are split, joined, swapped, repeated and wrapped around, the
// same is told.
func TestReassembly(t *testing.T) {
	acquire, acquired, beat := wire.Bytes(wire.AcquireFrame("job", 10000)), wire.Bytes(wire.AcquiredFrame(7)), []byte{2}
	const data = flagPSH | flagACK
	for _, test := range []struct {
		name string
		talk func(d *dialogue)
		want string
	}{
		{"byte by byte", func(d *dialogue) {
			for i := range acquire {
				d.put(0, data, acquire[i:i+1])
			}
			for i := range acquired {
				d.put(1, data, acquired[i:i+1])
			}
		}, "open; -> ACQUIRE; <- ACQUIRED"},
		{"all in one segment", func(d *dialogue) {
			d.put(0, data, slices.Concat(acquire, beat, beat))
			d.put(1, data, slices.Concat(acquired, acquired, acquired))
		}, "open; -> ACQUIRE; -> HEARTBEAT; -> HEARTBEAT; <- ACQUIRED; <- ACQUIRED; <- ACQUIRED"},
		{"repeated", func(d *dialogue) {
			d.put(0, data, acquire)
			d.at(0, d.next[0]-uint32(len(acquire)), data, acquire)
			d.put(1, data, acquired)
			d.at(1, d.next[1]-9, data, acquired)
			d.at(0, d.next[0]-1, flagACK, []byte{0}) // a keep-alive
		}, "open; -> ACQUIRE; <- ACQUIRED"},
		{"repeated with more", func(d *dialogue) {
			d.put(0, data, acquire)
			d.at(0, d.next[0]-4, data, append(slices.Clone(acquire[len(acquire)-4:]), 2))
			d.next[0]++
			d.put(1, data, acquired)
		}, "open; -> ACQUIRE; -> HEARTBEAT; <- ACQUIRED"},
		{"swapped", func(d *dialogue) {
			start := d.next[0]
			d.at(0, start+4, data, acquire[4:])
			d.at(0, start, data, acquire[:4])
			d.next[0] += uint32(len(acquire))
			d.put(1, data, acquired)
		}, "open; -> ACQUIRE out of order; <- ACQUIRED"},
		{"numbers that wrap around", func(d *dialogue) {
			for _, b := range [][]byte{acquire[:3], acquire[3:]} {
				d.put(0, data, b)
			}
			d.put(1, data, acquired)
		}, "open; -> ACQUIRE; <- ACQUIRED"},
		{"bytes behind the snap of numbers", func(d *dialogue) {
			d.put(0, data, acquire)
			d.at(0, d.next[0]+1<<27, data, beat) // no window is so wide
			d.put(1, data, acquired)
		}, "open; -> ACQUIRE; <- ACQUIRED"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var l lab
			d := l.dialogue(labClient, labServer)
			d.next = [2]uint32{1<<32 - 5, 1<<32 - 3}
			d.handshake()
			test.talk(d)
			d.close()
			h := hear(l.file(), 0)
			wantTale(t, h, "conn-1", test.want+"; fin suite; fin subject")
			if h.summary.Holes != 0 || !h.ended["conn-1"] {
				t.Errorf("%+v, ended %v", h.summary, h.ended)
			}
		})
	}
}

// Any order of a few segments tells the same frames.
func TestEveryOrderOfSegments(t *testing.T) {
	whole := slices.Concat(wire.Bytes(wire.AcquireFrame("job", 10000)), []byte{2, 2})
	for _, order := range permutations(4) {
		var l lab
		d := l.connect(labClient, labServer)
		start := d.next[0]
		for _, i := range order {
			from, to := i*len(whole)/4, (i+1)*len(whole)/4
			d.at(0, start+uint32(from), flagPSH|flagACK, whole[from:to])
		}
		got := strings.ReplaceAll(hear(l.file(), 0).tale("conn-1"), " "+timeline.Late, "")
		if got != "open; -> ACQUIRE; -> HEARTBEAT; -> HEARTBEAT" {
			t.Errorf("in the order %v: %s", order, got)
		}
	}
}

func permutations(n int) [][]int {
	if n == 0 {
		return [][]int{{}}
	}
	var all [][]int
	for _, p := range permutations(n - 1) {
		for i := range n {
			all = append(all, slices.Insert(slices.Clone(p), i, n-1))
		}
	}
	return all
}

// missing drops segments out of a session of many heartbeats.
func missing(drop func(i int) bool) *lab {
	var l lab
	d := l.connect(labClient, labServer)
	d.client(wire.AcquireFrame("job", 10000))
	d.server(wire.AcquiredFrame(7))
	for range 12 {
		l.now += 400 * time.Millisecond
		d.client(wire.HeartbeatFrame)
		d.server(wire.AcquiredFrame(7))
	}
	d.close()
	kept := l.packets[:0]
	for i, p := range l.packets {
		if !drop(i) {
			kept = append(kept, p)
		}
	}
	l.packets = kept
	return &l
}

// Lost segments are said, and what follows is read again once it is sure where a
// frame begins.
func TestHoles(t *testing.T) {
	for _, dropped := range []int{7, 8, 14} {
		h := hear(missing(func(i int) bool { return i == dropped }).file(), 0)
		if h.err != nil || h.summary.Holes != 1 {
			t.Errorf("without packet %d: %d holes, %v", dropped, h.summary.Holes, h.err)
		}
		told := h.tale("conn-1")
		if !strings.Contains(told, timeline.Missed) || !strings.HasSuffix(told, "fin suite; fin subject") {
			t.Errorf("without packet %d: %s", dropped, told)
		}
		if n := strings.Count(told, "HEARTBEAT"); n < 7 {
			t.Errorf("without packet %d only %d heartbeats are told: %s", dropped, n, told)
		}
		if strings.Contains(told, "no frame") {
			t.Errorf("without packet %d something is held for no frame: %s", dropped, told)
		}
	}
}

// Wherever a hole is, and however the frames stand in segments, nothing is told that
// was not said.
func TestHolesInventNothing(t *testing.T) {
	for size := 1; size <= 23; size++ {
		for drop := range 30 {
			var l lab
			d := l.connect(labClient, labServer)
			d.client(wire.AcquireFrame("job", 10000))
			var stream []byte
			for i := range uint64(20) {
				stream = wire.Append(stream, wire.AcquiredFrame(0x1112131112131100+i))
			}
			stream = wire.Append(stream, wire.ErrorFrame(1, "\x11\x12\x13\x11\x11\x11\x11\x11\x11\x11\x11\x11\x11"))
			for i := 0; i < len(stream); i += size {
				part := stream[i:min(i+size, len(stream))]
				if i/size == drop {
					d.next[1] += uint32(len(part))
					continue
				}
				d.put(1, flagPSH|flagACK, part)
				d.put(0, flagACK, nil)
				l.now += time.Second
			}
			h := hear(l.file(), 0)
			for _, e := range h.events {
				if e.What == timeline.Recv && (e.Frame == nil || e.Frame.Type == wire.TypeWaiting || e.Frame.Type == wire.TypeAcquired && e.Frame.Token>>32 != 0x11121311) {
					t.Fatalf("segments of %d without number %d: told %s", size, drop, e.Line())
				}
			}
		}
	}
}

// A snap length that cuts frames is a hole.
func TestShortenedPackets(t *testing.T) {
	h := hear(missing(func(int) bool { return false }).pcap(binary.LittleEndian, magicMicro, linkRaw, raw, 44), 0)
	if !errors.Is(h.err, ErrForeign) && (h.summary.Shortened == 0 || h.summary.Holes == 0) {
		t.Errorf("%+v, %v", h.summary, h.err)
	}
	for _, e := range h.events {
		if e.Frame != nil && e.Frame.Type != wire.TypeHeartbeat {
			t.Errorf("told %s of packets that were cut", e.Line())
		}
	}
}

// A capture that begins in mid-session finds out which side is the server: at the
// known port, or by what flows.
func TestMidStream(t *testing.T) {
	for _, server := range []string{"10.0.0.2:7070", "10.0.0.2:17171"} {
		var l lab
		d := l.connect(labClient, netip.MustParseAddrPort(server))
		d.client(wire.AcquireFrame("job", 10000))
		d.server(wire.WaitingFrame)
		for range 6 {
			d.client(wire.HeartbeatFrame)
			d.server(wire.WaitingFrame)
		}
		d.server(wire.AcquiredFrame(7))
		d.close()
		l.packets = l.packets[6:]
		h := hear(l.file(), 0)
		if h.err != nil {
			t.Fatal(h.err)
		}
		c := h.conns["conn-1"]
		if c.Client != labClient || c.Server.String() != server || c.Started || h.summary.Unstarted != 1 {
			t.Errorf("%+v, %+v", c, h.summary)
		}
		told := h.tale("conn-1")
		if !strings.HasPrefix(told, timeline.Missed) || strings.Count(told, "WAITING") < 3 || !strings.Contains(told, "ACQUIRED") {
			t.Errorf("at %s: %s", server, told)
		}
	}
}

func TestOtherProtocols(t *testing.T) {
	talk := func(server string, first string) []byte {
		var l lab
		d := l.connect(labClient, netip.MustParseAddrPort(server))
		d.put(0, flagPSH|flagACK, []byte(first))
		d.put(1, flagPSH|flagACK, []byte("HTTP/1.1 200 OK\r\n\r\n"))
		d.close()
		return l.file()
	}
	for _, test := range []struct {
		name, server, first string
		port                uint16
		tls, other          int
	}{
		{"HTTP", "10.0.0.2:80", "GET / HTTP/1.1\r\n\r\n", 0, 0, 0},
		{"HTTP at our port", "10.0.0.2:7070", "GET / HTTP/1.1\r\n\r\n", 0, 0, 0},
		{"TLS", "10.0.0.2:7070", "\x16\x03\x01\x02\x00\x01", 0, 1, 0},
		{"another port", "10.0.0.2:80", "GET / HTTP/1.1\r\n\r\n", 9000, 0, 1},
	} {
		h := hear(talk(test.server, test.first), test.port)
		if !errors.Is(h.err, ErrForeign) || h.summary.Foreign != 1 || h.summary.TLS != test.tls || h.summary.OtherPort != test.other {
			t.Errorf("%s: %+v, %v", test.name, h.summary, h.err)
		}
	}
}

// Ports that are used again begin another connection; what is repeated of the old one
// begins none.
func TestPortsUsedAgain(t *testing.T) {
	var l lab
	first := l.connect(labClient, labServer)
	first.usual(7)
	first.at(1, first.next[1]-1, flagFIN|flagACK, nil)
	first.at(1, first.next[1]-10, flagPSH|flagACK, wire.Bytes(wire.AcquiredFrame(7)))
	second := l.dialogue(labClient, labServer)
	second.next = [2]uint32{900000, 800000}
	second.handshake()
	second.usual(8)
	h := hear(l.file(), 0)
	if len(h.order) != 2 {
		t.Fatalf("%d connections: %v", len(h.order), h.tales)
	}
	wantTale(t, h, "conn-1", usualTale)
	wantTale(t, h, "conn-2", usualTale)
}

func TestResetAndCutFrame(t *testing.T) {
	var l lab
	d := l.connect(labClient, labServer)
	d.client(wire.AcquireFrame("job", 10000))
	d.put(1, flagPSH|flagACK, wire.Bytes(wire.AcquiredFrame(7))[:4])
	d.put(1, flagFIN|flagACK, nil)
	d.put(0, flagRST, nil)
	wantTale(t, hear(l.file(), 0), "conn-1", "open; -> ACQUIRE; <-  ACQUIRED cut after 4 of 9 bytes; fin subject; rst suite")
}

// The ways to both ends show in the handshake.
func TestWays(t *testing.T) {
	var l lab
	d := l.dialogue(labClient, labServer)
	d.put(0, flagSYN, nil)
	l.now += 30 * time.Millisecond
	d.put(1, flagSYN|flagACK, nil)
	d.put(0, flagACK, nil)
	d.usual(7)
	c := hear(l.file(), 0).conns["conn-1"]
	if !c.WaysKnown || c.ClientWay != time.Millisecond || c.ServerWay != 31*time.Millisecond {
		t.Errorf("%+v", c)
	}
}

func TestBadFiles(t *testing.T) {
	good := usualLab(labClient, labServer).file()
	ng := usualLab(labClient, labServer).sections(binary.LittleEndian)
	huge := slices.Clone(good)
	binary.LittleEndian.PutUint32(huge[24+8:], 1<<31)
	version := slices.Clone(good)
	version[4] = 9
	for _, test := range []struct {
		name string
		file []byte
		want string
	}{
		{"empty", nil, "the file is empty"},
		{"text", []byte("hello, this is no capture"), "no capture"},
		{"two bytes", []byte{1, 2}, "no capture"},
		{"gzip", []byte{0x1f, 0x8b, 8, 0, 0}, "compressed"},
		{"half a header", good[:20], "inside the header of a pcap"},
		{"half a header of a pcapng", ng[:10], "inside the header of a pcapng"},
		{"a packet of gigabytes", huge, "a packet of 2147483648 bytes"},
		{"another version", version, "version 9"},
		{"a block of nothing", append(slices.Clone(ng[:28]), 1, 0, 0, 0, 3, 0, 0, 0), "a block of 3 bytes"},
		{"no packets", good[:24], "no connection"},
	} {
		h := hear(test.file, 0)
		if h.err == nil || !strings.Contains(h.err.Error(), test.want) {
			t.Errorf("%s: %v; want %q", test.name, h.err, test.want)
		}
	}
}

// A file that was cut anywhere behind its first packets counts as far as it goes.
func TestCutFile(t *testing.T) {
	for name, file := range map[string][]byte{"pcap": usualLab(labClient, labServer).file(), "pcapng": usualLab(labClient, labServer).sections(binary.BigEndian)} {
		whole := hear(file, 0).summary
		for size := len(file) / 2; size < len(file); size++ {
			h := hear(file[:size], 0)
			if h.err != nil {
				t.Fatalf("%s cut to %d of %d bytes: %v", name, size, len(file), h.err)
			}
			if h.summary.Packets > whole.Packets {
				t.Errorf("%s cut to %d bytes has %d packets of %d", name, size, h.summary.Packets, whole.Packets)
			}
		}
		if h := hear(file[:len(file)-3], 0); name == "pcap" && !h.summary.Cut {
			t.Error("nothing says that the file was cut")
		}
	}
}

// FuzzRead reads any bytes. It never panics, and what it tells stands in order.
func FuzzRead(f *testing.F) {
	l := usualLab(labClient, labServer)
	f.Add(l.file())
	f.Add(l.sections(binary.BigEndian))
	f.Add(l.pcap(binary.BigEndian, magicNano, linkSLL2, sll2, 70))
	f.Add(missing(func(i int) bool { return i%5 == 0 }).pcap(binary.LittleEndian, magicMicro, linkEthernet, ethernet(layers.EthernetTypeDot1Q), 65535))
	f.Fuzz(func(t *testing.T, data []byte) {
		open, last := map[string]bool{}, 0
		Read(bytes.NewReader(data), Options{
			Begin: func(c *Conn) { open[c.Who] = true },
			Event: func(c *Conn, e *timeline.Event) {
				if !open[c.Who] || e.Who != c.Who {
					t.Errorf("an event of %s (%s), which is not open", c.Who, e.Who)
				}
				if e.Seq <= last {
					t.Errorf("event %d behind %d", e.Seq, last)
				}
				last = e.Seq
				_ = e.Line()
			},
			End: func(c *Conn) {
				if !open[c.Who] {
					t.Errorf("%s ends twice", c.Who)
				}
				delete(open, c.Who)
			},
		})
		if len(open) > 0 {
			t.Errorf("%d connections never end", len(open))
		}
	})
}
