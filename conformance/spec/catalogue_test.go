package spec

import (
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// declared is one constant of ids.go.
type declared struct {
	name string
	id   ID
}

func declaredIDs(t *testing.T) []declared {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "ids.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var all []declared
	for node := range ast.Preorder(file) {
		value, ok := node.(*ast.ValueSpec)
		if !ok {
			continue
		}
		if typ, ok := value.Type.(*ast.Ident); !ok || typ.Name != "ID" {
			t.Errorf("constant %s is not declared as an ID", value.Names[0].Name)
			continue
		}
		text, err := strconv.Unquote(value.Values[0].(*ast.BasicLit).Value)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, declared{value.Names[0].Name, ID(text)})
	}
	return all
}

func TestConstantsAndCatalogueAgree(t *testing.T) {
	constants := declaredIDs(t)
	if len(constants) == 0 {
		t.Fatal("ids.go declares nothing")
	}
	var fromConstants, fromCatalogue []ID
	for _, c := range constants {
		if want := strings.ReplaceAll(string(c.id), "-", "_"); c.name != want {
			t.Errorf("the constant of %s is named %s, want %s", c.id, c.name, want)
		}
		fromConstants = append(fromConstants, c.id)
	}
	for _, r := range All() {
		fromCatalogue = append(fromCatalogue, r.ID)
	}
	// One comparison for completeness and for order.
	if !slices.Equal(fromConstants, fromCatalogue) {
		t.Errorf("the constants and the catalogue differ\nconstants: %v\ncatalogue: %v", fromConstants, fromCatalogue)
	}
}

// The number of requirements moves only on purpose.
func TestCounts(t *testing.T) {
	for role, want := range map[Role]int{RoleServer: 107, RoleClient: 62} {
		if got := len(Of(role)); got != want {
			t.Errorf("role %s has %d requirements, want %d", role, got, want)
		}
	}
}

func TestOfAndTopicsFollowTheCatalogue(t *testing.T) {
	var joined []Requirement
	for _, role := range []Role{RoleServer, RoleClient} {
		of := Of(role)
		var topics []Topic
		for _, r := range of {
			if r.Role != role || !strings.HasPrefix(string(r.ID), idPrefixes[role]) {
				t.Errorf("%s of role %s is listed under %s", r.ID, r.Role, role)
			}
			if len(topics) == 0 || topics[len(topics)-1] != r.Topic {
				topics = append(topics, r.Topic)
			}
		}
		if !slices.Equal(topics, Topics(role)) {
			t.Errorf("topics of role %s: got %v, want those of its requirements, %v", role, Topics(role), topics)
		}
		joined = append(joined, of...)
	}
	if !reflect.DeepEqual(joined, All()) {
		t.Error("the server's and the client's requirements are not the whole catalogue in order")
	}
	if got := Of("proxy"); len(got) != 0 {
		t.Errorf("an unknown role has %d requirements", len(got))
	}
	if got := Topics("proxy"); len(got) != 0 {
		t.Errorf("an unknown role has topics: %v", got)
	}
}

// Topic keys are labels. One that serves both roles would select both.
func TestTopicKeysAreUniqueOverBothRoles(t *testing.T) {
	seen := map[string]bool{}
	for _, topic := range append(Topics(RoleServer), Topics(RoleClient)...) {
		if seen[topic.Key] {
			t.Errorf("the key %q occurs twice", topic.Key)
		}
		seen[topic.Key] = true
	}
}

func TestGet(t *testing.T) {
	for _, want := range All() {
		got, known := Get(want.ID)
		if !known || !reflect.DeepEqual(got, want) {
			t.Errorf("Get(%s) = %v, %v, want the catalogue's entry", want.ID, got, known)
		}
	}
	if got, known := Get("S-Q-99"); known || got.ID != "" {
		t.Errorf("Get of an unknown ID = %v, %v", got, known)
	}
}

func TestResultsShareNoMemoryWithTheCatalogue(t *testing.T) {
	before := hashOf(CatalogueVersion, catalogue)
	spoil := func(r *Requirement) {
		r.Sentence = "spoiled"
		for i := range r.Features {
			r.Features[i] = "spoiled"
		}
		for i := range r.Sources {
			r.Sources[i] = Ref{Page: "spoiled"}
		}
	}
	all, of := All(), Of(RoleServer)
	for i := range all {
		spoil(&all[i])
	}
	for i := range of {
		spoil(&of[i])
	}
	one, _ := Get(S_SHUT_02)
	spoil(&one)
	Topics(RoleServer)[0].Key = "spoiled"
	DocumentedFive()[0].Roles[0] = "spoiled"
	OpenPoints()[0] = "spoiled"

	if after := hashOf(CatalogueVersion, catalogue); after != before {
		t.Error("a caller changed the catalogue")
	}
	if Topics(RoleServer)[0].Key == "spoiled" || DocumentedFive()[0].Roles[0] == "spoiled" || OpenPoints()[0] == "spoiled" {
		t.Error("a caller changed a list")
	}
}

func TestSentencesAreOneSentence(t *testing.T) {
	for _, r := range All() {
		if strings.Contains(r.Sentence, ". ") {
			t.Errorf("%s: more than one sentence: %s", r.ID, r.Sentence)
		}
	}
	for _, d := range DocumentedFive() {
		if strings.Contains(d.Sentence, ". ") {
			t.Errorf("%s: more than one sentence: %s", d.Key, d.Sentence)
		}
	}
}

func TestTextsAreCleanLines(t *testing.T) {
	for _, r := range All() {
		for name, text := range map[string]string{"sentence": r.Sentence, "why": r.Why, "how": r.How, "breaks": r.Breaks} {
			if strings.Join(strings.Fields(text), " ") != text {
				t.Errorf("%s: the %s has stray blanks: %q", r.ID, name, text)
			}
			if n := strings.Count(text, ". ") + 1; n > 2 {
				t.Errorf("%s: the %s has %d sentences, want at most 2", r.ID, name, n)
			}
		}
	}
}

// Every ID that a text names exists, and an observation never sounds like a
// demand.
func TestTextsReferToWhatExists(t *testing.T) {
	var texts []string
	for _, r := range All() {
		texts = append(texts, r.Sentence, r.Why, r.How, r.Breaks)
		if recorded := strings.HasPrefix(r.Sentence, "Recorded: "); recorded != (r.Level == LevelObserve) {
			t.Errorf("%s is %s, and its sentence begins with %.12q", r.ID, r.Level, r.Sentence)
		}
	}
	texts = append(texts, OpenPoints()...)
	for _, text := range texts {
		for _, word := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" (),.:", r) }) {
			if !idShape.MatchString(word) {
				continue
			}
			if _, known := Get(ID(word)); !known {
				t.Errorf("%s is named but unknown, in: %s", word, text)
			}
		}
	}
}

func TestFeatures(t *testing.T) {
	tests := []struct {
		id   ID
		want []Feature
	}{
		{S_Q_02, nil},
		{S_TOK_05, []Feature{FeatureControl}},
		{S_SHUT_01, []Feature{FeatureControl}},
		{S_SHUT_02, []Feature{FeatureControl, FeatureOps}},
		{S_TLS_03, []Feature{FeatureMTLS}},
		{S_ACL_05, []Feature{FeatureACL, FeatureControl}},
		{C_CAN_01, []Feature{FeatureCancel}},
		{C_TLS_02, []Feature{FeatureMTLS}},
	}
	for _, test := range tests {
		if got, _ := Get(test.id); !slices.Equal(got.Features, test.want) {
			t.Errorf("%s needs %v, want %v", test.id, got.Features, test.want)
		}
	}
}
