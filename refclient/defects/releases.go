package defects

import (
	"context"
	"net"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/wire"
	"github.com/monolock-dev/monolock-conform/refclient"
)

// releases are how a lock is given back.
func releases() []Defect {
	return []Defect{
		{
			ID:       "release-without-close",
			Sentence: "It keeps the connection of a finished claim in a pool for some seconds.",
			Must:     ids("C-REL-01"),
			May:      ids("C-RD-01 C-TO-04 C-TO-05 C-TO-06 C-DBT-01 C-DBT-04 C-DBT-06 C-REL-04 C-CAN-01 C-CAN-02"),
			New:      lingering(func(_ net.Conn, gone <-chan struct{}) { pauseFor(3*time.Second, gone) }),
		},
		{
			ID:       "closes-slowly",
			Sentence: "It closes a connection a second after it has decided to.",
			Must:     ids("C-REL-01"),
			May:      ids("C-RD-01 C-TO-04 C-TO-05 C-TO-06 C-DBT-01 C-DBT-04 C-DBT-06 C-REL-04 C-CAN-01 C-CAN-02"),
			New:      lingering(func(_ net.Conn, gone <-chan struct{}) { pauseFor(time.Second, gone) }),
		},
		{
			ID:       "release-waits-for-an-answer",
			Sentence: "Where a heartbeat is unanswered when the work returns, it holds the lock until the answer comes.",
			Must:     ids("C-REL-01"),
			May:      ids("C-REL-04 C-REL-05 C-CAN-02"),
			New: func(cfg config) client {
				open := make(openHeartbeat, 1)
				return calls(wrapping(cfg, open.watched), func(do call) call { return do.withWork(open.awaited) })
			},
		},
		{
			ID:       "release-by-a-message",
			Sentence: "It sends a message of its own, 0x03, before it closes.",
			Must:     ids("C-ACQ-06"),
			May: ids(`C-ACQ-02 C-ACQ-05 C-CAN-01 C-CAN-02 C-DBT-01 C-DBT-02 C-DBT-04 C-DBT-06 C-HB-01 C-HB-02 C-HB-08
				C-HB-10 C-RD-01 C-RD-06 C-REL-01 C-REL-02 C-REL-04 C-REL-05 C-TO-04 C-TO-05 C-TO-06 C-TO-07`),
			New: conns(each(func(nc net.Conn) net.Conn {
				return &through{Conn: nc, close: func() error {
					_, _ = nc.Write([]byte{0x03})
					return nc.Close()
				}}
			})),
		},
		{
			ID:       "last-heartbeat-before-the-close",
			Sentence: "It sends a last heartbeat before it closes.",
			Must:     ids("C-REL-02"),
			May:      ids("C-HB-04"),
			New: conns(each(func(nc net.Conn) net.Conn {
				return &through{Conn: nc, close: func() error {
					_, _ = nc.Write(wire.Bytes(wire.HeartbeatFrame))
					return nc.Close()
				}}
			})),
		},
		{
			ID: "child-keeps-the-connection", Process: true,
			Sentence: "It starts a process that inherits its connection.",
			Must:     ids("C-REL-03"),
			New:      conns(each(inherited)),
		},
		{
			ID:       "failed-work-does-not-release",
			Sentence: "Work that ends with an error of its own leaves the lock held for some seconds.",
			Must:     ids("C-REL-04"),
			New: func(cfg config) client {
				return calls(cfg, func(do call) call { return do.withWork(dawdlingAfterErrors) })
			},
		},
		{
			ID:       "heartbeats-after-the-release",
			Sentence: "After the work is done, it sends four more heartbeats before it closes.",
			Must:     ids("C-REL-05"),
			May:      ids("C-RD-01 C-HB-04 C-TO-04 C-TO-05 C-TO-06 C-DBT-01 C-DBT-04 C-DBT-06 C-REL-01 C-REL-02 C-REL-04 C-CAN-01 C-CAN-02"),
			New:      lingering(beatFourTimes),
		},
	}
}

// pauseFor waits for d, or until the connection is gone.
func pauseFor(d time.Duration, gone <-chan struct{}) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-gone:
	}
}

// beatFourTimes sends four heartbeats, 200 ms apart.
func beatFourTimes(nc net.Conn, gone <-chan struct{}) {
	for range 4 {
		pauseFor(200*time.Millisecond, gone)
		if _, err := nc.Write(wire.Bytes(wire.HeartbeatFrame)); err != nil {
			return
		}
	}
}

// dawdlingAfterErrors is work whose own error is looked at for a while before
// anything is done about it. The lock stays held.
func dawdlingAfterErrors(work refclient.Work) refclient.Work {
	return func(ctx context.Context, token uint64) error {
		err := work(ctx, token)
		if err != nil {
			pauseFor(3*time.Second, refclient.Lost(ctx))
		}
		return err
	}
}

// openHeartbeat has room for one: the heartbeat that is not answered yet.
type openHeartbeat chan struct{}

// watched wraps a connection so that its heartbeats and their answers are noted.
func (o openHeartbeat) watched(nc net.Conn) net.Conn {
	reads := edited(nc, func(f frame) []byte {
		select {
		case <-o:
		default:
		}
		return wire.Bytes(f)
	})
	return &through{Conn: reads, write: func(p []byte) (int, error) {
		if len(p) == wire.HeartbeatSize {
			select {
			case o <- struct{}{}:
			default:
			}
		}
		return nc.Write(p)
	}}
}

// awaited is work that returns when no heartbeat is unanswered, or the lock is lost.
func (o openHeartbeat) awaited(work refclient.Work) refclient.Work {
	return func(ctx context.Context, token uint64) error {
		err := work(ctx, token)
		select {
		case o <- struct{}{}:
		case <-refclient.Lost(ctx):
		}
		return err
	}
}
