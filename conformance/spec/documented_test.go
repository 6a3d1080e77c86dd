package spec

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestDocumentedFive(t *testing.T) {
	five := DocumentedFive()
	if len(five) != 5 {
		t.Fatalf("got %d scenarios, want 5", len(five))
	}
	both := []Role{RoleServer, RoleClient}
	roles := [][]Role{both, both, {RoleClient}, both, both}
	for i, d := range five {
		if want := fmt.Sprintf("documented-%d", i+1); d.Key != want {
			t.Errorf("key %q, want %q", d.Key, want)
		}
		if !slices.Equal(d.Roles, roles[i]) {
			t.Errorf("%s concerns %v, want %v", d.Key, d.Roles, roles[i])
		}
		if wantsControl := d.Key == "documented-4"; wantsControl != slices.Contains(d.Features, FeatureControl) {
			t.Errorf("%s needs %v", d.Key, d.Features)
		}
		if !strings.HasSuffix(d.Sentence, ".") {
			t.Errorf("%s: no sentence: %q", d.Key, d.Sentence)
		}
	}
}

func TestOpenPointsAreNumbered(t *testing.T) {
	points := OpenPoints()
	if len(points) != 8 {
		t.Fatalf("got %d open points, want 8", len(points))
	}
	for i, point := range points {
		if prefix := fmt.Sprintf("%d. ", i+1); !strings.HasPrefix(point, prefix) || !strings.HasSuffix(point, ".") {
			t.Errorf("want a sentence behind %q, got %q", prefix, point)
		}
	}
}

func TestUntestable(t *testing.T) {
	if got := Untestable(); len(got) != 1 || !strings.Contains(got[0], "monotonic") {
		t.Errorf("got %q, want the one sentence on monotonic time", got)
	}
}
