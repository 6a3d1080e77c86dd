package client

import (
	"fmt"
	"strconv"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/conformance/spec"
	"github.com/monolock-dev/monolock-conform/conformance/subject"
	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

var revocation = []conformance.Scenario{
	{
		ID: "client/revocation/silence-while-holding", Role: spec.RoleClient,
		Title:  "holding, without a confirmation, the claim ends by 0.8 of the lease",
		Judges: []spec.ID{spec.C_TO_01, spec.C_TO_02, spec.C_TO_04}, Leases: 8,
		Method: "The server answers some heartbeats and then none. The stop signal must reach the work by 0.8 lease after the last confirmation, and before the server's lease can end; then the connection is closed, and not before: at its end the server promotes the next. Three leases.",
		Run: func(t *conformance.T) {
			var ends ends
			forEachLease(func(t *conformance.T, l time.Duration) {
				claim, peer, _ := holding(t, conformance.ForLease(l))
				beat(t, peer, l, 2)
				last := peer.FallSilent()
				judgeRevocation(t, claim, last, l, spec.C_TO_01)
				closed := peer.WantClosed(spec.C_TO_04, "then the client closes the connection", t.Within(conformance.AtOnceTime))
				ends.note(t, claim, closed)
			})(t)
			ends.judge(t)
		},
	},
	{
		ID: "client/revocation/never-confirmed-again", Role: spec.RoleClient,
		Title:  "also where nothing but the grant ever came",
		Judges: []spec.ID{spec.C_TO_01, spec.C_TO_02}, Leases: 4,
		Method: "The grant is the only frame that the client ever reads. The claim ends by 0.8 lease after it.",
		Run: func(t *conformance.T) {
			claim, peer, _ := asked(t)
			claim.WantGranted(spec.C_RD_01, "a grant reaches the work", t.AtOnce(peer.Grant(token)))
			judgeRevocation(t, claim, peer.Last(), lease(t), spec.C_TO_01)
		},
	},
	{
		ID: "client/revocation/one-way-losses", Role: spec.RoleClient,
		Title:  "the claim ends likewise when only one direction is lost, or a frame stops half way",
		Judges: []spec.ID{spec.C_TO_03, spec.C_DBT_05}, Leases: 6,
		Method: "Three losses: the answers only, while the server goes on reading; the heartbeats only, while the server stops reading (a zero window); and an answer that stops half way.",
		Run: func(t *conformance.T) {
			t.Together(
				lossCase("the answers are lost", spec.C_TO_03, func(*conformance.T, *conformance.Peer) {}),
				lossCase("the server stops reading", spec.C_DBT_05, stopsReading),
				lossCase("an answer stops half way", spec.C_TO_03, func(_ *conformance.T, p *conformance.Peer) {
					p.AnswerAs(nil)
					p.SendRaw(wire.Bytes(wire.AcquiredFrame(token))[:4], "half an ACQUIRED")
				}),
			)
		},
	},
	{
		ID: "client/revocation/silence-while-waiting", Role: spec.RoleClient,
		Title:  "waiting, without a confirmation, the client gives up by 0.8 of the lease",
		Judges: []spec.ID{spec.C_TO_05}, Leases: 8,
		Method: "The server answers some heartbeats WAITING and then none. The client closes by 0.8 lease after the last. Three leases.",
		Run: forEachLease(func(t *conformance.T, l time.Duration) {
			_, peer, _ := waiting(t, conformance.ForLease(l))
			beat(t, peer, l, 2)
			wantGivenUp(t, peer, l)
		}),
	},
	{
		ID: "client/revocation/no-answer-to-acquire", Role: spec.RoleClient,
		Title:  "no answer to ACQUIRE: given up by 0.8 of the lease",
		Judges: []spec.ID{spec.C_TO_06}, Leases: 4,
		Method: "The server takes the ACQUIRE and says nothing. The client closes by 0.8 lease after it.",
		Run: func(t *conformance.T) {
			_, peer, _ := asked(t)
			came := peer.Asked()
			w := conformance.Window{From: came, By: t.Revocation(confirmedAt(came), lease(t)).By}
			peer.WantClosed(spec.C_TO_06, "an ACQUIRE without an answer is given up", w)
		},
	},
	{
		ID: "client/revocation/late-answers-are-answers", Role: spec.RoleClient,
		Title:  "one answer late by 0.4 lease does not end the claim, nor do answers that are all late by 0.3",
		Judges: []spec.ID{spec.C_TO_07}, Leases: 8,
		Method: "The answer to the third heartbeat comes late by 0.4 lease, its neighbours at once; to another claim every answer comes late by 0.3. Both claims stand for three leases.",
		Run: func(t *conformance.T) {
			t.Together(
				func(t *conformance.T) {
					t.Case("one late by 0.4", func(t *conformance.T) {
						standsWith(t, func(n int) (time.Duration, bool) {
							if n == 2 {
								return lease(t) * 4 / 10, true
							}
							return 0, true
						})
					})
				},
				func(t *conformance.T) {
					t.Case("all late by 0.3", func(t *conformance.T) {
						standsWith(t, func(int) (time.Duration, bool) { return lease(t) * 3 / 10, true })
					})
				},
			)
		},
	},
	{
		ID: "client/revocation/nothing-is-revived", Role: spec.RoleClient,
		Title:  "an ACQUIRED that comes after the claim ended revives nothing",
		Judges: []spec.ID{spec.C_TO_08}, Leases: 6,
		Method: "The server is silent and answers at about 0.8 lease, some milliseconds to either side, and again later. Once the stop signal was given, the work never starts again.",
		Run:    nothingIsRevived,
	},
	{
		ID: "client/revocation/margin", Role: spec.RoleClient,
		Title:  "the safety margin is recorded",
		Judges: []spec.ID{spec.C_TO_09}, Leases: 6,
		Method: "How long before the server's lease could end does the claim end? With prompt answers, with a return path of 0.3 lease, and after a push that says nothing of the last message.",
		Run:    margins,
	},
	{
		ID: "client/revocation/stopped-and-continued", Role: spec.RoleClient, NeedsProcess: true,
		Title:  "a process stopped for longer than the lease ends its claim upon waking",
		Judges: []spec.ID{spec.C_TO_10}, Leases: 6,
		Method: "The adapter and all that it started are stopped for one and a half leases while it holds, and continued; the connection is open and silent. The claim ends at once.",
		Run: func(t *conformance.T) {
			claim, peer, _ := holding(t)
			beat(t, peer, lease(t), 1)
			peer.FallSilent()
			t.Pause(lease(t) / 20) // the answer is read: one that waits in a buffer would count upon waking
			if !claim.Pause() {
				t.Unsupported(spec.C_TO_10, "only a client that runs as a process can be stopped")
				return
			}
			t.Pause(lease(t) * 3 / 2)
			woken := claim.Continue()
			limit := max(lease(t)/10, 250*time.Millisecond)
			w := conformance.Window{From: woken.Before, By: woken.After.Add(limit)}
			claim.WantEnd(spec.C_TO_10, "a claim that slept through its lease ends upon waking", w)
		},
	},
}

// forEachLease runs an experiment for three leases side by side.
func forEachLease(experiment func(*conformance.T, time.Duration)) func(*conformance.T) {
	return func(t *conformance.T) {
		leases := []time.Duration{lease(t), lease(t) * 3 / 2, lease(t) * 5 / 2}
		cases(t, leases, time.Duration.String, experiment)
	}
}

// beat lets that many heartbeats come, each answered.
func beat(t *conformance.T, peer *conformance.Peer, l time.Duration, count int) {
	beatAs(t, spec.C_HB_01, peer, l, count)
}

// beatAs is beat where heartbeats speak for another requirement.
func beatAs(t *conformance.T, id spec.ID, peer *conformance.Peer, l time.Duration, count int) {
	for range count {
		peer.WantHeartbeat(id, "heartbeats go on", interval(t, peer, l))
	}
	peer.Settle()
}

// confirmedAt is a confirmation at an instant, for windows that count from it.
func confirmedAt(at time.Time) conformance.Confirmation {
	return conformance.Confirmation{Sent: conformance.Stamp{Before: at, After: at}}
}

// lossCase is one way of losing a direction while the client holds.
func lossCase(name string, id spec.ID, lose func(*conformance.T, *conformance.Peer)) func(*conformance.T) {
	return func(t *conformance.T) {
		t.Case(name, func(t *conformance.T) {
			claim, peer, _ := holding(t)
			beat(t, peer, lease(t), 2)
			lose(t, peer)
			judgeRevocation(t, claim, peer.FallSilent(), lease(t), id)
		})
	}
}

// stopsReading leaves the client's heartbeats unread, and confirms its claim twice
// more all the same: with a small buffer the client's next write blocks.
func stopsReading(t *conformance.T, p *conformance.Peer) {
	p.StopReading()
	for range 2 {
		t.Pause(lease(t) * 26 / 100)
		p.Grant(token)
	}
}

// judgeRevocation tells five findings apart: too early, on time, late, too late,
// and never. Late is after 0.8 lease since the last confirmation; too late is
// after the server's lease could end, when two could hold the lock.
func judgeRevocation(t *conformance.T, claim *conformance.Claim, last conformance.Confirmation, l time.Duration, id spec.ID) {
	w := t.Revocation(last, l)
	came := last.Answers
	if came.IsZero() {
		came = last.Sent.Before
	}
	serverEnds := came.Add(l)
	e, ended := claim.Next(serverEnds.Add(2*l), subject.Lost, subject.Finished, subject.Result)
	story := func(what string) string {
		return fmt.Sprintf("lease %v; last confirmation at 0 ms; the claim should have ended by %s; %s; the server's lease ended at %s",
			l, ms(l*8/10), what, ms(serverEnds.Sub(w.From)))
	}
	at := "it ended at " + ms(e.At.Sub(w.From))
	const why = "without a confirmation the claim ends by 0.8 lease"
	switch {
	case !ended:
		t.FailAll(why, "the stop signal by 0.8 lease", story(fmt.Sprintf("it never ended, watched for %s", ms(time.Since(w.From))))+"; two could have held the lock from then on", id, spec.C_TO_02)
	case e.Kind == subject.Result:
		t.Fail(id, why, "the stop signal reaches the work", fmt.Sprintf("result %s without a stop signal", e.Outcome))
	case e.At.Before(w.NotBefore):
		// A client that waits for a processor between its stamp and its send looks early.
		t.Late(spec.C_TO_07, "a claim is not given up while late answers may still come", "not before "+ms(w.NotBefore.Sub(w.From)), story(at+", too early"))
	case e.At.After(serverEnds.Add(t.Noise() + conformance.LineTime)):
		t.LateAll(why, "the stop signal by 0.8 lease", story(at+", too late")+fmt.Sprintf("; for %s two could have held the lock", ms(e.At.Sub(serverEnds))), e.At, w, id, spec.C_TO_02)
	case e.At.After(w.By):
		when := "though before the server's lease ended"
		if e.At.After(serverEnds) {
			when = "just when the server's lease ended"
		}
		t.LateAll(why, "the stop signal by 0.8 lease", story(at+", late, "+when), e.At, w, id)
	default:
		t.PassAfter(id, why, e.At.Sub(w.From))
		t.PassAfter(spec.C_TO_02, "the claim ends before the server's lease can", serverEnds.Sub(e.At))
	}
}

func ms(d time.Duration) string {
	return strconv.FormatFloat(float64(d.Microseconds())/1000, 'f', 1, 64) + " ms"
}

// standsWith proves that a claim stands for three leases with answers like that.
func standsWith(t *conformance.T, answering conformance.Answering) {
	claim, peer, _ := asked(t)
	peer.AnswerAs(answering)
	claim.WantGranted(spec.C_RD_01, "a grant reaches the work", t.AtOnce(peer.Grant(token)))
	claim.WantStillClaims(spec.C_TO_07, "answers that are late, and no later than that, do not end the claim", time.Now().Add(3*lease(t)))
}

func nothingIsRevived(t *conformance.T) {
	offsets := []time.Duration{-5, -1, 0, 1, 5, 40}
	cases(t, offsets, func(d time.Duration) string { return fmt.Sprintf("answer at 0.8 lease %+d ms", d) }, func(t *conformance.T, offset time.Duration) {
		claim, peer, _ := holding(t)
		beat(t, peer, lease(t), 1)
		last := peer.FallSilent()
		at := last.Sent.After.Add(lease(t)*8/10 + offset*time.Millisecond)
		t.PauseUntil(at)
		answered := peer.Send(wire.AcquiredFrame(token))
		// Whether this answer still counts is the client's to say; the end comes by
		// 0.8 lease after it at the latest.
		w := conformance.Window{From: last.Sent.Before, By: t.Revocation(conformance.Confirmation{Sent: answered}, lease(t)).By}
		claim.WantEnd(spec.C_TO_01, "the claim ends without further confirmations", w)
		peer.Send(wire.AcquiredFrame(token))
		claim.WantNoClaim(spec.C_TO_08, "an ACQUIRED after the end revives nothing", time.Now().Add(lease(t)/2))
	})
}

// margins records how long before the server's lease the claim ends.
func margins(t *conformance.T) {
	record := func(t *conformance.T, key string, claim *conformance.Claim, last conformance.Confirmation, message time.Time) {
		e, ended := claim.Next(last.Sent.After.Add(3*lease(t)), subject.Lost, subject.Finished)
		if !ended {
			t.Observe(spec.C_TO_09, key, "the claim never ended")
			return
		}
		t.Observe(spec.C_TO_09, key, strconv.FormatInt(message.Add(lease(t)).Sub(e.At).Milliseconds(), 10))
	}
	t.Together(
		func(t *conformance.T) {
			claim, peer, _ := holding(t)
			beat(t, peer, lease(t), 2)
			last := peer.FallSilent()
			record(t, "margin_ms_prompt", claim, last, last.Answers)
		},
		func(t *conformance.T) {
			claim, peer, _ := asked(t)
			peer.AnswerLate(lease(t) * 3 / 10)
			claim.WantGranted(spec.C_RD_01, "a grant reaches the work", t.AtOnce(peer.Grant(token)))
			t.Pause(lease(t))
			peer.FallSilent()
			t.Pause(lease(t) * 3 / 10) // the answer that was on its way
			last := peer.Last()
			record(t, "margin_ms_return_path_of_0.3_lease", claim, last, last.Answers)
		},
		func(t *conformance.T) {
			claim, peer, _ := waiting(t)
			at := peer.WantHeartbeat(spec.C_HB_02, "a waiter heartbeats", interval(t, peer, lease(t)))
			peer.Settle()
			t.PauseUntil(at.Add(lease(t) / 5))
			peer.AnswerAs(nil)
			claim.WantGranted(spec.C_RD_01, "a push reaches the work", t.AtOnce(peer.Grant(token)))
			record(t, "margin_ms_after_push", claim, peer.Last(), at)
		},
	)
}
