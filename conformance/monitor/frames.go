package monitor

import (
	"fmt"
	"strconv"
	"unicode/utf8"

	"github.com/monolock-dev/monolock-conform/conformance/timeline"
	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

// onlyWholeFrames: every byte of the server belongs to a WAITING, an ACQUIRED
// or an ERROR of the documented length (S-FRM-04).
func onlyWholeFrames(s *session, e *timeline.Event, f *Finding) {
	if e.What != timeline.Recv {
		return
	}
	f.Examined++
	if e.Frame == nil {
		s.violated(f, e, "only whole frames WAITING, ACQUIRED and ERROR",
			fmt.Sprintf("%s received %s: %s", s.who, timeline.Hex(e.Bytes, e.Size), e.Note))
	}
}

// reasonsAreUTF8: an ERROR's reason is valid UTF-8 (S-FRM-05).
func reasonsAreUTF8(s *session, e *timeline.Event, f *Finding) {
	if !received(e, wire.TypeError) {
		return
	}
	f.Examined++
	if !utf8.ValidString(e.Frame.Reason) {
		s.violated(f, e, "a reason that is valid UTF-8", "the reason "+strconv.QuoteToASCII(e.Frame.Reason))
	}
}

// nothingAfterError: an ERROR is the session's last frame (S-ACQ-21).
func nothingAfterError(s *session, e *timeline.Event, f *Finding) {
	if e.What != timeline.Recv || e.Frame == nil {
		return
	}
	if s.failed {
		s.violated(f, e, "no frame after an ERROR", fmt.Sprintf("%s then received %v", s.who, *e.Frame))
	}
	if e.Frame.Type == wire.TypeError {
		f.Examined++
		s.failed = true
	}
}
