package spec

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

var (
	idShape  = regexp.MustCompile(`^([SC]-[A-Z]+)-([0-9]{2,})$`)
	keyShape = regexp.MustCompile(`^[a-z]+(-[a-z]+)*$`)
)

var idPrefixes = map[Role]string{RoleServer: "S-", RoleClient: "C-"}

var levels = []Level{LevelMust, LevelShould, LevelObserve}

var featuresOf = map[Role][]Feature{
	RoleServer: {FeatureControl, FeatureAdmin, FeatureACL, FeatureOps, FeatureAudit, FeatureConfig,
		FeatureTLS, FeatureMTLS},
	RoleClient: {FeatureRetry, FeatureCancel, FeatureFail, FeatureClassify, FeatureTLS, FeatureMTLS},
}

// check returns all that is wrong with the sections in one error, or nil.
func check(sections []section) error {
	var errs []error
	topics := map[string]bool{}
	ids := map[ID]bool{}
	lastNumber := map[string]int{}
	for _, s := range sections {
		topic := fmt.Sprintf("%s/%s", s.role, s.topic.Key)
		for _, fault := range topicFaults(s) {
			errs = append(errs, fmt.Errorf("topic %s: %s", topic, fault))
		}
		if topics[topic] {
			errs = append(errs, fmt.Errorf("topic %s: occurs twice", topic))
		}
		topics[topic] = true

		for _, r := range s.requirements {
			for _, fault := range requirementFaults(s.role, r) {
				errs = append(errs, fmt.Errorf("%s (in %s): %s", r.ID, topic, fault))
			}
			if ids[r.ID] {
				errs = append(errs, fmt.Errorf("%s (in %s): the ID occurs twice", r.ID, topic))
			}
			ids[r.ID] = true

			if group, number, ok := splitID(r.ID); ok {
				if number <= lastNumber[group] {
					errs = append(errs, fmt.Errorf("%s (in %s): stands behind %s-%02d, new IDs go to the end",
						r.ID, topic, group, lastNumber[group]))
				}
				lastNumber[group] = number
			}
		}
	}
	return errors.Join(errs...)
}

func topicFaults(s section) []string {
	var faults []string
	if idPrefixes[s.role] == "" {
		faults = append(faults, fmt.Sprintf("unknown role %q", s.role))
	}
	if !keyShape.MatchString(s.topic.Key) {
		faults = append(faults, fmt.Sprintf("the key %q is not lower-case words joined by dashes", s.topic.Key))
	}
	if s.topic.Title == "" {
		faults = append(faults, "no title")
	}
	if len(s.requirements) == 0 {
		faults = append(faults, "no requirements")
	}
	return faults
}

func requirementFaults(role Role, r Requirement) []string {
	var faults []string
	fault := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }

	if !idShape.MatchString(string(r.ID)) {
		fault("the ID %q does not look like S-Q-02", r.ID)
	} else if !strings.HasPrefix(string(r.ID), idPrefixes[role]) {
		fault("the ID's prefix is not that of role %s", role)
	}
	if !slices.Contains(levels, r.Level) {
		fault("unknown level %q", r.Level)
	}
	for i, f := range r.Features {
		if !slices.Contains(featuresOf[role], f) {
			fault("%q is no feature of role %s", f, role)
		}
		if slices.Contains(r.Features[:i], f) {
			fault("feature %s is named twice", f)
		}
	}
	for _, text := range []struct{ name, text string }{
		{"sentence", r.Sentence}, {"why", r.Why}, {"how", r.How}, {"breaks", r.Breaks},
	} {
		switch {
		case strings.TrimSpace(text.text) == "":
			fault("the %s is empty", text.name)
		case !strings.HasSuffix(text.text, "."):
			fault("the %s does not end with a full stop", text.name)
		}
	}
	switch {
	case r.Sources == nil:
		fault("no source")
	case len(r.Sources) == 0 && r.Level != LevelObserve:
		fault("level %s without a source: what the documents do not say is only observed", r.Level)
	}
	for i, ref := range r.Sources {
		if ref.Page.Page() == "" {
			fault("unknown source %q", ref.Page)
		}
		if slices.Contains(r.Sources[:i], ref) {
			fault("source %q is named twice", ref)
		}
	}
	return faults
}

// splitID splits "S-Q-02" into "S-Q" and 2.
func splitID(id ID) (group string, number int, ok bool) {
	parts := idShape.FindStringSubmatch(string(id))
	if parts == nil {
		return "", 0, false
	}
	number, err := strconv.Atoi(parts[2])
	return parts[1], number, err == nil
}
