package memnet

import (
	"os"
	"testing"
	"testing/synctest"
	"time"
)

func TestReadDeadlineInVirtualTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, _ := newConns(t, DefaultBuffer)
		start := time.Now()
		c.SetReadDeadline(start.Add(3 * time.Hour))
		wantReadError(t, c, os.ErrDeadlineExceeded)
		wantElapsed(t, start, 3*time.Hour)
		wantReadError(t, c, os.ErrDeadlineExceeded)
		wantElapsed(t, start, 3*time.Hour)
	})
}

// A nanosecond before the deadline the bytes count, at the deadline it does.
func TestBothSidesOfAReadDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, s := newConns(t, DefaultBuffer)
		c.SetReadDeadline(time.Now().Add(time.Second))
		time.AfterFunc(time.Second-1, func() { s.Write([]byte("x")) })
		wantRead(t, c, "x")

		c.SetReadDeadline(time.Now().Add(time.Second))
		time.AfterFunc(time.Second+1, func() { s.Write([]byte("y")) })
		wantReadError(t, c, os.ErrDeadlineExceeded)
		c.SetReadDeadline(time.Time{})
		wantRead(t, c, "y")
	})
}

func TestWriteDeadlineWhileTheBufferIsFull(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, s := newConns(t, 10)
		start := time.Now()
		c.SetWriteDeadline(start.Add(time.Minute))
		n, err := c.Write(make([]byte, 15))
		if n != 10 {
			t.Errorf("Write took %d bytes; want the 10 that there was room for", n)
		}
		wantError(t, "Write", err, os.ErrDeadlineExceeded)
		wantElapsed(t, start, time.Minute)

		wantRead(t, s, string(make([]byte, 10)))
		wantWriteError(t, c, os.ErrDeadlineExceeded)
		c.SetWriteDeadline(time.Time{})
		mustWrite(t, c, "on")
		wantRead(t, s, "on")
	})
}

// A deadline that is moved while a call blocks counts where it was moved to.
func TestDeadlineMovesUnderABlockedRead(t *testing.T) {
	tests := []struct {
		name string
		to   time.Duration // after the start; 0 takes the deadline away
		want time.Duration
	}{
		{"later", 9 * time.Second, 9 * time.Second},
		{"sooner", 2 * time.Second, 2 * time.Second},
		{"to a past instant", -time.Second, time.Second},
		{"away", 0, 20 * time.Second},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c, s := newConns(t, DefaultBuffer)
				start := time.Now()
				c.SetReadDeadline(start.Add(5 * time.Second))
				time.AfterFunc(time.Second, func() {
					if test.to == 0 {
						c.SetReadDeadline(time.Time{})
					} else {
						c.SetReadDeadline(start.Add(test.to))
					}
				})
				time.AfterFunc(20*time.Second, func() { s.Write([]byte("x")) })

				n, err := c.Read(make([]byte, 1))
				wantElapsed(t, start, test.want)
				if test.to == 0 {
					if n != 1 || err != nil {
						t.Fatalf("Read = %d, %v; want the byte", n, err)
					}
				} else {
					wantError(t, "Read", err, os.ErrDeadlineExceeded)
				}
			})
		})
	}
}

func TestMovingADeadlineAllocatesNothing(t *testing.T) {
	c, _ := newConns(t, DefaultBuffer)
	at := time.Now().Add(time.Hour)
	c.SetReadDeadline(at)
	if got := testing.AllocsPerRun(100, func() { c.SetReadDeadline(at) }); got != 0 {
		t.Errorf("%v allocations for each move; want none", got)
	}
}

func wantElapsed(t *testing.T, start time.Time, want time.Duration) {
	t.Helper()
	if got := time.Since(start); got != want {
		t.Fatalf("the call took %v; want %v", got, want)
	}
}

// A timer may run before the deadline is moved and get the mutex only after;
// the deadline that stands then must neither expire early nor be lost.
func TestALateTimerDoesNotExpireAMovedDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, _ := newConns(t, DefaultBuffer)
		start := time.Now()
		c.SetReadDeadline(start.Add(time.Minute))
		c.readDeadline.fire()
		wantReadError(t, c, os.ErrDeadlineExceeded)
		wantElapsed(t, start, time.Minute)

		c.SetReadDeadline(time.Time{})
		c.readDeadline.fire()
		if c.readDeadline.expired {
			t.Error("a deadline that was taken away expired")
		}
	})
}
