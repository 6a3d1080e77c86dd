package defects

import (
	"bytes"
	"net"

	"github.com/monolock-dev/monolock-conform/conformance/wire"
	"github.com/monolock-dev/monolock-conform/refserver"
)

// heartbeats are answered wrongly.
func heartbeats() []Defect {
	return []Defect{
		{
			ID:       "first-heartbeat-after-promotion-unanswered",
			Sentence: "It does not answer the first heartbeat after a promotion.",
			Must:     ids("S-HB-01"),
			May:      ids("S-HB-02 S-HB-03 S-HB-10 S-HB-17 S-FRM-04 S-Q-07 S-ROB-04 S-TOK-01"),
			New: rules(func(r *changed) {
				promoted := make(map[*session]bool)
				r.say = func(out []frame, s *session, f frame, why occasion) []frame {
					if why == refserver.OnHeartbeat && promoted[s] {
						delete(promoted, s)
						return out
					}
					promoted[s] = why == refserver.OnPromotion
					return append(out, f)
				}
			}),
		},
		{
			ID:       "waiter-unanswered",
			Sentence: "It does not answer heartbeats of waiters.",
			Must:     ids("S-HB-02"),
			May:      ids("S-ACQ-08 S-FRM-03 S-FRM-04 S-HB-01 S-HB-03 S-HB-04 S-HB-05 S-HB-06 S-HB-16 S-HB-17 S-Q-08 S-Q-09 S-ROB-04 S-ROB-06"),
			New: rules(func(r *changed) {
				r.say = func(out []frame, _ *session, f frame, why occasion) []frame {
					if why == refserver.OnHeartbeat && f.Type == wire.TypeWaiting {
						return out
					}
					return append(out, f)
				}
			}),
		},
		{
			ID:       "answers-twice",
			Sentence: "It answers every heartbeat twice.",
			Must:     ids("S-HB-03"),
			May:      ids("S-HB-01 S-HB-02 S-Q-02 S-Q-07"),
			New: rules(func(r *changed) {
				r.say = func(out []frame, _ *session, f frame, why occasion) []frame {
					if why == refserver.OnHeartbeat {
						out = append(out, f)
					}
					return append(out, f)
				}
			}),
		},
		{
			ID:       "promotion-said-twice",
			Sentence: "It pushes every promotion twice.",
			Must:     ids("S-HB-03"),
			New: rules(func(r *changed) {
				r.say = func(out []frame, _ *session, f frame, why occasion) []frame {
					if why == refserver.OnPromotion {
						out = append(out, f)
					}
					return append(out, f)
				}
			}),
		},
		{
			ID:       "burst-answered-once",
			Sentence: "It answers more than eight heartbeats that come in one read with one answer.",
			Must:     ids("S-HB-16"),
			May:      ids("S-ROB-01 S-ROB-04"),
			New: conns(func() func(net.Conn) net.Conn {
				burst := bytes.Repeat([]byte{byte(wire.TypeHeartbeat)}, 9)
				return func(nc net.Conn) net.Conn {
					return chunks(nc, func(chunk []byte) ([]byte, error) {
						if at := bytes.Index(chunk, burst); at >= 0 {
							rest := bytes.TrimLeft(chunk[at:], "\x02")
							chunk = append(chunk[:at+1], rest...)
						}
						return chunk, nil
					})
				}
			}),
		},
	}
}
