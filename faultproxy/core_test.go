package faultproxy

import (
	"fmt"
	"testing"
	"time"
)

// The core is a pure step, so it is tested by hand: bytes, rules and a time in,
// what to do out.

var noon = time.Date(2030, 1, 1, 12, 0, 0, 0, time.UTC)

// steps carries out what a core says about data that came at noon, at the time
// now, until it waits or a fault ends the stream, and describes it.
func steps(t *testing.T, dir Dir, data string, now time.Time, lines ...string) string {
	t.Helper()
	var rules []*rule
	for i, line := range lines {
		r, err := ParseRule(line)
		if err != nil {
			t.Fatal(err)
		}
		rules = append(rules, &rule{Rule: r, id: ID(i + 1)})
	}
	var latched idSet
	c := newCore(key{seed: 1, conn: 1, dir: dir}, true, latched.has)
	story, left := "", []byte(data)
	for range 100 {
		h := head{piece: piece{data: left, at: noon}, queued: len(left)}
		if len(left) == 0 {
			h.piece = piece{}
		}
		a := c.step(now, h, rules)
		switch a.do {
		case pass, lose:
			story += fmt.Sprintf("%s %d, ", map[verb]string{pass: "pass", lose: "lose"}[a.do], a.n)
			c.passed(left[:a.n])
			c.paced(a, now)
			left = left[a.n:]
		case latch:
			story += "latch, "
			latched.set(a.rule.id)
		case wait:
			if a.until.IsZero() {
				return story + "wait"
			}
			return story + fmt.Sprintf("wait %v", a.until.Sub(now))
		case shut, sever:
			return story + string(a.rule.Fault)
		}
	}
	return story + "for ever"
}

func TestStep(t *testing.T) {
	for _, row := range []struct {
		data  string
		rules []string
		want  string
	}{
		{waiting + acquired, nil, "pass 10, wait"},
		{waiting + acquired, []string{"partition"}, "wait"},
		{waiting + acquired, []string{"partition on=ACQUIRED"}, "pass 1, latch, wait"},
		{waiting + acquired, []string{"partition on=ACQUIRED at=4"}, "pass 1, pass 4, latch, wait"},
		{waiting + acquired, []string{"partition on=ACQUIRED after"}, "pass 1, pass 9, latch, wait"},
		{waiting + acquired, []string{"partition on=ACQUIRED dir=up"}, "pass 1, latch, pass 9, wait"},
		{waiting + acquired, []string{"partition dir=up"}, "pass 10, wait"},
		{waiting + acquired, []string{"stall 3"}, "pass 3, wait"},
		{waiting + acquired, []string{"delay 5ms"}, "wait 5ms"},
		{waiting + acquired, []string{"delay 5ms", "delay 7ms"}, "wait 12ms"},
		{waiting + acquired, []string{"delay 5ms on=ACQUIRED"}, "pass 1, wait 5ms"},
		{waiting + acquired, []string{"reset on=ACQUIRED"}, "pass 1, reset"},
		{waiting + acquired, []string{"reset on=ACQUIRED at=8"}, "pass 1, pass 8, reset"},
		{waiting + acquired[:3], []string{"reset on=ACQUIRED at=3"}, "pass 1, pass 3, reset"},
		{waiting + acquired, []string{"reset on=ACQUIRED", "delay 1ms"}, "wait 1ms"},
		{waiting + acquired, []string{"cut on=ACQUIRED after"}, "pass 1, pass 9, cut"},
		{waiting + acquired, []string{"cut at=4"}, "pass 4, cut"},
		{waiting + acquired, []string{"half-close on=WAITING after"}, "pass 1, half-close"},
		{refusal[:2], []string{"cut on=ERROR after"}, "pass 2, wait"},
		{refusal, []string{"cut on=ERROR after", "fragment 1"}, "pass 1, pass 1, pass 1, pass 1, pass 1, cut"},
		{waiting + acquired, []string{"lose on=ACQUIRED"}, "pass 1, lose 9, wait"},
		{waiting + acquired, []string{"lose on=ACQUIRED at=2 len=3"}, "pass 1, pass 2, lose 3, pass 4, wait"},
		{waiting + acquired, []string{"lose at=2 len=3"}, "pass 2, lose 3, pass 5, wait"},
		{waiting + acquired, []string{"fragment 4"}, "pass 4, pass 4, pass 2, wait"},
		{waiting + acquired, []string{"fragment 4 pause=9ms"}, "pass 4, wait 9ms"},
		{waiting + acquired, []string{"fragment 4", "fragment 3"}, "pass 3, pass 1, pass 2, pass 2, pass 1, pass 1, wait"},
		{waiting + acquired, []string{"bandwidth 1000"}, "wait 10ms"},
		{waiting + acquired, []string{"coalesce 11"}, "wait 20ms"},
		{waiting + acquired, []string{"coalesce 10"}, "pass 10, wait"},
		{"no frames" + acquired, []string{"reset on=ACQUIRED"}, "pass 18, wait"},
	} {
		if got := steps(t, Down, row.data, noon, row.rules...); got != row.want {
			t.Errorf("%q: %s, want %s", row.rules, got, row.want)
		}
	}
}

func TestStepWhenTheDelayIsOver(t *testing.T) {
	const rules = "delay 5ms"
	if got := steps(t, Down, waiting, noon.Add(5*time.Millisecond-1), rules); got != "wait 1ns" {
		t.Errorf("a tick before: %s", got)
	}
	if got := steps(t, Down, waiting, noon.Add(5*time.Millisecond), rules); got != "pass 1, wait" {
		t.Errorf("at the time: %s", got)
	}
}

func TestPassingDoesNotAllocate(t *testing.T) {
	c := newCore(key{dir: Down}, true, func(ID) bool { return false })
	rules := []*rule{{Rule: Rule{Fault: Stall, At: 1 << 60}, id: 1}, {Rule: Rule{Fault: Lose, On: 0x13}, id: 2}}
	data := []byte(acquired)
	h := head{piece: piece{data: data, at: noon}, queued: len(data)}
	allocs := testing.AllocsPerRun(100, func() {
		if a := c.step(noon, h, rules); a.do != pass || a.n != len(data) {
			t.Fatalf("%+v", a)
		}
		c.passed(data)
	})
	if allocs != 0 {
		t.Errorf("%v allocations a frame, want none", allocs)
	}
}
