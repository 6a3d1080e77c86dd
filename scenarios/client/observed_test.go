package client

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/conformance/spec"
	"github.com/monolock-dev/monolock-conform/conformance/subject"
	"github.com/monolock-dev/monolock-conform/conformance/virtual"
	"github.com/monolock-dev/monolock-conform/refclient"
	"github.com/monolock-dev/monolock-conform/refclient/adapter"
	"github.com/monolock-dev/monolock-conform/refclient/defects"
)

// TestWhatCallsReturnIsRecorded: an outcome that no requirement speaks of is put
// down, and accuses nobody.
func TestWhatCallsReturnIsRecorded(t *testing.T) {
	forgiving := defects.Defect{New: func(cfg refclient.Config) adapter.Client { return forgivingClient{refclient.New(cfg)} }}
	strict := defects.Defect{New: adapter.Standard}
	tests := []struct {
		scenario, key string
		id            spec.ID
		right, other  string
	}{
		{"client/loss/no-silent-re-acquisition", "result_after_a_loss", spec.C_LOSS_01, "lost", "ok"},
		{"client/errors/code-reaches-the-caller", "result_after_a_fin_before_the_grant", spec.C_ERR_06, "retry", "ok"},
	}
	for _, test := range tests {
		t.Run(test.key, func(t *testing.T) {
			for want, d := range map[string]defects.Defect{test.right: strict, test.other: forgiving} {
				r := virtual.Client(t, named(t, test.scenario), conformance.DefaultParams(), func(dial virtual.Dial) subject.Client { return wrongClient(d, dial) })
				if r.Verdict != conformance.Pass {
					t.Errorf("%s: verdict %s, want pass", want, r.Verdict)
				}
				if len(r.Observations) == 0 {
					t.Errorf("%s: nothing was recorded", want)
				}
				for _, o := range r.Observations {
					if o != (conformance.Observation{ID: test.id, Key: test.key, Value: want}) {
						t.Errorf("recorded %v, want %s %s %s", o, test.id, test.key, want)
					}
				}
			}
		})
	}
}

// named returns the scenario with an ID.
func named(t *testing.T, id string) conformance.Scenario {
	for _, s := range All() {
		if s.ID == id {
			return s
		}
	}
	t.Fatalf("there is no scenario %s", id)
	return conformance.Scenario{}
}

// forgivingClient returns nothing of losses and ends, and is right otherwise.
type forgivingClient struct{ client *refclient.Client }

func (c forgivingClient) Do(ctx context.Context, name string, lease time.Duration, work refclient.Work) error {
	return forgive(c.client.Do(ctx, name, lease, work))
}

func (c forgivingClient) DoRetry(ctx context.Context, name string, lease time.Duration, work refclient.Work) error {
	return forgive(c.client.DoRetry(ctx, name, lease, work))
}

// forgive passes on what the server refused before the grant, and nothing else.
func forgive(err error) error {
	if e, failed := errors.AsType[*refclient.Error](err); failed && e.Refused && !e.Held {
		return err
	}
	return nil
}
