package faultproxy

import (
	"testing"
	"time"
)

func TestResetEndsBothSides(t *testing.T) {
	onBothPaths(t, func(r *rig) {
		client, server := r.connect()
		id := r.add("reset")
		client.wantReset()
		server.wantReset()
		r.wantHits(id, 1)
	})
}

func TestResetAfterSoManyBytes(t *testing.T) {
	everywhere(t, watched(Rule{Fault: Reset, At: 4, Dir: Up}), func(r *rig) {
		client, server := r.connect()
		client.send("abcdef")
		client.wantReset()
		r.settle()
		r.wantReleased(Up, "abcd")
		server.wantReset()
	})
}

// On the kernel's TCP a reset can destroy what stands before it, so what the
// proxy wrote is read off its events.
func TestResetInsideTheSecondGrant(t *testing.T) {
	everywhere(t, watched(), func(r *rig) {
		client, server := r.connect()
		id := r.add("reset on=ACQUIRED n=2 at=3")
		server.send(waiting + acquired + acquired)
		client.wantReset()
		server.wantReset()
		r.wantHits(id, 1)
		r.wantReleased(Down, waiting+acquired+acquired[:3])
	})
}

func TestResetBeforeAFrameKeepsItBack(t *testing.T) {
	everywhere(t, watched(), func(r *rig) {
		client, server := r.connect()
		r.add("reset on=ERROR before")
		server.send(waiting + refusal)
		client.wantReset()
		r.wantReleased(Down, waiting)
	})
}

func TestResetOfOneSide(t *testing.T) {
	everywhere(t, unwatched(), func(r *rig) {
		client, server := r.connect()
		r.add("reset side=server")
		server.wantReset()
		client.wantSilence(50 * time.Millisecond)
	})
}

func TestResetOfOtherConnectionsOnly(t *testing.T) {
	everywhere(t, unwatched(Rule{Fault: Reset, Conn: From(2)}), func(r *rig) {
		client, server := r.connect()
		r.wantTurnedAway()
		client.send("still here")
		server.want("still here")
	})
}

// wantReleased checks what the proxy has written in a direction.
func (r *rig) wantReleased(dir Dir, want string) {
	r.Helper()
	released := func() (data string) {
		for _, e := range r.log.of(Released) {
			if e.Dir == dir {
				data += string(e.Bytes)
			}
		}
		return data
	}
	r.eventually("bytes are released", func() bool { return len(released()) >= len(want) })
	if got := released(); got != want {
		r.Errorf("released %q, want %q", got, want)
	}
}
