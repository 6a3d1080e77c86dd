package faultproxy

import (
	"errors"
	"net"
	"sync"
)

// door is the proxy's listener, which can be closed and opened again on the
// same address.
type door struct {
	listen func(net.Addr) (net.Listener, error)

	mu       sync.Mutex
	listener net.Listener // nil while there is none
	address  net.Addr
	stopped  bool // by a rule
	closed   bool // for good
	changed  chan struct{}
}

func (d *door) init(listen func(net.Addr) (net.Listener, error)) {
	d.listen = listen
	d.changed = make(chan struct{})
}

func listenAgain(at net.Addr) (net.Listener, error) { return net.Listen(at.Network(), at.String()) }

// hang puts l into the door.
func (d *door) hang(l net.Listener) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	switch {
	case d.closed:
		_ = l.Close()
		return ErrClosed
	case d.address != nil:
		_ = l.Close()
		return errors.New("faultproxy: Serve was called before")
	}
	d.address = l.Addr()
	if d.stopped {
		return l.Close()
	}
	d.listener = l
	return nil
}

// stop closes the listener, or opens it again. Doing either twice is no error.
func (d *door) stop(stop bool) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed || d.stopped == stop {
		return nil
	}
	if stop {
		d.stopped = true
		return d.take()
	}
	if d.address != nil {
		l, err := d.listen(d.address)
		if err != nil {
			return err
		}
		d.listener = l
	}
	d.stopped = false
	d.tell()
	return nil
}

// take closes the listener, if there is one. d.mu is held.
func (d *door) take() error {
	l := d.listener
	d.listener = nil
	if l == nil {
		return nil
	}
	return l.Close()
}

// tell wakes whoever waits for a change. d.mu is held.
func (d *door) tell() {
	close(d.changed)
	d.changed = make(chan struct{})
}

// shut closes the listener for good.
func (d *door) shut() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.closed {
		d.closed = true
		_ = d.take()
		d.tell()
	}
}

// await returns the listener, and waits while a rule keeps it closed.
func (d *door) await() (net.Listener, error) {
	for {
		d.mu.Lock()
		l, closed, changed := d.listener, d.closed, d.changed
		d.mu.Unlock()
		switch {
		case closed:
			return nil, ErrClosed
		case l != nil:
			return l, nil
		}
		<-changed
	}
}

// has reports whether l still hangs there.
func (d *door) has(l net.Listener) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.listener == l
}

// where returns the address, nil before there was a listener.
func (d *door) where() net.Addr {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.address
}
