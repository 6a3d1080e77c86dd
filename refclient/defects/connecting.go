package defects

import (
	"encoding/binary"
	"math"
	"net"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/wire"
	"github.com/monolock-dev/monolock-conform/refclient"
)

// connecting is what a client sends first, what it sends later, and what it
// takes for a grant.
func connecting() []Defect {
	return []Defect{
		{
			ID:       "lease-in-seconds",
			Sentence: "It sends the lease in seconds.",
			Must:     ids("C-ACQ-01"),
			May:      ids("C-RD-01 C-HB-01"),
			New: acquire(func(a *wire.Acquire, _ *[]byte) {
				a.LeaseMS = (a.LeaseMS + 999) / 1000
			}),
		},
		{
			ID:       "lease-little-endian",
			Sentence: "It sends the lease as a little endian number.",
			Must:     ids("C-ACQ-01"),
			New: acquire(func(a *wire.Acquire, _ *[]byte) {
				var b [4]byte
				binary.LittleEndian.PutUint32(b[:], a.LeaseMS)
				a.LeaseMS = binary.BigEndian.Uint32(b[:])
			}),
		},
		{
			ID:       "lease-of-31-bits",
			Sentence: "It keeps the lease in a signed number of 32 bits, and cuts what is longer.",
			Must:     ids("C-ACQ-01"),
			New:      acquire(func(a *wire.Acquire, _ *[]byte) { a.LeaseMS = min(a.LeaseMS, math.MaxInt32) }),
		},
		{
			ID:       "name-length-counts-characters",
			Sentence: "It puts the number of characters into name_len, not that of bytes.",
			Must:     ids("C-ACQ-03"),
			May:      ids("C-ACQ-06"),
			New: rules(func(r *changed) {
				r.acquire = func(name string, leaseMS uint32) []byte {
					b := standard.Acquire(name, leaseMS)
					binary.BigEndian.PutUint16(b[6:], uint16(len([]rune(name))))
					return b
				}
			}),
		},
		{
			ID:       "version-0",
			Sentence: "It sends version 0.",
			Must:     ids("C-ACQ-01"),
			May:      ids("C-RD-01"),
			New:      acquire(func(a *wire.Acquire, _ *[]byte) { a.Version = 0 }),
		},
		{
			ID:       "second-lease-of-a-millisecond",
			Sentence: "On every connection but the first it asks for a lease of a millisecond.",
			Must:     ids("C-ACQ-01"),
			New:      acquireAgain(func(a *wire.Acquire) { a.LeaseMS = 1 }),
		},
		{
			ID:       "second-name-is-another",
			Sentence: "On every connection but the first it asks for another lock.",
			Must:     ids("C-ACQ-01"),
			May:      ids("C-EXC-01"),
			New:      acquireAgain(func(a *wire.Acquire) { a.Name += "-2" }),
		},
		{
			ID:       "second-version-is-another",
			Sentence: "On every connection but the first it sends version 2, though nobody has refused version 1.",
			Must:     ids("C-ACQ-01"),
			New:      acquireAgain(func(a *wire.Acquire) { a.Version = 2 }),
		},
		{
			ID:       "acquire-twice",
			Sentence: "It sends its ACQUIRE twice.",
			Must:     ids("C-ACQ-02"),
			May: ids(`C-ACQ-05 C-ACQ-06 C-CAN-01 C-CAN-02 C-DBT-01 C-DBT-02 C-DBT-04 C-DBT-06 C-HB-01 C-HB-02 C-HB-08
				C-HB-10 C-RD-01 C-RD-06 C-REL-01 C-REL-02 C-REL-04 C-REL-05 C-TO-04 C-TO-05 C-TO-06 C-TO-07`),
			New: acquire(func(a *wire.Acquire, more *[]byte) {
				*more = wire.Bytes(frame{Type: wire.TypeAcquire, Acquire: *a})
			}),
		},
		{
			ID:       "acquire-as-heartbeat",
			Sentence: "It repeats its ACQUIRE where it should heartbeat.",
			Must:     ids("C-ACQ-02"),
			May: ids(`C-ACQ-05 C-ACQ-06 C-CAN-01 C-CAN-02 C-DBT-01 C-DBT-02 C-DBT-04 C-DBT-06 C-HB-01 C-HB-02 C-HB-08
				C-HB-10 C-RD-01 C-RD-06 C-REL-01 C-REL-02 C-REL-04 C-REL-05 C-TO-04 C-TO-05 C-TO-06 C-TO-07`),
			New: conns(each(func(nc net.Conn) net.Conn {
				var first []byte
				return &through{Conn: nc, write: func(p []byte) (int, error) {
					if first == nil {
						first = append(first, p...)
					}
					if _, err := nc.Write(first); err != nil {
						return 0, err
					}
					return len(p), nil
				}}
			})),
		},
		{
			ID:       "padded-heartbeat",
			Sentence: "Its heartbeat is a word of two bytes, 0x02 0x00.",
			Must:     ids("C-ACQ-06"),
			May: ids(`C-ACQ-02 C-ACQ-05 C-CAN-01 C-CAN-02 C-DBT-01 C-DBT-02 C-DBT-04 C-DBT-06 C-HB-01 C-HB-02 C-HB-08
				C-HB-10 C-RD-01 C-RD-06 C-REL-01 C-REL-02 C-REL-04 C-REL-05 C-TO-04 C-TO-05 C-TO-06 C-TO-07`),
			New: conns(each(func(nc net.Conn) net.Conn {
				return &through{Conn: nc, write: func(p []byte) (int, error) {
					if len(p) == wire.HeartbeatSize {
						p = []byte{p[0], 0}
					}
					_, err := nc.Write(p)
					return len(p), err
				}}
			})),
		},
		{
			ID:       "lease-zero-becomes-a-default",
			Sentence: "Asked for lease 0 it asks for 30 s.",
			Must:     ids("C-ACQ-07"),
			New: func(cfg config) client {
				return calls(cfg, func(do call) call { return do.withLease(orDefaultLease) })
			},
		},
		{
			ID:       "retries-a-lease-of-zero",
			Sentence: "It sends lease 0, and asks again after 0x17.",
			Must:     ids("C-ACQ-07"),
			New: rules(func(r *changed) {
				r.check = func(name string, lease time.Duration) *refclient.Error {
					return standard.Check(name, max(lease, time.Millisecond))
				}
				r.deadline = func(s *session) time.Time {
					if s.Lease() == 0 {
						return time.Time{}
					}
					return standard.Deadline(s)
				}
				r.again = func(e *refclient.Error) bool { return standard.Again(e) || e.Is(refclient.ErrLeaseNotPositive) }
			}),
		},
		{
			ID:       "claims-on-waiting",
			Sentence: "It takes WAITING for the grant.",
			Must:     ids("C-ACQ-05"),
			May:      ids("C-RD-02 C-RD-04 C-ERR-01 C-ERR-03 C-ERR-04 C-DBT-03 C-DBT-04 C-DBT-06 C-LOSS-02 C-TOK-01 C-CAN-01 C-EXC-01"),
			New: rules(func(r *changed) {
				r.judge = func(s *session, f frame) decision {
					switch {
					case f.Type == wire.TypeError || s.State() == refclient.Over:
						return standard.Judge(s, f)
					case holds(s):
						return decision{Do: refclient.Confirm}
					}
					return decision{Do: refclient.Grant}
				}
			}),
		},
		{
			ID:       "claims-on-connect",
			Sentence: "It takes the open connection for the grant.",
			Must:     ids("C-ACQ-05"),
			May: ids(`C-RD-02 C-RD-04 C-ERR-01 C-ERR-02 C-ERR-03 C-ERR-04 C-ERR-05 C-ERR-06 C-ERR-08 C-ERR-09
				C-DBT-03 C-DBT-04 C-DBT-06 C-LOSS-02 C-TOK-01 C-CAN-01 C-EXC-01`),
			New: conns(each(func(nc net.Conn) net.Conn {
				granted := wire.Bytes(wire.AcquiredFrame(0))
				opened := false
				rest := edited(nc, func(f frame) []byte {
					if f.Type == wire.TypeError {
						return wire.Bytes(f)
					}
					return granted
				})
				return &through{Conn: rest, read: func(p []byte) (int, error) {
					if !opened {
						opened = true
						return copy(p, granted), nil
					}
					return rest.Read(p)
				}}
			})),
		},
	}
}

// acquire makes a client that sends another ACQUIRE, and more behind it.
func acquire(change func(a *wire.Acquire, more *[]byte)) func(config) client {
	return rules(func(r *changed) {
		r.acquire = func(name string, leaseMS uint32) []byte {
			f, more := wire.AcquireFrame(name, leaseMS), []byte(nil)
			change(&f.Acquire, &more)
			return append(wire.Bytes(f), more...)
		}
	})
}

// acquireAgain makes a client that changes the ACQUIRE of every connection but the first.
func acquireAgain(change func(a *wire.Acquire)) func(config) client {
	return rules(func(r *changed) {
		first := true
		r.acquire = func(name string, leaseMS uint32) []byte {
			f := wire.AcquireFrame(name, leaseMS)
			if !first {
				change(&f.Acquire)
			}
			first = false
			return wire.Bytes(f)
		}
	})
}
