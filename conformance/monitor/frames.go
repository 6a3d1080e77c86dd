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
func onlyWholeFrames(sessions []session, f *Finding) {
	for _, s := range sessions {
		for _, e := range s.events {
			if e.What != timeline.Recv {
				continue
			}
			f.Examined++
			if e.Frame == nil {
				f.violated(e, "only whole frames WAITING, ACQUIRED and ERROR",
					fmt.Sprintf("%s received %s: %s", s.who, timeline.Hex(e.Bytes, e.Size), e.Note))
			}
		}
	}
}

// reasonsAreUTF8: an ERROR's reason is valid UTF-8 (S-FRM-05).
func reasonsAreUTF8(sessions []session, f *Finding) {
	for _, s := range sessions {
		for _, e := range s.events {
			if !received(e, wire.TypeError) {
				continue
			}
			f.Examined++
			if !utf8.ValidString(e.Frame.Reason) {
				f.violated(e, "a reason that is valid UTF-8",
					"the reason "+strconv.QuoteToASCII(e.Frame.Reason))
			}
		}
	}
}

// nothingAfterError: an ERROR is the session's last frame (S-ACQ-21).
func nothingAfterError(sessions []session, f *Finding) {
	for _, s := range sessions {
		failed := false
		for _, e := range s.events {
			if e.What != timeline.Recv || e.Frame == nil {
				continue
			}
			if failed {
				f.violated(e, "no frame after an ERROR", fmt.Sprintf("%s then received %v", s.who, *e.Frame))
			}
			if e.Frame.Type == wire.TypeError {
				f.Examined++
				failed = true
			}
		}
	}
}
