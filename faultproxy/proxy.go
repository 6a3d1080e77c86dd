package faultproxy

import (
	"context"
	"errors"
	"net"
	"slices"
	"sync"
	"sync/atomic"
)

// DefaultHold is how many bytes a direction of a connection holds before the
// proxy stops reading from the sender.
const DefaultHold = 1 << 20

// What a proxy's methods can return, wrapped.
var (
	ErrClosed       = errors.New("faultproxy: proxy closed")
	ErrNotFound     = errors.New("faultproxy: not found")
	ErrNotListening = errors.New("faultproxy: cannot listen again")
)

// Config is what a proxy can be told. Only Dial is needed.
type Config struct {
	// Dial opens the upstream connection of one client. Its context ends when
	// the client's connection does.
	Dial func(context.Context) (Conn, error)
	// Seed is what every random decision is drawn from.
	Seed uint64
	// Record takes everything that happens; nil: nobody does. It is called from
	// many goroutines, must not block, and may call the proxy's methods, except
	// Close.
	Record func(Event)
	// Rules are in force before the first connection.
	Rules []Rule
	// Frames makes every connection follow frames, so that a rule which names
	// frames reaches connections that are older than it. Record implies it.
	// Without either a connection that no rule concerns is copied plainly.
	Frames bool
	// Hold bounds what a direction of a connection holds, in bytes, the cost of
	// keeping many small ones included: nothing is read while more is held, so
	// one read comes on top. 0: DefaultHold.
	Hold int
	// Listen opens the listener again after stop-listening. nil: net.Listen.
	Listen func(net.Addr) (net.Listener, error)
}

// Proxy is one TCP proxy. Its methods may be called by any goroutine.
// Nothing runs before Serve, and nothing after Close returned.
type Proxy struct {
	cfg     Config
	bad     error // of Config.Rules
	rules   atomic.Pointer[[]*rule]
	door    door
	ctx     context.Context
	cancel  context.CancelFunc
	running sync.WaitGroup

	mu     sync.Mutex // never held across I/O
	closed bool
	lastID ID
	past   map[ID]*rule // removed; kept for their hits
	links  []*link      // in the order of their numbers
	count  int          // connections accepted
}

// New returns a proxy that does not serve yet. It starts nothing.
// A rule of cfg that is wrong is reported by Serve.
func New(cfg Config) *Proxy {
	if cfg.Hold <= 0 {
		cfg.Hold = DefaultHold
	}
	if cfg.Listen == nil {
		cfg.Listen = listenAgain
	}
	p := &Proxy{cfg: cfg, past: make(map[ID]*rule)}
	p.rules.Store(new([]*rule))
	p.ctx, p.cancel = context.WithCancel(context.Background())
	p.door.init(cfg.Listen)
	var errs []error
	for _, r := range cfg.Rules {
		_, err := p.Add(r)
		errs = append(errs, err)
	}
	p.bad = errors.Join(errs...)
	return p
}

// Close stops listening, resets every connection, and waits until nothing of
// the proxy runs. It may be called again, and returns nil.
func (p *Proxy) Close() error {
	p.mu.Lock()
	p.closed = true
	links := slices.Clone(p.links)
	p.mu.Unlock()
	p.door.shut()
	p.cancel()
	for _, l := range links {
		l.collapse()
	}
	p.running.Wait()
	return nil
}

// forget removes a link that is finished.
func (p *Proxy) forget(l *link) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.links = slices.DeleteFunc(p.links, func(o *link) bool { return o == l })
}

// open returns the links that are open now.
func (p *Proxy) open() []*link {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.links)
}
