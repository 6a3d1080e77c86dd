package defects

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

// required are the requirements that a client is judged by, but those of TLS and
// those that nothing is judged by.
var required = ids(`C-ACQ-01 C-ACQ-02 C-ACQ-03 C-ACQ-04 C-ACQ-05 C-ACQ-06 C-ACQ-07
	C-RD-01 C-RD-02 C-RD-03 C-RD-04 C-RD-05 C-RD-06
	C-HB-01 C-HB-02 C-HB-03 C-HB-04 C-HB-05 C-HB-06 C-HB-07 C-HB-08 C-HB-10
	C-TO-01 C-TO-02 C-TO-03 C-TO-04 C-TO-05 C-TO-06 C-TO-07 C-TO-08 C-TO-10
	C-ERR-01 C-ERR-02 C-ERR-03 C-ERR-04 C-ERR-05 C-ERR-06 C-ERR-07 C-ERR-08 C-ERR-09
	C-DBT-01 C-DBT-02 C-DBT-03 C-DBT-04 C-DBT-05 C-DBT-06
	C-REL-01 C-REL-02 C-REL-03 C-REL-04 C-REL-05
	C-LOSS-01 C-LOSS-02 C-LOSS-03 C-TOK-01 C-CAN-01 C-CAN-02 C-EXC-01`)

func TestDefectsAreWellFormed(t *testing.T) {
	kebab := regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	seen := make(map[string]bool)
	for _, d := range All() {
		if !kebab.MatchString(d.ID) || seen[d.ID] {
			t.Errorf("%q is no kebab-case ID, or is used twice", d.ID)
		}
		seen[d.ID] = true
		if !strings.HasSuffix(d.Sentence, ".") || strings.Count(d.Sentence, ". ") > 0 {
			t.Errorf("%s: %q is not one sentence", d.ID, d.Sentence)
		}
		if len(d.Must) == 0 || d.New == nil {
			t.Errorf("%s: nothing must fail, or it cannot be made", d.ID)
		}
		for i, id := range slices.Concat(d.Must, d.May) {
			if !slices.Contains(required, id) {
				t.Errorf("%s: %s is no requirement that a client is judged by", d.ID, id)
			}
			if i >= len(d.Must) && slices.Contains(d.Must, id) {
				t.Errorf("%s: %s must fail and may fail", d.ID, id)
			}
		}
	}
	if got, ok := Get("never-stops"); !ok || got.ID != "never-stops" {
		t.Errorf("Get: %v, %v", got.ID, ok)
	}
	if _, ok := Get("never"); ok {
		t.Error("Get found a defect that does not exist")
	}
}

func TestEveryRequirementHasADefect(t *testing.T) {
	covered := make(map[string]bool)
	for _, d := range All() {
		for _, id := range d.Must {
			covered[id] = true
		}
	}
	for _, id := range required {
		if !covered[id] {
			t.Errorf("%s has no defect that must fail it", id)
		}
	}
}

// TestEachDefectIsWrong is the proof of the sentences: each probe hears one story
// from the standard client and another from each of its defects.
func TestEachDefectIsWrong(t *testing.T) {
	probed := make(map[string]bool)
	for _, p := range slices.Concat(probesOfAsking, probesOfReading, probesOfPace, probesOfSilence, probesOfLater, probesOfRetries, probesOfEnds) {
		t.Run(p.what, func(t *testing.T) {
			if got := p.ask(t, standardClient); got != p.right {
				t.Errorf("the standard client: %q, want %q", got, p.right)
			}
			for _, id := range ids(p.wrong) {
				probed[id] = true
				d, ok := Get(id)
				if !ok {
					t.Errorf("there is no defect %s", id)
					continue
				}
				got := p.ask(t, d.New)
				if got == p.right {
					t.Errorf("%s: %q as from the standard client", id, got)
				}
				if testing.Verbose() {
					t.Logf("%s: %s", id, got)
				}
			}
		})
	}
	for _, d := range All() {
		if !probed[d.ID] && !d.Process {
			t.Errorf("%s has no probe", d.ID)
		}
	}
}

// TestEachDefectEnds leads each through a little of everything and lets its
// process end in every state. That nothing is left running is the bubble's own
// check.
func TestEachDefectEnds(t *testing.T) {
	for _, d := range All() {
		t.Run(d.ID, func(t *testing.T) {
			for _, env := range []map[string]string{once, retry} {
				onStage(t, d.New, env, func(s *stage) { s.open() })
				onStage(t, d.New, env, func(s *stage) { s.open(waitingFrame); s.say("cancel") })
				onStage(t, d.New, env, func(s *stage) { s.open(acquiredFrame) })
				onStage(t, d.New, env, func(s *stage) { s.open(acquiredFrame); s.until(3300) })
				onStage(t, d.New, env, func(s *stage) { s.open(waitingFrame, acquiredFrame).fin(); s.say("release") })
				onStage(t, d.New, env, func(s *stage) { s.open(wire.ErrorFrame(2, "")).fin(); s.until(20) })
				onStage(t, d.New, env, func(s *stage) {
					p := s.open(waitingFrame).answering(10*time.Millisecond, waitingFrame)
					s.until(2500)
					p.answering(0, acquiredFrame).send(acquiredFrame)
					s.say("cancel")
					s.until(5500)
					s.say("fail")
					s.until(9000)
				})
			}
		})
	}
}
