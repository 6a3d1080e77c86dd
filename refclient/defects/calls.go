package defects

import (
	"context"
	"time"

	"github.com/monolock-dev/monolock-conform/refclient"
)

// call is Do or DoRetry.
type call func(ctx context.Context, name string, lease time.Duration, work refclient.Work) error

// caller is a client of two calls.
type caller struct{ once, retry call }

// Do is the one call.
func (c caller) Do(ctx context.Context, name string, lease time.Duration, work refclient.Work) error {
	return c.once(ctx, name, lease, work)
}

// DoRetry is the other one.
func (c caller) DoRetry(ctx context.Context, name string, lease time.Duration, work refclient.Work) error {
	return c.retry(ctx, name, lease, work)
}

// calls makes a standard client with both calls changed.
func calls(cfg config, change func(do call) call) client {
	c := refclient.New(cfg)
	return caller{once: change(c.Do), retry: change(c.DoRetry)}
}

// withName changes the name that is asked for.
func (do call) withName(change func(string) string) call {
	return func(ctx context.Context, name string, lease time.Duration, work refclient.Work) error {
		return do(ctx, change(name), lease, work)
	}
}

// withLease changes the lease that is asked for.
func (do call) withLease(change func(time.Duration) time.Duration) call {
	return func(ctx context.Context, name string, lease time.Duration, work refclient.Work) error {
		return do(ctx, name, change(lease), work)
	}
}

// withToken changes the token that the work gets.
func (do call) withToken(change func(uint64) uint64) call {
	return func(ctx context.Context, name string, lease time.Duration, work refclient.Work) error {
		return do(ctx, name, lease, func(ctx context.Context, token uint64) error {
			return work(ctx, change(token))
		})
	}
}

// withError changes the error that the caller gets.
func (do call) withError(change func(error) error) call {
	return func(ctx context.Context, name string, lease time.Duration, work refclient.Work) error {
		return change(do(ctx, name, lease, work))
	}
}

// orDefaultLease is a lease for callers that name none.
func orDefaultLease(lease time.Duration) time.Duration {
	if lease == 0 {
		return 30 * time.Second
	}
	return lease
}

// withWork puts something around the work.
func (do call) withWork(around func(refclient.Work) refclient.Work) call {
	return func(ctx context.Context, name string, lease time.Duration, work refclient.Work) error {
		return do(ctx, name, lease, around(work))
	}
}
