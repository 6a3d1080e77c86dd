package faultproxy

import "testing"

// Without a fault a proxy is a cable: bytes and endings pass as they are, when
// it copies plainly and when it looks at every frame.

func onBothPaths(t *testing.T, test func(*rig)) {
	t.Run("plain", func(t *testing.T) { everywhere(t, unwatched(), test) })
	t.Run("recorded", func(t *testing.T) { everywhere(t, watched(), test) })
}

func TestBytesPassBothWays(t *testing.T) {
	onBothPaths(t, func(r *rig) {
		client, server := r.connect()
		client.send(acquire)
		server.want(acquire)
		server.send(waiting + acquired)
		client.want(waiting + acquired)
	})
}

func TestForeignBytesPass(t *testing.T) {
	onBothPaths(t, func(r *rig) {
		client, server := r.connect()
		client.send("GET / HTTP/1.1\r\n\r\n")
		server.want("GET / HTTP/1.1\r\n\r\n")
		server.send("\x00\xff")
		client.want("\x00\xff")
	})
}

func TestAFINIsAHalfClose(t *testing.T) {
	onBothPaths(t, func(r *rig) {
		client, server := r.connect()
		client.send("last words")
		client.finish()
		server.want("last words")
		server.wantFIN()
		server.send("an answer")
		client.want("an answer")
		server.finish()
		client.wantFIN()
		r.eventually("the connection is forgotten", func() bool { return len(r.p.Connections()) == 0 })
	})
}

func TestAResetOfTheClientIsAReset(t *testing.T) {
	onBothPaths(t, func(r *rig) {
		client, server := r.connect()
		client.send("x")
		server.want("x")
		client.abort()
		server.wantReset()
		r.eventually("the connection is forgotten", func() bool { return len(r.p.Connections()) == 0 })
	})
}

func TestAResetOfTheServerIsAReset(t *testing.T) {
	onBothPaths(t, func(r *rig) {
		client, server := r.connect()
		server.abort()
		client.wantReset()
	})
}

// A client that has closed both directions answers later bytes with a reset.
func TestAResetBehindAHalfCloseIsAReset(t *testing.T) {
	onBothPaths(t, func(r *rig) {
		client, server := r.connect()
		client.Close()
		server.wantFIN()
		server.send("too late")
		r.settle()
		if _, err := server.Write([]byte("much too late")); err == nil {
			r.eventually("the server hears of it", func() bool {
				_, err := server.Write([]byte("."))
				return err != nil
			})
		}
		r.eventually("the connection is forgotten", func() bool { return len(r.p.Connections()) == 0 })
	})
}

// The kernel tells a reset behind a FIN only to who asks.
func TestAResetBehindAFINIsAReset(t *testing.T) {
	t.Run("tcp", func(t *testing.T) {
		for _, cfg := range []Config{unwatched(), watched()} {
			run(t, kernel(), cfg, func(r *rig) {
				client, server := r.connect()
				client.finish()
				server.wantFIN()
				client.abort()
				r.eventually("the reset passes", func() bool {
					_, err := server.Write([]byte("."))
					return err != nil
				})
			})
		}
	})
}

func TestADialThatFailsResetsTheClient(t *testing.T) {
	everywhere(t, watched(), func(r *rig) {
		r.server.Close()
		if c, err := r.dial(r.Context(), r.addr); err == nil {
			r.end(c, "client").wantReset()
		}
		r.settle()
		if failed := r.log.of(DialFailed); len(failed) != 1 || failed[0].Note == "" {
			r.Errorf("events %v, want one failed dial", failed)
		}
	})
}
