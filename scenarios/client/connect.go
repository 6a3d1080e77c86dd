package client

import (
	"fmt"
	"strings"
	"time"

	"github.com/onsi/gomega"

	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/conformance/spec"
	"github.com/monolock-dev/monolock-conform/conformance/subject"
	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

var connect = []conformance.Scenario{
	{
		ID: "client/connect/acquire-as-asked", Role: spec.RoleClient,
		Title:  "the first bytes are one ACQUIRE, with version, lease and name as asked",
		Judges: []spec.ID{spec.C_ACQ_01, spec.C_ACQ_02, spec.C_ACQ_06}, Leases: 4,
		Method: "Claims with several leases, one of which shows its byte order. The ACQUIRE must hold version 1, that lease and that name, as it must in every other scenario and after each reconnect; after it come heartbeats only.",
		Run: func(t *conformance.T) {
			leases := []time.Duration{lease(t), 66051 * time.Millisecond, 24 * time.Hour}
			cases(t, leases, time.Duration.String, func(t *conformance.T, l time.Duration) {
				server := t.Script()
				claim := t.Claim(server.Addr(), conformance.ForLease(l))
				peer := server.Accept(spec.C_ACQ_01, "the client connects")
				peer.WantAcquire(spec.C_ACQ_01, "the first message is an ACQUIRE")
				grant(t, claim, peer)
				if l == lease(t) {
					peer.WantOpen(spec.C_ACQ_02, "the session goes on with heartbeats", time.Now().Add(l))
				}
				claim.Release()
				claim.WantResult(spec.C_REL_01, "work that returns ends well", subject.OutcomeOK)
			})
		},
	},
	{
		ID: "client/connect/longest-leases", Role: spec.RoleClient,
		Title:  "a lease of 2^31 ms and more is asked for as it is, or not at all",
		Judges: []spec.ID{spec.C_ACQ_01},
		Method: "Claims with leases of 2^31 and 2^32-1 ms, which a signed number of 32 bits does not hold. An ACQUIRE that comes must hold that lease. A client that refuses such a lease itself sends none; that is recorded.",
		Run: func(t *conformance.T) {
			leases := []time.Duration{1 << 31 * time.Millisecond, (1<<32 - 1) * time.Millisecond}
			cases(t, leases, leaseName, func(t *conformance.T, l time.Duration) {
				server := t.Script()
				claim := t.Claim(server.Addr(), conformance.ForLease(l))
				peer, refusal := askedOrRefused(t, claim, server)
				if peer != nil {
					peer.WantAcquire(spec.C_ACQ_01, "the first message is an ACQUIRE")
					return
				}
				t.Observe(spec.C_ACQ_01, "lease_of_"+leaseName(l), "the client refuses it itself: result "+string(refusal.Outcome))
				t.Pass(spec.C_ACQ_01, "no other lease is asked for in its place")
			})
		},
	},
	{
		ID: "client/connect/name-byte-for-byte", Role: spec.RoleClient,
		Title:  "the name goes byte for byte",
		Judges: []spec.ID{spec.C_ACQ_03},
		Method: "Names with blanks and newlines at their ends, upper case, composed and decomposed accents, of one and of 255 bytes: each must arrive as it is.",
		Run: func(t *conformance.T) {
			names := []string{
				t.Lock(" blanks "), t.Lock("UPPER lower"), t.Lock("caf\u00e9"), t.Lock("cafe\u0301"), t.Lock("\u212b\ufb01"),
				t.Lock("line\n"), t.Lock("tab\t"), "x", t.LockOf(wire.MaxNameLen, "n"), t.LockOf(wire.MaxNameLen, "\u20ac"), t.Lock("\U0001f512\u202e"), t.Lock("%s%2F../"), t.Lock("nul\x00"),
			}
			cases(t, names, wire.QuoteName, func(t *conformance.T, name string) {
				server := t.Script()
				t.Claim(server.Addr(), conformance.Named(name))
				peer := server.Accept(spec.C_ACQ_03, "a valid name is asked for")
				a := peer.TakeAcquire(spec.C_ACQ_01, "the first message is an ACQUIRE")
				t.Expect(spec.C_ACQ_03, "the name arrives byte for byte", []byte(a.Name), gomega.Equal([]byte(name)))
			})
		},
	},
	{
		ID: "client/connect/name-of-300-bytes", Role: spec.RoleClient,
		Title:  "a name of 300 bytes is an error that is shown, and not tried again",
		Judges: []spec.ID{spec.C_ACQ_04},
		Method: "The client is asked for a name of 300 bytes. It may refuse or send it and take ERROR 0x15; the result is stop, and no second attempt follows.",
		Run: func(t *conformance.T) {
			refusedLocallyOrNot(t, spec.C_ACQ_04, wire.CodeNameTooLong, conformance.Named(t.LockOf(300, "x")), longName)
		},
	},
	{
		ID: "client/connect/lease-zero", Role: spec.RoleClient,
		Title:  "a lease of 0 is an error that is shown, and not tried again",
		Judges: []spec.ID{spec.C_ACQ_07},
		Method: "The client is asked for lease 0. It may refuse or send it and take ERROR 0x17; the result is stop, and no second attempt follows.",
		Run: func(t *conformance.T) {
			refusedLocallyOrNot(t, spec.C_ACQ_07, wire.CodeLeaseNotPositive, conformance.ForLease(0), leaseZero)
		},
	},
	{
		ID: "client/connect/no-claim-before-acquired", Role: spec.RoleClient,
		Title:  "WAITING, silence and an open connection are no claim",
		Judges: []spec.ID{spec.C_ACQ_05}, Leases: 2,
		Method: "The server first says nothing, then WAITING, and answers heartbeats. The work must not start before ACQUIRED.",
		Run: func(t *conformance.T) {
			claim, peer, _ := asked(t)
			claim.WantNoClaim(spec.C_ACQ_05, "an open connection is no claim", time.Now().Add(lease(t)/5))
			peer.Answer()
			peer.Wait()
			claim.WantNoClaim(spec.C_ACQ_05, "WAITING is no claim", time.Now().Add(lease(t)))
			claim.WantGranted(spec.C_RD_01, "a grant reaches the work", t.AtOnce(peer.Grant(token)))
		},
	},
}

// refusedLocallyOrNot judges a request that no server takes: an error is shown,
// whoever refuses, and nothing is tried again. An ACQUIRE that is sent must be the
// one that was asked for, and not a better one.
func refusedLocallyOrNot(t *conformance.T, id spec.ID, code wire.Code, option conformance.ClaimOption, asked func(wire.Acquire) bool) {
	options := []conformance.ClaimOption{conformance.ForLease(lease(t)), option}
	if t.Offers(spec.FeatureRetry) {
		options = append(options, conformance.Retrying())
	}
	server := t.Script()
	claim := t.Claim(server.Addr(), options...)
	const why = "the error is shown, and nothing is tried again"
	server.Rest()
	for attempts := 0; ; {
		e, ok := claim.Glance(50*time.Millisecond, subject.Result)
		if ok {
			t.Expect(id, why, string(e.Outcome), gomega.Equal(string(subject.OutcomeStop)))
			return
		}
		peer, connected := server.Glance(0)
		if !connected {
			if server.Quiet() > t.Patient(patience) {
				t.Late(id, why, "result stop", fmt.Sprintf("no result within %v", patience))
			}
			continue
		}
		if attempts++; attempts > 1 {
			t.Fail(id, why, "no second attempt", "a second connection for the same request")
		}
		if a := peer.TakeAcquire(spec.C_ACQ_01, "the first message is an ACQUIRE"); !asked(a) {
			t.Fail(id, why, "the ACQUIRE that was asked for, or none", fmt.Sprintf("lease %d ms, a name of %d bytes", a.LeaseMS, len(a.Name)))
		}
		peer.Error(code, strings.Repeat("x", 3))
		peer.Close()
	}
}

// askedOrRefused takes the first connection on which the client asks for anything, or
// where it refuses what it is asked for, the result. A connection that the client ends
// without a word asks for nothing.
func askedOrRefused(t *conformance.T, claim *conformance.Claim, server *conformance.Script) (*conformance.Peer, subject.ClientEvent) {
	const look = 20 * time.Millisecond
	for end := time.Now().Add(t.Patient(conformance.AnswerTime)); time.Now().Before(end); {
		refusal, refused := claim.Glance(look, subject.Result)
		if peer, connected := server.Glance(look); connected && !peer.LeavesUnasked() {
			return peer, subject.ClientEvent{}
		}
		if refused {
			return nil, refusal
		}
	}
	t.Late(spec.C_ACQ_01, "the client asks for the lock, or says that it does not", "an ACQUIRE or a result", fmt.Sprintf("neither within %v", conformance.AnswerTime))
	return nil, subject.ClientEvent{}
}

func leaseName(l time.Duration) string { return fmt.Sprintf("%d_ms", l.Milliseconds()) }

func longName(a wire.Acquire) bool  { return len(a.Name) == 300 }
func leaseZero(a wire.Acquire) bool { return a.LeaseMS == 0 }

// patience is how long a result or an attempt is waited for: a backoff of a second
// must show.
const patience = 1500 * time.Millisecond
