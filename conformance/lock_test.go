package conformance

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/monolock-dev/monolock-conform/conformance/spec"
)

// names runs f on a T of its own and returns what it made.
func names(t *testing.T, p Params, f func(*T) []string) (made []string) {
	t.Helper()
	inBubble(t, func(t *testing.T) {
		server := play(t)
		defer server.end()
		s := fake("server/fake/names", of(spec.S_ACQ_18), func(t *T) {
			made = f(t)
			t.Pass(spec.S_ACQ_18, "named")
		})
		Run(t.Context(), Plan{Scenarios: []Scenario{s}, Params: p, Quiet: true, Target: Target{Server: server}})
	})
	return made
}

func TestLockNamesAreFreshAndPrefixed(t *testing.T) {
	p := DefaultParams()
	p.LockPrefix, p.Nonce = "team/", "n42."
	made := names(t, p, func(t *T) (made []string) {
		for range 50 {
			made = append(made, t.Lock("job"), t.LockOf(100, "x"), p.LockPrefix+t.Nonce())
		}
		t.Case("a", func(t *T) { made = append(made, t.Lock("job")) })
		t.Together(func(t *T) { made = append(made, t.Lock("job")) })
		return made
	})
	seen := map[string]bool{}
	for _, name := range made {
		if seen[name] {
			t.Errorf("%q was handed out twice", name)
		}
		seen[name] = true
		if !strings.HasPrefix(name, "team/n42.") {
			t.Errorf("%q does not begin with the prefix and the run's nonce", name)
		}
	}
	if !strings.HasSuffix(made[0], "/job") {
		t.Errorf("%q does not end in its label", made[0])
	}
}

// Two scenarios, and two runs, never meet on a lock.
func TestLockNamesOfOthersDiffer(t *testing.T) {
	lock := func(id, nonce string) string {
		a := &attempt{scenario: Scenario{ID: id}, params: Params{LockPrefix: "conform/", Nonce: nonce}}
		return (&T{attempt: a}).Lock("job")
	}
	one := lock("server/queue/a", "1")
	for _, other := range []string{lock("server/queue/b", "1"), lock("server/queue/a", "2")} {
		if one == other {
			t.Errorf("%q is handed out to another", one)
		}
	}
	if one != lock("server/queue/a", "1") {
		t.Error("the name of one scenario in one run is not the same again")
	}
}

func TestLockOfIsExact(t *testing.T) {
	var sizes []int
	var fills []string
	made := names(t, DefaultParams(), func(t *T) (made []string) {
		for _, fill := range []string{"x", "é", "€", "🔒"} {
			for _, size := range []int{64, 100, 101, 102, 103, 254, 255, 256, 257, 300, 65535} {
				sizes, fills = append(sizes, size), append(fills, fill)
				made = append(made, t.LockOf(size, fill))
			}
		}
		return made
	})
	for i, name := range made {
		if len(name) != sizes[i] {
			t.Errorf("a name of %d bytes filled with %q has %d", sizes[i], fills[i], len(name))
		}
		if !utf8.ValidString(name) || !strings.HasPrefix(name, DefaultLockPrefix) || !strings.HasSuffix(name, fills[i]+fills[i]) {
			t.Errorf("%.40q…: want the prefix, and %q to the end", name, fills[i])
		}
	}
}

// A seed decides all that is random, and each scenario draws by itself.
func TestSeed(t *testing.T) {
	one := seeded(1, "server/queue/a").Uint64()
	if seeded(1, "server/queue/a").Uint64() != one {
		t.Error("one seed and one scenario draw twice")
	}
	if seeded(2, "server/queue/a").Uint64() == one || seeded(1, "server/queue/b").Uint64() == one {
		t.Error("another seed or scenario draws the same")
	}
}

// A prefix that leaves no room is the user's doing, and is said in words; a
// panic of the suite helps nobody.
func TestLockOfWithoutRoom(t *testing.T) {
	p := DefaultParams()
	p.LockPrefix = strings.Repeat("p", 250) + "/"
	var r Result
	inBubble(t, func(t *testing.T) {
		server := play(t)
		defer server.end()
		s := fake("server/fake/names", of(spec.S_ACQ_10), func(t *T) {
			t.LockOf(255, "x")
			t.Pass(spec.S_ACQ_10, "named")
		})
		r = bench{target: Target{Server: server}, params: p}.try(t.Context(), s)
	})
	if got := the(t, r, spec.S_ACQ_10).Actual; strings.Contains(got, "panicked") {
		t.Errorf("a long lock prefix panics: %.80s", got)
	}
}
