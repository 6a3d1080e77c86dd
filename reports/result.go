package reports

import (
	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/conformance/spec"
)

// Schema names the form of a [Result]. A later form has a higher number.
const Schema = "monolock-conform/result/1"

// Conclusion is what the whole run says of its subject.
type Conclusion string

// The conclusions.
const (
	Conformant    Conclusion = "conformant"
	NotConformant Conclusion = "not-conformant"
	Undecided     Conclusion = "undecided"
)

// Result is what one run came to for one subject, in the form of its file.
// Requirements, Counts, Complete and Result follow from the rest: see [Judge].
// No slice of it is nil. Units stand in the names of the fields.
type Result struct {
	Schema       string                      `json:"schema"`
	Suite        Suite                       `json:"suite"`
	Subject      Subject                     `json:"subject"`
	Run          Run                         `json:"run"`
	Complete     bool                        `json:"complete"` // false where something was left out
	Filters      Filters                     `json:"filters"`
	Features     Features                    `json:"features"`
	Result       Conclusion                  `json:"result"`
	Counts       map[conformance.Verdict]int `json:"counts"` // of requirements; each verdict is a key
	Requirements []Requirement               `json:"requirements"`
	Scenarios    []Scenario                  `json:"scenarios"`
	Observations []Observation               `json:"observations"`
	OpenPoints   []string                    `json:"open_points"`
}

// Suite says which suite judged, and by which words.
type Suite struct {
	Version          string `json:"version"`
	Commit           string `json:"commit"`
	Catalogue        string `json:"catalogue"` // see [spec.Hash]
	CatalogueVersion int    `json:"catalogue_version"`
}

// Subject says what was tested. Lacks are the features that it declines itself.
type Subject struct {
	Role     spec.Role `json:"role"`
	Name     string    `json:"name"`
	Version  string    `json:"version"`
	Language string    `json:"language"`
	Target   string    `json:"target"`
	Lacks    []string  `json:"lacks"`
}

// Run holds the numbers of the run. Args are the words after the program's name.
type Run struct {
	Seed       uint64   `json:"seed"`
	Started    string   `json:"started"` // RFC 3339, UTC
	DurationMS int64    `json:"duration_ms"`
	Jobs       int      `json:"jobs"`
	LeaseMS    int64    `json:"lease_ms"`
	RTTUS      int64    `json:"rtt_us"`
	NoiseUS    Noise    `json:"noise_us"`
	Args       []string `json:"args"`
}

// Noise is the suite's own delay, in microseconds.
type Noise struct {
	P50 int64 `json:"p50"`
	P99 int64 `json:"p99"`
	Max int64 `json:"max"`
}

// Filters are the user's selection. Strict makes a warn count as a fail.
type Filters struct {
	Run    []string `json:"run"`
	Skip   []string `json:"skip"`
	Labels string   `json:"labels"`
	Shard  string   `json:"shard"`
	Strict bool     `json:"strict"`
}

// Features tells those that the subject offers from those of its role that it
// does not.
type Features struct {
	Offered  []spec.Feature `json:"offered"`
	Declined []spec.Feature `json:"declined"`
}

// Requirement is the verdict on one line of the catalogue. Scenarios are the IDs
// of those that decided it; Detail is one line.
type Requirement struct {
	ID        spec.ID             `json:"id"`
	Level     spec.Level          `json:"level"`
	Verdict   conformance.Verdict `json:"verdict"`
	Scenarios []string            `json:"scenarios"`
	Detail    string              `json:"detail"`
}

// Scenario is what one experiment came to. One that the user left out has the
// verdict excluded and no attempts. StartMS counts from the start of the run.
// Claims, Bands, Limits and Timeline share one clock, which starts with the
// attempt that decided.
type Scenario struct {
	ID           string              `json:"id"`
	Title        string              `json:"title"`
	Verdict      conformance.Verdict `json:"verdict"`
	StartMS      int64               `json:"start_ms"`
	DurationMS   int64               `json:"duration_ms"`
	Attempts     int                 `json:"attempts"`
	Requirements []Judgement         `json:"requirements"`
	LeaseMS      int64               `json:"lease_ms"`
	Claims       []Claim             `json:"claims"`
	Bands        []Band              `json:"bands"`
	Limits       []Limit             `json:"limits"`
	Timeline     []Event             `json:"timeline"`
	Trace        string              `json:"trace"` // path of the packet capture, or ""
}

// Judgement is what a scenario says of one requirement. Expected and Actual are
// empty for a pass; Expected begins with the case and with the sentence of the
// scenario. MeasuredMS is 0 where no time was judged; it has three decimals.
type Judgement struct {
	ID         spec.ID             `json:"id"`
	Verdict    conformance.Verdict `json:"verdict"`
	Expected   string              `json:"expected"`
	Actual     string              `json:"actual"`
	MeasuredMS float64             `json:"measured_ms"`
}

// Claim is a time in which somebody held a lock. Token is a decimal number.
type Claim struct {
	Who    string `json:"who"`
	FromUS int64  `json:"from_us"`
	ToUS   int64  `json:"to_us"`
	Token  string `json:"token"`
}

// Band is a time in which something was in force, such as a partition.
type Band struct {
	What   string `json:"what"`
	FromUS int64  `json:"from_us"`
	ToUS   int64  `json:"to_us"`
}

// Limit is an instant by which something had to happen.
type Limit struct {
	What string `json:"what"`
	AtUS int64  `json:"at_us"`
}

// Event is one entry of a timeline. Frame is the text of it, Hex the bytes that
// were kept. Entries of "verdict" stand behind the event that shows a finding.
type Event struct {
	TUS   int64  `json:"t_us"`
	Who   string `json:"who"`
	What  string `json:"what"`
	Frame string `json:"frame"`
	Hex   string `json:"hex"`
}

// Observation is a fact that the documents leave open.
type Observation struct {
	ID    spec.ID `json:"id"`
	Key   string  `json:"key"`
	Value string  `json:"value"`
}
