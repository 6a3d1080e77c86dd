package conformance

import (
	"fmt"
	"sync/atomic"
	"time"

	"github.com/monolock-dev/monolock-conform/refserver"
)

// Reference is a reference server of a scenario, for the real pair of server and
// client.
type Reference struct {
	t      *T
	addr   atomic.Value // string
	server *refserver.Server
}

// Reference starts a reference server on an address of its own.
func (t *T) Reference() *Reference {
	r := &Reference{t: t}
	r.serve()
	return r
}

// Addr is where the server listens. A restart moves it, since another program may
// take the address meanwhile; a [Proxy] follows.
func (r *Reference) Addr() string { return r.addr.Load().(string) }

func (r *Reference) serve() {
	l, err := r.t.listen("")
	if err != nil {
		r.t.missing(fmt.Errorf("the reference server: %w", err))
	}
	r.addr.Store(l.Addr().String())
	server := refserver.New(refserver.Config{})
	r.server = server
	r.t.onHangUp(func() { server.Close() })
	r.t.workers.Add(1)
	go func() {
		defer r.t.workers.Done()
		server.Serve(l)
	}()
}

// Restart stops the server in the controlled way and starts it again. It returns
// when the stop began.
func (r *Reference) Restart() Stamp {
	before := time.Now()
	r.t.Remark("server", "the reference server restarts")
	stopped := Stamp{Before: before, After: time.Now()}
	r.server.Shutdown(r.t.ctx)
	r.serve()
	return stopped
}

// Ask opens a session of the suite's own on the reference server.
func (r *Reference) Ask(lock string, options ...Option) *Session {
	t := r.t
	conn, err := t.dialServer(t.ctx, r.Addr())
	if err != nil {
		t.missing(fmt.Errorf("the suite's own session: %w", err))
	}
	o := asked{lease: patientLease}
	for _, option := range options {
		option(&o)
	}
	s := t.adopt(conn)
	s.startReading()
	s.Ask(lock, o.lease)
	return s
}
