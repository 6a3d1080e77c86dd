package faultproxy

import (
	"io"
	"strings"
	"testing"
	"time"
)

func TestBandwidthIsKept(t *testing.T) {
	everywhere(t, unwatched(), func(r *rig) {
		client, server := r.connect()
		id := r.add("bandwidth 1M dir=up")
		start := time.Now()
		go func() {
			io.Copy(client, strings.NewReader(strings.Repeat("x", 300_000)))
			client.CloseWrite()
		}()
		n, err := io.Copy(io.Discard, server)
		if n != 300_000 || err != nil {
			r.Errorf("read %d bytes, %v", n, err)
		}
		if took := time.Since(start); took < 290*time.Millisecond || took > time.Second {
			r.Errorf("300,000 bytes at 1,000,000 a second took %v", took)
		}
		if r.p.Hits(id) == 0 {
			r.Error("the rule did not bite")
		}
	})
}

func TestBandwidthOfOneByteASecond(t *testing.T) {
	inVirtualTime(t, watched(), func(r *rig) {
		client, server := r.connect()
		r.add("bandwidth 1")
		start := time.Now()
		client.send("abc")
		for i, c := range []string{"a", "b", "c"} {
			server.want(c)
			r.wantTook(c, time.Since(start), time.Duration(i+1)*time.Second)
		}
	})
}
