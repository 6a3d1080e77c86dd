package conformance

import (
	"github.com/monolock-dev/monolock-conform/conformance/spec"
)

// StillServes proves that the server serves others: a fresh connection is
// granted a fresh lock. It stands behind every negative case.
func (t *T) StillServes() {
	const why = "the server still serves after a negative case"
	if err := alive(t.ctx, t.server, t.Lock("alive")); err != nil {
		if t.ctx.Err() != nil {
			t.quit()
		}
		t.Fail(spec.S_ROB_01, why, "a fresh ACQUIRE is answered", escapeLines(err.Error()))
	}
}
