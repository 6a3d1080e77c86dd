package defects

import (
	"context"
	"net"
	"sync"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/wire"
	"github.com/monolock-dev/monolock-conform/refserver"
)

// shutdown is how a server stops and starts again.
func shutdown() []Defect {
	return []Defect{
		{
			ID:       "shutdown-says-nothing",
			Sentence: "It stops without an ERROR.",
			Must:     ids("S-SHUT-01"),
			New: rules(func(r *changed) {
				r.say = func(out []frame, _ *session, f frame, why occasion) []frame {
					if why == refserver.OnShutdown {
						return out
					}
					return append(out, f)
				}
			}),
		},
		{
			ID:       "code-for-shutdown",
			Sentence: "It stops with ERROR 0x02 instead of 0x01.",
			Must:     ids("S-SHUT-01"),
			New:      recode(wire.CodeShuttingDown, wire.CodeClosedByAdmin, always),
		},
		{
			ID:       "shutdown-tells-holders-only",
			Sentence: "It tells holders that it stops, and just closes on waiters.",
			Must:     ids("S-SHUT-01"),
			New: rules(func(r *changed) {
				r.say = func(out []frame, s *session, f frame, why occasion) []frame {
					if why == refserver.OnShutdown && s.State() == refserver.Waiting {
						return out
					}
					return append(out, f)
				}
			}),
		},
		{
			ID:       "restarted-serves-nobody",
			Sentence: "Started again after a shutdown, it accepts connections and says nothing.",
			Must:     ids("S-SHUT-03"),
			May:      ids("S-ACQ-01 S-TOK-05"),
			New:      restarting(),
		},
	}
}

// stops remembers where servers were shut down, and when.
type stops struct {
	mu sync.Mutex
	at map[string]time.Time
}

// restarting makes servers that know of each other: one on an address where
// another was shut down serves nobody.
func restarting() func(refserver.Config) Server {
	known := &stops{at: make(map[string]time.Time)}
	return func(cfg refserver.Config) Server {
		dumb, r := cfg, &changed{}
		silence(r)
		dumb.Rules = r
		return &restarted{Server: refserver.New(cfg), dumb: refserver.New(dumb), known: known}
	}
}

// restarted is a server with a dumb twin that takes its place after a restart.
type restarted struct {
	*refserver.Server
	dumb  *refserver.Server
	known *stops

	mu   sync.Mutex
	addr string
}

// Serve is the server's on a new address, and the dumb one's on a known one.
func (r *restarted) Serve(l net.Listener) error {
	addr := l.Addr().String()
	r.mu.Lock()
	r.addr = addr
	r.mu.Unlock()
	if r.known.before(addr) {
		return r.dumb.Serve(l)
	}
	return r.Server.Serve(l)
}

// Shutdown stops both and is remembered.
func (r *restarted) Shutdown(ctx context.Context) error {
	r.mu.Lock()
	r.known.note(r.addr)
	r.mu.Unlock()
	_ = r.dumb.Close()
	return r.Server.Shutdown(ctx)
}

// Close stops both.
func (r *restarted) Close() error {
	_ = r.dumb.Close()
	return r.Server.Close()
}

func (s *stops) note(addr string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.at[addr] = time.Now()
}

// before reports a shutdown on addr in the past. One in the future was in
// another bubble of virtual time.
func (s *stops) before(addr string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	at, ok := s.at[addr]
	return ok && !time.Now().Before(at)
}
