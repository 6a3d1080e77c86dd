package defects

import (
	"time"

	"github.com/monolock-dev/monolock-conform/refclient"
)

// retries are pauses between attempts.
func retries() []Defect {
	return []Defect{
		{
			ID:       "no-retry",
			Sentence: "Its retrying call makes one attempt.",
			Must:     ids("C-ERR-01 C-ERR-02"),
			May:      ids("C-ERR-04 C-ERR-05 C-ERR-08 C-ERR-09 C-LOSS-02"),
			New: func(cfg config) client {
				c := refclient.New(cfg)
				return caller{once: c.Do, retry: c.Do}
			},
		},
		{
			ID:       "slow-after-a-shutdown",
			Sentence: "It waits for a second after ERROR 0x01.",
			Must:     ids("C-ERR-01"),
			New: pausing(func(a *attempts, e *refclient.Error) time.Duration {
				if e.Is(refclient.ErrShuttingDown) {
					return time.Second
				}
				return standard.Pause(a, e)
			}),
		},
		{
			ID:       "hot-retry",
			Sentence: "It asks again a millisecond after any refusal.",
			Must:     ids("C-ERR-02"),
			May:      ids("C-ERR-09"),
			New: pausing(func(a *attempts, e *refclient.Error) time.Duration {
				if e.Refused {
					return time.Millisecond
				}
				return standard.Pause(a, e)
			}),
		},
		{
			ID:       "hot-redial",
			Sentence: "It connects again a millisecond after a connect that failed.",
			Must:     ids("C-ERR-08"),
			May:      ids("C-ERR-09"),
			New: pausing(func(a *attempts, e *refclient.Error) time.Duration {
				if !e.Refused {
					return time.Millisecond
				}
				return standard.Pause(a, e)
			}),
		},
		{
			ID:       "redials-every-8-ms",
			Sentence: "It connects again 8 ms after a connect that failed, each time.",
			Must:     ids("C-ERR-08"),
			May:      ids("C-ERR-09"),
			New: pausing(func(a *attempts, e *refclient.Error) time.Duration {
				if !e.Refused {
					return 8 * time.Millisecond
				}
				return standard.Pause(a, e)
			}),
		},
		{
			ID:       "backoff-shrinks",
			Sentence: "Its pauses begin with 800 ms and become shorter by a third each time, down to 50 ms.",
			Must:     ids("C-ERR-09"),
			New:      rules(shrinking),
		},
		{
			ID:       "backoff-never-grows",
			Sentence: "Its pauses are 60 ms each.",
			Must:     ids("C-ERR-09"),
			May:      ids("C-ERR-08"),
			New: pausing(func(a *attempts, e *refclient.Error) time.Duration {
				return min(standard.Pause(a, e), 60*time.Millisecond)
			}),
		},
		{
			ID:       "backoff-reset-by-a-connect",
			Sentence: "Its pauses begin again with the shortest whenever a connection was opened.",
			Must:     ids("C-ERR-09"),
			New:      rules(resetByConnects),
		},
	}
}

// pausing makes a client with other pauses.
func pausing(pause func(a *attempts, e *refclient.Error) time.Duration) func(config) client {
	return rules(func(r *changed) { r.pause = pause })
}

func shrinking(r *changed) {
	pause := 1200 * time.Millisecond
	r.pause = func(a *attempts, e *refclient.Error) time.Duration {
		if standard.Pause(a, e) == 0 {
			return 0
		}
		pause = max(pause*2/3, 50*time.Millisecond)
		return pause
	}
}

// resetByConnects doubles its pauses, without jitter, while nobody listens.
func resetByConnects(r *changed) {
	const shortest = 100 * time.Millisecond
	pause := shortest
	r.resets = func(why occasion) bool {
		pause = shortest
		return true
	}
	r.pause = func(a *attempts, e *refclient.Error) time.Duration {
		if standard.Pause(a, e) == 0 {
			return 0
		}
		defer func() { pause *= 2 }()
		return min(pause, 5*time.Second)
	}
}
