package memnet

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

func TestAcceptBlocksUntilADial(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := New()
		l := mustListen(t, n, serverAddr)
		start := time.Now()
		time.AfterFunc(time.Minute, func() { n.Dial(t.Context(), serverAddr) })
		mustAccept(t, l)
		wantElapsed(t, start, time.Minute)
	})
}

func TestAcceptIsInOrderOfDials(t *testing.T) {
	n := New()
	l := mustListen(t, n, serverAddr)
	for range 100 {
		mustDial(t, n, serverAddr)
	}
	for i := range 100 {
		got := mustAccept(t, l).RemoteAddr().String()
		if want := fmt.Sprintf("10.0.0.%d:%d", i+1, 40001+i); got != want {
			t.Fatalf("connection %d comes from %s; want %s", i, got, want)
		}
	}
}

// A connection that ended before anybody accepted it is accepted, and reads
// as any other that ended.
func TestAcceptAfterTheClientHasGone(t *testing.T) {
	n := New()
	l := mustListen(t, n, serverAddr)
	finished, aborted := mustDial(t, n, serverAddr), mustDial(t, n, serverAddr)
	mustWrite(t, finished, "hello")
	finished.Close()
	aborted.SetLinger(0)
	aborted.Close()

	c := mustAccept(t, l)
	wantRead(t, c, "hello")
	wantReadError(t, c, io.EOF)
	wantReadError(t, mustAccept(t, l), syscall.ECONNRESET)
}

func TestFailAccept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := New()
		l := mustListen(t, n, serverAddr)
		waiting := make(chan error, 2)
		for range 2 {
			go func() {
				_, err := l.Accept()
				waiting <- err
			}()
		}
		synctest.Wait()
		l.FailAccept(syscall.EMFILE)
		for range 2 {
			wantError(t, "a waiting Accept", <-waiting, syscall.EMFILE)
		}

		c := mustDial(t, n, serverAddr)
		mustWrite(t, c, "hello")
		_, err := l.Accept()
		wantError(t, "Accept", err, syscall.EMFILE)
		// What net/http and others ask before they try again.
		if e, ok := err.(interface{ Temporary() bool }); !ok || !e.Temporary() {
			t.Errorf("%v is not temporary; want it as from the kernel", err)
		}

		l.FailAccept(nil)
		wantRead(t, mustAccept(t, l), "hello")
	})
}

func TestFailAcceptKeepsAnyError(t *testing.T) {
	l := mustListen(t, New(), serverAddr)
	own := errors.New("out of luck")
	l.FailAccept(own)
	_, err := l.Accept()
	wantError(t, "Accept", err, own)
}

func TestCloseOfAListener(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := New()
		l := mustListen(t, n, serverAddr)
		accepting := make(chan error)
		go func() {
			_, err := l.Accept()
			accepting <- err
		}()
		synctest.Wait()
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
		wantError(t, "the waiting Accept", <-accepting, net.ErrClosed)
		_, err := l.Accept()
		wantError(t, "Accept", err, net.ErrClosed)
		wantError(t, "the second Close", l.Close(), net.ErrClosed)
	})
}

func TestCloseOfAListenerResetsOnlyTheUnaccepted(t *testing.T) {
	n := New()
	l := mustListen(t, n, serverAddr)
	client := mustDial(t, n, serverAddr)
	server := mustAccept(t, l)
	orphan := mustDial(t, n, serverAddr)
	l.Close()

	wantReadError(t, orphan, syscall.ECONNRESET)
	mustWrite(t, client, "still here")
	wantRead(t, server, "still here")
}

// fill dials until the backlog is full.
func fill(t *testing.T, n *Network) {
	t.Helper()
	for range Backlog {
		mustDial(t, n, serverAddr)
	}
}

func TestDialWaitsForRoomInTheBacklog(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := New()
		l := mustListen(t, n, serverAddr)
		fill(t, n)
		start := time.Now()
		var dials sync.WaitGroup
		for i := range 3 {
			dials.Go(func() {
				time.Sleep(time.Duration(i)) // one after the other
				if _, err := n.Dial(t.Context(), serverAddr); err != nil {
					t.Errorf("Dial: %v", err)
				}
				if got, want := time.Since(start), time.Duration(i+1)*time.Minute; got != want {
					t.Errorf("dial %d was let in after %v; want %v", i, got, want)
				}
			})
		}
		for range 3 {
			time.Sleep(time.Minute)
			mustAccept(t, l)
		}
		dials.Wait()
	})
}

func TestDialGivesUpWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := New()
		l := mustListen(t, n, serverAddr)
		fill(t, n)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		start := time.Now()
		_, err := n.Dial(ctx, serverAddr)
		wantElapsed(t, start, time.Second)
		wantError(t, "Dial", err, context.DeadlineExceeded)
		if e, ok := err.(net.Error); !ok || !e.Timeout() {
			t.Errorf("%v is no timeout", err)
		}
		for range Backlog {
			mustAccept(t, l)
		}
		if left := len(l.backlog) + len(l.waiting); left != 0 {
			t.Errorf("%d connections left; want none of the dial that gave up", left)
		}
	})
}

func TestCloseOfAListenerRefusesWaitingDials(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := New()
		l := mustListen(t, n, serverAddr)
		fill(t, n)
		time.AfterFunc(time.Second, func() { l.Close() })
		_, err := n.Dial(t.Context(), serverAddr)
		wantError(t, "Dial", err, syscall.ECONNREFUSED)
	})
}
