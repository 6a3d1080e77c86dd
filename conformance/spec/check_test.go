package spec

import (
	"strings"
	"testing"
)

// good returns sections without a fault, fresh for each caller to break.
func good() []section {
	requirement := func(id ID) Requirement {
		return Requirement{
			ID: id, Level: LevelMust, Features: []Feature{FeatureTLS}, Sentence: "It holds.",
			Sources: []Ref{{Page: WP}}, Why: "Data.", How: "By trying.", Breaks: "Haste.",
		}
	}
	return []section{
		{RoleServer, Topic{"queue", "Queue"}, []Requirement{requirement("S-Q-01"), requirement("S-Q-02")}},
		{RoleClient, Topic{"queue", "Queue"}, []Requirement{requirement("C-Q-01")}},
	}
}

func TestCheckAcceptsGoodSections(t *testing.T) {
	if err := check(good()); err != nil {
		t.Fatal(err)
	}
}

func TestCheckNamesEachFault(t *testing.T) {
	tests := []struct {
		name   string
		damage func(s []section, r *Requirement) // r is S-Q-02
		want   string
	}{
		{"double ID", func(_ []section, r *Requirement) { r.ID = "S-Q-01" }, "S-Q-01 (in server/queue): the ID occurs twice"},
		{"misplaced ID", func(s []section, _ *Requirement) { s[0].requirements[0].ID = "S-Q-03" }, "S-Q-02 (in server/queue): stands behind S-Q-03"},
		{"no ID", func(_ []section, r *Requirement) { r.ID = "" }, "does not look like S-Q-02"},
		{"odd ID", func(_ []section, r *Requirement) { r.ID = "S-Q-2" }, "does not look like S-Q-02"},
		{"foreign ID", func(_ []section, r *Requirement) { r.ID = "C-Q-02" }, "prefix is not that of role server"},
		{"unknown level", func(_ []section, r *Requirement) { r.Level = "MAY" }, `unknown level "MAY"`},
		{"no level", func(_ []section, r *Requirement) { r.Level = "" }, `unknown level ""`},
		{"client's feature", func(_ []section, r *Requirement) { r.Features[0] = FeatureRetry }, `"retry" is no feature of role server`},
		{"empty feature", func(_ []section, r *Requirement) { r.Features[0] = "" }, `"" is no feature of role server`},
		{"double feature", func(_ []section, r *Requirement) { r.Features = []Feature{FeatureTLS, FeatureTLS} }, "feature tls is named twice"},
		{"no sentence", func(_ []section, r *Requirement) { r.Sentence = " " }, "the sentence is empty"},
		{"no why", func(_ []section, r *Requirement) { r.Why = "" }, "the why is empty"},
		{"no how", func(_ []section, r *Requirement) { r.How = "" }, "the how is empty"},
		{"no breaks", func(_ []section, r *Requirement) { r.Breaks = "" }, "the breaks is empty"},
		{"no full stop", func(_ []section, r *Requirement) { r.How = "By trying" }, "the how does not end with a full stop"},
		{"no source", func(_ []section, r *Requirement) { r.Sources = nil }, "S-Q-02 (in server/queue): no source"},
		{"silent demand", func(_ []section, r *Requirement) { r.Sources = silent }, "level MUST without a source"},
		{"unknown source", func(_ []section, r *Requirement) { r.Sources[0].Page = "XX" }, "unknown source"},
		{"double source", func(_ []section, r *Requirement) { r.Sources = []Ref{{Page: WP}, {Page: WP}} }, "is named twice"},
		{"unknown role", func(s []section, _ *Requirement) { s[0].role = "proxy" }, `unknown role "proxy"`},
		{"double topic", func(s []section, _ *Requirement) { s[1].role = RoleServer }, "topic server/queue: occurs twice"},
		{"odd key", func(s []section, _ *Requirement) { s[0].topic.Key = "The Queue" }, "is not lower-case words"},
		{"no title", func(s []section, _ *Requirement) { s[0].topic.Title = "" }, "no title"},
		{"empty topic", func(s []section, _ *Requirement) { s[1].requirements = nil }, "topic client/queue: no requirements"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			sections := good()
			test.damage(sections, &sections[0].requirements[1])
			err := check(sections)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want an error that says %q", err, test.want)
			}
		})
	}
}

func TestCheckAcceptsASilentObservation(t *testing.T) {
	sections := good()
	sections[0].requirements[1].Level = LevelObserve
	sections[0].requirements[1].Sources = silent
	if err := check(sections); err != nil {
		t.Error(err)
	}
}

func TestCheckNamesAllFaultsAtOnce(t *testing.T) {
	sections := good()
	sections[0].requirements[1].Sentence = ""
	sections[1].requirements[0].Level = ""
	err := check(sections)
	if err == nil || !strings.Contains(err.Error(), "S-Q-02") || !strings.Contains(err.Error(), "C-Q-01") {
		t.Errorf("got %v, want both S-Q-02 and C-Q-01 named", err)
	}
}

func TestABrokenCatalogueDoesNotStart(t *testing.T) {
	sections := good()
	sections[0].requirements[1].Sentence = ""
	defer func() {
		said, _ := recover().(string)
		if !strings.HasPrefix(said, "spec: the catalogue is broken") || !strings.Contains(said, "S-Q-02") {
			t.Errorf("got panic %q, want one that says what is broken", said)
		}
	}()
	mustAssemble(sections)
}
