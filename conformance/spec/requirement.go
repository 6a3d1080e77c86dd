package spec

// ID names one requirement: "S-Q-02" is the server's, "C-HB-01" the client's.
// IDs are stable: none is renumbered, and none is used again.
type ID string

// Role is the side of the protocol that a requirement binds.
type Role string

// The two roles.
const (
	RoleServer Role = "server"
	RoleClient Role = "client"
)

// Level says how firmly the documents demand something.
type Level string

// The three levels.
const (
	// LevelMust: the documents state it. Not holding is a fail.
	LevelMust Level = "MUST"
	// LevelShould: the documents imply or advise it. Not holding is a warn,
	// and a fail in strict mode.
	LevelShould Level = "SHOULD"
	// LevelObserve: the documents leave it open. What the subject does is
	// recorded and never judged.
	LevelObserve Level = "OBSERVE"
)

// Feature is something that a subject must offer before a requirement can be
// judged. The empty feature is none.
type Feature string

// The features of a server.
const (
	FeatureControl Feature = "control" // the suite starts, signals and stops the server
	FeatureAdmin   Feature = "admin"   // the admin API can be reached
	FeatureACL     Feature = "acl"     // access rules are in force
	FeatureOps     Feature = "ops"     // metrics and health can be reached
	FeatureAudit   Feature = "audit"   // the audit log can be read
	FeatureConfig  Feature = "config"  // settings can be chosen at the start
)

// The features of a client.
const (
	FeatureRetry    Feature = "retry"    // it has a retrying call of its own
	FeatureCancel   Feature = "cancel"   // its caller can cancel
	FeatureFail     Feature = "fail"     // its work can end with an error
	FeatureClassify Feature = "classify" // its errors carry the code and whether to retry
)

// The features of both roles. Mutual TLS is TLS too: who offers the second
// one offers encryption, whether or not the first one is named beside it.
const (
	FeatureTLS  Feature = "tls"
	FeatureMTLS Feature = "mtls"
)

// Topic groups requirements. Its key is lower-case, serves as a label and
// inside scenario IDs, and occurs once in a role.
type Topic struct {
	Key   string `json:"key"`
	Title string `json:"title"`
}

// Requirement is one line of the catalogue.
//
// The texts are for people: Sentence is the demand with all of its numbers,
// Why says what it means for somebody's data or availability, How how the
// suite tests it, and Breaks which mistakes usually break it.
type Requirement struct {
	ID    ID    `json:"id"`
	Role  Role  `json:"role"`
	Level Level `json:"level"`
	Topic Topic `json:"topic"`
	// Features are all needed to judge the requirement; nil is none.
	Features []Feature `json:"features,omitempty"`
	Sentence string    `json:"sentence"`
	// Sources are the places that state it; empty where the documents are silent.
	Sources []Ref  `json:"sources,omitempty"`
	Why     string `json:"why"`
	How     string `json:"how"`
	Breaks  string `json:"breaks"`
}
