package faultproxy

// hold stops the lane where a partition or a stall is in force.
func (c *core) hold(v *view, rules []*rule) (act, bool) {
	for _, r := range rules {
		if !isHold(r.Fault) {
			continue
		}
		if r.On != 0 && !c.latched(r.id) {
			if s := c.state(r); c.mark(r, s, v) {
				return c.fire(r, s), true
			}
			continue
		}
		if !c.disturbs(r) {
			continue
		}
		if r.On == 0 && c.offset < r.At {
			c.limit(v, r.At)
			continue
		}
		c.bite(r, v.seq, "")
		return act{do: wait}, true
	}
	return act{}, false
}
