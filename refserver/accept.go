package refserver

import (
	"errors"
	"net"
	"syscall"
	"time"
)

// Bounds of the pause after an accept that failed.
const (
	shortestPause = 5 * time.Millisecond
	longestPause  = time.Second
)

// accept takes connections from l until the server closes or l fails for good.
func (s *Server) accept(l net.Listener) error {
	pause := time.Duration(0)
	for {
		nc, err := l.Accept()
		switch {
		case s.isClosed():
			if err == nil {
				reset(nc)
			}
			return ErrServerClosed
		case err == nil:
			pause = 0
			s.adopt(nc)
		case passing(err):
			pause = min(max(2*pause, shortestPause), longestPause)
			s.log.Warn("accept failed, trying again", "error", err, "pause", pause)
			s.pause(pause)
		default:
			return err
		}
	}
}

func (s *Server) isClosed() bool {
	select {
	case <-s.closing:
		return true
	default:
		return false
	}
}

// pause waits for d or until the server closes.
func (s *Server) pause(d time.Duration) {
	t := s.cfg.Clock.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C():
	case <-s.closing:
	}
}

// passing reports whether an accept that failed with err can succeed later:
// the process or the machine is out of descriptors or memory, or the client
// went away between the handshake and the accept.
// Source: capacity.
func passing(err error) bool {
	for _, e := range []syscall.Errno{syscall.EMFILE, syscall.ENFILE, syscall.ENOBUFS, syscall.ENOMEM,
		syscall.ECONNABORTED, syscall.EINTR} {
		if errors.Is(err, e) {
			return true
		}
	}
	var temporary interface{ Temporary() bool }
	return errors.As(err, &temporary) && temporary.Temporary() && !errors.Is(err, net.ErrClosed)
}
