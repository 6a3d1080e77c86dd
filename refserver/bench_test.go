package refserver

import (
	"net"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

// ask writes one frame and reads one, without judging either.
func ask(b *testing.B, nc net.Conn, f wire.Frame) {
	b.Helper()
	if _, err := nc.Write(wire.Bytes(f)); err != nil {
		b.Fatal(err)
	}
	if _, err := wire.NewReader(nc).ReadServer(); err != nil {
		b.Fatal(err)
	}
}

// idle opens n sessions, each on a lock of its own.
func idle(b *testing.B, addr string, n int) {
	b.Helper()
	for i := range n {
		ask(b, dialTCP(b, addr), acquire("idle/"+strconv.Itoa(i), time.Hour))
	}
}

// BenchmarkHandover measures from the owner's close to the waiter's ACQUIRED.
func BenchmarkHandover(b *testing.B) {
	addr, _ := tcp(b, Config{})
	idle(b, addr, 1000)
	owner := dialTCP(b, addr)
	ask(b, owner, acquire("x", time.Hour))
	took := make([]time.Duration, 0, b.N)
	for b.Loop() {
		b.StopTimer()
		waiter := dialTCP(b, addr)
		ask(b, waiter, acquire("x", time.Hour))
		time.Sleep(100 * time.Microsecond) // all goroutines are parked again
		b.StartTimer()
		begin := time.Now()
		owner.Close()
		if _, err := wire.NewReader(waiter).ReadServer(); err != nil {
			b.Fatal(err)
		}
		took = append(took, time.Since(begin))
		owner = waiter
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds()), "p50-µs")
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds()), "p99-µs")
	b.ReportMetric(float64(took[len(took)-1].Microseconds()), "max-µs")
}

// BenchmarkHeartbeat is one round trip after the other.
func BenchmarkHeartbeat(b *testing.B) {
	addr, _ := tcp(b, Config{})
	nc := dialTCP(b, addr)
	ask(b, nc, acquire("x", time.Hour))
	beat, answer := wire.Bytes(wire.HeartbeatFrame), make([]byte, wire.AcquiredSize)
	b.ReportAllocs()
	for b.Loop() {
		_, _ = nc.Write(beat)
		if _, err := nc.Read(answer); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkCoreHeartbeat is the state machine alone, with 10,000 sessions.
func BenchmarkCoreHeartbeat(b *testing.B) {
	r := newRig(nil)
	for i := range 10_000 {
		r.acquire(strconv.Itoa(i), strconv.Itoa(i%100), time.Second)
	}
	ev := event{kind: said, message: Message{Kind: Heartbeat}, session: r.sessions["5000"]}
	b.ReportAllocs()
	for b.Loop() {
		r.now = r.now.Add(time.Nanosecond)
		r.core.step(ev, r.now)
	}
}

// BenchmarkSessions reports what sessions cost in memory. The clients' ends
// live in the same process, so the real server takes less.
func BenchmarkSessions(b *testing.B) {
	const sessions = 5000
	addr, _ := tcp(b, Config{})
	before := residentBytes(b)
	for b.Loop() {
		idle(b, addr, sessions)
	}
	b.ReportMetric(float64(residentBytes(b)-before)/float64(sessions*b.N)/1024, "KiB/session")
}

func residentBytes(b *testing.B) int {
	b.Helper()
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		b.Skip("no /proc here")
	}
	_, rest, _ := strings.Cut(string(status), "VmRSS:")
	kib, err := strconv.Atoi(strings.Fields(rest)[0])
	if err != nil {
		b.Fatal(err)
	}
	return kib << 10
}
