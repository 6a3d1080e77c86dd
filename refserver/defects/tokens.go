package defects

import (
	"math/rand/v2"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/wire"
	"github.com/monolock-dev/monolock-conform/refserver"
)

// tokens do not grow, or are not one a session.
func tokens() []Defect {
	return []Defect{
		{
			ID:       "token-changes",
			Sentence: "It acknowledges a heartbeat with a token one larger than the grant's.",
			Must:     ids("S-HB-01 S-TOK-01"),
			May: ids(`S-ACQ-08 S-FRM-01 S-FRM-02 S-FRM-03 S-FRM-04 S-HB-03 S-HB-04 S-HB-05 S-HB-06 S-HB-09 S-HB-10 S-HB-16 S-HB-17
				S-Q-07 S-Q-08 S-ROB-01 S-ROB-04 S-ROB-05`),
			New: rules(func(r *changed) {
				r.say = func(out []frame, _ *session, f frame, why occasion) []frame {
					if why == refserver.OnHeartbeat && f.Type == wire.TypeAcquired {
						f.Token++
					}
					return append(out, f)
				}
			}),
		},
		{
			ID:       "promotion-has-another-token",
			Sentence: "It pushes a promotion with another token than its acknowledgements have.",
			Must:     ids("S-HB-01 S-TOK-01"),
			May:      ids("S-HB-03 S-HB-10 S-HB-17 S-Q-07 S-ROB-04"),
			New: rules(func(r *changed) {
				r.token = func(l *lock, s *session, last uint64, now time.Time) uint64 {
					return standard.Token(l, s, last, now) + 1 // leaves room before each
				}
				r.say = func(out []frame, _ *session, f frame, why occasion) []frame {
					if why == refserver.OnPromotion {
						f.Token--
					}
					return append(out, f)
				}
			}),
		},
		{
			ID:       "token-falls-on-one-lock",
			Sentence: "Each grant of a lock has a smaller token than the one before.",
			Must:     ids("S-TOK-02"),
			May:      ids("S-TOK-03 S-TOK-04"),
			New: rules(func(r *changed) {
				const room = 1 << 12 // grants of one lock
				fresh, last := uint64(0), make(map[string]uint64)
				r.token = func(l *lock, _ *session, _ uint64, now time.Time) uint64 {
					if _, known := last[l.Key()]; !known {
						fresh = max(fresh+room, uint64(now.UnixMilli())<<20)
						last[l.Key()] = fresh
					}
					last[l.Key()]--
					return last[l.Key()]
				}
			}),
		},
		{
			ID:       "token-per-lock",
			Sentence: "Each lock counts its tokens from 1.",
			Must:     ids("S-TOK-03 S-TOK-04 S-TOK-05"),
			May:      ids("S-TOK-02"),
			New: rules(func(r *changed) {
				last := make(map[string]uint64)
				r.token = func(l *lock, _ *session, _ uint64, _ time.Time) uint64 {
					last[l.Key()]++
					return last[l.Key()]
				}
			}),
		},
		{
			ID:       "token-random",
			Sentence: "Tokens are random; every second one is smaller than the one before.",
			Must:     ids("S-TOK-02 S-TOK-03"),
			May:      ids("S-FRM-01 S-TOK-04 S-TOK-05"),
			New: rules(func(r *changed) {
				random := rand.New(rand.NewPCG(1, 2))
				r.token = func(_ *lock, _ *session, last uint64, _ time.Time) uint64 {
					const half = 1 << 63
					return random.Uint64()&^half | (last^half)&half
				}
			}),
		},
		{
			ID:       "token-falls",
			Sentence: "Each grant has a smaller token than the one before.",
			Must:     ids("S-TOK-02 S-TOK-03"),
			May:      ids("S-TOK-04 S-TOK-05"),
			New: rules(func(r *changed) {
				r.token = func(_ *lock, _ *session, last uint64, _ time.Time) uint64 {
					if last == 0 {
						return 1 << 62
					}
					return last - 1
				}
			}),
		},
		{
			ID:       "token-shared-under-load",
			Sentence: "While more than four locks are held, every second grant repeats the token of the grant before, which was of another lock.",
			Must:     ids("S-TOK-04"),
			May:      ids("S-TOK-02 S-TOK-03 S-TOK-05"),
			New:      rules(sharedTokens),
		},
		{
			ID:       "token-starts-again",
			Sentence: "Tokens count from 1 after every start.",
			Must:     ids("S-TOK-05"),
			May:      ids("S-TOK-02 S-TOK-03 S-TOK-04"), // what was granted before the restart counts there, too
			New: rules(func(r *changed) {
				r.token = func(_ *lock, _ *session, last uint64, _ time.Time) uint64 { return last + 1 }
			}),
		},
	}
}

func sharedTokens(r *changed) {
	const load = 4
	held, count := make(map[*lock]bool), 0
	var before *lock
	r.token = func(l *lock, s *session, last uint64, now time.Time) uint64 {
		for other := range held {
			if other.Owner() == nil {
				delete(held, other)
			}
		}
		held[l] = true
		count++
		repeat := len(held) > load && count%2 == 0 && before != l
		before = l
		if repeat {
			return last
		}
		return standard.Token(l, s, last, now)
	}
}
