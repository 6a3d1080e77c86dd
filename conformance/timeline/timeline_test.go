package timeline

import (
	"bytes"
	"sync"
	"testing"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

var start = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

func TestEventsKeepTheOrderOfAdd(t *testing.T) {
	tl := New(start)
	// The second one's stamp is older: a reader may be slow to add. Order is
	// that of Add, and At says when it happened.
	for i, at := range []time.Duration{20, 10, 30} {
		if seq := tl.Add(start.Add(at), Event{Who: "conn-1", What: Remark}); seq != i {
			t.Errorf("Add returned %d; want %d", seq, i)
		}
	}
	for i, want := range []time.Duration{20, 10, 30} {
		if e := tl.Events()[i]; e.Seq != i || e.At != want {
			t.Errorf("event %d has Seq %d, At %v; want %d, %v", i, e.Seq, e.At, i, want)
		}
	}
	if tl.Len() != 3 || !tl.Start().Equal(start) {
		t.Errorf("Len %d, Start %v; want 3, %v", tl.Len(), tl.Start(), start)
	}
}

func TestAddFillsInWhatItOwns(t *testing.T) {
	tl := New(start)
	tl.Add(start.Add(time.Second), Event{Seq: 99, At: time.Hour})
	if e := tl.Events()[0]; e.Seq != 0 || e.At != time.Second {
		t.Errorf("Seq %d, At %v; want 0 and 1s, whatever the caller wrote there", e.Seq, e.At)
	}
}

// An event before the start has a negative stamp and is not lost: a socket's
// stamp may be a moment older than the timeline.
func TestStampBeforeTheStart(t *testing.T) {
	tl := New(start)
	tl.Add(start.Add(-time.Millisecond), Event{})
	if at := tl.Events()[0].At; at != -time.Millisecond {
		t.Errorf("At is %v; want -1ms", at)
	}
}

func TestBytesAreCopiedAndCut(t *testing.T) {
	for _, test := range []struct {
		name             string
		size, told       int // bytes given, and the Size that the caller told
		wantKept, wantOf int
	}{
		{"none", 0, 0, 0, 0},
		{"none of some", 0, 4, 0, 4},
		{"few", 3, 0, 3, 3},
		{"as many as are kept", KeptBytes, 0, KeptBytes, KeptBytes},
		{"one more", KeptBytes + 1, 0, KeptBytes, KeptBytes + 1},
		{"more, as told", 3, 5000, 3, 5000},
	} {
		t.Run(test.name, func(t *testing.T) {
			tl := New(start)
			given := bytes.Repeat([]byte{7}, test.size)
			tl.Add(start, Event{Bytes: given, Size: test.told})
			clear(given) // the caller may use its buffer again
			e := tl.Events()[0]
			if len(e.Bytes) != test.wantKept || e.Size != test.wantOf {
				t.Errorf("kept %d of %d bytes; want %d of %d", len(e.Bytes), e.Size, test.wantKept, test.wantOf)
			}
			if !bytes.Equal(e.Bytes, bytes.Repeat([]byte{7}, test.wantKept)) {
				t.Error("the bytes changed with the caller's buffer")
			}
		})
	}
}

func TestEventsIsACopy(t *testing.T) {
	tl := New(start)
	tl.Add(start, Event{Who: "conn-1", Frame: &wire.WaitingFrame})
	events := tl.Events()
	tl.Add(start, Event{Who: "conn-2"})
	events[0].Who = "changed"
	events = append(events, Event{Who: "appended"})
	if got := tl.Events(); len(got) != 2 || got[0].Who != "conn-1" || got[1].Who != "conn-2" || len(events) != 2 {
		t.Errorf("the timeline became %v", got)
	}
}

// Adding from many goroutines gives each event its own number, without a gap.
func TestConcurrentAdd(t *testing.T) {
	const writers, each = 8, 100
	tl := New(start)
	var all sync.WaitGroup
	for range writers {
		all.Go(func() {
			for range each {
				tl.Add(start, Event{})
				tl.Events()
			}
		})
	}
	all.Wait()
	if tl.Len() != writers*each {
		t.Fatalf("%d events; want %d", tl.Len(), writers*each)
	}
	for i, e := range tl.Events() {
		if e.Seq != i {
			t.Fatalf("event %d has Seq %d", i, e.Seq)
		}
	}
}

func TestAround(t *testing.T) {
	tl := New(start)
	for range 10 {
		tl.Add(start, Event{})
	}
	for _, test := range []struct {
		name               string
		seq, before, after int
		from, to           int // the events wanted: from up to and without to
	}{
		{"in the middle", 5, 2, 1, 3, 7},
		{"the event alone", 5, 0, 0, 5, 6},
		{"at the beginning", 0, 3, 2, 0, 3},
		{"near the beginning", 1, 3, 2, 0, 4},
		{"at the end", 9, 3, 2, 6, 10},
		{"wider than all", 5, 100, 100, 0, 10},
		{"behind the end", 20, 3, 3, 10, 10},
		{"just behind the end", 11, 3, 3, 8, 10},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := Around(tl.Events(), test.seq, test.before, test.after)
			if len(got) != test.to-test.from || len(got) > 0 && got[0].Seq != test.from {
				t.Errorf("got %d events %v; want %d..%d", len(got), got, test.from, test.to-1)
			}
		})
	}
	if got := Around(nil, 3, 2, 2); len(got) != 0 {
		t.Errorf("around nothing stand %v", got)
	}
}

// A judgement without an event has the number -1: it has no surroundings, and
// the timeline's beginning would mislead.
func TestAroundNoEvent(t *testing.T) {
	tl := New(start)
	for range 10 {
		tl.Add(start, Event{})
	}
	if got := Around(tl.Events(), -1, 20, 3); len(got) != 0 {
		t.Errorf("Around shows the first %d events for a judgement that names none", len(got))
	}
}
