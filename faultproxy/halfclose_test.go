package faultproxy

import "testing"

func TestHalfCloseEndsOneDirection(t *testing.T) {
	onBothPaths(t, func(r *rig) {
		client, server := r.connect()
		client.send("a")
		server.want("a")
		id := r.add("half-close dir=up")
		server.wantFIN()
		client.send("lost")
		server.send("but this way is open")
		client.want("but this way is open")
		r.wantHits(id, 1)
		client.finish()
		server.finish()
		client.wantFIN()
		r.eventually("the connection is forgotten", func() bool { return len(r.p.Connections()) == 0 })
	})
}

func TestHalfCloseAtAFrame(t *testing.T) {
	everywhere(t, watched(), func(r *rig) {
		client, server := r.connect()
		r.add("half-close on=HEARTBEAT n=2")
		client.send(acquire + heartbeat + heartbeat)
		server.want(acquire + heartbeat)
		server.wantFIN()
	})
}

func TestAResetBehindAHalfClosePasses(t *testing.T) {
	everywhere(t, watched(), func(r *rig) {
		client, server := r.connect()
		r.add("half-close dir=up")
		server.wantFIN()
		client.abort()
		r.eventually("the connection is forgotten", func() bool { return len(r.p.Connections()) == 0 })
	})
}
