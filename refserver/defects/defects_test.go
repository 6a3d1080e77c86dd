package defects

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/wire"
	"github.com/monolock-dev/monolock-conform/refserver"
)

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
		for _, id := range slices.Concat(d.Must, d.May) {
			if !slices.Contains(anything, id) && id != "S-ROB-07" {
				t.Errorf("%s: %s is no requirement that a server is judged by", d.ID, id)
			}
		}
	}
	if got, ok := Get("lifo"); !ok || got.ID != "lifo" {
		t.Errorf("Get: %v, %v", got.ID, ok)
	}
	if _, ok := Get("lif"); ok {
		t.Error("Get found a defect that does not exist")
	}
}

func TestEveryRequirementHasADefect(t *testing.T) {
	covered := make(map[string]bool)
	for _, d := range All() {
		for _, id := range d.Must {
			covered[id] = covered[id] || !d.Past
		}
	}
	for _, id := range append(slices.Clone(anything), "S-ROB-07") {
		if !covered[id] {
			t.Errorf("%s has no defect that must fail it", id)
		}
	}
}

// TestEachDefectIsWrong is the proof of the sentences: each probe hears one
// thing from the standard server and another from each of its defects.
func TestEachDefectIsWrong(t *testing.T) {
	probed := make(map[string]bool)
	for _, p := range slices.Concat(probesOfFrames, probesOfAcquire, probesOfNames, probesOfLeases, probesOfQueues, probesOfTokens, probesOfRobustness) {
		t.Run(p.what, func(t *testing.T) {
			if got := p.ask(t, standardServer); got != p.right {
				t.Errorf("the standard server: heard %q, want %q", got, p.right)
			}
			for _, id := range ids(p.wrong) {
				probed[id] = true
				d, ok := Get(id)
				if !ok {
					t.Errorf("there is no defect %s", id)
					continue
				}
				if got := p.ask(t, d.New); got == p.right {
					t.Errorf("%s: heard %q as from the standard server", id, got)
				}
			}
		})
	}
	for _, d := range All() {
		if !probed[d.ID] {
			t.Errorf("%s has no probe", d.ID)
		}
	}
}

// TestEachDefectServesAndEnds leads each through a little of everything. That
// nothing is left running is the bubble's own check.
func TestEachDefectServesAndEnds(t *testing.T) {
	for _, d := range All() {
		t.Run(d.ID, func(t *testing.T) {
			inHouse(t, d.New, func(h *house) {
				all := append(h.seats("a", 3), h.seats("b", 3)...)
				for _, g := range all {
					g.beat()
				}
				all[1].close()
				all[0].reset()
				h.seat("c", base)
				h.guest().sendBytes(0x7f)
				h.guest().sendBytes(wire.Bytes(wire.AcquireFrame("d", 1000))[:5]...)
				h.guest()
				time.Sleep(3 * time.Second)
				all[3].send(wire.AcquireFrame("e", 1000))
				h.stop()
			})
		})
	}
}

func standardServer(cfg refserver.Config) Server { return refserver.New(cfg) }

// probe is a conversation, what is heard from the standard server, and the
// defects that are heard to be wrong by it.
type probe struct {
	what  string
	wrong string
	talk  func(h *house) string
	right string
}

func (p probe) ask(t *testing.T, make func(refserver.Config) Server) (heard string) {
	inHouse(t, make, func(h *house) { heard = p.talk(h) })
	return heard
}

// answer is what a fresh connection hears to those frames.
func answer(frames ...wire.Frame) func(h *house) string {
	return func(h *house) string { return h.guest().send(frames...).hears() }
}

// named is what a fresh connection hears to an ACQUIRE of that name.
func named(name string) func(h *house) string { return answer(wire.AcquireFrame(name, 60_000)) }

// different is what a second name's holder hears, with the first one held.
func different(first, second string) func(h *house) string {
	return func(h *house) string {
		h.seat(first, patient)
		return h.ask(second, patient).hears()
	}
}
