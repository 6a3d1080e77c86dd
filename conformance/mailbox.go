package conformance

import (
	"context"
	"slices"
	"sync"
	"time"
)

// mailbox holds what came and was not taken yet, in order. Readers put, a Want
// waits and takes. The zero mailbox is empty and ready.
type mailbox[E any] struct {
	mu      sync.Mutex
	changed chan struct{} // closed and replaced whenever something comes; made on demand
	items   []E
}

// put adds an item and wakes whoever waits.
func (m *mailbox[E]) put(item E) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.items = append(m.items, item)
	if m.changed != nil {
		close(m.changed)
		m.changed = nil
	}
}

// await waits for the first item that fits, until an instant or the end of ctx.
// With take it takes the item and drops those before it. It reports false where
// none came.
func (m *mailbox[E]) await(ctx context.Context, until time.Time, take bool, fits func(E) bool) (E, bool) {
	timer := time.NewTimer(time.Until(until))
	defer timer.Stop()
	for {
		item, found, changed := m.look(take, fits)
		if found {
			return item, true
		}
		select {
		case <-changed:
		case <-timer.C:
			item, found, _ = m.look(take, fits)
			return item, found
		case <-ctx.Done():
			return item, false
		}
	}
}

func (m *mailbox[E]) look(take bool, fits func(E) bool) (item E, found bool, changed <-chan struct{}) {
	m.mu.Lock()
	defer m.mu.Unlock()
	i := slices.IndexFunc(m.items, fits)
	if i >= 0 {
		item = m.items[i]
		if take {
			m.items = m.items[i+1:]
		}
		return item, true, nil
	}
	if m.changed == nil {
		m.changed = make(chan struct{})
	}
	return item, false, m.changed
}

// all returns what is there, and leaves it.
func (m *mailbox[E]) all() []E {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.items)
}
