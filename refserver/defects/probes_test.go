package defects

import (
	"fmt"
	"strings"
	"syscall"
	"testing/synctest"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/memnet"
	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

// with is an ACQUIRE with one field changed.
func with(change func(*wire.Acquire)) wire.Frame {
	f := wire.AcquireFrame("job", 60_000)
	change(&f.Acquire)
	return f
}

var probesOfFrames = []probe{
	{"the answer to a good ACQUIRE", "slammer mute name-length-little-endian free-lock-waits-first", named("job"), "ACQUIRED"},
	{"a lease whose bytes are short one way and long the other", "lease-little-endian", func(h *house) string {
		g := h.seat("job", 0x01000000*time.Millisecond)
		time.Sleep(time.Second)
		return g.beat()
	}, "ACQUIRED"},
	{"three hundred grants", "token-little-endian", func(h *house) string {
		before := uint64(0)
		for range 300 {
			g := h.seat("job", patient)
			if g.token() <= before {
				return "smaller"
			}
			before = g.token()
			g.close()
		}
		return "larger"
	}, "larger"},
	{"an ACQUIRE in two pieces", "a-read-is-a-message", func(h *house) string {
		whole := wire.Bytes(wire.AcquireFrame("job", 60_000))
		g := h.guest().sendBytes(whole[:4]...)
		synctest.Wait()
		return g.sendBytes(whole[4:]...).hears()
	}, "ACQUIRED"},
	{"three messages in one segment", "a-read-is-one-message",
		answer(wire.AcquireFrame("job", 60_000), wire.HeartbeatFrame, wire.HeartbeatFrame), "ACQUIRED ACQUIRED ACQUIRED"},
	{"what comes with an ERROR", "reason-nul-terminated", answer(wire.HeartbeatFrame), "11 end"},
	{"the reason of an ERROR", "reason-latin-1", func(h *house) string {
		g := h.guest().send(wire.HeartbeatFrame)
		g.hears()
		return strings.ToValidUTF8(g.frames[0].Reason, "?")
	}, "first message must be ACQUIRE"},
}

var probesOfAcquire = []probe{
	{"version 0", "code-for-version version-unchecked", answer(with(func(a *wire.Acquire) { a.Version = 0 })), "10 end"},
	{"a HEARTBEAT first", "code-for-heartbeat-first heartbeat-first-accepted", answer(wire.HeartbeatFrame), "11 end"},
	{"an unknown type first", "code-for-unknown-type-first unknown-type-first-closes", func(h *house) string {
		return h.guest().sendBytes(0x7f).hears()
	}, "11 end"},
	{"a second ACQUIRE of a holder", "code-for-duplicate-while-holding second-acquire-ignored second-acquire-of-holder-is-heartbeat", func(h *house) string {
		return h.seat("job", patient).send(wire.AcquireFrame("job", 60_000)).hears()
	}, "12 end"},
	{"a second ACQUIRE of a waiter", "code-for-duplicate-while-waiting second-acquire-ignored second-acquire-of-waiter-is-heartbeat", func(h *house) string {
		return h.seats("job", 2)[1].send(wire.AcquireFrame("other", 60_000)).hears()
	}, "12 end"},
	{"an unknown type of a holder", "code-for-unknown-type unknown-type-ignored unknown-type-closes", func(h *house) string {
		return h.seat("job", patient).sendBytes(0x03).hears()
	}, "13 end"},
	{"an unknown type of a waiter", "unknown-type-of-waiter-ignored", func(h *house) string {
		return h.seats("job", 2)[1].sendBytes(0x03).hears()
	}, "13 end"},
	{"lease_ms 0", "code-for-lease-zero lease-zero-accepted", answer(with(func(a *wire.Acquire) { a.LeaseMS = 0 })), "17 end"},
	{"the longest lease", "lease-capped", answer(with(func(a *wire.Acquire) { a.LeaseMS = 1<<32 - 1 })), "ACQUIRED"},
	{"the shortest lease", "short-lease-refused", answer(with(func(a *wire.Acquire) { a.LeaseMS = 1 })), "ACQUIRED"},
	{"two faults", "code-for-several-faults", answer(with(func(a *wire.Acquire) { a.Version, a.LeaseMS = 0, 0 })), "10 end"},
	{"a name too long and not UTF-8", "code-for-several-faults", named(strings.Repeat("x", 299) + "\xff"), "15 end"},
	{"a busy lock", "busy-lock-is-silence re-entrant", func(h *house) string {
		h.seat("job", patient)
		return h.ask("job", patient).hears()
	}, "WAITING"},
	{"the lock of a refused ACQUIRE", "refused-acquire-holds", func(h *house) string {
		refused := h.guest().send(with(func(a *wire.Acquire) { a.Version = 0 })).hears()
		return refused + ", " + h.ask("job", patient).hears()
	}, "10 end, ACQUIRED"},
	{"the holder and the waiter after an ERROR", "error-keeps-session error-keeps-connection error-keeps-hold", func(h *house) string {
		all := h.seats("job", 2)
		return all[0].sendBytes(0x7f).hears() + ", " + all[1].hears()
	}, "13 end, ACQUIRED"},
}

var probesOfNames = []probe{
	{"a name of 1 byte", "one-byte-name-refused", named("x"), "ACQUIRED"},
	{"a name of 255 bytes", "name-limit-254", named(strings.Repeat("x", 255)), "ACQUIRED"},
	{"a name of 256 bytes", "name-limit-256 code-for-long-name name-length-low-byte", named(strings.Repeat("x", 256)), "15 end"},
	{"a name of 65535 bytes", "very-long-name-accepted", named(strings.Repeat("x", 65535)), "15 end"},
	{"a name of 258 bytes and 86 characters", "name-limit-in-characters", named(strings.Repeat("€", 86)), "15 end"},
	{"no name", "empty-name-accepted code-for-empty-name", named(""), "14 end"},
	{"a stray byte", "utf8-unchecked code-for-utf8", named("a\x80b"), "16 end"},
	{"a surrogate", "utf8-surrogates-accepted", named("a\xed\xa0\x80b"), "16 end"},
	{"an overlong form", "utf8-overlong-accepted", named("a\xc0\xafb"), "16 end"},
	{"a cut character", "utf8-tail-unchecked", named("a\xe2\x82"), "16 end"},
	{"another case", "case-folded ascii-case-folded one-queue-for-all", different("job", "Job"), "ACQUIRED"},
	{"NFC and NFD", "nfc", different("caf\u00e9", "cafe\u0301"), "ACQUIRED"},
	{"a blank at the end", "trimmed", different("job", "job "), "ACQUIRED"},
	{"a NUL at the end", "nul-ends-name nul-refused", different("job", "job\x00"), "ACQUIRED"},
	{"a byte order mark", "bom-removed", different("job", "\ufeffjob"), "ACQUIRED"},
	{"a control character", "control-characters-refused", named("a\x01"), "ACQUIRED"},
	{"a noncharacter", "noncharacters-refused", named("a\uffff"), "ACQUIRED"},
	{"an astral character", "astral-refused", named("a\U0001f512"), "ACQUIRED"},
	{"a path", "paths-refused", named("../../etc"), "ACQUIRED"},
}

var probesOfLeases = []probe{
	{"a promoted one's heartbeat", "first-heartbeat-after-promotion-unanswered", func(h *house) string {
		all := h.seats("job", 2)
		all[0].close()
		all[1].hears()
		return all[1].beat()
	}, "ACQUIRED"},
	{"a waiter's heartbeat", "waiter-unanswered", func(h *house) string { return h.seats("job", 2)[1].beat() }, "WAITING"},
	{"a holder's heartbeat", "answers-twice", func(h *house) string { return h.seat("job", patient).beat() }, "ACQUIRED"},
	{"a promotion", "promotion-said-twice", func(h *house) string {
		all := h.seats("job", 2)
		all[0].close()
		return all[1].hears()
	}, "ACQUIRED"},
	{"a burst of heartbeats", "burst-answered-once", func(h *house) string {
		g := h.seat("job", patient).sendBytes([]byte(strings.Repeat("\x02", 50))...)
		return fmt.Sprint(strings.Count(g.hears(), "ACQUIRED"))
	}, "50"},
	{"a holder that beats for six leases", "hold-limited heartbeat-refreshes-nothing", func(h *house) string {
		return beatFor(h.seat("job", base), 24, 0.25)
	}, "ACQUIRED"},
	{"a waiter that beats for six leases", "wait-limited", func(h *house) string {
		h.seat("job", patient)
		return beatFor(h.seat("job", base), 24, 0.25)
	}, "WAITING"},
	{"a heartbeat each 0.6 lease", "heartbeat-adds-half", func(h *house) string {
		return beatFor(h.seat("job", base), 5, 0.6)
	}, "ACQUIRED"},
	{"a heartbeat at 0.9 lease", "lease-early", func(h *house) string { return beatFor(h.seat("job", base), 1, 0.9) }, "ACQUIRED"},
	{"a silent holder after 1.2 leases", "lease-late lease-never-ends acquire-starts-no-lease expired-stays-open no-timer expired-holder-stays-open", func(h *house) string {
		g := h.seat("job", base)
		wait(1.2)
		return g.hears()
	}, "end"},
	{"a late heartbeat", "expired-is-answered", func(h *house) string {
		g := h.seat("job", base)
		wait(1.2)
		return strings.TrimPrefix(g.beat(), "end")
	}, ""},
	{"a silent waiter after 1.2 leases", "waiters-never-expire", func(h *house) string {
		h.seat("job", patient)
		g := h.seat("job", base)
		wait(1.2)
		return g.hears()
	}, "end"},
	{"the order after a waiter expired", "waiter-expiry-turns-queue", func(h *house) string {
		holder, _ := h.seat("job", patient), h.seat("job", base)
		others := h.seats("job", 3)
		wait(1.2)
		return order(holder, others)
	}, "0 1 2"},
	{"two leases at one lock", "one-lease-a-lock", func(h *house) string {
		h.seat("job", patient)
		g := h.seat("job", base)
		wait(1.2)
		return g.hears()
	}, "end"},
	{"a lease that was used up before the promotion", "promotion-refreshes", func(h *house) string {
		holder, g := h.seat("job", patient), h.seat("job", base)
		wait(0.6)
		holder.close()
		g.hears()
		wait(0.6)
		return g.hears()
	}, "end"},
	{"the beginning of a second ACQUIRE at 0.6 lease", "partial-message-refreshes", func(h *house) string {
		g := h.seat("job", base)
		wait(0.6)
		g.sendBytes(wire.Bytes(wire.AcquireFrame("job", 1000))[:5]...)
		wait(0.6)
		return g.hears()
	}, "12 end"},
	{"a hold after one that was given back early", "late-timer", func(h *house) string {
		h.seat("job", base).close()
		g := h.seat("job", patient)
		wait(2)
		return g.beat()
	}, "ACQUIRED"},
	{"a short lease among long ones", "only-the-longest-timer", func(h *house) string {
		for i := range 20 {
			h.seat(fmt.Sprint(i), patient)
		}
		g := h.seat("job", base)
		wait(1.2)
		return g.hears()
	}, "end"},
}

// beatFor sends heartbeats, so many leases apart, and returns the last answer.
func beatFor(g *guest, times int, apart float64) (last string) {
	for range times {
		wait(apart)
		last = g.beat()
	}
	return last
}

var probesOfQueues = []probe{
	{"six waiters", "lifo third-waiter-overtakes", func(h *house) string {
		return order(h.seat("job", patient), h.seats("job", 6))
	}, "0 1 2 3 4 5"},
	{"the waiter of an owner that closes", "promotes-on-next-heartbeat fin-waits-for-lease", func(h *house) string {
		all := h.seats("job", 2)
		all[0].close()
		return all[1].hears()
	}, "ACQUIRED"},
	{"the waiter of an owner that is reset", "reset-waits-for-lease", func(h *house) string {
		all := h.seats("job", 2)
		all[0].reset()
		return all[1].hears()
	}, "ACQUIRED"},
	{"four waiters without the second", "departure-drops-successor departure-moves-last", func(h *house) string {
		holder, w := h.seat("job", patient), h.seats("job", 4)
		w[1].close()
		return order(holder, w)
	}, "0 2 3"},
	{"two waiters without the first", "departed-is-granted", func(h *house) string {
		holder, w := h.seat("job", patient), h.seats("job", 2)
		w[0].close()
		return order(holder, w)
	}, "1"},
	{"a holder's tenth heartbeat", "waiting-after-acquired", func(h *house) string {
		return beatFor(h.seat("job", patient), 10, 0)
	}, "ACQUIRED"},
	{"many handovers and newcomers", "two-holders", func(h *house) string {
		all := h.seats("job", 3)
		for i := range 20 {
			next := h.ask("job", patient)
			if next.hears() != "WAITING" {
				return "two holders"
			}
			all = append(all, next)
			all[i].close()
		}
		return "one holder"
	}, "one holder"},
	{"a waiter that comes back", "old-place", func(h *house) string {
		holder, w := h.seat("job", patient), h.seats("job", 2)
		w[0].close()
		return order(holder, append(w, h.seat("job", patient)))
	}, "1 2"},
	{"owner and first waiter gone at once", "both-gone-stalls", func(h *house) string {
		all := h.seats("job", 3)
		all[1].nc.Close()
		all[0].nc.Close()
		time.Sleep(10 * time.Millisecond)
		return all[2].hears()
	}, "ACQUIRED"},
	{"the first waiter and the owner gone at once", "both-gone-stalls", func(h *house) string {
		all := h.seats("job", 3)
		all[0].nc.Close()
		all[1].nc.Close()
		time.Sleep(10 * time.Millisecond)
		return all[2].hears()
	}, "ACQUIRED"},
}

var probesOfTokens = []probe{
	{"grant and acknowledgement", "token-changes", func(h *house) string {
		g := h.seat("job", patient)
		granted := g.token()
		g.beat()
		return fmt.Sprint(g.token() - granted)
	}, "0"},
	{"promotion and acknowledgement", "promotion-has-another-token", func(h *house) string {
		all := h.seats("job", 2)
		all[0].close()
		promoted := all[1].token()
		all[1].beat()
		return fmt.Sprint(all[1].token() - promoted)
	}, "0"},
	{"three grants of one lock", "token-falls-on-one-lock token-random token-falls", func(h *house) string {
		return growth(h, "a", "a", "a")
	}, "larger larger"},
	{"a grant of another lock", "token-per-lock", func(h *house) string { return growth(h, "a", "b") }, "larger"},
	{"eight locks held at once", "token-shared-under-load", func(h *house) string {
		seen := make(map[uint64]bool)
		for i := range 8 {
			seen[h.seat(fmt.Sprint(i), patient).token()] = true
		}
		return fmt.Sprint(len(seen))
	}, "8"},
	{"a grant after a restart", "token-starts-again", func(h *house) string {
		before := h.seat("job", patient).token()
		h.stop()
		time.Sleep(time.Second)
		h.start()
		return compare(before, h.seat("job", patient).token())
	}, "larger"},
}

// growth takes locks one after the other and compares each token with the one
// before.
func growth(h *house, locks ...string) string {
	var said []string
	before := uint64(0)
	for i, name := range locks {
		g := h.seat(name, patient)
		if i > 0 {
			said = append(said, compare(before, g.token()))
		}
		before = g.token()
		g.close()
	}
	return strings.Join(said, " ")
}

func compare(before, after uint64) string {
	if after > before {
		return "larger"
	}
	return "not larger"
}

var probesOfRobustness = []probe{
	{"others after a bad first byte", "crashes-on-input input-disturbs-others", func(h *house) string {
		bystander := h.seat("job", patient)
		h.guest().sendBytes(0xa5).hears()
		return bystander.beat()
	}, "ACQUIRED"},
	{"an ACQUIRE that never completes", "partial-acquire-kept", func(h *house) string {
		g := h.guest().sendBytes(1, 1)
		time.Sleep(ioTimeout + time.Second)
		return g.hears()
	}, "end"},
	{"a connection that never sends", "silent-connection-kept", func(h *house) string {
		g := h.guest()
		time.Sleep(ioTimeout + time.Second)
		return g.hears()
	}, "end"},
	{"others beside one that does not read", "writes-in-turn", func(h *house) string {
		h.net.SetBuffer(100)
		deaf := &guest{nc: mustDial(h)}
		h.guests = append(h.guests, deaf)
		deaf.send(wire.AcquireFrame("deaf", 60_000))
		for range 20 {
			deaf.send(wire.HeartbeatFrame)
			synctest.Wait()
		}
		return h.ask("job", patient).hears()
	}, "ACQUIRED"},
	{"six hundred sessions", "session-limit", func(h *house) string {
		for i := range 600 {
			if got := h.ask(fmt.Sprint(i), patient).hears(); got != "ACQUIRED" {
				return got
			}
		}
		return "all served"
	}, "all served"},
	{"two hundred waiters", "queue-limit order-lost-in-long-queues", func(h *house) string {
		all := h.seats("job", 201)
		for i := range 200 {
			all[i].nc.Close()
			if got := all[i+1].hears(); got != "ACQUIRED" {
				return fmt.Sprintf("%q at %d", got, i)
			}
		}
		return "in order"
	}, "in order"},
	{"a failing accept", "exits-out-of-descriptors", func(h *house) string {
		l, err := h.net.Listen("")
		if err != nil {
			return err.Error()
		}
		s := h.make(standardConfig)
		served := make(chan error, 1)
		go func() { served <- s.Serve(l) }()
		defer s.Close()
		return outlasts(l, served)
	}, "serves on"},
	{"what a stop says to a holder", "shutdown-says-nothing code-for-shutdown", func(h *house) string {
		g := h.seat("job", patient)
		h.stop()
		return g.hears()
	}, "01 end"},
	{"what a stop says to a waiter", "shutdown-tells-holders-only", func(h *house) string {
		g := h.seats("job", 2)[1]
		h.stop()
		return g.hears()
	}, "01 end"},
	{"a restart", "restarted-serves-nobody", func(h *house) string {
		h.stop()
		time.Sleep(time.Second)
		h.start()
		return h.ask("job", patient).hears()
	}, "ACQUIRED"},
}

// outlasts reports whether Serve goes on after an accept that failed.
func outlasts(l *memnet.Listener, served chan error) string {
	l.FailAccept(syscall.EMFILE)
	time.Sleep(3 * time.Second)
	select {
	case err := <-served:
		served <- err
		return "ended: " + err.Error()
	default:
		l.FailAccept(nil)
		return "serves on"
	}
}
