package spec

import (
	"encoding/json"
	"reflect"
	"regexp"
	"testing"
)

func TestHashIsStable(t *testing.T) {
	first := Hash()
	if !regexp.MustCompile(`^sha256:[0-9a-f]{64}$`).MatchString(first) {
		t.Errorf("Hash() = %q, want sha256: and 64 hex digits", first)
	}
	if second := Hash(); second != first {
		t.Errorf("two calls differ: %s and %s", first, second)
	}
	if again := hashOf(CatalogueVersion, All()); again != first {
		t.Errorf("a copy of the catalogue hashes to %s, the catalogue to %s", again, first)
	}
}

func TestHashSeesEveryChange(t *testing.T) {
	tests := []struct {
		name   string
		damage func(r *Requirement) // r is S-SHUT-02
	}{
		{"id", func(r *Requirement) { r.ID = "S-SHUT-09" }},
		{"role", func(r *Requirement) { r.Role = RoleClient }},
		{"level", func(r *Requirement) { r.Level = LevelShould }},
		{"topic", func(r *Requirement) { r.Topic.Key = "stop" }},
		{"features", func(r *Requirement) { r.Features = r.Features[:1] }},
		{"sentence", func(r *Requirement) { r.Sentence += " " }},
		{"source", func(r *Requirement) { r.Sources[0].Page = WP }},
		{"rule", func(r *Requirement) { r.Sources[0].Rule = "1" }},
		{"why", func(r *Requirement) { r.Why += " " }},
		{"how", func(r *Requirement) { r.How += " " }},
		{"breaks", func(r *Requirement) { r.Breaks += " " }},
	}
	for _, test := range tests {
		all := All()
		test.damage(&all[position[S_SHUT_02]])
		if hashOf(CatalogueVersion, all) == Hash() {
			t.Errorf("a changed %s does not change the hash", test.name)
		}
	}
	if hashOf(CatalogueVersion+1, All()) == Hash() {
		t.Error("another version does not change the hash")
	}
	swapped := All()
	swapped[0], swapped[1] = swapped[1], swapped[0]
	if hashOf(CatalogueVersion, swapped) == Hash() {
		t.Error("another order does not change the hash")
	}
}

// The bytes under the hash are fixed: a field renamed or moved shows here.
func TestCanonicalBytes(t *testing.T) {
	full := Requirement{
		ID: "S-Q-01", Role: RoleServer, Level: LevelMust, Topic: Topic{"queue", "Queue"},
		Features: []Feature{FeatureTLS}, Sentence: "<a> & b.", Sources: []Ref{{Page: WP}, {Page: WC, Rule: "6"}},
		Why: "w.", How: "h.", Breaks: "b.",
	}
	want := `{"version":1,"requirements":[{"id":"S-Q-01","role":"server","level":"MUST",` +
		`"topic":{"key":"queue","title":"Queue"},"features":["tls"],"sentence":"<a> & b.",` +
		`"sources":[{"page":"WP"},{"page":"WC","rule":"6"}],"why":"w.","how":"h.","breaks":"b."}]}` + "\n"
	if got := string(canonical(1, []Requirement{full})); got != want {
		t.Errorf("got  %swant %s", got, want)
	}
}

func TestCanonicalBytesCarryTheWholeCatalogue(t *testing.T) {
	var decoded struct{ Requirements []Requirement }
	if err := json.Unmarshal(canonical(CatalogueVersion, catalogue), &decoded); err != nil {
		t.Fatal(err)
	}
	want := All()
	for i := range want {
		if len(want[i].Sources) == 0 {
			want[i].Sources = nil // an absent list has no second form in JSON
		}
	}
	if !reflect.DeepEqual(decoded.Requirements, want) {
		t.Error("decoding the canonical bytes does not give the catalogue back")
	}
}
