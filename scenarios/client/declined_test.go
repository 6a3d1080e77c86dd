package client

import (
	"slices"
	"strings"
	"testing"

	"github.com/monolock-dev/monolock-conform/conformance/spec"
)

// declined is what a client that lacks a feature is not judged by: the table of
// ADAPTER.md.
var declined = map[spec.Feature]string{
	spec.FeatureRetry:    "C-ERR-01 C-ERR-02 C-ERR-08 C-ERR-09 C-HB-10 C-LOSS-02 C-LOSS-03",
	spec.FeatureCancel:   "C-CAN-01 C-CAN-02",
	spec.FeatureFail:     "C-REL-04",
	spec.FeatureClassify: "C-ERR-06",
}

// TestWhatAFeatureCosts: a scenario that needs a feature leaves all that it promises
// unsupported without it, also what other scenarios judge.
func TestWhatAFeatureCosts(t *testing.T) {
	for _, s := range All() {
		for _, f := range s.Needs {
			for _, id := range s.Judges {
				if !slices.Contains(strings.Fields(declined[f]), string(id)) {
					t.Errorf("%s needs the feature %s and promises %s, which a client without it is judged by", s.ID, f, id)
				}
			}
		}
	}
}
