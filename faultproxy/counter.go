package faultproxy

import "sync/atomic"

// counter counts how often a rule bit. The zero value is ready.
type counter struct{ n atomic.Int64 }

func (c *counter) add()       { c.n.Add(1) }
func (c *counter) get() int64 { return c.n.Load() }
