package defects

import (
	"context"
	"errors"
	"net"
	"slices"
	"sync/atomic"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/wire"
	"github.com/monolock-dev/monolock-conform/refclient"
)

// losses are what a client does about a lock that it has lost.
func losses() []Defect {
	return []Defect{
		{
			ID:       "loss-behind-the-grant-missed",
			Sentence: "It misses a loss in the first moments after the grant: it closes, and does not stop the work.",
			Must:     ids("C-LOSS-01"),
			May:      ids("C-RD-03 C-ERR-07 C-DBT-01 C-DBT-02 C-DBT-05"),
			New:      rules(blindAfterGrants),
		},
		{
			ID:       "loss-not-told",
			Sentence: "Whatever takes its lock away makes it close the connection and nothing else.",
			Must:     ids("C-LOSS-01 C-TO-01 C-DBT-02 C-ERR-07"),
			May:      ids("C-RD-02 C-RD-03 C-RD-05 C-TO-02 C-TO-03 C-DBT-01 C-DBT-03 C-DBT-05 C-LOSS-03 C-EXC-01"),
			New: on(shutOnly, refclient.OnTimeout, refclient.OnFIN, refclient.OnReset, refclient.OnUnsent,
				refclient.OnError, refclient.OnUnknown, refclient.OnStepBack, refclient.OnOther),
		},
		{
			ID:       "asks-again-on-the-old-connection",
			Sentence: "Refused with a server condition, it sends its ACQUIRE again on the same connection.",
			Must:     ids("C-ACQ-02 C-ERR-01"),
			May:      ids("C-ERR-06 C-LOSS-02"),
			New:      conns(each(func(nc net.Conn) net.Conn { return askingAgain(nc, false) })),
		},
		{
			ID:       "never-connects-anew",
			Sentence: "When its connection ends, it sends its ACQUIRE again on the old one, and gives up when that fails.",
			Must:     ids("C-LOSS-02"),
			May:      ids("C-ACQ-02 C-ACQ-06 C-ERR-08 C-ERR-09"),
			New: func(cfg config) client {
				cfg.Rules = &changed{again: func(e *refclient.Error) bool { return e.Refused && standard.Again(e) }}
				return refclient.New(wrapping(cfg, func(nc net.Conn) net.Conn { return askingAgain(nc, true) }))
			},
		},
		{
			ID:       "silent-reacquisition",
			Sentence: "It asks again for a lock that it has lost, and lets the same work go on meanwhile.",
			Must:     ids("C-LOSS-03"),
			May:      ids("C-RD-02 C-RD-03 C-RD-05 C-TO-01 C-TO-02 C-TO-03 C-ERR-07 C-DBT-01 C-DBT-02 C-DBT-03 C-DBT-05 C-LOSS-01 C-EXC-01"),
			New: func(cfg config) client {
				c := refclient.New(cfg)
				return caller{once: reacquiring(c.Do), retry: reacquiring(c.DoRetry)}
			},
		},
	}
}

// firstMoments is how long after a grant a client may not have its ears open yet.
const firstMoments = 5 * time.Millisecond

func blindAfterGrants(r *changed) {
	var granted time.Time
	r.judge = func(s *session, f frame) decision {
		d := standard.Judge(s, f)
		if d.Do == refclient.Grant {
			granted = time.Now()
		}
		return d
	}
	r.ends = func(s *session, why occasion) ending {
		early := holds(s) && time.Since(granted) < firstMoments
		if early && why != refclient.OnDone && why != refclient.OnFailed && why != refclient.OnCancel {
			return shutOnly
		}
		return standard.Ends(s, why)
	}
}

// askingAgain wraps a connection on which an ERROR below 0x10, or instead of that
// an end, before the grant is answered with another ACQUIRE.
func askingAgain(nc net.Conn, atEnd bool) net.Conn {
	var first atomic.Pointer[[]byte] // the ACQUIRE: written by one goroutine, asked again by another
	again := func() {
		if acquire := first.Load(); acquire != nil {
			_, _ = nc.Write(*acquire)
		}
	}
	granted := false
	frames := wire.NewReader(nc)
	rest := feeding(nc, func() ([]byte, error) {
		b, err := nextFrame(frames, func(f frame) []byte {
			granted = granted || f.Type == wire.TypeAcquired
			if f.Type == wire.TypeError && !f.Code.IsClientError() && !granted && !atEnd {
				again()
				return nil
			}
			return wire.Bytes(f)
		})
		if err != nil && atEnd && !granted {
			again()
		}
		return b, err
	})
	return &through{Conn: rest, write: func(p []byte) (int, error) {
		acquire := slices.Clone(p)
		first.CompareAndSwap(nil, &acquire)
		return nc.Write(p)
	}}
}

// reacquiring asks again and again for one run of the work, which hears of no loss.
func reacquiring(do call) call {
	return func(ctx context.Context, name string, lease time.Duration, work refclient.Work) error {
		var end chan error // of the work's only run
		ended := false
		var result error
		for {
			err := do(ctx, name, lease, func(claim context.Context, token uint64) error {
				if end == nil {
					end = make(chan error, 1)
					go func() { end <- work(ctx, token) }()
				}
				select {
				case result = <-end:
					ended = true
					return result
				case <-refclient.Lost(claim):
					return nil
				}
			})
			switch {
			case ended && !errors.Is(err, refclient.ErrLost):
				return err
			case ended:
				return result
			case !errors.Is(err, refclient.ErrLost) && end == nil:
				return err
			case !errors.Is(err, refclient.ErrLost):
				return <-end
			}
		}
	}
}
