package wire

import (
	"bytes"
	"testing"
)

// What Size says of every beginning of a frame agrees with what the Reader takes.
func TestSizeAgreesWithTheReader(t *testing.T) {
	for _, s := range samples {
		whole := []byte(s.bytes)
		for n := 1; n <= len(whole); n++ {
			size, all := Size(whole[:n])
			if all != (n == len(whole)) || size > len(whole) || all && size != n {
				t.Errorf("%v cut at %d of %d: size %d, whole %v", s.frame, n, len(whole), size, all)
			}
		}
		longer := append(bytes.Clone(whole), 0xff, 0xff)
		if size, all := Size(longer); !all || size != len(whole) {
			t.Errorf("%v with more behind it: size %d, whole %v; want %d", s.frame, size, all, len(whole))
		}
	}
	for _, p := range [][]byte{nil, {0}, {0x7f, 1, 2}} {
		if size, all := Size(p); size != 0 || all {
			t.Errorf("% x: size %d, whole %v; want none", p, size, all)
		}
	}
}
