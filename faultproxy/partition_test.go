package faultproxy

import (
	"testing"
	"time"
)

func TestPartitionHoldsAndReleasesInOrder(t *testing.T) {
	onBothPaths(t, func(r *rig) {
		client, server := r.connect()
		client.send("a")
		server.want("a")
		id := r.add("partition")
		client.send("b")
		client.send("c")
		server.send("d")
		client.finish()
		server.wantSilence(50 * time.Millisecond)
		client.wantSilence(50 * time.Millisecond)
		r.remove(id)
		server.want("bc")
		server.wantFIN()
		client.want("d")
	})
}

func TestPartitionOfOneDirectionLeavesTheOther(t *testing.T) {
	everywhere(t, watched(), func(r *rig) {
		client, server := r.connect()
		r.add("partition dir=down")
		server.send("answer")
		client.send("question")
		server.want("question")
		client.wantSilence(50 * time.Millisecond)
		if err := r.p.Heal(); err != nil {
			r.Fatal(err)
		}
		client.want("answer")
	})
}

func TestPartitionHoldsAReset(t *testing.T) {
	everywhere(t, watched(), func(r *rig) {
		client, server := r.connect()
		id := r.add("partition")
		client.abort()
		server.wantSilence(50 * time.Millisecond)
		r.wantHits(id, 1)
		r.remove(id)
		server.wantReset()
	})
}

// The answer is held from its first byte on, and so is what the client says.
func TestPartitionFromAFrameOn(t *testing.T) {
	everywhere(t, watched(), func(r *rig) {
		client, server := r.connect()
		id := r.add("partition on=ACQUIRED")
		server.send(waiting + acquired)
		client.want(waiting)
		client.wantSilence(50 * time.Millisecond)
		client.send(heartbeat)
		server.wantSilence(50 * time.Millisecond)
		r.remove(id)
		client.want(acquired)
		server.want(heartbeat)
	})
}

func TestPartitionBehindAFrame(t *testing.T) {
	everywhere(t, watched(Rule{Fault: Partition, Dir: Up, On: 0x12, After: true}), func(r *rig) {
		client, server := r.connect()
		client.send(acquire)
		server.want(acquire)
		server.send(acquired + waiting)
		client.want(acquired + waiting)
		client.send(heartbeat)
		server.wantSilence(50 * time.Millisecond)
	})
}

// A connect needs both directions: during a partition of both it is held, and
// a client that gives up meanwhile is never heard of.
func TestPartitionHoldsAConnect(t *testing.T) {
	everywhere(t, watched(), func(r *rig) {
		id := r.add("partition")
		impatient, patient := r.client(), r.client()
		impatient.send("lost")
		impatient.Close()
		patient.send("kept")
		r.eventually("the impatient one is forgotten", func() bool { return len(r.p.Connections()) == 1 })
		r.wantHits(id, 2)
		r.remove(id)
		r.accept().want("kept")
		if opened := r.log.of(Opened); len(opened) != 1 {
			r.Errorf("%d connections were carried on, want 1", len(opened))
		}
	})
}

func TestPartitionOfOneConnection(t *testing.T) {
	everywhere(t, watched(Rule{Fault: Partition, Dir: Down, Conn: Only(2)}), func(r *rig) {
		_, server1 := r.connect()
		client2, server2 := r.connect()
		server1.send("a")
		server2.send("b")
		client2.wantSilence(50 * time.Millisecond)
	})
}
