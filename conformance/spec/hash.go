package spec

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"sync"
)

// Hash identifies the catalogue: "sha256:" and 64 hex digits over all of its
// requirements with all of their texts. It is computed once. Two suites with
// one hash judge by the same words.
func Hash() string { return catalogueHash() }

var catalogueHash = sync.OnceValue(func() string { return hashOf(CatalogueVersion, catalogue) })

func hashOf(version int, all []Requirement) string {
	sum := sha256.Sum256(canonical(version, all))
	return "sha256:" + hex.EncodeToString(sum[:])
}

// canonical encodes the requirements as one line of JSON. The order of fields
// is that of their declarations; nothing is escaped that need not be.
func canonical(version int, all []Requirement) []byte {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(struct {
		Version      int           `json:"version"`
		Requirements []Requirement `json:"requirements"`
	}{version, all})
	if err != nil {
		panic("spec: the catalogue does not encode: " + err.Error()) // it holds strings only
	}
	return out.Bytes()
}
