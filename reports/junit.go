package reports

import (
	"encoding/xml"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/onsi/ginkgo/v2/reporters"

	"github.com/monolock-dev/monolock-conform/conformance/spec"
)

// JUnit writes a result as JUnit XML, in Ginkgo's own types: a testsuite a topic, a
// testcase a requirement. The errors are those of w.
//
// A case is a requirement and not a scenario, for three reasons. The numbers that a
// CI host shows are then those of the result: what fails is a rule of the protocol,
// once, and not each of the five experiments that trip over it. Its name is as
// stable as the ID, so the host's history tells since when it fails. And what no
// scenario is about has a case, too, so that nothing unexamined is green. The
// scenarios are properties of the case, and their evidence is the text of the
// failure.
//
// A fail or an unexpected pass is a failure; what could not be decided is an error;
// what was not tested is skipped with the reason, and so is a known failure. A warn
// passes and is told in the output. A case's time is its share of the scenarios
// that judge it, so that the times of all cases add up to those of all scenarios.
// An undecided run without any such case has an error of its own, in the last suite.
func JUnit(w io.Writer, r Result) error {
	report := reporters.JUnitTestSuites{Time: float64(r.Run.DurationMS) / 1000}
	shares := timeShares(r)
	for _, topic := range byTopic(r) {
		suite := newJUnitSuite(r, topic.Key, topic.Title)
		for _, q := range topic.requirements {
			addJUnitCase(&suite, newJUnitCase(r, q, suite.Package, shares[q.ID]))
		}
		addJUnitSuite(&report, suite)
	}
	run := newJUnitSuite(r, "run", "the run as a whole")
	run.Properties = junitRunProperties(r)
	addJUnitCase(&run, junitRunCase(r, run.Package))
	addJUnitSuite(&report, run)
	return writeXML(w, report)
}

func writeXML(w io.Writer, document any) error {
	var out strings.Builder
	out.WriteString(xml.Header)
	encoder := xml.NewEncoder(&out)
	encoder.Indent("", "  ")
	if err := encoder.Encode(document); err != nil {
		return err
	}
	// No attribute holds a line end, and text may hold it as it is.
	_, err := io.WriteString(w, strings.ReplaceAll(out.String(), "&#xA;", "\n")+"\n")
	return err
}

// timeShares gives each requirement its part of the scenarios that judge it, in
// seconds.
func timeShares(r Result) map[spec.ID]float64 {
	shares := map[spec.ID]float64{}
	for _, s := range r.Scenarios {
		for _, j := range s.Requirements {
			shares[j.ID] += float64(s.DurationMS) / 1000 / float64(len(s.Requirements))
		}
	}
	return shares
}

func newJUnitSuite(r Result, key, title string) reporters.JUnitTestSuite {
	role := cleanLine(string(r.Subject.Role))
	return reporters.JUnitTestSuite{
		Name: role + ": " + title, Package: "monolock." + role + "." + key, Timestamp: junitTime(r.Run.Started),
	}
}

// junitTime has no zone, as the format's schema wants it. It is UTC.
func junitTime(started string) string {
	at, err := time.Parse(time.RFC3339, started)
	if err != nil {
		return cleanLine(started)
	}
	return at.UTC().Format("2006-01-02T15:04:05")
}

func newJUnitCase(r Result, q Requirement, class string, seconds float64) reporters.JUnitTestCase {
	c := reporters.JUnitTestCase{
		Name: cleanLine(string(q.ID) + " " + sentenceOf(q.ID)), Classname: class, Status: cleanLine(string(q.Verdict)),
		Time: roundedSeconds(seconds), Properties: junitProperties(q),
	}
	switch bearingOf(q) {
	case doesNotHold:
		c.Failure = &reporters.JUnitFailure{Message: because(q), Type: c.Status, Description: findingText(r, q)}
	case staysOpen:
		c.Error = &reporters.JUnitError{Message: because(q), Type: c.Status, Description: findingText(r, q)}
	case failsAsKnown:
		c.Skipped = &reporters.JUnitSkipped{Message: cleanLine(joined(string(q.Verdict), r.knownReasonOf(q.ID), q.Detail))}
	case decidesNothing:
		c.Skipped = &reporters.JUnitSkipped{Message: because(q)}
	case isAdvice:
		c.SystemOut = findingText(r, q)
	default:
		c.SystemOut = cleanLine(q.Detail)
	}
	return c
}

// findingText is a finding as a terminal shows it.
func findingText(r Result, q Requirement) string {
	p := &page{opts: TextOptions{Width: defaultWidth}}
	p.finding(r, finding{q, placesOf(r, q.ID)})
	if q.Detail != "" {
		p.field("in short", q.Detail)
	}
	return p.out.String()
}

func roundedSeconds(seconds float64) float64 { return float64(int64(seconds*1000+0.5)) / 1000 }

// junitProperties are the facts of a case that a program may ask for.
func junitProperties(q Requirement) *reporters.JUnitProperties {
	requirement, _ := spec.Get(q.ID)
	p := &reporters.JUnitProperties{}
	add := func(name, value string) {
		p.Properties = append(p.Properties, reporters.JUnitProperty{Name: name, Value: cleanLine(value)})
	}
	add("requirement", string(q.ID))
	add("level", string(q.Level))
	add("verdict", string(q.Verdict))
	for _, f := range requirement.Features {
		add("feature", string(f))
	}
	for _, source := range requirement.Sources {
		add("source", source.String())
	}
	for _, scenario := range q.Scenarios {
		add("scenario", scenario)
	}
	return p
}

func junitRunProperties(r Result) reporters.JUnitProperties {
	var p reporters.JUnitProperties
	add := func(name, value string) {
		p.Properties = append(p.Properties, reporters.JUnitProperty{Name: name, Value: cleanLine(value)})
	}
	add("result", string(r.Result))
	add("complete", strconv.FormatBool(r.Complete))
	add("suite", joined(r.Suite.Version, r.Suite.Commit))
	add("catalogue", fmt.Sprintf("%d %s", r.Suite.CatalogueVersion, r.Suite.Catalogue))
	add("subject", joined(r.Subject.Name, r.Subject.Version, r.Subject.Target))
	add("seed", strconv.FormatUint(r.Run.Seed, 10))
	add("lease_ms", strconv.FormatInt(r.Run.LeaseMS, 10))
	return p
}

// junitRunCase is green, unless nothing else is red and the run is not conformant
// all the same.
func junitRunCase(r Result, class string) reporters.JUnitTestCase {
	c := reporters.JUnitTestCase{Name: "conclusion", Classname: class, Status: cleanLine(string(r.Result))}
	if blamesNone(r) {
		c.Error = &reporters.JUnitError{Message: cleanLine(r.Words()), Type: c.Status, Description: cleanLine(r.Words())}
		return c
	}
	c.SystemOut = cleanLine(r.Words())
	return c
}

func addJUnitCase(suite *reporters.JUnitTestSuite, c reporters.JUnitTestCase) {
	suite.TestCases = append(suite.TestCases, c)
	suite.Tests++
	suite.Time = roundedSeconds(suite.Time + c.Time)
	switch {
	case c.Failure != nil:
		suite.Failures++
	case c.Error != nil:
		suite.Errors++
	case c.Skipped != nil:
		suite.Skipped++
	}
}

func addJUnitSuite(report *reporters.JUnitTestSuites, suite reporters.JUnitTestSuite) {
	report.TestSuites = append(report.TestSuites, suite)
	report.Tests += suite.Tests
	report.Failures += suite.Failures
	report.Errors += suite.Errors
	report.Disabled += suite.Skipped
}
