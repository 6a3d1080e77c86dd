package adapter

import (
	"context"
	"errors"

	"github.com/monolock-dev/monolock-conform/refclient"
)

// resultOf says how the call ended. A loss counts whatever the work did after.
func (p *player) resultOf(err error) line {
	l := line{Event: "result", Outcome: outcomeOf(err)}
	if err != nil {
		l.Message = err.Error()
	}
	if e, ok := errors.AsType[*refclient.Error](err); ok && e.Refused {
		code := int(e.Code)
		l.Code = &code
	}
	return l
}

func outcomeOf(err error) string {
	var temporary interface{ Temporary() bool }
	switch {
	case err == nil:
		return "ok"
	case errors.Is(err, refclient.ErrLost):
		return "lost"
	case errors.Is(err, errWork):
		return "failed"
	case errors.Is(err, context.Canceled):
		return "cancelled"
	case errors.As(err, &temporary) && temporary.Temporary():
		return "retry"
	}
	return "stop"
}
