package faultproxy

// drop throws away what a lose rule names: of the stream, or of a frame, the
// bytes from At on, Len of them or all.
func (c *core) drop(v *view, rules []*rule) (act, bool) {
	for _, r := range rules {
		if r.Fault != Lose {
			continue
		}
		on, ok := c.applies(r, v)
		if !ok {
			continue
		}
		from := r.At
		if r.On != 0 {
			from += v.frame.start
		}
		if c.offset < from {
			c.limit(v, from)
			continue
		}
		n := v.n
		if r.Len > 0 {
			n = int(min(int64(n), from+r.Len-c.offset))
		}
		if n > 0 {
			c.bite(r, on, "")
			return act{do: lose, n: n, rule: r}, true
		}
	}
	return act{}, false
}
