package reports

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// htmlFacts are the numbers of the run, in the words of the text report.
func htmlFacts(r Result) []htmlFact {
	facts := []htmlFact{
		{"suite", strings.TrimSpace(r.Suite.Version + " " + r.Suite.Commit)},
		{"catalogue", "version " + strconv.Itoa(r.Suite.CatalogueVersion)},
		{"started", r.Run.Started},
	}
	if !r.ofCapture() {
		facts = append(facts, runFacts(r)...)
	}
	if n := r.Run.NoiseUS; n != (Noise{}) {
		facts = append(facts, htmlFact{"the suite's own delay", "p50 " + microsText(n.P50) + ", p99 " + microsText(n.P99) + ", max " + microsText(n.Max)})
	}
	facts = append(facts,
		htmlFact{"selection", selectionWords(r)},
		htmlFact{"offered", joinedFeatures(r.Features.Offered)},
		htmlFact{"not offered", joinedFeatures(r.Features.Declined)},
		htmlFact{"the subject lacks", strings.Join(r.Subject.Lacks, ", ")},
		htmlFact{"arguments", shellLine(r.Run.Args)},
	)
	for i := range facts {
		facts[i].Text = cleanLine(facts[i].Text)
	}
	return slices.DeleteFunc(facts, func(f htmlFact) bool { return f.Text == "" })
}

// runFacts are the numbers of a run that was more than reading a capture.
func runFacts(r Result) []htmlFact {
	ran := 0
	for _, s := range r.Scenarios {
		if s.Attempts > 0 {
			ran++
		}
	}
	took := (time.Duration(r.Run.DurationMS) * time.Millisecond).String()
	facts := []htmlFact{
		{"ran", counted(ran, "scenario", "scenarios") + " in " + took + ", " + counted(r.Run.Jobs, "job", "jobs")},
		{"seed", strconv.FormatUint(r.Run.Seed, 10)},
		{"lease", strconv.FormatInt(r.Run.LeaseMS, 10) + " ms"},
	}
	if r.Run.RTTUS > 0 {
		facts = append(facts, htmlFact{"round trip", microsText(r.Run.RTTUS)})
	}
	return facts
}

// captureWords are what a capture held and what could not be seen of it.
func captureWords(r Result) []string {
	if !r.ofCapture() {
		return nil
	}
	var words []string
	for _, e := range r.Scenarios[0].Timeline {
		words = append(words, cleanLine(e.Frame))
	}
	return words
}

// selectionWords says what the user chose.
func selectionWords(r Result) string {
	var words []string
	add := func(name, value string) {
		if value != "" {
			words = append(words, name+" "+value)
		}
	}
	add("run", strings.Join(r.Filters.Run, ", "))
	add("skip", strings.Join(r.Filters.Skip, ", "))
	add("labels", r.Filters.Labels)
	add("shard", r.Filters.Shard)
	if r.Filters.Strict {
		words = append(words, "strict: a SHOULD that does not hold fails")
	}
	switch {
	case len(words) == 0 && r.Complete:
		return "everything"
	case len(words) == 0:
		return ""
	}
	return strings.Join(words, "; ")
}
