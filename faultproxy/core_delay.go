package faultproxy

import "time"

// delay waits until the head has been here long enough. Several delays add up;
// each counts from receipt.
func (c *core) delay(v *view, rules []*rule) (act, bool) {
	var sum time.Duration
	for _, r := range rules {
		if r.Fault != Delay {
			continue
		}
		on, ok := c.applies(r, v)
		if !ok {
			continue
		}
		d := c.delayOf(r, v)
		c.bite(r, on, d.String())
		sum += d
	}
	due := v.at.Add(sum)
	if sum <= 0 || !v.now.Before(due) {
		return act{}, false
	}
	return act{do: wait, until: due}, true
}

// delayOf draws the delay of the frame at hand, or of the receipt where there
// are no frames.
func (c *core) delayOf(r *rule, v *view) time.Duration {
	if r.Jitter == 0 {
		return r.Delay
	}
	index := v.seq
	if v.known {
		index = v.frame.index
	}
	return max(0, r.Delay+c.key.draw(r.id, drawJitter, index).spread(r.Jitter))
}
