package server

import (
	"testing"

	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/conformance/subject"
	"github.com/monolock-dev/monolock-conform/conformance/virtual"
	"github.com/monolock-dev/monolock-conform/refserver"
	"github.com/monolock-dev/monolock-conform/refserver/defects"
)

// TestNoVariantFails runs servers that use what the documents leave open against
// every scenario in virtual time. Whatever accuses one of them is a false alarm.
func TestNoVariantFails(t *testing.T) {
	for _, v := range defects.Variants() {
		t.Run(v.ID, func(t *testing.T) {
			t.Parallel()
			for _, s := range All() {
				result := virtual.Server(t, s, conformance.DefaultParams(), false, func() subject.Running { return v.New(refserver.Config{}) })
				for _, j := range result.Judgements {
					if !j.Verdict.Settled() {
						t.Errorf("%s: %s is %s on a server that conforms (%s): %s; expected %s; %s",
							s.ID, j.ID, j.Verdict, v.Sentence, j.Sentence, j.Expected, j.Actual)
					}
				}
			}
		})
	}
}
