package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/conformance/spec"
	"github.com/monolock-dev/monolock-conform/scenarios"
)

func newExplain(c console) *cobra.Command {
	cmd := &cobra.Command{
		Use: "explain ID", Short: "Explain a requirement or a scenario",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usage("explain takes one ID of a requirement or scenario, such as S-Q-02")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error { return explain(c.out, args[0]) },
	}
	cmd.SetFlagErrorFunc(flagError)
	return cmd
}

func explain(w io.Writer, id string) error {
	if r, ok := spec.Get(spec.ID(strings.ToUpper(id))); ok {
		explainRequirement(w, r)
		return nil
	}
	for _, role := range roles {
		for _, s := range scenarios.All(role) {
			if s.ID == id {
				explainScenario(w, s)
				return nil
			}
		}
	}
	_, err := conformance.Select(append(scenarios.All(spec.RoleServer), scenarios.All(spec.RoleClient)...), []string{id}, nil)
	if err != nil {
		return usage("%w", err)
	}
	return usage("%q is a pattern; explain takes one ID", id)
}

func explainRequirement(w io.Writer, r spec.Requirement) {
	fmt.Fprintf(w, "%s  %s  %s, %s%s\n\n", r.ID, r.Level, r.Role, r.Topic.Title, needs(r.Features))
	paragraph(w, "", r.Sentence)
	if len(r.Sources) > 0 {
		paragraph(w, "Source", strings.Join(sources(r), "; "))
	}
	paragraph(w, "Why it matters", r.Why)
	paragraph(w, "How it is tested", r.How)
	paragraph(w, "What usually breaks it", r.Breaks)
	judged := judging(r.ID)
	if len(judged) == 0 {
		paragraph(w, "Scenarios", later)
		return
	}
	fmt.Fprintln(w, "Scenarios:")
	for _, s := range judged {
		fmt.Fprintf(w, "  %s\n      %s\n", s.ID, s.Title)
	}
}

func explainScenario(w io.Writer, s conformance.Scenario) {
	fmt.Fprintf(w, "%s  (%s, %s)%s\n\n", s.ID, s.Role, s.Class, needs(s.Needs))
	paragraph(w, "", s.Title)
	paragraph(w, "How it tests", s.Method)
	requirements(w, "Requirements that it judges:", s.Judges)
	requirements(w, "Requirements of other scenarios that fail here, too, where it sees them broken:", s.Notices)
	for _, id := range s.Judges {
		r, _ := spec.Get(id)
		if len(r.Sources) > 0 {
			paragraph(w, fmt.Sprintf("Source of %s", id), strings.Join(sources(r), "; "))
		}
		paragraph(w, fmt.Sprintf("Why %s matters", id), r.Why)
		paragraph(w, fmt.Sprintf("What usually breaks %s", id), r.Breaks)
	}
	fmt.Fprintf(w, "Run it alone, on your own %s or on the embedded one:\n  monolock-conform %s --run %s\n  monolock-conform --run %s\n", s.Role, placeholder(s), s.ID, s.ID)
}

// requirements prints a line each under a heading.
func requirements(w io.Writer, heading string, ids []spec.ID) {
	if len(ids) == 0 {
		return
	}
	fmt.Fprintln(w, heading)
	for _, id := range ids {
		r, _ := spec.Get(id)
		fmt.Fprintf(w, "  %-9s %-7s %s\n", r.ID, r.Level, r.Sentence)
	}
	fmt.Fprintln(w)
}

// placeholder is the flag that names a subject which can show a scenario, with words
// that stand for the subject.
func placeholder(s conformance.Scenario) string {
	switch {
	case s.Role == spec.RoleClient:
		return "--client 'YOUR-ADAPTER'"
	case slices.Contains(s.Needs, spec.FeatureControl):
		return "--server-cmd 'YOUR-SERVER --listen {listen}'"
	}
	return "--server HOST:PORT"
}

// textWidth is where paragraphs break.
const textWidth = 80

// paragraph prints text under a heading, broken into lines.
func paragraph(w io.Writer, heading, text string) {
	if heading != "" {
		fmt.Fprintf(w, "%s:\n", heading)
	}
	line := "  "
	for _, word := range strings.Fields(text) {
		if len(line)+len(word) > textWidth && strings.TrimSpace(line) != "" {
			fmt.Fprintln(w, line)
			line = "  "
		}
		if strings.TrimSpace(line) != "" {
			line += " "
		}
		line += word
	}
	fmt.Fprintf(w, "%s\n\n", line)
}
