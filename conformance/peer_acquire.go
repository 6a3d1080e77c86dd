package conformance

import (
	"slices"

	"github.com/monolock-dev/monolock-conform/conformance/spec"
	"github.com/monolock-dev/monolock-conform/conformance/subject"
	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

// LeavesUnasked waits for the client's first message, and reports whether there is none:
// the client ends the connection without a word.
func (p *Peer) LeavesUnasked() bool {
	m, ok := p.box.await(p.t.ctx, p.t.InAnswerTime().By, false, func(message) bool { return true })
	if p.t.ctx.Err() != nil {
		p.t.quit()
	}
	return ok && m.end != nil && !isGarbage(m.end)
}

// judgeAcquire judges what an ACQUIRE asks for: version 1, and the lease and the name
// of a claim that was sent to this server (C-ACQ-01).
func (p *Peer) judgeAcquire(m message) {
	const why = "version, lease and name are as asked"
	asked := p.t.askedOf(p.server)
	if len(asked) == 0 {
		return // nobody was asked for anything here
	}
	if slices.Contains(asked, m.frame.Acquire) {
		p.t.Pass(spec.C_ACQ_01, why)
		return
	}
	p.t.record(Judgement{
		ID: spec.C_ACQ_01, Verdict: failed(spec.C_ACQ_01), Sentence: why,
		Expected: wire.Frame{Type: wire.TypeAcquire, Acquire: asked[0]}.String(),
		Actual:   p.who + ": " + m.frame.String(), Event: m.event,
	})
}

// askedOf are the ACQUIREs that the claims of a server have to send.
func (a *attempt) askedOf(server string) []wire.Acquire {
	a.mu.Lock()
	defer a.mu.Unlock()
	var asked []wire.Acquire
	for _, c := range a.claims {
		if c.ask.Addr == server {
			asked = append(asked, acquireOf(c.ask))
		}
	}
	return asked
}

func acquireOf(ask subject.Claim) wire.Acquire {
	return wire.AcquireFrame(ask.Name, uint32(ask.Lease.Milliseconds())).Acquire
}
