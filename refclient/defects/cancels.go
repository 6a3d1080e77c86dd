package defects

import (
	"context"
	"errors"
	"time"

	"github.com/monolock-dev/monolock-conform/refclient"
)

// cancels are what a caller's cancellation does.
func cancels() []Defect {
	return []Defect{
		{
			ID:       "cancel-ignored-in-the-queue",
			Sentence: "In the queue it takes no notice of a cancellation.",
			Must:     ids("C-CAN-01"),
			New: rules(func(r *changed) {
				r.ends = func(s *session, why occasion) ending {
					if why == refclient.OnCancel && !holds(s) {
						return nothing
					}
					return standard.Ends(s, why)
				}
			}),
		},
		{
			ID:       "cancel-closes",
			Sentence: "A cancellation closes the connection while the work goes on.",
			Must:     ids("C-CAN-02"),
			New:      on(shutOnly, refclient.OnCancel),
		},
		{
			ID:       "cancel-is-a-loss",
			Sentence: "A cancellation closes the connection, and the work hears of a loss.",
			Must:     ids("C-CAN-02"),
			New:      on(ending{Tell: true, Close: true}, refclient.OnCancel),
		},
		{
			ID:       "cancel-stops-the-heartbeats",
			Sentence: "After a cancellation it sends no more heartbeats while the work goes on.",
			Must:     ids("C-CAN-02"),
			New: rules(func(r *changed) {
				cancelled := noticing(r)
				r.allows = func(s *session) bool { return !*cancelled && standard.Allows(s) }
			}),
		},
		{
			ID:       "cancel-ignored-between-attempts",
			Sentence: "A cancellation that comes in a pause between two attempts is forgotten.",
			Must:     ids("C-CAN-01"),
			New: func(cfg config) client {
				c := refclient.New(cfg)
				return caller{once: c.Do, retry: forgetful(c.Do)}
			},
		},
		{
			ID:       "loss-after-a-cancellation-not-told",
			Sentence: "After a cancellation a loss makes it close the connection and nothing else.",
			Must:     ids("C-LOSS-01 C-TO-01 C-TO-02"),
			New: rules(func(r *changed) {
				cancelled := noticing(r)
				ends := r.ends
				r.ends = func(s *session, why occasion) ending {
					how := ends(s, why)
					how.Tell = how.Tell && !*cancelled
					return how
				}
			}),
		},
		{
			ID:       "never-stops-after-a-cancellation",
			Sentence: "After a cancellation its claim never ends for want of confirmation.",
			Must:     ids("C-TO-01 C-TO-02"),
			New: rules(func(r *changed) {
				cancelled := noticing(r)
				r.deadline = func(s *session) time.Time {
					if *cancelled && holds(s) {
						return time.Time{}
					}
					return standard.Deadline(s)
				}
			}),
		},
	}
}

// noticing has r notice the caller's cancellation.
func noticing(r *changed) (cancelled *bool) {
	cancelled = new(bool)
	r.ends = func(s *session, why occasion) ending {
		*cancelled = *cancelled || why == refclient.OnCancel
		return standard.Ends(s, why)
	}
	return cancelled
}

// forgetful asks again and again, and minds a cancellation only where it comes in
// the middle of an attempt.
func forgetful(do call) call {
	return func(ctx context.Context, name string, lease time.Duration, work refclient.Work) error {
		for pause := 150 * time.Millisecond; ; pause *= 2 {
			attempt := ctx
			if ctx.Err() != nil {
				attempt = context.WithoutCancel(ctx)
			}
			err := do(attempt, name, lease, work)
			e, failed := errors.AsType[*refclient.Error](err)
			switch {
			case !failed || !standard.Again(e):
				return err
			case !e.Is(refclient.ErrShuttingDown):
				time.Sleep(min(pause, 4*time.Second))
			}
		}
	}
}
