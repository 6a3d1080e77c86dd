package faultproxy

import "time"

// sourceEnded notes that nothing more comes from src, or that what had ended
// with a FIN was reset now.
func (n *lane) sourceEnded(e ending, at time.Time) {
	if n.link.isSevered() {
		n.link.settle(func() { n.ended = true })
		return
	}
	if n.queue.end(e, at) {
		n.in.end(e, at)
		n.queue.poke()
	}
	n.link.settle(func() { n.ended = true })
}

// receiverGone notes that dst can take no more: its peer has reset it. That
// travels in the other direction, under the rules of the other lane.
func (n *lane) receiverGone(at time.Time) {
	if n.link.isSevered() {
		return
	}
	n.queue.drain(byRST)
	other := n.link.opposite(n)
	if other.queue.end(byRST, at) {
		n.link.record(Event{At: at, What: Received, Dir: other.dir, Ending: byRST.String()})
		other.queue.poke()
	}
}

// passEnding gives dst the ending that src had.
func (n *lane) passEnding(e ending) {
	n.queue.tell(e)
	n.out.end(e, time.Now())
	if e == byRST {
		n.link.collapse()
		return
	}
	n.finishReceiver()
}

// finishReceiver sends dst a FIN.
func (n *lane) finishReceiver() {
	err := n.dst.end()
	if err != nil {
		n.receiverGone(time.Now())
	}
	n.link.settle(func() { n.shut = true })
}
