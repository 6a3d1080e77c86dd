package conformance

import "github.com/monolock-dev/monolock-conform/conformance/spec"

// StillServes proves that the server serves others: a fresh connection is granted
// a fresh lock. It stands behind every negative case.
func (t *T) StillServes() {
	s, err := t.TryAcquire(t.Lock("alive"))
	if t.ctx.Err() != nil {
		t.quit()
	}
	if err != nil {
		t.Fail(spec.S_ROB_01, "the server still serves after a negative case", "a fresh client granted a fresh lock", escapeLines(err.Error()))
		return
	}
	s.Close()
}
