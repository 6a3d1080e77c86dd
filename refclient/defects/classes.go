package defects

import (
	"errors"
	"strings"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/wire"
	"github.com/monolock-dev/monolock-conform/refclient"
)

// classes are what the codes of refusals are taken for.
func classes() []Defect {
	return []Defect{
		{
			ID:       "retries-known-codes-only",
			Sentence: "It asks again after 0x01 and 0x02 only.",
			Must:     ids("C-ERR-04"),
			New: retrying(func(e *refclient.Error) bool {
				return e.Code == wire.CodeShuttingDown || e.Code == wire.CodeClosedByAdmin
			}),
		},
		{
			ID:       "stops-at-known-codes-only",
			Sentence: "It stops at the client errors that have a name, and asks again after all others.",
			Must:     ids("C-ERR-04"),
			New:      retrying(func(e *refclient.Error) bool { return !e.Code.IsClientError() || e.Code.Text() == "" }),
		},
		{
			ID:       "code-signed",
			Sentence: "It reads the code as a signed byte, so that codes from 0x80 are below 0x10.",
			Must:     ids("C-ERR-04"),
			New:      retrying(func(e *refclient.Error) bool { return int8(e.Code) < 0x10 }),
		},
		{
			ID:       "retries-client-errors",
			Sentence: "It asks again after every code.",
			Must:     ids("C-ERR-03 C-ERR-04"),
			May:      ids("C-ERR-05"),
			New:      retrying(func(*refclient.Error) bool { return true }),
		},
		{
			ID:       "retries-a-name-too-long",
			Sentence: "It sends names that are too long, and asks again after 0x15.",
			Must:     ids("C-ACQ-04"),
			May:      ids("C-ERR-03"),
			New: rules(func(r *changed) {
				r.check = func(name string, lease time.Duration) *refclient.Error {
					return standard.Check(name[:min(len(name), 1)], lease)
				}
				r.again = func(e *refclient.Error) bool { return standard.Again(e) || e.Is(refclient.ErrNameTooLong) }
			}),
		},
		{
			ID:       "reason-decides",
			Sentence: "It decides by the reason: it stops when that says fatal or too long, and asks again when it says shutting down or retry.",
			Must:     ids("C-ERR-05"),
			New: retrying(func(e *refclient.Error) bool {
				says := func(words string) bool { return strings.Contains(e.Reason, words) }
				switch {
				case says("fatal"), says("too long"):
					return false
				case says("shutting down"), says("retry"):
					return true
				}
				return !e.Code.IsClientError()
			}),
		},
		{
			ID:       "code-not-reported",
			Sentence: "Its errors do not have the code.",
			Must:     ids("C-ERR-06"),
			New: func(cfg config) client {
				return calls(cfg, func(do call) call {
					return do.withError(withoutCode)
				})
			},
		},
		{
			ID:       "always-advises-a-retry",
			Sentence: "Its one attempt says of every refusal that another one makes sense.",
			Must:     ids("C-ERR-06"),
			New: func(cfg config) client {
				c := refclient.New(cfg)
				return caller{once: call(c.Do).withError(advising), retry: c.DoRetry}
			},
		},
	}
}

// retrying makes a client that goes another way after refusals.
func retrying(again func(e *refclient.Error) bool) func(config) client {
	return func(cfg config) client {
		cfg.Rules = &changed{again: func(e *refclient.Error) bool {
			if !e.Refused || e.Held {
				return standard.Again(e)
			}
			return again(e)
		}}
		c := refclient.New(cfg)
		return caller{once: c.Do, retry: c.DoRetry}
	}
}

// advice is an error with another opinion on whether a retry makes sense.
type advice struct {
	error
	temporary bool
}

func (a advice) Temporary() bool { return a.temporary }
func (a advice) Unwrap() error   { return a.error }

// advising says of a refusal that another attempt makes sense.
func advising(err error) error {
	if e, ok := errors.AsType[*refclient.Error](err); ok && e.Refused {
		return advice{err, true}
	}
	return err
}

// withoutCode takes the code off a refusal, and nothing else.
func withoutCode(err error) error {
	e, ok := errors.AsType[*refclient.Error](err)
	if !ok || !e.Refused {
		return err
	}
	bare := errors.New("refused")
	if e.Held {
		bare = errors.Join(bare, refclient.ErrLost)
	}
	return advice{bare, e.Temporary()}
}
