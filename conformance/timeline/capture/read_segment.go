package capture

import "github.com/monolock-dev/monolock-conform/conformance/timeline"

// segment takes the next segment of any connection.
func (r *reader) segment(s *segment) {
	c, dir := r.connection(s)
	if c == nil || c.kind == foreign {
		return
	}
	mine, theirs := &c.streams[dir], &c.streams[1-dir]
	if s.flags&(flagSYN|flagRST) == 0 && !mine.started {
		mine.begin(s.seq, false)
	}
	if s.flags&flagACK != 0 {
		theirs.acknowledge(s.ack, s.flags&flagRST != 0)
	}
	mine.waited++
	theirs.waited++
	if s.flags&flagRST != 0 {
		r.reset(c, dir, s)
		return
	}
	if s.size > 0 {
		r.data(c, dir, piece{seq: s.seq, size: s.size, data: s.payload, nanos: s.nanos})
	}
	if s.flags&flagFIN != 0 {
		mine.end(s.seq+uint32(s.size), s.nanos)
	}
	for i := range c.streams {
		if c.streams[i].hopeless(s.nanos) {
			r.giveUp(c, i)
		}
		r.ending(c, i)
	}
	if mine.ended && theirs.ended {
		r.finish(c)
	}
}

// connection finds the connection of a segment and its direction, or begins it. It
// is nil for a segment that begins none.
func (r *reader) connection(s *segment) (c *follow, dir int) {
	key, first := keyOf(s)
	if !first {
		dir = 1
	}
	if c = r.last; c == nil || c.key != key {
		c = r.table.byKey[key]
	}
	if c != nil && s.flags&(flagSYN|flagACK) == flagSYN && c.start.isn != s.seq {
		r.finish(c) // the ports are used again
		c = nil
	}
	switch {
	case c != nil:
		r.table.use(c)
	case s.size == 0 && s.flags&flagSYN == 0 || r.closed.repeats(key, s):
		return nil, 0
	default:
		c = r.newFollow(key, s, dir)
	}
	r.last = c
	if c.start.ack == 0 {
		r.handshake(c, dir, s)
	}
	return c, dir
}

func (r *reader) newFollow(key pairKey, s *segment, dir int) *follow {
	if len(r.table.byKey) >= mostConns {
		r.summary.Evicted++
		r.finish(r.table.oldest)
	}
	c := &follow{key: key}
	c.ends[dir], c.ends[1-dir] = s.from, s.to
	r.table.add(c)
	return c
}

// handshake takes what the beginning of a connection says: who called, and where the
// numbers begin.
func (r *reader) handshake(c *follow, dir int, s *segment) {
	c.start.note(s)
	if s.flags&flagSYN == 0 {
		return
	}
	if !c.streams[dir].started {
		c.streams[dir].begin(s.seq+1, true)
	}
	if other := &c.streams[1-dir]; s.flags&flagACK != 0 && !other.started {
		other.begin(s.ack, true) // the SYN that this answers was not seen
	}
	if !c.clientKnown {
		c.clientKnown, c.client = true, dir
		if s.flags&flagACK != 0 {
			c.client = 1 - dir
		}
	}
	s.seq++ // what stands behind the SYN
}

// begin starts a stream. Where its beginning was not seen, the next byte may be
// anywhere in a frame.
func (s *stream) begin(seq uint32, known bool) {
	s.next, s.started = seq, true
	if !known {
		s.frames.lose()
	}
}

// acknowledge notes how far the other side has all bytes.
func (s *stream) acknowledge(ack uint32, doubtful bool) {
	if !s.started {
		if doubtful {
			return
		}
		s.begin(ack, false)
	}
	if distance := int32(ack - s.acked); !s.ackKnown || distance > 0 && distance < wildJump {
		s.acked, s.ackKnown = ack, true
	}
}

// data takes the bytes of a segment: in turn, again, or before their turn.
func (r *reader) data(c *follow, dir int, p piece) {
	s := &c.streams[dir]
	switch distance := int(int32(p.seq - s.next)); {
	case distance > wildJump || distance < -wildJump:
		return // of another connection, or made up
	case distance+p.size <= 0:
		r.summary.Repeated++
		return
	case distance > 0:
		r.summary.Disordered++
		s.insert(p)
		return
	case distance < 0:
		p = p.from(-distance)
	}
	r.deliver(c, dir, p, len(s.pieces) > 0 || s.beyond())
	r.drain(c, dir)
}

// drain delivers the pieces whose turn has come.
func (r *reader) drain(c *follow, dir int) {
	if len(c.streams[dir].pieces) == 0 {
		return
	}
	for {
		p, some := c.streams[dir].pop()
		if !some {
			return
		}
		r.deliver(c, dir, p, true)
	}
}

// deliver passes bytes on in their turn. What the snap length cut off is missing.
func (r *reader) deliver(c *follow, dir int, p piece, late bool) {
	s := &c.streams[dir]
	s.next = p.seq + uint32(p.size)
	if c.kind == foreign {
		return
	}
	if len(p.data) > 0 {
		r.payload(c, dir, p.data, p.nanos, late || c.streams[1-dir].beyond())
	}
	if len(p.data) < p.size && c.kind != foreign {
		r.summary.Shortened++
		r.missed(c, dir, p.size-len(p.data))
	}
}

// giveUp goes on behind a gap that nothing will fill.
func (r *reader) giveUp(c *follow, dir int) {
	s := &c.streams[dir]
	to, _ := s.gap()
	size := int(int32(to - s.next))
	s.next = to
	r.missed(c, dir, size)
	r.drain(c, dir)
	s.waited, s.waitFrom = 0, r.now
}

// missed notes that bytes of a direction are not there.
func (r *reader) missed(c *follow, dir, size int) {
	c.streams[dir].frames.lose()
	if c.kind == foreign {
		return
	}
	r.summary.Holes++
	r.summary.Missing += size
	r.tellMissed(c)
}

// ending tells a FIN when all before it was seen, or given up.
func (r *reader) ending(c *follow, dir int) {
	s := &c.streams[dir]
	if !s.ending || s.ended || int32(s.next-s.endAt) < 0 {
		return
	}
	s.ended = true
	s.next = s.endAt + 1
	r.tellEnd(c, dir, timeline.FIN, s.endNanos)
}

// reset ends a connection, unless the numbers are those of another one.
func (r *reader) reset(c *follow, dir int, s *segment) {
	mine := &c.streams[dir]
	if distance := int32(s.seq - mine.next); mine.started && s.seq != 0 && (distance > wildJump || distance < -wildJump) {
		return
	}
	r.flush(c)
	r.tellEnd(c, dir, timeline.RST, s.nanos)
	r.finish(c)
}

// flush delivers what waits behind gaps.
func (r *reader) flush(c *follow) {
	for i := range c.streams {
		s := &c.streams[i]
		for c.kind != foreign {
			if _, some := s.gap(); !some {
				break
			}
			r.giveUp(c, i)
		}
		if n := s.unseen(); n > 0 && !s.ended && c.kind != foreign {
			s.next += uint32(n)
			r.missed(c, i, n)
		}
		if c.kind != foreign {
			r.ending(c, i)
		}
	}
}

// finish ends a connection.
func (r *reader) finish(c *follow) {
	r.flush(c)
	if c.kind == speaks && r.options.End != nil {
		r.options.End(c.conn)
	}
	c.kind = foreign // whoever still holds it
	r.table.remove(c)
	r.closed.add(c.key, c.start.isn)
	if r.last == c {
		r.last = nil
	}
}

// closed are the connections that ended last, with their first sequence number: what
// is repeated of them does not look like a new one.
type closed struct {
	isn  map[pairKey]uint32
	ring []pairKey
	next int
}

const mostClosed = 1 << 12

func (c *closed) add(key pairKey, isn uint32) {
	_, known := c.isn[key]
	c.isn[key] = isn
	switch {
	case known:
	case len(c.ring) < mostClosed:
		c.ring = append(c.ring, key)
	default:
		delete(c.isn, c.ring[c.next])
		c.ring[c.next] = key
		c.next = (c.next + 1) % mostClosed
	}
}

// repeats reports whether a segment can only belong to the connection that is over.
func (c *closed) repeats(key pairKey, s *segment) bool {
	isn, known := c.isn[key]
	return known && (s.flags&(flagSYN|flagACK) != flagSYN || s.seq == isn)
}
