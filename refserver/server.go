package refserver

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"sync"
	"time"
)

// DefaultIOTimeout is the documented default of -io-timeout.
// Source: configuration.
const DefaultIOTimeout = 5 * time.Second

// eventRoom is how many events may wait for the loop.
const eventRoom = 256

// ErrServerClosed is what Serve returns after Shutdown or Close.
var ErrServerClosed = errors.New("refserver: server closed")

// Config is what a server can be told. Its zero value is the documented server.
type Config struct {
	// IOTimeout bounds the time from the connect to the whole ACQUIRE, and
	// the time for which a write to a client may block. 0: DefaultIOTimeout.
	IOTimeout time.Duration
	// Logger takes diagnostics; nil: none.
	Logger *slog.Logger
	// Clock is the time of leases; nil: the system's.
	Clock Clock
	// Rules are the server's decisions; nil: StandardRules.
	Rules Rules
}

func (c Config) withDefaults() Config {
	if c.IOTimeout <= 0 {
		c.IOTimeout = DefaultIOTimeout
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	if c.Clock == nil {
		c.Clock = systemClock{}
	}
	if c.Rules == nil {
		c.Rules = StandardRules{}
	}
	return c
}

// Server is one monolock server. Its methods may be called by any goroutine.
// Nothing runs before Serve, and nothing after Close or Shutdown returned.
type Server struct {
	cfg    Config
	log    *slog.Logger
	events chan event

	start  sync.Once
	stop   sync.Once
	quit   chan struct{} // closed: the loop ends
	looped chan struct{} // closed: the loop has ended

	running sync.WaitGroup // readers, and connections not yet buried

	mu        sync.Mutex
	closing   chan struct{} // closed: no new connections
	closed    bool          // closing is closed
	listeners map[net.Listener]struct{}
	conns     map[*conn]struct{}
}

// New returns a server that does not serve yet. It starts nothing.
func New(cfg Config) *Server {
	cfg = cfg.withDefaults()
	return &Server{
		cfg:       cfg,
		log:       cfg.Logger,
		events:    make(chan event, eventRoom),
		quit:      make(chan struct{}),
		looped:    make(chan struct{}),
		closing:   make(chan struct{}),
		listeners: make(map[net.Listener]struct{}),
		conns:     make(map[*conn]struct{}),
	}
}

// Serve accepts connections from l and serves them until the server is
// stopped or l fails for good. It blocks, takes over l, and may be called for
// several listeners. An accept that fails for want of descriptors or memory,
// or for a while only, is retried with a pause.
// Errors: ErrServerClosed after Shutdown or Close, else l's own. After l's own
// error the sessions go on until Shutdown or Close.
func (s *Server) Serve(l net.Listener) error {
	defer l.Close()
	if !s.addListener(l) {
		return ErrServerClosed
	}
	defer s.removeListener(l)
	s.start.Do(func() { go s.loop(s.quit) })
	s.log.Info("listening", "address", l.Addr().String())
	return s.accept(l)
}

// Shutdown stops the server as SIGTERM does: it closes the listeners, tells
// every session ERROR 0x01 and waits until all connections are closed. When
// ctx ends first, it resets what is left and returns ctx's error.
func (s *Server) Shutdown(ctx context.Context) error {
	if s.stopListening() {
		s.started(func() { s.events <- event{kind: shutdown} })
	}
	idle := make(chan struct{})
	go func() {
		s.running.Wait()
		close(idle)
	}()
	var err error
	select {
	case <-idle:
	case <-ctx.Done():
		err = context.Cause(ctx)
		s.resetAll()
		<-idle
	}
	s.stopLoop()
	return err
}

// Close stops the server as kill -9 does: connections are reset and nothing
// is said. It waits for every goroutine, may be called again, and returns nil.
func (s *Server) Close() error {
	s.stopListening()
	s.resetAll()
	s.running.Wait()
	s.stopLoop()
	return nil
}

// addListener reports false if the server is closed already.
func (s *Server) addListener(l net.Listener) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return false
	}
	s.listeners[l] = struct{}{}
	return true
}

func (s *Server) removeListener(l net.Listener) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.listeners, l)
}

// stopListening reports whether this call was the one that did it.
func (s *Server) stopListening() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return false
	}
	s.closed = true
	close(s.closing)
	for l := range s.listeners {
		_ = l.Close()
	}
	return true
}

// resetAll resets every connection. Their readers then end by themselves.
func (s *Server) resetAll() {
	s.mu.Lock()
	conns := make([]*conn, 0, len(s.conns))
	for c := range s.conns {
		conns = append(conns, c)
	}
	s.mu.Unlock()
	for _, c := range conns {
		reset(c.nc)
	}
}

// started calls f if the loop was ever started, and otherwise makes sure that
// it never is.
func (s *Server) started(f func()) {
	never := false
	s.start.Do(func() { never = true; close(s.looped) })
	if !never {
		f()
	}
}

// stopLoop ends the loop and waits for it. All connections must be buried.
func (s *Server) stopLoop() {
	s.stop.Do(func() { close(s.quit) })
	s.started(func() { <-s.looped })
}

// adopt takes over an accepted connection; when the server is closed already,
// it resets it.
func (s *Server) adopt(nc net.Conn) {
	c := s.newConn(nc)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		reset(nc)
		return
	}
	s.conns[c] = struct{}{}
	s.running.Add(2) // the reader, and the burial
	go s.read(c)
}

// buried forgets a connection that is closed.
func (s *Server) buried(c *conn) {
	s.log.Debug("session ended", "remote", c.nc.RemoteAddr(), "cause", c.why.String())
	s.mu.Lock()
	delete(s.conns, c)
	s.mu.Unlock()
	s.running.Done()
}
