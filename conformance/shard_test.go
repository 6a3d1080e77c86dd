package conformance

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestParseShard(t *testing.T) {
	for _, text := range []string{"1/1", "2/3", "3/3", "10/120"} {
		if i, n, err := ParseShard(text); err != nil || fmt.Sprintf("%d/%d", i, n) != text {
			t.Errorf("%q: %d, %d, %v", text, i, n, err)
		}
	}
	for text, want := range map[string]string{
		"": "such as 1/3", "2": "such as 1/3", "1/": "such as 1/3", "+1/3": "such as 1/3", "01/3": "such as 1/3", "1/3 ": "such as 1/3",
		"1/3/4": "such as 1/3", "a/b": "such as 1/3", "1/99999999999999999999": "such as 1/3",
		"0/3": "from 1/3 to 3/3", "4/3": "from 1/3 to 3/3", "-1/3": "from 1/3 to 3/3", "1/0": "from 1/1 to 1/1",
	} {
		if _, _, err := ParseShard(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// mixedScenarios are of different classes and lengths.
func mixedScenarios(count int) []Scenario {
	random := rand.New(rand.NewPCG(1, 2))
	var all []Scenario
	for i := range count {
		all = append(all, Scenario{
			ID: fmt.Sprintf("server/mixed/%03d", i), Class: Class(random.IntN(8) / 7), Leases: random.IntN(6), IOTimeouts: random.IntN(10) / 9,
		})
	}
	return all
}

func ids(scenarios []Scenario) []string {
	var list []string
	for _, s := range scenarios {
		list = append(list, s.ID)
	}
	return list
}

func TestShardsAreDisjointAndHoldEverything(t *testing.T) {
	all := mixedScenarios(80)
	for n := 1; n <= 90; n++ {
		var joined []string
		for i := 1; i <= n; i++ {
			part := ids(Shard(all, i, n))
			if !slices.IsSorted(part) {
				t.Errorf("%d/%d is in another order: %q", i, n, part)
			}
			joined = append(joined, part...)
		}
		slices.Sort(joined)
		if !slices.Equal(joined, ids(all)) {
			t.Errorf("%d parts hold %d scenarios: %q", n, len(joined), joined)
		}
	}
	for _, none := range [][2]int{{0, 3}, {4, 3}, {1, 0}} {
		if part := Shard(all, none[0], none[1]); part != nil {
			t.Errorf("%v: %q", none, ids(part))
		}
	}
}

// TestShardsAreBalanced: no two parts differ by more than the longest scenario, in
// what they wait for and in what must run alone.
func TestShardsAreBalanced(t *testing.T) {
	all := mixedScenarios(80)
	longest := overhead
	for _, s := range all {
		longest = max(longest, s.length(DefaultParams())+overhead)
	}
	for n := 2; n <= 8; n++ {
		var whole, alone []time.Duration
		for i := 1; i <= n; i++ {
			var sum, exclusive time.Duration
			for _, s := range Shard(all, i, n) {
				length := s.length(DefaultParams()) + overhead
				sum += length
				if s.Class == Exclusive {
					exclusive += length
				}
			}
			whole, alone = append(whole, sum), append(alone, exclusive)
		}
		for _, loads := range [][]time.Duration{whole, alone} {
			if spread := slices.Max(loads) - slices.Min(loads); spread > longest {
				t.Errorf("%d parts: %v, apart by more than %v", n, loads, longest)
			}
		}
	}
}

func TestShardsDependOnNothingButTheScenarios(t *testing.T) {
	all := mixedScenarios(80)
	want := ids(Shard(all, 2, 3))
	shuffled := slices.Clone(all)
	rand.New(rand.NewPCG(3, 4)).Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
	got := ids(Shard(shuffled, 2, 3))
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("in another order the part is %q, want %q", got, want)
	}
}
