package capture

import (
	"net/netip"

	"github.com/google/gopacket"
	"github.com/google/gopacket/layers"
)

// The flags of a TCP header.
const (
	flagFIN = 1 << iota
	flagSYN
	flagRST
	flagPSH
	flagACK
)

// window is what both ends offer: no option scales it.
const window = 65535

// segmentBytes is an IP packet with a TCP segment of size bytes, of which kept are
// known, and the packet's length. What is not known is cut off; the checksum takes it
// for zeros, and nobody can tell.
func segmentBytes(from, to netip.AddrPort, seq, ack uint32, flags uint8, kept []byte, size int) (data []byte, length int) {
	tcp := &layers.TCP{
		SrcPort: layers.TCPPort(from.Port()), DstPort: layers.TCPPort(to.Port()), Seq: seq, Ack: ack, Window: window,
		FIN: flags&flagFIN != 0, SYN: flags&flagSYN != 0, RST: flags&flagRST != 0, PSH: flags&flagPSH != 0, ACK: flags&flagACK != 0,
	}
	payload := make(gopacket.Payload, size)
	copy(payload, kept)
	buffer := gopacket.NewSerializeBuffer()
	if err := gopacket.SerializeLayers(buffer, gopacket.SerializeOptions{FixLengths: true, ComputeChecksums: true}, networkHeader(from, to, tcp), tcp, payload); err != nil {
		panic("a packet of our own does not serialise: " + err.Error())
	}
	whole := buffer.Bytes()
	return whole[:len(whole)-(size-len(kept))], len(whole)
}

// networkHeader is the IP header, and what the TCP checksum needs of it.
func networkHeader(from, to netip.AddrPort, tcp *layers.TCP) gopacket.SerializableLayer {
	const hops = 64
	if from.Addr().Is4() {
		ip := &layers.IPv4{
			Version: 4, TTL: hops, Protocol: layers.IPProtocolTCP, Flags: layers.IPv4DontFragment,
			SrcIP: from.Addr().AsSlice(), DstIP: to.Addr().AsSlice(),
		}
		tcp.SetNetworkLayerForChecksum(ip)
		return ip
	}
	ip := &layers.IPv6{
		Version: 6, HopLimit: hops, NextHeader: layers.IPProtocolTCP,
		SrcIP: from.Addr().AsSlice(), DstIP: to.Addr().AsSlice(),
	}
	tcp.SetNetworkLayerForChecksum(ip)
	return ip
}
