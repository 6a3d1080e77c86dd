package faultproxy

import (
	"fmt"
	"slices"
	"time"
)

// Status is a rule of a proxy, and the proof that it bit.
type Status struct {
	ID   ID
	Rule Rule
	// Hits counts how often it acted: on receipts or frames or endings that were
	// held, delayed, split, gathered, slowed, changed or lost, on connections
	// that were ended or refused, on the listener.
	Hits int64
}

// Add puts r into force, on open connections too, and returns its ID. It does
// not wait for anything. Bytes that the proxy holds at that moment are under
// the new rule as well; what is in a write already is not.
// Errors: what is wrong with r, ErrClosed after Close.
func (p *Proxy) Add(r Rule) (ID, error) {
	r, err := r.checked()
	if err != nil {
		return 0, err
	}
	added, err := p.enter(r)
	if err != nil {
		return 0, err
	}
	p.record(Event{At: time.Now(), What: RuleAdded, Rule: added.id, Note: added.text})
	if r.Fault == StopListening {
		added.hits.add()
		_ = p.door.stop(true)
	}
	for _, l := range p.open() {
		l.ruleAdded(added)
	}
	return added.id, nil
}

// enter gives r an ID and makes it visible.
func (p *Proxy) enter(r Rule) (*rule, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return nil, ErrClosed
	}
	p.lastID++
	added := &rule{Rule: r, id: p.lastID, text: r.String()}
	rules := append(slices.Clone(*p.rules.Load()), added)
	p.rules.Store(&rules)
	return added, nil
}

// ruleAdded puts a new rule into force on an open connection.
func (l *link) ruleAdded(r *rule) {
	if (r.Fault == Cut || r.Fault == Reset) && r.atOnce() && r.Conn.Has(l.number) {
		if r.Side == BothSides || l.isOpened() { // else as soon as there are sides
			l.severBy(r)
		}
		return
	}
	for _, n := range l.lanes {
		if r.concerns(l.number, n.dir) && r.On == 0 {
			n.interrupt()
		}
		n.queue.poke()
	}
}

// Remove ends a rule. What it held is released in order, as far as the other
// rules allow; they are not changed. It does not wait for anything.
// Errors: ErrNotFound; ErrNotListening where the listener could not be opened again.
func (p *Proxy) Remove(id ID) error {
	removed := p.withdraw(func(r *rule) bool { return r.id == id })
	if len(removed) == 0 {
		return fmt.Errorf("%w: there is no rule %d", ErrNotFound, id)
	}
	return p.removed(removed)
}

// Heal ends all rules: the network is whole again, and what was held is
// released in order. It does not wait for anything.
// Errors: ErrNotListening where the listener could not be opened again.
func (p *Proxy) Heal() error {
	return p.removed(p.withdraw(func(*rule) bool { return true }))
}

// withdraw takes out the rules that match.
func (p *Proxy) withdraw(match func(*rule) bool) (removed []*rule) {
	p.mu.Lock()
	defer p.mu.Unlock()
	kept := []*rule{}
	for _, r := range *p.rules.Load() {
		if match(r) {
			removed = append(removed, r)
			p.past[r.id] = r
		} else {
			kept = append(kept, r)
		}
	}
	p.rules.Store(&kept)
	return removed
}

// removed reports and carries out what the end of rules means.
func (p *Proxy) removed(rules []*rule) error {
	for _, r := range rules {
		p.record(Event{At: time.Now(), What: RuleRemoved, Rule: r.id, Note: r.text})
	}
	for _, l := range p.open() {
		l.rulesChanged()
	}
	if p.find(func(r *rule) bool { return r.Fault == StopListening }) != nil {
		return nil
	}
	if err := p.door.stop(false); err != nil {
		return fmt.Errorf("%w: %w", ErrNotListening, err)
	}
	return nil
}

// Rules returns the rules in force, in the order in which they were added.
func (p *Proxy) Rules() []Status {
	rules := *p.rules.Load()
	list := make([]Status, len(rules))
	for i, r := range rules {
		list[i] = Status{ID: r.id, Rule: r.Rule, Hits: r.hits.get()}
	}
	return list
}

// Hits returns how often a rule has bitten, also after its end: 0 for an ID that
// was never given.
func (p *Proxy) Hits(id ID) int64 {
	if r := p.find(func(r *rule) bool { return r.id == id }); r != nil {
		return r.hits.get()
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if r := p.past[id]; r != nil {
		return r.hits.get()
	}
	return 0
}

// find returns the first rule that matches, or nil.
func (p *Proxy) find(match func(*rule) bool) *rule {
	for _, r := range *p.rules.Load() {
		if match(r) {
			return r
		}
	}
	return nil
}

// refusal returns the rule that turns the connection away, or nil.
func (p *Proxy) refusal(conn int) *rule {
	return p.find(func(r *rule) bool { return r.Fault == Refuse && r.Conn.Has(conn) })
}

// parted returns the partition that keeps the connection from being carried
// on, or nil.
func (p *Proxy) parted(conn int) *rule {
	return p.find(func(r *rule) bool {
		return r.Fault == Partition && r.atOnce() && r.Dir == Both && r.Conn.Has(conn)
	})
}

// concerned reports whether any rule has to do with the connection's bytes.
func (p *Proxy) concerned(conn int) bool {
	return p.find(func(r *rule) bool { return r.concerns(conn, Up) || r.concerns(conn, Down) }) != nil
}
