// Package refserver is a correct monolock server, written to be read: the
// worked example for whoever ports it, and the subject that the suite proves
// itself on.
//
//	listener ─▶ reader, one a connection ─▶ loop: core.step(event, now) ─▶ effects
//	                                                                          │
//	                        socket ◀─ flusher, while there is output ◀─ output buffer
//
// # The parts
//
// The core (core.go) owns the whole state: sessions, locks, queues, the last
// token and one heap of deadlines. It is a pure step, (state, event, now) to
// effects: it does no I/O, reads no clock and starts no goroutine, so it is
// tested with handmade events. One loop goroutine owns the core. Everything
// else only sends it events or carries out its effects.
//
// Each connection has one reader, which turns bytes into events. What the
// core wants to say is appended to the connection's output buffer, and a
// flusher runs for as long as that buffer is not empty. The loop therefore
// never waits for a client, and an idle session costs one goroutine.
//
// # The rules
//
// Whatever a wrong server gets wrong is one method of [Rules]. A wrong server
// is [StandardRules] embedded, one method replaced; package defects holds a
// collection of them. A port needs no such interface: it takes the bodies of
// standard.go.
//
// # Time
//
// A session is dropped when it has been silent for more than its lease. A
// message that arrives exactly when the lease is used up is therefore still
// in time; one nanosecond later it is too late, and is never answered. Silence
// is counted from the last valid ACQUIRE or HEARTBEAT: neither a promotion nor
// a part of a message refreshes it.
//
// # Ends
//
// After an ERROR the hold or the place in the queue is gone at once, and the
// connection is drained before it closes: unread data at close makes a reset,
// and a reset can destroy the ERROR before the client reads it. A lease that
// ran out closes the connection without a word. A client's FIN is the end of
// its session, also when it goes on reading.
//
// Source: wire protocol; how it works.
package refserver
