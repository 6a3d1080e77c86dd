package conformance

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/spec"
	"github.com/monolock-dev/monolock-conform/conformance/subject"
)

// Class says beside what a scenario may run.
type Class int

// Parallel scenarios mostly wait, and run side by side. Exclusive ones load the
// subject or measure it closely, and run alone after the others.
const (
	Parallel Class = iota
	Exclusive
)

// String returns the class's name.
func (c Class) String() string {
	if c == Exclusive {
		return "exclusive"
	}
	return "parallel"
}

// Scenario is one experiment. It is a value, and Run a function of its T only,
// so the same scenario runs for real and in virtual time.
type Scenario struct {
	// ID is stable and unique: role/topic/what-it-shows.
	ID    string
	Title string
	Role  spec.Role
	// Judges lists the requirements that the scenario gives a verdict on.
	// A run that ends without judging one of them is an error, never a pass.
	Judges []spec.ID
	// Notices lists further requirements that it can find broken and gives no
	// verdict on otherwise, for others judge them wherever its own needs are not met.
	Notices []spec.ID
	// Needs lists the features without which the subject cannot be judged.
	Needs []spec.Feature
	// RestartSuffices says that of the feature control only a restart is
	// needed, so that a restart command will do.
	RestartSuffices bool
	// NeedsProcess marks what only a process can show: signals, limits.
	NeedsProcess bool
	Class        Class
	// Labels are further labels, such as documented-1.
	Labels []string
	// Method says how the scenario tests, for `explain`.
	Method string
	// Leases and Waits bound the run: it takes at most that many base leases
	// and io-timeouts on top of [minBudget].
	Leases, IOTimeouts int
	Run                func(*T)
}

// minBudget is what every scenario may take: the answers that fail to come are
// waited for one after the other, and a loaded machine is slow.
const minBudget = 30 * time.Second

// budget is how long one attempt may take before it counts as hung.
func (s Scenario) budget(p Params) time.Duration {
	const roundTrips = 1500 // of the longest sequential scenario
	const startUps = 40     // of adapters one after the other, the wait for a place included
	control := time.Duration(0)
	if slices.Contains(s.Needs, spec.FeatureControl) {
		control = 2*p.StartTimeout + exitTime + subject.DefaultRestartTimeout
	}
	return p.Patience + minBudget + control + time.Duration(s.Leases)*2*p.Lease + time.Duration(s.IOTimeouts)*2*p.IOTimeout + roundTrips*p.RTT + startUps*p.StartUp
}

// length estimates how long a run takes when all is well. The scheduler starts
// the longest first.
func (s Scenario) length(p Params) time.Duration {
	return time.Duration(s.Leases)*p.Lease + time.Duration(s.IOTimeouts)*p.IOTimeout
}

// Names returns the requirements that it judges and those that it notices.
func (s Scenario) Names() []spec.ID {
	return slices.Concat(s.Judges, s.Notices)
}

// AllLabels returns what Ginkgo's label filters see: role, topic, level,
// features, requirements, class, and the scenario's own labels.
func (s Scenario) AllLabels() []string {
	labels := []string{string(s.Role), s.Class.String()}
	for _, id := range s.Names() {
		r, _ := spec.Get(id)
		labels = append(labels, string(id), string(r.Level), r.Topic.Key)
	}
	for _, f := range s.Needs {
		labels = append(labels, string(f))
	}
	labels = append(labels, s.Labels...)
	slices.Sort(labels)
	return slices.Compact(labels)
}

// Topic is the topic of the first requirement that the scenario judges.
func (s Scenario) Topic() spec.Topic {
	r, _ := spec.Get(s.Judges[0])
	return r.Topic
}

var idPattern = regexp.MustCompile(`^(server|client)(/[a-z0-9]+(-[a-z0-9]+)*){2}$`)

// Validate checks a registry of scenarios: IDs well formed and unique, titles
// present, requirements known and of the scenario's role. It returns all
// faults joined.
func Validate(scenarios []Scenario) error {
	var faults []error
	seen := map[string]bool{}
	for _, s := range scenarios {
		faults = append(faults, s.validate())
		if seen[s.ID] {
			faults = append(faults, fmt.Errorf("scenario %s is registered twice", s.ID))
		}
		seen[s.ID] = true
	}
	return errors.Join(faults...)
}

func (s Scenario) validate() error {
	var faults []error
	fault := func(format string, args ...any) {
		faults = append(faults, fmt.Errorf("scenario %q: "+format, append([]any{s.ID}, args...)...))
	}
	if !idPattern.MatchString(s.ID) {
		fault("the ID does not read role/topic/what-it-shows")
	} else if !strings.HasPrefix(s.ID, string(s.Role)+"/") {
		fault("the ID names another role than %s", s.Role)
	}
	if s.Title == "" || s.Method == "" || s.Run == nil {
		fault("title, method and Run must be set")
	}
	if len(s.Judges) == 0 {
		fault("it judges no requirement")
	}
	for _, id := range s.Names() {
		if r, known := spec.Get(id); !known {
			fault("requirement %s is not in the catalogue", id)
		} else if r.Role != s.Role {
			fault("requirement %s is of the role %s", id, r.Role)
		}
	}
	return errors.Join(faults...)
}
