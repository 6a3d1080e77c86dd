package defects

import (
	"net"
	"sync"
	"time"

	"github.com/monolock-dev/monolock-conform/refclient"
)

// lateWords are clients that end the connection before the claim.
func lateWords() []Defect {
	return []Defect{
		{
			ID:       "closes-first-and-tells-later",
			Sentence: "When nothing confirms its claim, it closes the connection, and stops the work 45 ms after that.",
			Must:     ids("C-TO-04"),
			May:      ids("C-EXC-01"),
			New: func(cfg config) client {
				last := &lastConn{}
				r := &changed{}
				closingFirst(r, last, 45*time.Millisecond)
				cfg.Rules = r
				return refclient.New(wrapping(cfg, last.wrap))
			},
		},
	}
}

// closingFirst has r shut the connection at the deadline, and lets the claim end
// some time after.
func closingFirst(r *changed, last *lastConn, later time.Duration) {
	var shut time.Time
	r.acquire = func(name string, leaseMS uint32) []byte {
		shut = time.Time{}
		return standard.Acquire(name, leaseMS)
	}
	r.deadline = func(s *session) time.Time {
		if !shut.IsZero() {
			return shut.Add(later)
		}
		return standard.Deadline(s)
	}
	r.ends = func(s *session, why occasion) ending {
		if why == refclient.OnTimeout && holds(s) && shut.IsZero() {
			shut = time.Now()
			last.shut()
			return nothing
		}
		return standard.Ends(s, why)
	}
}

// lastConn is a client's last connection.
type lastConn struct {
	mu   sync.Mutex
	nc   net.Conn
	done chan struct{} // closed: the connection was shut
}

// wrap keeps a connection whose reader hears nothing of its being shut.
func (l *lastConn) wrap(nc net.Conn) net.Conn {
	shut, closed := make(chan struct{}), make(chan struct{})
	l.mu.Lock()
	defer l.mu.Unlock()
	l.nc, l.done = nc, shut
	return &through{
		Conn: nc,
		read: func(p []byte) (int, error) {
			n, err := nc.Read(p)
			if err == nil {
				return n, nil
			}
			select {
			case <-shut:
				<-closed
			default:
			}
			return n, err
		},
		close: sync.OnceValue(func() error {
			close(closed)
			return nc.Close()
		}),
	}
}

// shut closes the connection under the client.
func (l *lastConn) shut() {
	l.mu.Lock()
	defer l.mu.Unlock()
	close(l.done)
	_ = l.nc.Close()
}
