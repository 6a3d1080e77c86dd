package faultproxy

import (
	"errors"
	"io"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"
)

// fill writes until the other side takes no more for a while, and returns how
// many bytes went.
func (e *end) fill(chunk string, patience time.Duration) (sent int) {
	e.r.Helper()
	for sent < 64<<20 {
		_ = e.SetWriteDeadline(time.Now().Add(patience))
		n, err := e.Write([]byte(chunk))
		sent += n
		if errors.Is(err, os.ErrDeadlineExceeded) {
			return sent
		}
		if err != nil {
			e.r.Fatal(err)
		}
	}
	e.r.Fatalf("%d bytes went and nothing stopped them", sent)
	return sent
}

// A proxy holds so much and then stops reading, whatever the reason; what it
// held comes out whole.
func TestWhatIsHeldIsBounded(t *testing.T) {
	for _, rule := range []string{"partition", "delay 1h", "stall 0", "bandwidth 1"} {
		t.Run(rule, func(t *testing.T) {
			cfg := watched()
			cfg.Hold = 100_000
			inVirtualTime(t, cfg, func(r *rig) {
				client, server := r.connect()
				r.add(rule)
				sent := client.fill(strings.Repeat("x", 1000), time.Minute)
				// The hold, one read more, and the buffers of two connections.
				if limit := 100_000 + largeRead + 4*64<<10; sent > limit || sent < 100_000 {
					r.Errorf("%d bytes went, want 100,000 to %d", sent, limit)
				}
				if held := r.p.Connections()[0].HeldUp; held > 100_000+largeRead {
					r.Errorf("%d bytes are held", held)
				}
				client.finish()
				if err := r.p.Heal(); err != nil {
					r.Fatal(err)
				}
				server.patience(time.Hour)
				if got, err := io.Copy(io.Discard, server); got != int64(sent) || err != nil {
					r.Errorf("%d of %d bytes came out, %v", got, sent, err)
				}
			})
		})
	}
}

// Single bytes cost more than themselves, and are counted so.
func TestManySmallPiecesAreBoundedToo(t *testing.T) {
	cfg := watched(Rule{Fault: Partition, Dir: Up})
	cfg.Hold = 1 << 20
	inVirtualTime(t, cfg, func(r *rig) {
		client, _ := r.connect()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for range 9000 {
			_ = client.SetWriteDeadline(time.Now().Add(time.Second))
			if _, err := client.Write([]byte("x")); err != nil {
				break
			}
			r.settle()
		}
		if held := r.p.Connections()[0].HeldUp; held < 8000 || held > 8300 {
			r.Errorf("%d single bytes are held of 1 MiB at %d each", held, pieceCost+1)
		}
		runtime.GC()
		runtime.ReadMemStats(&after)
		if grown := int64(after.HeapAlloc) - int64(before.HeapAlloc); grown > 8<<20 {
			r.Errorf("the heap grew by %d bytes", grown)
		}
	})
}

// A receiver that does not read stops the sender, on every path.
func TestAReceiverThatDoesNotReadStopsTheSender(t *testing.T) {
	onBothPaths(t, func(r *rig) {
		client, server := r.connect()
		patience := 200 * time.Millisecond
		sent := client.fill(strings.Repeat("x", 64<<10), patience)
		client.finish()
		server.patience(10 * time.Second)
		if got, err := io.Copy(io.Discard, server); got != int64(sent) || err != nil {
			r.Errorf("%d of %d bytes came out, %v", got, sent, err)
		}
	})
}

// A reset gets through to a connection whose receiver does not read.
func TestABlockedConnectionCanBeEnded(t *testing.T) {
	onBothPaths(t, func(r *rig) {
		client, _ := r.connect()
		client.fill(strings.Repeat("x", 64<<10), 100*time.Millisecond)
		r.add("reset")
		r.eventually("the connection is forgotten", func() bool { return len(r.p.Connections()) == 0 })
	})
}
