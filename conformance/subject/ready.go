package subject

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

// Bounds of asking a server that may be none. A mute target takes all but the
// first: 5 s + 2 probes of 1.5 s = 8 s, so that the run says within ten
// seconds what is wrong.
const (
	dialLimit   = 5 * time.Second         // a lost SYN is sent again after 1 s and 3 s
	answerLimit = 5 * time.Second         // the documented io-timeout: no server needs longer for one answer
	probeLimit  = 1500 * time.Millisecond // several round trips to anywhere, with a handshake
)

// askLease is the lease of the claims made here: long beside the exchange, and
// short enough to free the lock should the close get lost.
const askLease = 10 * time.Second

// Answer is what a server answered to an ACQUIRE.
type Answer struct {
	Frame     wire.Frame    // WAITING, ACQUIRED or ERROR
	RoundTrip time.Duration // from before the write to after the frame's last byte
}

// Ask asks s for a lock on a connection of its own and returns the answer, any
// answer. The name should be fresh, so that nobody waits behind it.
// It blocks for at most 5 s until the connection stands and 5 s more until the
// answer; a target that stays mute or closes is then probed for TLS and HTTP
// on further connections, 1.5 s each. All connections are closed on return.
// Errors: *NoAnswerError for a target that gave no frame, with what was seen
// and what to try; ctx's own when it was cancelled.
func Ask(ctx context.Context, s Server, lock string) (Answer, error) {
	answer, err := askOnce(ctx, s, lock)
	if none, ok := err.(*NoAnswerError); ok { //nolint:errorlint // askOnce wraps none
		none.Speaks = probe(ctx, s, none.Kind)
	}
	return answer, err
}

// askOnce is Ask without the probes.
func askOnce(ctx context.Context, s Server, lock string) (Answer, error) {
	x, err := open(ctx, s)
	if err != nil {
		return Answer{}, err
	}
	defer x.close()
	return x.ask(acquire(lock))
}

// RoundTrip measures s: the median time of n answers on one connection, the
// first to an ACQUIRE, the others to HEARTBEATs. An n below 1 counts as 1.
// It blocks for at most 5 s per answer and 5 s for the connection.
// Errors: those of [Ask], without probes, and an ERROR instead of a grant.
func RoundTrip(ctx context.Context, s Server, lock string, n int) (time.Duration, error) {
	x, err := open(ctx, s)
	if err != nil {
		return 0, err
	}
	defer x.close()
	var times []time.Duration
	for request := acquire(lock); len(times) < max(n, 1); request = wire.HeartbeatFrame {
		answer, err := x.ask(request)
		if err != nil {
			return 0, err
		}
		if answer.Frame.Type == wire.TypeError {
			return 0, fmt.Errorf("%s: the round trip cannot be measured on lock %s: the answer to %v was %v, "+
				"a grant was expected; may this client hold locks of that prefix?",
				s.Target(), wire.QuoteName(lock), request.Type, answer.Frame)
		}
		times = append(times, answer.RoundTrip)
	}
	slices.Sort(times)
	return times[len(times)/2], nil
}

func acquire(lock string) wire.Frame {
	return wire.AcquireFrame(lock, uint32(askLease/time.Millisecond))
}
