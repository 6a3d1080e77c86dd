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

var errorCodes = []conformance.Scenario{
	{
		ID: "client/errors/shutting-down", Role: spec.RoleClient, Needs: retry,
		Title:  "code 0x01: the client connects again at once",
		Judges: []spec.ID{spec.C_ERR_01}, Notices: []spec.ID{spec.C_ACQ_01}, Leases: 2,
		Method: "A waiter is told ERROR 0x01, three times in a row, and another at its ACQUIRE. A new connection with a new ACQUIRE comes at once each time.",
		Run: func(t *conformance.T) {
			t.Together(
				func(t *conformance.T) { t.Case("waiting", func(t *conformance.T) { atOnceAgain(t, true) }) },
				func(t *conformance.T) { t.Case("at ACQUIRE", func(t *conformance.T) { atOnceAgain(t, false) }) },
			)
		},
	},
	{
		ID: "client/errors/server-conditions", Role: spec.RoleClient, Needs: retry,
		Title:  "codes 0x02 to 0x0f: the client connects again with backoff",
		Judges: []spec.ID{spec.C_ERR_02}, Notices: []spec.ID{spec.C_ACQ_01, spec.C_ERR_04, spec.C_ACQ_02}, Leases: 8,
		Method: "Each ACQUIRE is answered with the same code: 0x02, 0x03, 0x0f and the unassigned 0x00. The client comes back, and the mean of the first three pauses is at least 20 ms.",
		Run: func(t *conformance.T) {
			codes := []wire.Code{0x02, 0x03, 0x0f, 0x00}
			cases(t, codes, codeName, comesBackWithPauses)
		},
	},
	{
		ID: "client/errors/client-errors", Role: spec.RoleClient,
		Title:  "codes from 0x10: shown, and no new attempt",
		Judges: []spec.ID{spec.C_ERR_03, spec.C_ERR_04}, Leases: 8,
		Method: "Assigned and unassigned codes from 0x10 to 0xff at ACQUIRE, and some while waiting. The result is stop, and no second attempt follows, but for one with another version after 0x10. In retrying clients some come on a second connection, too, and while they hold.",
		Run: func(t *conformance.T) {
			codes := []wire.Code{0x10, 0x11, 0x12, 0x14, 0x15, 0x18, 0x19, 0x7f, 0x80, 0xff}
			cases(t, codes, codeName, func(t *conformance.T, code wire.Code) { stops(t, code, code.Text(), false, idOf(code)) })
			cases(t, []wire.Code{0x18, 0x80}, codeName, func(t *conformance.T, code wire.Code) { stops(t, code, code.Text(), true, idOf(code)) })
			if t.Offers(spec.FeatureRetry) {
				cases(t, laterRefusals, laterRefusal.String, stopsThere)
			}
		},
	},
	{
		ID: "client/errors/only-the-code-decides", Role: spec.RoleClient,
		Title:  "only the code decides, whatever the reason says",
		Judges: []spec.ID{spec.C_ERR_05}, Leases: 8,
		Method: "ERRORs whose reasons lie, are empty, 255 bytes long, of many bytes a character, and not UTF-8. Client errors stop; in retrying clients server conditions come back.",
		Run: func(t *conformance.T) {
			reasons := []string{
				"server shutting down", "temporary, please retry", "", strings.Repeat("r", 255), strings.Repeat("\u20ac", 85), "\xff\xfe\x80", "line\nbreak\x1b[31m",
			}
			cases(t, reasons, wire.QuoteName, func(t *conformance.T, reason string) { stops(t, wire.CodeNotAuthorized, reason, false, spec.C_ERR_05) })
			if t.Offers(spec.FeatureRetry) {
				lies := []string{"lock name too long", "fatal: do not retry", "", "\xff\xfe\x80"}
				cases(t, lies, wire.QuoteName, func(t *conformance.T, reason string) { comesBack(t, wire.CodeClosedByAdmin, reason, spec.C_ERR_05) })
			}
		},
	},
	{
		ID: "client/errors/code-reaches-the-caller", Role: spec.RoleClient, Needs: []spec.Feature{spec.FeatureClassify},
		Title:  "the code reaches the caller, and so does whether a retry makes sense",
		Judges: []spec.ID{spec.C_ERR_06}, Leases: 4,
		Method: "One attempt, answered with codes of both ranges, assigned or not. The result holds the code, and says retry below 0x10 and stop from there. What it says of a connection that ends before the grant is recorded.",
		Run: func(t *conformance.T) {
			codes := []wire.Code{0x01, 0x02, 0x0f, 0x10, 0x15, 0x18, 0x7f, 0xff}
			cases(t, codes, codeName, func(t *conformance.T, code wire.Code) {
				claim, peer, _ := asked(t)
				peer.Error(code, code.Text())
				peer.Close()
				want := subject.OutcomeRetry
				if code.IsClientError() {
					want = subject.OutcomeStop
				}
				r := claim.WantResult(spec.C_ERR_06, "the caller learns whether a retry makes sense", want)
				got := "none"
				if r.Code != nil {
					got = wire.Code(*r.Code).String()
				}
				t.Expect(spec.C_ERR_06, "the caller learns the code", got, gomega.Equal(code.String()))
			})
			t.Case("FIN before the grant", func(t *conformance.T) {
				claim, peer, _ := asked(t)
				peer.Close()
				// No code, and the documents say of codes only when a retry makes sense.
				if e, ended := claim.Next(time.Now().Add(conformance.AnswerTime), subject.Result); ended {
					t.Observe(spec.C_ERR_06, "result_after_a_fin_before_the_grant", string(e.Outcome))
				}
			})
		},
	},
	{
		ID: "client/errors/while-holding", Role: spec.RoleClient,
		Title:  "an ERROR while holding ends the claim at once and stops the work",
		Judges: []spec.ID{spec.C_ERR_07}, Leases: 4,
		Method: "A holder is told an ERROR of each range, with the close behind it or without. The stop signal reaches the work at once.",
		Run: func(t *conformance.T) {
			codes := []wire.Code{0x01, 0x02, 0x0f, 0x12, 0x19, 0xff}
			cases(t, codes, codeName, func(t *conformance.T, code wire.Code) {
				claim, peer, _ := holding(t, conformance.ForLease(longLease(t))) // at once, and not with the next heartbeat
				sent := peer.Error(code, code.Text())
				claim.WantEnd(spec.C_ERR_07, "an ERROR ends the claim at once", t.AtOnce(sent))
			})
		},
	},
	{
		ID: "client/errors/unreachable", Role: spec.RoleClient, Needs: retry,
		Title:  "an unreachable server is tried again with backoff, without a busy loop",
		Judges: []spec.ID{spec.C_ERR_08}, Leases: 4,
		Method: "The port is closed for a while, twice, and up to five times as long as the client is there within the blink of an eye when it opens again, as a busy loop is each time. The client finds it open again.",
		Run:    unreachable,
	},
	{
		ID: "client/errors/backoff-grows", Role: spec.RoleClient, Needs: retry,
		Title:  "against a server that turns it away each time, the client's pauses grow",
		Judges: []spec.ID{spec.C_ERR_09}, Leases: 16,
		Method: "A server accepts and closes each time; another answers each ACQUIRE with ERROR 0x02. Pauses 4 to 6 together are longer than 1 to 3, or stand at a cap.",
		Run: func(t *conformance.T) {
			closes := func(t *conformance.T) {
				t.Case("accepts and closes", func(t *conformance.T) { grows(t, (*conformance.Peer).Close) })
			}
			refuses := func(t *conformance.T) {
				t.Case("ERROR 0x02 at once", func(t *conformance.T) {
					grows(t, func(p *conformance.Peer) conformance.Stamp {
						p.WantAcquire(spec.C_ACQ_01, "the client asks for the lock")
						return turnAway(p, wire.CodeClosedByAdmin, wire.CodeClosedByAdmin.Text())
					})
				})
			}
			// Twice each: pauses that do not grow are longer by chance half of the time.
			t.Together(closes, refuses, closes, refuses)
		},
	},
}

// idOf is the requirement that a code's class belongs to.
func idOf(code wire.Code) spec.ID {
	if code.Text() == "" {
		return spec.C_ERR_04
	}
	return spec.C_ERR_03
}

// turnAway answers a connection with an ERROR and the close.
func turnAway(p *conformance.Peer, code wire.Code, reason string) conformance.Stamp {
	s := p.Error(code, reason)
	p.Close()
	return s
}

func atOnceAgain(t *conformance.T, waits bool) {
	const most = 3 // more in a row would be a hot loop that the page asks for
	_, peer, server := asked(t, conformance.Retrying())
	for range most {
		if waits {
			peer.Answer()
			peer.Wait()
		}
		told := turnAway(peer, wire.CodeShuttingDown, wire.CodeShuttingDown.Text())
		peer = server.AcceptWithin(spec.C_ERR_01, "after 0x01 the client connects again at once", t.AtOnce(told))
		peer.WantAcquire(spec.C_ERR_01, "with a new ACQUIRE")
	}
}

// comesBackWithPauses judges the first three pauses after a code.
func comesBackWithPauses(t *conformance.T, code wire.Code) {
	const pauses, shortest = 3, 20 * time.Millisecond
	_, peer, server := asked(t, conformance.Retrying())
	id, sum := spec.C_ERR_02, time.Duration(0)
	if code.Text() == "" {
		id = spec.C_ERR_04
	}
	for range pauses {
		told := turnAway(peer, code, code.Text())
		peer = server.AcceptWithin(id, "a server condition is tried again", t.Within(comeBack))
		sum += peer.Opened().Sub(told.After)
		peer.WantAcquire(id, "with a new ACQUIRE")
	}
	if mean := sum / pauses; mean < shortest {
		t.Fail(spec.C_ERR_02, "server conditions are tried again with backoff", "a mean pause of 20 ms at least", mean.String())
		return
	}
	t.Pass(spec.C_ERR_02, "server conditions are tried again with backoff")
}

func comesBack(t *conformance.T, code wire.Code, reason string, id spec.ID) {
	_, peer, server := asked(t, conformance.Retrying())
	turnAway(peer, code, reason)
	again := server.AcceptWithin(id, "a server condition is tried again", t.Within(comeBack))
	again.WantAcquire(id, "with a new ACQUIRE")
}

// stops judges a client error: the result is stop, and nothing is tried again.
func stops(t *conformance.T, code wire.Code, reason string, waits bool, id spec.ID) {
	claim, peer, server := asked(t, retryingIfOffered(t)...)
	if waits {
		peer.Answer()
		peer.Wait()
	}
	turnAway(peer, code, reason)
	wantStop(t, claim, server, code, id)
}

const stopsWhy = "a client error is shown, and nothing is tried again"

// wantStop wants a call that was told a client error to end with result stop, and no
// new attempt before that.
func wantStop(t *conformance.T, claim *conformance.Claim, server *conformance.Script, code wire.Code, id spec.ID) {
	e, ended := wantNoNewAttempt(t, claim, server, code, id)
	if !ended {
		t.Late(id, stopsWhy, "result stop", fmt.Sprintf("no result within %v", patience))
	}
	t.Expect(id, stopsWhy, string(e.Outcome), gomega.Equal(string(subject.OutcomeStop)))
}

// wantNoNewAttempt wants no new attempt before the result, which it returns, or for
// as long as a backoff of a second would show.
func wantNoNewAttempt(t *conformance.T, claim *conformance.Claim, server *conformance.Script, code wire.Code, id spec.ID) (result subject.ClientEvent, ended bool) {
	for end := time.Now().Add(t.Patient(patience)); time.Now().Before(end); {
		if e, ok := claim.Glance(20*time.Millisecond, subject.Result); ok {
			return e, true
		}
		again, ok := server.Glance(0)
		if !ok {
			continue
		}
		a := again.TakeAcquire(id, stopsWhy) // its version may be another
		if code != wire.CodeUnsupportedVersion || a.Version == wire.Version {
			t.Fail(id, stopsWhy, "no new attempt", fmt.Sprintf("%s asks again with version %d", again.Who(), a.Version))
		}
		turnAway(again, code, code.Text())
	}
	return subject.ClientEvent{}, false
}

// unreachable closes the port for a while and opens it again. A client with backoff
// is seldom there in the instant in which it opens, a busy loop always is: one pause
// that shows is enough, and none in five outages is too few. How long each lasts is
// drawn, so that no client's pauses end with it by their own numbers.
func unreachable(t *conformance.T) {
	const why, outages, found = "an unreachable server is tried again with backoff", 5, 2
	const blink = 15 * time.Millisecond
	_, peer, server := asked(t, conformance.Retrying())
	paused := false
	for i := range outages {
		if paused && i >= found {
			break
		}
		server.Refuse()
		peer.Close()
		t.Pause(lease(t)*4/10 + time.Duration(t.Rand.Int64N(int64(lease(t)*3/10))))
		opened := time.Now()
		server.Listen()
		peer = server.AcceptWithin(spec.C_ERR_08, "a server that is back is found again", t.Within(comeBack))
		paused = paused || peer.Opened().Sub(opened) >= blink
		peer.WantAcquire(spec.C_ERR_08, "with a new ACQUIRE")
	}
	if !paused {
		t.Fail(spec.C_ERR_08, why, "pauses between attempts", fmt.Sprintf("the client was there within %v of the port's opening, %d times in %d", blink, outages, outages))
		return
	}
	t.Pass(spec.C_ERR_08, why)
}

// grows judges the pauses between attempts that are turned away each time.
func grows(t *conformance.T, turn func(*conformance.Peer) conformance.Stamp) {
	const why = "pauses 4 to 6 together are longer than 1 to 3, or stand at a cap"
	const atCap = time.Second
	server := t.Script()
	t.Claim(server.Addr(), conformance.ForLease(lease(t)), conformance.Retrying())
	peer := server.Accept(spec.C_ERR_09, "the client connects")
	var pauses []time.Duration
	for len(pauses) < 6 {
		told := turn(peer)
		peer = server.AcceptWithin(spec.C_ERR_09, "the client comes back", t.Within(comeBack+2*time.Second))
		pauses = append(pauses, peer.Opened().Sub(told.After))
		if len(pauses) == 3 && min(pauses[0], pauses[1], pauses[2]) >= atCap {
			t.Pass(spec.C_ERR_09, "pauses stand at a cap from the start")
			return
		}
	}
	first, later := pauses[0]+pauses[1]+pauses[2], pauses[3]+pauses[4]+pauses[5]
	if later <= first*11/10 { // by a tenth: pauses that do not grow differ by the machine's noise
		t.Fail(spec.C_ERR_09, why, "later pauses longer than "+first.String(), fmt.Sprintf("%v: %v together", pauses, later))
		return
	}
	t.Pass(spec.C_ERR_09, why)
}
