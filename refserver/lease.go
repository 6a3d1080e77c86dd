package refserver

import "container/heap"

// deadlines is a heap of sessions, the earliest deadline first. Every session
// that can run out of time is in it exactly once and knows its index, so that
// a heartbeat moves an entry and allocates nothing.
type deadlines []*Session

// set puts s at its deadline, whether it is in the heap already or not.
func (d *deadlines) set(s *Session) {
	if s.leaseAt < 0 {
		heap.Push(d, s)
		return
	}
	heap.Fix(d, s.leaseAt)
}

// drop takes s out; it does nothing where s is not in the heap.
func (d *deadlines) drop(s *Session) {
	if s.leaseAt >= 0 {
		heap.Remove(d, s.leaseAt)
	}
}

func (d deadlines) Len() int           { return len(d) }
func (d deadlines) Less(i, j int) bool { return d[i].deadline.Before(d[j].deadline) }

func (d deadlines) Swap(i, j int) {
	d[i], d[j] = d[j], d[i]
	d[i].leaseAt, d[j].leaseAt = i, j
}

// Push is for package heap; use set.
func (d *deadlines) Push(x any) {
	s := x.(*Session)
	s.leaseAt = len(*d)
	*d = append(*d, s)
}

// Pop is for package heap; use drop.
func (d *deadlines) Pop() any {
	last := len(*d) - 1
	s := (*d)[last]
	(*d)[last] = nil
	*d = (*d)[:last]
	s.leaseAt = -1
	return s
}
