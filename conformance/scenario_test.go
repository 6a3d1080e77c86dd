package conformance

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/spec"
)

func good() Scenario { return fake("server/fake/good", of(spec.S_Q_01), func(*T) {}) }

func TestValidate(t *testing.T) {
	with := func(change func(*Scenario)) []Scenario {
		s := good()
		change(&s)
		return []Scenario{s}
	}
	for _, test := range []struct {
		name      string
		scenarios []Scenario
		want      []string // each in the error; none: no error
	}{
		{"nothing", nil, nil},
		{"good", []Scenario{good()}, nil},
		{"a client's", with(func(s *Scenario) { s.ID, s.Role, s.Judges = "client/fake/good", spec.RoleClient, of(spec.C_HB_01) }), nil},
		{"digits and dashes", with(func(s *Scenario) { s.ID = "server/q2/first-in-1st-out" }), nil},
		{"no ID", with(func(s *Scenario) { s.ID = "" }), []string{`""`, "role/topic/what-it-shows"}},
		{"two parts", with(func(s *Scenario) { s.ID = "server/queue" }), []string{`"server/queue"`, "role/topic"}},
		{"four parts", with(func(s *Scenario) { s.ID = "server/queue/a/b" }), []string{"role/topic"}},
		{"another role", with(func(s *Scenario) { s.ID = "proxy/queue/a" }), []string{"role/topic"}},
		{"capitals", with(func(s *Scenario) { s.ID = "server/Queue/a" }), []string{"role/topic"}},
		{"an underscore", with(func(s *Scenario) { s.ID = "server/queue/a_b" }), []string{"role/topic"}},
		{"a dash at the end", with(func(s *Scenario) { s.ID = "server/queue/a-" }), []string{"role/topic"}},
		{"a line behind it", with(func(s *Scenario) { s.ID = "server/queue/a\n" }), []string{"role/topic"}},
		{"no title", with(func(s *Scenario) { s.Title = "" }), []string{"title, method and Run"}},
		{"no method", with(func(s *Scenario) { s.Method = "" }), []string{"title, method and Run"}},
		{"nothing to run", with(func(s *Scenario) { s.Run = nil }), []string{"title, method and Run"}},
		{"judges nothing", with(func(s *Scenario) { s.Judges = nil }), []string{"judges no requirement"}},
		{"an unknown requirement", with(func(s *Scenario) { s.Judges = of("S-Q-99") }), []string{"S-Q-99 is not in the catalogue"}},
		{"another role's requirement", with(func(s *Scenario) { s.Judges = of(spec.C_HB_01) }), []string{"C-HB-01 is of the role client"}},
		{"registered twice", []Scenario{good(), good()}, []string{"server/fake/good is registered twice"}},
		{
			"all at a time", append(with(func(s *Scenario) { s.ID, s.Title, s.Judges = "x", "", of("S-X-01", spec.C_HB_01) }), good(), good()),
			[]string{"role/topic", "title", "S-X-01", "C-HB-01", "twice"},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			err := Validate(test.scenarios)
			if (err != nil) != (len(test.want) > 0) {
				t.Fatalf("Validate says %v; want %q", err, test.want)
			}
			for _, words := range test.want {
				if !strings.Contains(err.Error(), words) {
					t.Errorf("Validate says %q; want %q in it", err, words)
				}
			}
		})
	}
}

// The ID must name the role that the scenario has, for filters read the ID.
func TestValidateRoleOfTheID(t *testing.T) {
	s := good()
	s.ID = "client/fake/good" // and yet of the role server
	if Validate([]Scenario{s}) == nil {
		t.Error("an ID of one role passes on a scenario of the other")
	}
}

func TestAllLabels(t *testing.T) {
	s := good()
	s.Judges = of(spec.S_Q_01, spec.S_Q_12)
	s.Needs, s.Labels, s.Class = []spec.Feature{spec.FeatureControl}, []string{"documented-1"}, Exclusive
	want := []string{"MUST", "OBSERVE", "S-Q-01", "S-Q-12", "control", "documented-1", "exclusive", "queue", "server"}
	if got := s.AllLabels(); !slices.Equal(got, want) {
		t.Errorf("labels %v; want %v", got, want)
	}
	if got := good().AllLabels(); !slices.Contains(got, "parallel") {
		t.Errorf("labels %v; want the class parallel among them", got)
	}
}

func TestTopicIsThatOfTheFirstRequirement(t *testing.T) {
	s := good()
	s.Judges = of(spec.S_TOK_01, spec.S_Q_01)
	if got := s.Topic().Key; got != "token" && !strings.HasPrefix(got, "tok") {
		t.Errorf("topic %q; want that of S-TOK-01", got)
	}
}

// The budget leaves room for twice what a scenario needs, and for slow links.
func TestBudgetScales(t *testing.T) {
	s, p := good(), DefaultParams()
	if got := s.budget(p); got != minBudget {
		t.Errorf("a scenario that needs no time has %v; want %v", got, minBudget)
	}
	s.Leases, s.IOTimeouts = 4, 1
	if got, want := s.budget(p), minBudget+8*p.Lease+2*p.IOTimeout; got != want {
		t.Errorf("4 leases and an io-timeout have %v; want %v", got, want)
	}
	p.RTT = time.Second
	if got := s.budget(p); got < minBudget+20*time.Minute {
		t.Errorf("over a second's round trip it has %v; want room for many", got)
	}
}
