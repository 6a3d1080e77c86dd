package conformance

import (
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/spec"
	"github.com/monolock-dev/monolock-conform/conformance/subject"
	"github.com/monolock-dev/monolock-conform/conformance/timeline"
	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

// Stamp is when something was sent: the instants before and after the write, and
// when an answer showed that the server had seen it, zero where none has yet. The
// server cannot have seen it before Before, and surely has by Seen.
type Stamp struct {
	Before, After, Seen time.Time

	who string // the connection, as the timeline names it
}

// Session is one connection of the suite to the server under test, with a
// permanent reader. Its Want methods take what the server sends, in order, and
// judge it. One goroutine at a time uses it.
type Session struct {
	t     *T
	who   string
	conn  subject.Conn
	lock  string
	lease time.Duration

	beater    *beater
	asked     atomic.Int64 // messages that were sent, each byte of a raw one counted as one
	hostile   bool         // its end by the server is no surprise
	restarter bool         // opened while the scenario has disturbed the server

	mu      sync.Mutex
	changed chan struct{} // closed and replaced whenever something comes
	inbox   []arrival     // not yet taken
	state   state         // as the reader knows it
	seen    state         // as the Wants have taken it
	token   uint64        // of the grant that a Want took
	reason  string        // of the last ERROR
	ended   *arrival      // how the server ended it
	taken   bool          // the end was expected by a Want
	closed  bool          // the suite ended it
	last    Stamp         // the last ACQUIRE or HEARTBEAT
	heard   time.Time     // when the last frame came
	gap     time.Duration
}

// state is where a session stands, as the server's frames tell.
type state int

const (
	connected state = iota
	asking
	waiting
	holding
	refused
)

func (s state) String() string {
	return [...]string{"connected", "asking", "waiting", "holding", "refused"}[s]
}

// arrival is a frame that came, or the end of the connection.
type arrival struct {
	frame    wire.Frame
	end      error // set for the end
	at       time.Time
	event    int
	restates bool // it repeats the state that was known
}

// Option changes how a session asks.
type Option func(*asked)

type asked struct {
	lease time.Duration
	beat  time.Duration
}

// WithLease asks for that lease instead of one that outlasts the scenario.
func WithLease(lease time.Duration) Option { return func(o *asked) { o.lease = lease } }

// Beating sends heartbeats at a quarter of the lease, like a good client.
func Beating() Option { return func(o *asked) { o.beat = -1 } }

// BeatingEvery sends heartbeats at that interval.
func BeatingEvery(d time.Duration) Option { return func(o *asked) { o.beat = d } }

// Connect opens a connection and starts its reader. It sends nothing.
func (t *T) Connect() *Session {
	s := t.dial(t.ctx)
	s.startReading()
	return s
}

// ConnectDeaf opens a connection that nobody reads.
func (t *T) ConnectDeaf() *Session {
	s := t.dial(subject.WithSmallSegments(t.ctx))
	s.hostile = true
	if tcp, ok := s.conn.(interface{ SetReadBuffer(int) error }); ok {
		tcp.SetReadBuffer(deafBuffer) // so that the server's answers pile up early
	}
	return s
}

// deafBuffer is the receive buffer, in bytes, of a connection that nobody reads. From a
// small one the kernel drops what comes, acknowledgements with it, and both sides wait
// for each other's retransmissions while the server's own buffer is not yet full.
const deafBuffer = 256 << 10

// ConnectHostile opens a connection whose end by the server surprises nobody.
func (t *T) ConnectHostile() *Session {
	s := t.Connect()
	s.hostile = true
	return s
}

// TryConnect is Connect for experiments in which a refusal is a legal answer.
func (t *T) TryConnect() (*Session, error) {
	conn, err := t.server.Dial(t.ctx)
	if err != nil {
		return nil, err
	}
	s := t.adopt(conn)
	s.startReading()
	return s, nil
}

func (t *T) dial(ctx context.Context) *Session {
	conn, err := t.server.Dial(ctx)
	if err != nil {
		if t.ctx.Err() != nil {
			t.quit()
		}
		if ownLimit(err) {
			err = fmt.Errorf("the suite itself has no descriptor left (raise its limit, ulimit -n): %w", err)
		}
		t.missing(fmt.Errorf("a new connection: %w", err))
	}
	return t.adopt(conn)
}

// ownLimit reports whether a dial failed for want of the suite's own descriptors.
func ownLimit(err error) bool {
	return errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE)
}

// adopt makes a session of a connection.
func (t *T) adopt(conn subject.Conn) *Session {
	s := &Session{t: t, conn: conn, changed: make(chan struct{})}
	t.mu.Lock()
	s.who = fmt.Sprintf("conn-%d", len(t.sessions)+1)
	s.restarter = t.disturbed
	t.sessions = append(t.sessions, s)
	t.mu.Unlock()
	t.tl.Add(time.Now(), timeline.Event{Who: s.who, By: timeline.Suite, What: timeline.Open, Ends: endsOf(conn), Note: t.opens(s.who)})
	return s
}

// endsOf are the addresses of a connection.
func endsOf(conn net.Conn) timeline.Ends {
	return timeline.Ends{Suite: conn.LocalAddr().String(), Peer: conn.RemoteAddr().String()}
}

func (s *Session) startReading() {
	s.t.background(s.read)
}

// Ask opens a session and sends its ACQUIRE; the answer is for a Want to take.
func (t *T) Ask(lock string, options ...Option) *Session {
	o := asked{lease: patientLease}
	for _, option := range options {
		option(&o)
	}
	s := t.Connect()
	s.Ask(lock, o.lease)
	if o.beat != 0 {
		s.startBeating(o.beat)
	}
	return s
}

// Acquire opens a session that holds lock, which must be free.
func (t *T) Acquire(lock string, options ...Option) *Session {
	s := t.Ask(lock, options...)
	s.WantAcquired(spec.S_ACQ_01, "a free lock is granted")
	return s
}

// Queue opens a session that waits for lock, which must be held.
func (t *T) Queue(lock string, options ...Option) *Session {
	s := t.Ask(lock, options...)
	s.WantWaiting(spec.S_ACQ_02, "a busy lock makes its client wait")
	return s
}

// Ask sends the ACQUIRE of this session.
func (s *Session) Ask(lock string, lease time.Duration) Stamp {
	return s.Send(wire.AcquireFrame(lock, millis(lease)))
}

// Who names the session as the timeline does.
func (s *Session) Who() string { return s.who }

// Token returns the token of the grant.
func (s *Session) Token() uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.token
}

// Last returns when the last whole ACQUIRE or HEARTBEAT was sent.
func (s *Session) Last() Stamp {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.last
}

// mostUnasked is how many frames a server may send beyond what was asked of it until
// the suite stops reading: a flood should not eat its memory.
const mostUnasked = 5000

// errFlood ends a session that the server floods.
var errFlood = fmt.Errorf("more than %d frames that answer nothing: the suite reads no more", mostUnasked)

// read takes frames off the socket until the connection ends.
func (s *Session) read() {
	r := wire.NewReader(s.conn)
	for frames := int64(0); ; frames++ {
		frame, err := r.ReadServer()
		at := time.Now()
		if err == nil && frames > s.asked.Load()+mostUnasked {
			err = errFlood
		}
		if err != nil {
			s.noteEnd(at, err)
			return
		}
		s.noteFrame(at, frame)
	}
}

func (s *Session) noteFrame(at time.Time, frame wire.Frame) {
	event := s.t.tl.Add(at, timeline.Event{Who: s.who, By: timeline.Subject, What: timeline.Recv, Frame: &frame, Bytes: wire.Bytes(frame)})
	s.mu.Lock()
	defer s.mu.Unlock()
	a := arrival{frame: frame, at: at, event: event, restates: s.restates(frame.Type)}
	s.heard = at
	if s.last.Seen.IsZero() {
		s.last.Seen = at
	}
	s.state = s.state.after(frame)
	if frame.Type == wire.TypeError {
		s.reason = frame.Reason
	}
	if a.restates && s.beater != nil {
		s.beater.answered.Add(1)
		s.wake()
	}
	if !a.restates || s.beater == nil {
		s.inbox = append(s.inbox, a)
		s.wake()
	}
}

// restates reports whether a frame of that type only repeats what was known.
// WAITING after ACQUIRED tells nothing new either: a monitor judges it.
func (s *Session) restates(t wire.Type) bool {
	return t == wire.TypeAcquired && s.state == holding ||
		t == wire.TypeWaiting && (s.state == waiting || s.state == holding)
}

// after returns the state that a frame leads to.
func (s state) after(frame wire.Frame) state {
	switch frame.Type {
	case wire.TypeAcquired:
		return holding
	case wire.TypeWaiting:
		return max(s, waiting)
	}
	return refused
}

// noteEnd records how the connection ended, as far as the server ended it.
func (s *Session) noteEnd(at time.Time, err error) {
	e := timeline.Event{Who: s.who, By: timeline.Subject, What: timeline.FIN, Note: endNote(err)}
	var cut *wire.TruncatedError
	var unknown *wire.UnknownTypeError
	switch {
	case errors.Is(err, net.ErrClosed):
		return
	case errors.As(err, &unknown):
		e.What, e.Bytes = timeline.Recv, garbage(s.conn, unknown.Byte)
	case errors.As(err, &cut) && !isReset(err):
		e.What, e.Size = timeline.Recv, cut.Got
	case isReset(err):
		e.What = timeline.RST
	case errors.Is(err, errFlood):
		e.What, e.Note = timeline.Remark, err.Error()
	}
	event := s.t.tl.Add(at, e)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended = &arrival{end: err, at: at, event: event}
	s.inbox = append(s.inbox, *s.ended)
	s.wake()
}

func endNote(err error) string {
	var cut *wire.TruncatedError
	var unknown *wire.UnknownTypeError
	if errors.As(err, &cut) || errors.As(err, &unknown) {
		return err.Error()
	}
	return ""
}

// garbage returns the bytes that are no frame: the first and what is there
// behind it.
func garbage(conn subject.Conn, first byte) []byte {
	const glance = 50 * time.Millisecond
	rest := make([]byte, 31)
	conn.SetReadDeadline(time.Now().Add(glance))
	n, _ := conn.Read(rest)
	return slices.Concat([]byte{first}, rest[:n])
}

// wake tells waiting Wants that something came. The caller holds mu.
func (s *Session) wake() {
	close(s.changed)
	s.changed = make(chan struct{})
}

// isReset reports whether err is one of the faces of a reset.
func isReset(err error) bool {
	return errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE) || errors.Is(err, syscall.ECONNABORTED)
}

// held reports whether the session holds, as far as the suite knows.
func (s *Session) held() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.state == holding && !s.closed
}

// holds reports whether the session holds that lock, as far as the suite knows.
func (s *Session) holds(lock string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.lock == lock && s.state == holding && !s.closed
}

// leaseMatters reports whether the session's lease is short enough that a server
// without processor time for a while may let it run out with heartbeats unread.
func (s *Session) leaseMatters() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.lease > 0 && s.lease < patientLease
}

// holdsUntil reports whether the suite kept its side of the lease until at, with
// room for its own and the subject's scheduling: then an end is the server's doing.
func (s *Session) holdsUntil(at time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.lease == 0 || s.last.Before.IsZero() {
		return true // nothing was asked yet, or the answer came before the write returned
	}
	silent := max(s.gap, at.Sub(s.last.Before))
	return silent+s.t.Noise() < s.lease-clockGrain
}
