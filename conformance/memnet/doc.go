// Package memnet is a network in memory that ends connections the way Linux
// TCP does: bounded buffers, half-close, resets, refused dials, addresses in
// use, a backlog. It exists for virtual time: every wait in it is a
// [sync.Cond] or a channel and every deadline a timer, so that inside a
// [testing/synctest] bubble a blocked call lets the clock move on. No goroutine
// runs on a connection's behalf and no mutex is held across a wait.
//
// A network belongs to the bubble that made it: listeners, connections and
// deadlines have to be made inside. Nothing is random: addresses and ports
// count up, backlogs and waiting dials are served in order.
//
// # Where it differs from the kernel
//
// Nothing is ever under way: what Write has taken is already in the peer's
// receive buffer, and a FIN or a reset arrives in the instant in which it is
// sent. So a reset never destroys data that were written before it, not even
// after SetLinger(0); they stay readable in front of the error.
//
// The kernel reports a reset once, to whichever call comes first, and answers
// later reads with the end of the stream. Here every Read says ECONNRESET, so
// that what a reader learns does not depend on a race with a writer. A FIN that
// came before the reset keeps its precedence in both: such a reader sees io.EOF.
//
// Host names are not resolved, except for localhost, and ports are numbers.
package memnet
