package bench

import (
	"io"
	"net"
	"testing"
)

// frame is what goes to and fro: the size of an ACQUIRED.
const frame = 9

// chunk is what is written at once where throughput is measured.
const chunk = 256 << 10

func BenchmarkRoundTrip(b *testing.B) {
	for _, p := range paths {
		b.Run(p.name, func(b *testing.B) {
			c, buf := dial(b, p.open(b, serve(b, echo))), make([]byte, frame)
			for b.Loop() {
				roundTrip(b, c, buf)
			}
		})
	}
}

func BenchmarkThroughput(b *testing.B) {
	for _, p := range paths {
		b.Run(p.name, func(b *testing.B) {
			c, buf := dial(b, p.open(b, serve(b, swallow))), make([]byte, chunk)
			b.SetBytes(chunk)
			for b.Loop() {
				if _, err := c.Write(buf); err != nil {
					b.Fatal(err)
				}
			}
			awaitEnd(c)
		})
	}
}

func roundTrip(t testing.TB, c *net.TCPConn, buf []byte) {
	if _, err := c.Write(buf); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(c, buf); err != nil {
		t.Fatal(err)
	}
}

// awaitEnd waits until the server has read everything.
func awaitEnd(c *net.TCPConn) {
	c.CloseWrite()
	c.Read(make([]byte, 1))
}
