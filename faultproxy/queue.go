package faultproxy

import (
	"sync"
	"time"
)

// pieceCost is what a piece counts against the limit beside its bytes, so that
// many small ones cannot take more memory than the limit says.
const pieceCost = 128

// ending says how a stream ended. A later one replaces an earlier one if it is
// stronger.
type ending uint8

const (
	goesOn ending = iota
	byFIN
	byRST
)

var endingNames = []string{"", "fin", "rst"}

func (e ending) String() string { return nameOf(endingNames, int(e)) }

// piece is what one read brought.
type piece struct {
	data []byte
	at   time.Time
	seq  int64
}

// head is what stands first in a queue: bytes, or the ending behind the last.
type head struct {
	piece
	ending ending // set where there are no bytes left
	queued int    // bytes in the queue, data included
	final  bool   // no more can come: an ending stands behind them, or there is no room
}

// queue is what a lane has received and not released. Its reader puts, its
// writer takes; each learns through a channel that the other did.
type queue struct {
	limit int
	wake  chan struct{} // to the writer: something changed
	room  chan struct{} // to the reader: there may be room

	mu     sync.Mutex // never held across I/O
	pieces []piece
	first  int // index of the first piece
	bytes  int
	cost   int
	seq    int64
	ending ending
	endAt  time.Time
	told   ending // what was passed on of it, or need not be
	sink   bool   // bytes that come are thrown away
}

func newQueue(limit int) *queue {
	return &queue{limit: limit, wake: make(chan struct{}, 1), room: make(chan struct{}, 1)}
}

// poke wakes the writer. It never blocks.
func (q *queue) poke() { signal(q.wake) }

func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// put appends data, which belongs to the queue from now on. It does not poke
// the writer.
func (q *queue) put(data []byte, at time.Time) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.sink {
		return
	}
	q.pieces = append(q.pieces, piece{data: data, at: at, seq: q.seq})
	q.seq++
	q.bytes += len(data)
	q.cost += len(data) + pieceCost
}

// end notes how the stream ended, and reports whether that is news. The writer
// learns of it by a poke.
func (q *queue) end(e ending, at time.Time) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if e <= q.ending {
		return false
	}
	q.ending, q.endAt = e, at
	return true
}

// full reports whether the reader has to wait for room.
func (q *queue) full() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.cost >= q.limit && !q.sink
}

// head returns what stands first. Its data are still the queue's: see take.
func (q *queue) head() head {
	q.mu.Lock()
	defer q.mu.Unlock()
	h := head{queued: q.bytes, final: q.ending != goesOn || q.cost >= q.limit}
	if q.first < len(q.pieces) {
		h.piece = q.pieces[q.first]
		return h
	}
	if q.ending > q.told {
		h.ending, h.at, h.seq = q.ending, q.endAt, -int64(q.ending)
	}
	return h
}

// take removes the first n bytes of the first piece.
func (q *queue) take(n int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.first == len(q.pieces) {
		return // drained meanwhile
	}
	p := &q.pieces[q.first]
	p.data = p.data[n:]
	q.bytes -= n
	q.cost -= n
	if len(p.data) == 0 {
		q.drop()
	}
	signal(q.room)
}

// drop removes the first piece, which is empty.
func (q *queue) drop() {
	q.pieces[q.first] = piece{}
	q.cost -= pieceCost
	if q.first++; q.first == len(q.pieces) {
		q.pieces, q.first = q.pieces[:0], 0
	} else if q.first > 64 && q.first > len(q.pieces)/2 {
		q.pieces, q.first = append(q.pieces[:0], q.pieces[q.first:]...), 0
	}
}

// join makes one piece of as many as hold n bytes, with the first one's stamp.
func (q *queue) join(n int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.first == len(q.pieces) {
		return
	}
	joined := piece{at: q.pieces[q.first].at, seq: q.pieces[q.first].seq, data: make([]byte, 0, n)}
	for len(joined.data) < n {
		joined.data = append(joined.data, q.pieces[q.first].data...)
		if q.first+1 == len(q.pieces) {
			break
		}
		if len(joined.data) < n {
			q.drop()
		}
	}
	q.pieces[q.first] = joined
}

// drain throws away what is queued and whatever comes, and hides endings up to
// that one.
func (q *queue) drain(hidden ending) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.sink = true
	q.told = max(q.told, hidden)
	q.pieces, q.first, q.bytes, q.cost = nil, 0, 0, 0
	q.poke()
	signal(q.room)
}

// tell notes that the ending was passed on.
func (q *queue) tell(e ending) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.told = max(q.told, e)
}

// hasEnded reports whether an ending came in.
func (q *queue) hasEnded() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.ending != goesOn
}

// waiting reports whether there is anything to release.
func (q *queue) waiting() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.first < len(q.pieces) || q.ending > q.told
}

// held returns how many bytes are queued.
func (q *queue) held() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.bytes
}
