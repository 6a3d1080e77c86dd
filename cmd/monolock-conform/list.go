package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/conformance/spec"
	"github.com/monolock-dev/monolock-conform/scenarios"
)

func newList(c console) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "list", Short: "List the requirements, and which scenarios judge each", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			w := bufio.NewWriter(c.out)
			list := listText
			if asJSON {
				list = listJSON
			}
			return errors.Join(list(w), w.Flush())
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as JSON")
	cmd.SetFlagErrorFunc(flagError)
	return cmd
}

// later is what is said of a requirement that no scenario judges yet.
const later = "no scenario yet: comes with a later version"

var roles = []spec.Role{spec.RoleServer, spec.RoleClient}

func listText(w io.Writer) error {
	for _, role := range roles {
		fmt.Fprintf(w, "%s\n", map[spec.Role]string{spec.RoleServer: "SERVER", spec.RoleClient: "CLIENT"}[role])
		for _, topic := range spec.Topics(role) {
			fmt.Fprintf(w, "\n%s (%s)\n", topic.Title, topic.Key)
			for _, r := range spec.Of(role) {
				if r.Topic == topic {
					listRequirement(w, r)
				}
			}
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintln(w, "Not testable from outside:")
	for _, sentence := range spec.Untestable() {
		fmt.Fprintf(w, "  %s\n", sentence)
	}
	return nil
}

func listRequirement(w io.Writer, r spec.Requirement) {
	fmt.Fprintf(w, "  %-9s %-7s %s%s\n", r.ID, r.Level, r.Sentence, needs(r.Features))
	judged := judging(r.ID)
	for _, s := range judged {
		fmt.Fprintf(w, "  %17s %s\n", "", s.ID)
	}
	if len(judged) == 0 {
		fmt.Fprintf(w, "  %17s %s\n", "", later)
	}
}

func needs(features []spec.Feature) string {
	if len(features) == 0 {
		return ""
	}
	return fmt.Sprintf(" %v", features)
}

// judging lists the scenarios that judge a requirement or notice where it is broken.
func judging(id spec.ID) []conformance.Scenario {
	r, _ := spec.Get(id)
	return slices.DeleteFunc(slices.Clone(scenarios.All(r.Role)), func(s conformance.Scenario) bool { return !slices.Contains(s.Names(), id) })
}

// listing is the JSON of `list --json`.
type listing struct {
	Catalogue        string              `json:"catalogue"`
	CatalogueVersion int                 `json:"catalogue_version"`
	Requirements     []listedRequirement `json:"requirements"`
	Scenarios        []listedScenario    `json:"scenarios"`
	Untestable       []string            `json:"untestable"`
}

type listedRequirement struct {
	ID        spec.ID        `json:"id"`
	Role      spec.Role      `json:"role"`
	Level     spec.Level     `json:"level"`
	Topic     string         `json:"topic"`
	Features  []spec.Feature `json:"features"`
	Sentence  string         `json:"sentence"`
	Sources   []string       `json:"sources"`
	Scenarios []string       `json:"scenarios"`
}

type listedScenario struct {
	ID           string         `json:"id"`
	Title        string         `json:"title"`
	Role         spec.Role      `json:"role"`
	Class        string         `json:"class"`
	Requirements []spec.ID      `json:"requirements"`
	Features     []spec.Feature `json:"features"`
	Labels       []string       `json:"labels"`
}

func listJSON(w io.Writer) error {
	l := listing{
		Catalogue: spec.Hash(), CatalogueVersion: spec.CatalogueVersion, Untestable: spec.Untestable(),
		Requirements: []listedRequirement{}, Scenarios: []listedScenario{},
	}
	for _, r := range spec.All() {
		row := listedRequirement{
			ID: r.ID, Role: r.Role, Level: r.Level, Topic: r.Topic.Key, Sentence: r.Sentence,
			Features: append([]spec.Feature{}, r.Features...), Sources: sources(r), Scenarios: []string{},
		}
		for _, s := range judging(r.ID) {
			row.Scenarios = append(row.Scenarios, s.ID)
		}
		l.Requirements = append(l.Requirements, row)
	}
	for _, role := range roles {
		for _, s := range scenarios.All(role) {
			l.Scenarios = append(l.Scenarios, listedScenario{
				ID: s.ID, Title: s.Title, Role: s.Role, Class: s.Class.String(), Requirements: s.Judges,
				Features: append([]spec.Feature{}, s.Needs...), Labels: s.AllLabels(),
			})
		}
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(l)
}

func sources(r spec.Requirement) []string {
	pages := []string{}
	for _, ref := range r.Sources {
		pages = append(pages, ref.String())
	}
	return pages
}

// scenarioIDs lists the IDs of a role's scenarios.
func scenarioIDs(role spec.Role) []string {
	var ids []string
	for _, s := range scenarios.All(role) {
		ids = append(ids, s.ID)
	}
	return ids
}
