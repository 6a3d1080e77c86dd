package conformance

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/subject"
)

// Preflight asks the target whether it is a subject at all, and measures the
// round trip to it. The error of a target that never sent one monolock frame
// says what was seen and what to try ([subject.NoAnswerError]). It blocks for
// some seconds at most.
func Preflight(ctx context.Context, target Target, p Params) (rtt time.Duration, err error) {
	name := p.LockPrefix + p.Nonce + "/preflight"
	answer, err := subject.Ask(ctx, target.Server, name)
	if err != nil {
		return 0, err
	}
	rtt, err = subject.RoundTrip(ctx, target.Server, name+"/rtt", preflightAnswers)
	if err != nil && ctx.Err() == nil {
		return answer.RoundTrip, nil // it is a subject; what it does not answer is for scenarios
	}
	return rtt, err
}

// preflightAnswers are enough for a median that one slow answer does not move.
const preflightAnswers = 9

// NewNonce returns a short text that makes the lock names of one run its own, so
// that two runs against one server never meet.
func NewNonce() string {
	var b [3]byte
	rand.Read(b[:])
	return hex.EncodeToString(b[:])
}
