package capture

import (
	"bytes"
	"encoding/binary"
	"io"
	"net/netip"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/google/gopacket"
	"github.com/google/gopacket/layers"
	"github.com/google/gopacket/pcapgo"
	"github.com/google/gopacket/tcpassembly"

	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

// busy is a capture of sessions side by side with that many frames in all, on
// Ethernet. Every answer is acknowledged by a segment of its own.
func busy(frames int) []byte {
	const sessions = 200
	var l lab
	var all []*dialogue
	for i := range sessions {
		d := l.connect(netip.AddrPortFrom(labClient.Addr(), uint16(20000+i)), labServer)
		d.client(wire.AcquireFrame("job", 60000))
		d.server(wire.AcquiredFrame(uint64(i + 1)))
		all = append(all, d)
	}
	for n := 2 * sessions; n < frames; n += 2 {
		d := all[n/2%sessions]
		d.client(wire.HeartbeatFrame)
		d.server(wire.AcquiredFrame(uint64(n/2%sessions + 1)))
		d.put(0, flagACK, nil)
	}
	for _, d := range all {
		d.close()
	}
	return l.pcap(binary.LittleEndian, magicMicro, linkEthernet, ethernet(), 65535)
}

const million = 1_000_000

var busyMillion = sync.OnceValue(func() []byte { return busy(million) })

func BenchmarkRead(b *testing.B) {
	file := busyMillion()
	for b.Loop() {
		summary, err := Read(bytes.NewReader(file), Options{})
		if err != nil || summary.Frames != million {
			b.Fatal(summary, err)
		}
	}
	b.ReportMetric(float64(million*b.N)/b.Elapsed().Seconds(), "frames/s")
}

// counter is a stream of tcpassembly that looks at nothing.
type counter struct{ bytes int }

func (c *counter) Reassembled(all []tcpassembly.Reassembly) {
	for _, r := range all {
		c.bytes += len(r.Bytes)
	}
}
func (c *counter) ReassemblyComplete() {}

type counters struct{}

func (counters) New(_, _ gopacket.Flow) tcpassembly.Stream { return &counter{} }

// BenchmarkGopacket is what gopacket takes for the same, without a frame decoded: it
// is why it reads none here.
func BenchmarkGopacket(b *testing.B) {
	file := busyMillion()
	for b.Loop() {
		r, err := pcapgo.NewReader(bytes.NewReader(file))
		if err != nil {
			b.Fatal(err)
		}
		var ethernet layers.Ethernet
		var ip layers.IPv4
		var tcp layers.TCP
		var payload gopacket.Payload
		parser := gopacket.NewDecodingLayerParser(layers.LayerTypeEthernet, &ethernet, &ip, &tcp, &payload)
		parser.IgnoreUnsupported = true
		assembler := tcpassembly.NewAssembler(tcpassembly.NewStreamPool(counters{}))
		var found []gopacket.LayerType
		for {
			data, info, err := r.ZeroCopyReadPacketData()
			if err == io.EOF {
				break
			}
			if parser.DecodeLayers(data, &found); len(found) >= 3 {
				assembler.AssembleWithTimestamp(ip.NetworkFlow(), &tcp, info.Timestamp)
			}
		}
	}
	b.ReportMetric(float64(million*b.N)/b.Elapsed().Seconds(), "frames/s")
}

// endless repeats the sessions of a small capture with new ports and later stamps, so
// that a reading can be as long as one likes.
type endless struct {
	block []byte
	left  int
	at    int
	round uint32
}

func (e *endless) Read(p []byte) (int, error) {
	if e.at == len(e.block) {
		if e.left--; e.left == 0 {
			return 0, io.EOF
		}
		e.round++
		e.at = 0
		// Every session is that of another client now.
		for i := 0; i < len(e.block); {
			kept := int(binary.LittleEndian.Uint32(e.block[i+8:]))
			binary.LittleEndian.PutUint32(e.block[i:], binary.LittleEndian.Uint32(e.block[i:])+1)
			ip := e.block[i+16:]
			address := ip[12:16]
			if ip[15] == 2 && ip[12] == 10 && ip[13] == 0 && ip[14] == 0 {
				address = ip[16:20]
			}
			binary.BigEndian.PutUint32(address, 0x0b000000|e.round)
			i += 16 + kept
		}
	}
	n := copy(p, e.block[e.at:])
	e.at += n
	return n, nil
}

// TestMemoryStaysFlat reads many sessions, one after the other, of which each is
// dropped when it ends, and some that never end.
func TestMemoryStaysFlat(t *testing.T) {
	if testing.Short() {
		t.Skip("ten million frames take some seconds")
	}
	var l lab
	for i := range 40 {
		d := l.connect(netip.AddrPortFrom(labClient.Addr(), uint16(20000+i)), labServer)
		d.client(wire.AcquireFrame("job", 60000))
		d.server(wire.AcquiredFrame(uint64(i + 1)))
		for range 20 {
			d.client(wire.HeartbeatFrame)
			d.server(wire.AcquiredFrame(uint64(i + 1)))
		}
		if i%4 > 0 {
			d.close()
		}
	}
	file := l.file()
	used := func(rounds int) (peak uint64) {
		done := make(chan struct{})
		var watched sync.WaitGroup
		watched.Go(func() {
			for {
				var m runtime.MemStats
				runtime.ReadMemStats(&m)
				peak = max(peak, m.HeapAlloc)
				select {
				case <-done:
					return
				case <-time.After(20 * time.Millisecond):
				}
			}
		})
		in := io.MultiReader(bytes.NewReader(bytes.Clone(file[:24])), &endless{block: bytes.Clone(file[24:]), left: rounds})
		summary, err := Read(in, Options{})
		close(done)
		watched.Wait()
		if err != nil || summary.Frames < rounds*1600 {
			t.Fatalf("%+v, %v", summary, err)
		}
		return peak
	}
	const most = 160 << 20 // the table of connections when it is full
	rounds := 8000
	if underRace {
		rounds = 800 // one goroutine reads, so there is no race to be found in ten million
	}
	if peak := used(rounds); peak > most {
		t.Errorf("%d MiB at most; want %d", peak>>20, most>>20)
	} else {
		t.Logf("%d MiB at most", peak>>20)
	}
}
