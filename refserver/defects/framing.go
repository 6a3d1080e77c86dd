package defects

import (
	"bytes"
	"io"
	"math/bits"
	"net"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/wire"
	"github.com/monolock-dev/monolock-conform/refserver"
)

// anything is every requirement that a server is judged by without a feature.
var anything = ids(`
	S-FRM-01 S-FRM-02 S-FRM-03 S-FRM-04 S-FRM-05
	S-ACQ-01 S-ACQ-02 S-ACQ-03 S-ACQ-04 S-ACQ-05 S-ACQ-06 S-ACQ-07 S-ACQ-08 S-ACQ-09 S-ACQ-10 S-ACQ-11 S-ACQ-12
	S-ACQ-13 S-ACQ-14 S-ACQ-15 S-ACQ-16 S-ACQ-17 S-ACQ-18 S-ACQ-19 S-ACQ-20 S-ACQ-21 S-ACQ-22 S-ACQ-23
	S-HB-01 S-HB-02 S-HB-03 S-HB-04 S-HB-05 S-HB-06 S-HB-07 S-HB-08 S-HB-09 S-HB-10 S-HB-11 S-HB-12 S-HB-13 S-HB-14
	S-HB-16 S-HB-17 S-HB-18
	S-Q-01 S-Q-02 S-Q-03 S-Q-04 S-Q-05 S-Q-06 S-Q-07 S-Q-08 S-Q-09 S-Q-10 S-Q-11 S-Q-14
	S-TOK-01 S-TOK-02 S-TOK-03 S-TOK-04 S-TOK-05
	S-ROB-01 S-ROB-02 S-ROB-03 S-ROB-04 S-ROB-05 S-ROB-06 S-SHUT-01 S-SHUT-03`)

// strangers never say one frame.
func strangers() []Defect {
	return []Defect{
		{
			ID: "slammer", Past: true,
			Sentence: "It closes every connection as soon as it is accepted.",
			Must:     ids("S-ACQ-01 S-ACQ-03 S-ACQ-06 S-ACQ-07 S-ACQ-10 S-ACQ-11 S-ACQ-13 S-ACQ-14 S-ACQ-20 S-ACQ-23"),
			May:      anything,
			New: conns(func() func(net.Conn) net.Conn {
				return func(nc net.Conn) net.Conn {
					_ = nc.Close()
					return nil
				}
			}),
		},
		{
			ID: "mute", Past: true,
			Sentence: "It accepts connections and reads, and never says anything nor closes.",
			Must:     ids("S-ACQ-01 S-ACQ-03 S-ACQ-06 S-ACQ-07 S-ACQ-10 S-ACQ-11 S-ACQ-13 S-ACQ-14 S-ACQ-20 S-ACQ-23 S-ROB-02 S-ROB-03"),
			May:      anything,
			New:      rules(silence),
		},
		{
			ID: "name-length-little-endian", Past: true,
			Sentence: "It reads name_len little endian, and so waits for bytes that never come.",
			Must:     ids("S-FRM-01 S-ACQ-01 S-ACQ-10"),
			May:      anything,
			New: conns(func() func(net.Conn) net.Conn {
				return func(nc net.Conn) net.Conn {
					return header(nc, func(h []byte) { h[6], h[7] = h[7], h[6] })
				}
			}),
		},
	}
}

// silence takes every word and every close from a server.
func silence(r *changed) {
	r.say = func(out []frame, _ *session, _ frame, _ occasion) []frame { return out }
	r.hangsUp = func(*session, occasion) bool { return false }
}

func framing() []Defect {
	return []Defect{
		{
			ID:       "lease-little-endian",
			Sentence: "It reads lease_ms little endian.",
			Must:     ids("S-FRM-01"),
			May:      ids("S-ACQ-09 S-HB-04 S-HB-05 S-HB-06 S-HB-07 S-HB-08 S-HB-09 S-HB-10 S-HB-11 S-HB-12 S-HB-13 S-HB-14 S-HB-17 S-HB-18 S-Q-06 S-Q-10"),
			New: rules(func(r *changed) {
				r.lease = func(a wire.Acquire) time.Duration {
					a.LeaseMS = bits.ReverseBytes32(a.LeaseMS)
					return standard.Lease(a)
				}
			}),
		},
		{
			ID:       "token-little-endian",
			Sentence: "It writes tokens little endian, so that they grow in the wrong byte.",
			Must:     ids("S-FRM-01"),
			May:      ids("S-TOK-02 S-TOK-03 S-TOK-04 S-TOK-05"),
			New: rules(func(r *changed) {
				r.say = func(out []frame, _ *session, f frame, _ occasion) []frame {
					f.Token = bits.ReverseBytes64(f.Token)
					return append(out, f)
				}
			}),
		},
		{
			ID:       "a-read-is-a-message",
			Sentence: "It takes what one read returns for whole messages, and hangs up on a cut one.",
			Must:     ids("S-FRM-02"),
			May:      ids("S-ACQ-11 S-HB-06 S-HB-13 S-ROB-01 S-ROB-02"),
			New: conns(func() func(net.Conn) net.Conn {
				return func(nc net.Conn) net.Conn { return chunks(nc, hangUpOnCut) }
			}),
		},
		{
			ID:       "a-read-is-one-message",
			Sentence: "It takes one message from what one read returns, and drops the others.",
			Must:     ids("S-FRM-03 S-HB-16"),
			May:      ids("S-ROB-01 S-ROB-04"),
			New: conns(func() func(net.Conn) net.Conn {
				return func(nc net.Conn) net.Conn {
					var at cursor
					return chunks(nc, func(chunk []byte) ([]byte, error) {
						if len(chunk) == 0 {
							return nil, nil
						}
						return chunk[:at.next(chunk)], nil
					})
				}
			}),
		},
		{
			ID:       "reason-nul-terminated",
			Sentence: "It ends the reason of an ERROR with a NUL that reason_len does not count.",
			Must:     ids("S-FRM-04"),
			May:      ids("S-ACQ-03 S-ACQ-04 S-ACQ-05 S-ACQ-06 S-ACQ-07 S-ACQ-11 S-ACQ-12 S-ACQ-13 S-ACQ-14 S-ACQ-19 S-ACQ-20 S-ACQ-21 S-ACQ-23 S-ROB-01 S-SHUT-01"),
			New: rules(func(r *changed) {
				r.say = func(out []frame, _ *session, f frame, _ occasion) []frame {
					out = append(out, f)
					if f.Type == wire.TypeError {
						out = append(out, frame{Type: 0}) // one byte
					}
					return out
				}
			}),
		},
		{
			ID:       "reason-latin-1",
			Sentence: "It writes the reason of an ERROR in Latin-1.",
			Must:     ids("S-FRM-05"),
			New: rules(func(r *changed) {
				r.say = func(out []frame, _ *session, f frame, _ occasion) []frame {
					if f.Type == wire.TypeError {
						f.Reason = "Zugriff verweigert f\xfcr: " + f.Reason
					}
					return append(out, f)
				}
			}),
		},
	}
}

// hangUpOnCut passes a chunk of whole messages on. A full chunk is a long
// message that no single read can hold.
func hangUpOnCut(chunk []byte) ([]byte, error) {
	var at cursor
	for rest := chunk; len(rest) > 0; {
		rest = rest[at.next(rest):]
	}
	if at.inside() && len(chunk) < chunkSize && bytes.IndexByte(chunk, byte(wire.TypeAcquire)) == 0 {
		return nil, io.EOF
	}
	return chunk, nil
}

// recode is a server that says one code in place of another on some occasions.
func recode(from, to wire.Code, when func(s *session, why occasion) bool) func(refserver.Config) Server {
	return rules(func(r *changed) {
		r.say = func(out []frame, s *session, f frame, why occasion) []frame {
			if f.Type == wire.TypeError && f.Code == from && when(s, why) {
				f = wire.ErrorFrame(to, to.Text())
			}
			return append(out, f)
		}
	})
}

func always(*session, occasion) bool { return true }
