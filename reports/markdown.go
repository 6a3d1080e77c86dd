package reports

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/conformance/spec"
)

// markdownBytes is about how long the text may become. GitHub takes a job summary of
// 1 MiB, and a job may have others.
const markdownBytes = 256 << 10

// Markdown writes a result in GitHub's Markdown, for the summary of a job: the
// conclusion, each finding with its requirement, what was expected and seen and a
// command that repeats just this, and a table by topic. Timelines, observations and
// what was not tested are collapsed. It stays below 512 KiB: findings that do not fit are
// named and counted. Text of a subject stands in code that it cannot leave. The
// errors are those of w.
func Markdown(w io.Writer, r Result) error {
	m := &markdownPage{}
	m.conclusion(r)
	m.ending(r)
	m.findings(r)
	m.topics(r)
	m.untested(r)
	m.observations(r)
	m.run(r)
	_, err := io.WriteString(w, m.out.String())
	return err
}

type markdownPage struct{ out strings.Builder }

func (m *markdownPage) line(format string, args ...any) {
	fmt.Fprintf(&m.out, format+"\n", args...)
}

func (m *markdownPage) full() bool { return m.out.Len() > markdownBytes }

func (m *markdownPage) conclusion(r Result) {
	words := r.Words()
	head, rest, _ := strings.Cut(words, ":")
	m.line("## monolock %s: %s\n", mdText(string(r.Subject.Role)), mdText(head))
	if rest != "" {
		m.line("%s.\n", mdText(strings.TrimSpace(rest)))
	}
	name := strings.TrimSpace(r.Subject.Name + " " + r.Subject.Version)
	m.line("Subject: %s\n", mdCode(joined(name, r.Subject.Target)))
}

func (m *markdownPage) ending(r Result) {
	why := r.EndedEarly()
	if why == "" {
		return
	}
	m.line("### %s\n", r.endingTitle())
	p := &page{}
	p.field("seen", why)
	m.fenced("text", p.out.String())
	if open := r.undecidedByEnd(); open > 0 {
		m.line("%s not decided.\n", counted(open, "requirement was", "requirements were"))
	}
}

// findings writes those with evidence in full, as far as there is room, and lists
// the others.
func (m *markdownPage) findings(r Result) {
	var known, brief []finding
	for _, f := range collectFindings(r) {
		switch {
		case f.Verdict == conformance.KnownFail:
			known = append(known, f)
		case len(f.places) == 0 || f.places[0].consequence():
			brief = append(brief, f)
		case m.full():
			brief = append(brief, f)
		default:
			m.finding(r, f)
		}
	}
	if m.full() {
		m.line("> This summary has no room for more evidence; the result file and the other reports have it.\n")
	}
	m.list("Further findings", "", brief)
	m.list("Known failures", "why it is known", known)
}

func (m *markdownPage) finding(r Result, f finding) {
	requirement, _ := spec.Get(f.ID)
	at := f.places[0]
	m.line("### %s %s (%s)\n", label(f.Verdict), mdText(string(f.ID)), mdText(string(f.Level)))
	m.line("%s\n", mdText(sentenceOf(f.ID)))
	if text := sources(requirement); text != "" {
		m.line("Source: %s\n", mdText(text))
	}
	m.fenced("text", placeText(at))
	m.line("Repeat just this:\n")
	m.fenced("sh", cleanLine(RepeatCommand(r.Run, at.scenario.ID)))
	p := &page{}
	p.evidence(at)
	if timeline := p.out.String(); timeline != "" {
		m.details("Timeline", func() { m.fenced("text", timeline) })
	}
	if others := f.places[1:]; len(others) > 0 {
		m.details("Also in "+counted(len(others), "other scenario", "other scenarios"), func() { m.places(others, f.Verdict) })
	}
}

// placeText is what one scenario says, as a terminal shows it.
func placeText(at place) string {
	p := &page{}
	p.field("scenario", cleanLine(joined(at.scenario.ID, at.scenario.Title)))
	name, expected := splitCase(at.Expected)
	p.field("case", cleanLine(name))
	p.field("expected", expected)
	p.field("actual", at.Actual)
	if at.MeasuredMS > 0 {
		p.field("measured", millisText(at.MeasuredMS))
	}
	return p.out.String()
}

// places lists scenarios with what each saw. Summed is the requirement's verdict.
func (m *markdownPage) places(places []place, summed conformance.Verdict) {
	for i, at := range places {
		if i == shownPlaces {
			m.line("- and %d more", len(places)-i)
			break
		}
		verdict := ""
		if at.Verdict != summed {
			verdict = ", " + string(at.Verdict)
		}
		m.line("- %s%s: %s", mdCode(at.scenario.ID), mdText(verdict), mdCode(cut(oneLine(at.Actual), shownOfLine)))
	}
	m.line("")
}

// shownPlaces is how many further scenarios of a finding are listed.
const shownPlaces = 20

// list names findings, each on one line of a table. Reason is the head of what a
// baseline says of them.
func (m *markdownPage) list(title, reason string, findings []finding) {
	if len(findings) == 0 {
		return
	}
	m.line("### %s\n", title)
	m.line("| requirement | verdict | what was seen | %s |", reason)
	m.line("| --- | --- | --- | --- |")
	for i, f := range findings {
		if m.out.Len() > markdownBytes*3/2 {
			m.line("| and %d more | | | |", len(findings)-i)
			break
		}
		m.line("| %s | %s | %s | %s |", mdText(string(f.ID)), mdText(string(f.Verdict)), mdCode(cut(oneLine(f.Detail), shownOfLine)), mdCode(cut(oneLine(f.reason()), shownOfLine)))
	}
	m.line("")
}

// topics is the table of all requirements.
func (m *markdownPage) topics(r Result) {
	used := usedColumns(r)
	if len(used) == 0 {
		return
	}
	rows, _ := topicRows(r)
	head, rule := "| topic |", "| --- |"
	for _, v := range used {
		head, rule = head+" "+string(v)+" |", rule+" ---: |"
	}
	m.line("### Requirements by topic\n\n%s\n%s", head, rule)
	for _, row := range append(rows, topicRow{"all", r.Counts}) {
		line := "| " + mdText(row.title) + " |"
		for _, v := range used {
			number := ""
			if n := row.counts[v]; n > 0 {
				number = strconv.Itoa(n)
			}
			line += " " + number + " |"
		}
		m.line("%s", line)
	}
	m.line("")
}

// untested lists what decides nothing, with the reason.
func (m *markdownPage) untested(r Result) {
	var rows []Requirement
	for _, q := range r.Requirements {
		if bearingOf(q) == decidesNothing {
			rows = append(rows, q)
		}
	}
	title := counted(len(rows), "requirement was not tested", "requirements were not tested")
	switch {
	case len(rows) == 0:
		return
	case m.full():
		m.line("%s.\n", title)
		return
	}
	m.details(title, func() {
		m.line("| requirement | verdict | why |\n| --- | --- | --- |")
		for _, q := range rows {
			m.line("| %s | %s | %s |", mdText(string(q.ID)), mdText(string(q.Verdict)), mdCode(cut(oneLine(q.Detail), shownOfLine)))
		}
		m.line("")
	})
}

func (m *markdownPage) observations(r Result) {
	if len(r.Observations) == 0 {
		return
	}
	m.details(counted(len(r.Observations), "observation", "observations"), func() {
		m.line("| requirement | what | value |\n| --- | --- | --- |")
		for i, o := range r.Observations {
			if m.full() {
				m.line("| | and %d more | |", len(r.Observations)-i)
				break
			}
			m.line("| %s | %s | %s |", mdText(string(o.ID)), mdCode(cut(oneLine(o.Key), shownOfLine)), mdCode(cut(oneLine(o.Value), shownOfLine)))
		}
		m.line("")
	})
}

// run writes what the run was.
func (m *markdownPage) run(r Result) {
	duration := time.Duration(r.Run.DurationMS) * time.Millisecond
	m.line("monolock-conform %s, catalogue %d, %s in %v, seed %d, lease %d ms", mdText(r.Suite.Version),
		r.Suite.CatalogueVersion, counted(len(r.Scenarios), "scenario", "scenarios"), duration, r.Run.Seed, r.Run.LeaseMS)
}

// details collapses what content writes.
func (m *markdownPage) details(summary string, content func()) {
	m.line("<details><summary>%s</summary>\n", mdText(summary))
	content()
	m.line("</details>\n")
}

// fenced writes text between fences that are longer than any run of backticks in it.
func (m *markdownPage) fenced(language, text string) {
	text = strings.TrimRight(cleanBlock(text), "\n")
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	m.line("%s%s\n%s\n%s\n", fence, language, text, fence)
}

// mdText makes text mean nothing to Markdown, to HTML, and to what a host makes links
// of: in prose, in headings and in tables. It is one line.
func mdText(text string) string {
	var out strings.Builder
	clean := cleanLine(text)
	for i, r := range clean {
		switch {
		case strings.ContainsRune("&<>\"'@$", r), r == ':' && strings.HasPrefix(clean[i:], "://"), r == '.' && endsInW(clean[:i]):
			fmt.Fprintf(&out, "&#%d;", r)
		case strings.ContainsRune("\\`*_[]|~#!", r):
			out.WriteByte('\\')
			out.WriteRune(r)
		default:
			out.WriteRune(r)
		}
	}
	return out.String()
}

// endsInW reports whether a point behind text might begin a web address.
func endsInW(text string) bool { return strings.HasSuffix(strings.ToLower(text), "www") }

// mdCode makes code of a subject's text. It is HTML, since backticks cannot hold every
// text in a table.
func mdCode(text string) string {
	if text == "" {
		return ""
	}
	return "<code>" + mdText(text) + "</code>"
}
