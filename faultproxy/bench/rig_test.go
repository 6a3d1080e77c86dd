package bench

import (
	"context"
	"io"
	"net"
	"testing"

	toxiproxy "github.com/Shopify/toxiproxy/v2"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/rs/zerolog"

	"github.com/monolock-dev/monolock-conform/faultproxy"
)

// path is a way from a client to a server.
type path struct {
	name string
	// open starts it in front of the upstream and returns where it listens.
	open func(t testing.TB, upstream string) (address string)
}

var paths = []path{
	{"direct", func(_ testing.TB, upstream string) string { return upstream }},
	{"copy loop", openLoop},
	{"toxiproxy", openToxiproxy},
	{"faultproxy", ours(faultproxy.Config{})},
	{"faultproxy, recorded", ours(faultproxy.Config{Record: func(faultproxy.Event) {}})},
	{"faultproxy, a rule", ours(faultproxy.Config{Rules: []faultproxy.Rule{{Fault: faultproxy.Stall, At: 1 << 60}}})},
}

// ours returns the way through a fault proxy.
func ours(cfg faultproxy.Config) func(testing.TB, string) string {
	return func(t testing.TB, upstream string) string {
		cfg.Dial = func(ctx context.Context) (faultproxy.Conn, error) {
			c, err := new(net.Dialer).DialContext(ctx, "tcp", upstream)
			if err != nil {
				return nil, err
			}
			return c.(*net.TCPConn), nil
		}
		p := faultproxy.New(cfg)
		l := listen(t)
		go p.Serve(l)
		t.Cleanup(func() { p.Close() })
		return l.Addr().String()
	}
}

func openToxiproxy(t testing.TB, upstream string) string {
	server := toxiproxy.NewServer(toxiproxy.NewMetricsContainer(prometheus.NewRegistry()), zerolog.Nop())
	p := toxiproxy.NewProxy(server, "bench", "127.0.0.1:0", upstream)
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Stop)
	return p.Listen
}

// openLoop is the simplest proxy that there is: two copies of 32 KiB a time.
func openLoop(t testing.TB, upstream string) string {
	l := listen(t)
	go func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			server := dial(t, upstream)
			go move(server, client.(*net.TCPConn), 32<<10)
			go move(client.(*net.TCPConn), server, 32<<10)
		}
	}()
	return l.Addr().String()
}

// move copies until the end, which it passes on.
func move(dst, src *net.TCPConn, size int) {
	buf := make([]byte, size)
	for {
		n, err := src.Read(buf)
		if err != nil {
			dst.CloseWrite()
			return
		}
		if _, err := dst.Write(buf[:n]); err != nil {
			return
		}
	}
}

// serve runs what handle does with each connection.
func serve(t testing.TB, handle func(*net.TCPConn)) string {
	l := listen(t)
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go handle(c.(*net.TCPConn))
		}
	}()
	return l.Addr().String()
}

func echo(c *net.TCPConn) { move(c, c, 512) }

// swallow reads everything and then answers with the end.
func swallow(c *net.TCPConn) {
	_, _ = io.CopyBuffer(writerOnly{io.Discard}, readerOnly{c}, make([]byte, 256<<10))
	c.CloseWrite()
}

type (
	readerOnly struct{ io.Reader }
	writerOnly struct{ io.Writer }
)

func listen(t testing.TB) net.Listener {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

func dial(t testing.TB, address string) *net.TCPConn {
	c, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c.(*net.TCPConn)
}
