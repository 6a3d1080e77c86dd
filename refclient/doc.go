// Package refclient is the reference monolock client, written to be read: it
// is the worked example for someone who ports a client to another language.
//
//	client := refclient.New(refclient.Config{Addr: "localhost:7070"})
//	err := client.Do(ctx, "nightly-report", 10*time.Second,
//		func(ctx context.Context, token uint64) error {
//			return writeReport(ctx, token) // stops when ctx ends
//		})
//
// Do makes one attempt, DoRetry as many as it takes to get the lock. The work's
// context ends when the claim does, and both wait for the work to return.
//
// # How it is built
//
// The core (core.go and its siblings) is a pure step: it takes a frame, an end
// of the stream, the work's return or the passing of time, and the time that
// it is now, and returns what is to be done. Around it stand an attempt with
// its loop (attempt.go), a permanent reader and a writer, one goroutine each.
// What a client can get wrong stands behind [Rules]; [StandardRules] says how
// it is done right, and why.
//
// # Time
//
// Four fifths of the lease are counted from the moment in which the last
// answered message was sent, not from its answer: the server counts the lease
// from a later moment, the message's arrival, so the claim ends before the
// lease however slow the way back is. A promotion answers nothing and moves
// nothing. Each step first looks at the clock, so that a process which was
// stopped and continued ends its claim before it reads what came meanwhile.
// Only monotonic time counts; on systems whose monotonic clock stands still
// while the machine sleeps, that sleep is not seen.
//
// Sources: wire protocol; writing a client.
package refclient

// Version is this client's own version.
const Version = "1.0.0"
