package conformance

import (
	"fmt"
	"hash/fnv"
	"strings"
)

// Lock returns a lock name that no other scenario and no other run uses. The
// label makes it readable.
func (t *T) Lock(label string) string {
	return fmt.Sprintf("%s%s/%s", t.params.LockPrefix, t.Nonce(), label)
}

// LockOf is a lock name of exactly that many bytes, filled up with fill, which
// must be one character; where its bytes do not come out even, a dash joins in.
func (t *T) LockOf(bytes int, fill string) string {
	name := t.params.LockPrefix + t.Nonce()
	if len(name) > bytes {
		t.quitUnclear(fmt.Sprintf("the lock prefix of %d bytes leaves no room for a name of %d", len(t.params.LockPrefix), bytes))
	}
	for (bytes-len(name))%len(fill) != 0 {
		name += "-"
	}
	return name + strings.Repeat(fill, (bytes-len(name))/len(fill))
}

// quitUnclear ends the calling part for a reason that lies in the run's options.
func (t *T) quitUnclear(why string) {
	for _, id := range t.scenario.Judges {
		t.Unclear(id, "a name that the case needs", why)
	}
	t.quit()
}

// Nonce is a short text that no other call and no other run gets: for names
// that must not be as long as those of [T.Lock].
func (t *T) Nonce() string {
	return fmt.Sprintf("%s%s.%d.%d", t.params.Nonce, shortHash(t.scenario.ID), t.number, t.locks.Add(1))
}

// shortHash tells scenarios apart in names without their length.
func shortHash(s string) string {
	h := fnv.New32a()
	h.Write([]byte(s))
	return fmt.Sprintf("%06x", h.Sum32()&0xffffff)
}
