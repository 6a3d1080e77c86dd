package defects

import (
	"context"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/wire"
	"github.com/monolock-dev/monolock-conform/refclient"
)

// untoldLosses are losses in the retrying call of which the work does not hear: the
// client asks again behind its back, or does nothing further.
func untoldLosses() []Defect {
	return []Defect{
		{
			ID:       "silent-reacquisition-after-a-fin",
			Sentence: "In its retrying call it asks again when the server has closed, and lets the same work go on meanwhile.",
			Must:     ids("C-LOSS-03"),
			May:      ids("C-EXC-01"),
			New:      whenRetrying(silentlyAgain(func(why occasion, _ frame) bool { return why == refclient.OnFIN })),
		},
		{
			ID:       "silent-reacquisition-after-a-timeout",
			Sentence: "In its retrying call it asks again when nothing confirms its claim, and lets the same work go on meanwhile.",
			Must:     ids("C-LOSS-03 C-TO-01 C-TO-02"),
			May:      ids("C-EXC-01"),
			New:      whenRetrying(silentlyAgain(func(why occasion, _ frame) bool { return why == refclient.OnTimeout })),
		},
		{
			ID:       "silent-reacquisition-after-a-shutdown",
			Sentence: "In its retrying call it asks again after ERROR 0x01, and lets the same work go on meanwhile.",
			Must:     ids("C-LOSS-03"),
			May:      ids("C-ERR-07 C-EXC-01"),
			New:      whenRetrying(silentlyAgain(shutDown)),
		},
		{
			ID:       "timeout-not-told-in-the-retrying-call",
			Sentence: "In its retrying call, when nothing confirms its claim, it closes and does not stop the work.",
			Must:     ids("C-TO-01 C-TO-02"),
			May:      ids("C-EXC-01"),
			New:      whenRetrying(on(shutOnly, refclient.OnTimeout)),
		},
		{
			ID:       "fin-not-told-in-the-retrying-call",
			Sentence: "In its retrying call the end of the stream makes it close, and not stop the work.",
			Must:     ids("C-DBT-02"),
			May:      ids("C-EXC-01"),
			New:      whenRetrying(on(shutOnly, refclient.OnFIN)),
		},
		{
			ID:       "shutdown-not-told-in-the-retrying-call",
			Sentence: "In its retrying call ERROR 0x01 while it holds makes it close, and not stop the work.",
			Must:     ids("C-ERR-07"),
			May:      ids("C-EXC-01"),
			New:      whenRetrying(untold(shutDown)),
		},
	}
}

// shutDown is ERROR 0x01.
func shutDown(why occasion, last frame) bool {
	return why == refclient.OnError && last.Code == wire.CodeShuttingDown
}

// untold makes a client that closes upon some losses, and does not stop the work.
// hides also sees the last frame.
func untold(hides func(why occasion, last frame) bool) func(config) client {
	return rules(func(r *changed) { hiding(r, hides, func() {}) })
}

// hiding has r keep some losses from the work, each of which is noted first.
func hiding(r *changed, hides func(why occasion, last frame) bool, note func()) {
	var last frame
	r.judge = func(s *session, f frame) decision {
		last = f
		return standard.Judge(s, f)
	}
	r.ends = func(s *session, why occasion) ending {
		if holds(s) && hides(why, last) {
			note()
			return shutOnly
		}
		return standard.Ends(s, why)
	}
}

// silentlyAgain makes a client whose retrying call goes on after some losses, with
// one run of the work that hears nothing of them.
func silentlyAgain(hides func(why occasion, last frame) bool) func(config) client {
	return func(cfg config) client {
		var hidden chan struct{} // closed: the connection's loss was kept from the work
		r := &changed{}
		r.acquire = func(name string, leaseMS uint32) []byte {
			hidden = make(chan struct{})
			return standard.Acquire(name, leaseMS)
		}
		hiding(r, hides, func() { close(hidden) })
		r.again = func(e *refclient.Error) bool { return closed(hidden) || standard.Again(e) }
		cfg.Rules = r
		c := refclient.New(cfg)
		return caller{once: c.Do, retry: oneRun(c.DoRetry, func() <-chan struct{} { return hidden })}
	}
}

// closed reports whether c was made and is closed.
func closed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// oneRun calls the work once, however often it is granted. A connection is given up
// when what hidden returns is closed, and the call not before the work has ended.
func oneRun(do call, hidden func() <-chan struct{}) call {
	return func(ctx context.Context, name string, lease time.Duration, work refclient.Work) error {
		var end chan error // of the one run
		err := do(ctx, name, lease, func(claim context.Context, token uint64) error {
			if end == nil {
				end = make(chan error, 1)
				go func() { end <- work(claim, token) }()
			}
			select {
			case result := <-end:
				end <- result
				return result
			case <-hidden():
				return nil
			}
		})
		if end != nil {
			<-end
		}
		return err
	}
}
