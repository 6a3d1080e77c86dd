package refclient

// Occasion is what a rule is asked about.
type Occasion uint8

// Occasions of a confirmation: asked of Confirms.
const (
	OnSent     Occasion = iota + 1 // the client has sent a message
	OnAnswer                       // a frame that answers a message
	OnPush                         // a frame that answers nothing for certain
	OnOpen                         // connected; like the next two, asked of Resets
	OnWaiting                      // in the queue
	OnGrant                        // ACQUIRED
	OnTimeout                      // the deadline has passed; this and the rest: asked of Ends
	OnFIN                          // the stream ended, inside a frame or not
	OnReset                        // the connection failed
	OnUnsent                       // a write failed
	OnError                        // the server said ERROR
	OnUnknown                      // a message of an unknown type
	OnStepBack                     // WAITING behind ACQUIRED
	OnOther                        // ACQUIRED with another token
	OnDone                         // the work returned nil
	OnFailed                       // the work returned an error, or panicked
	OnCancel                       // the caller cancelled
)

var occasionNames = map[Occasion]string{
	OnSent: "sent", OnAnswer: "answer", OnPush: "push", OnOpen: "open", OnWaiting: "waiting", OnGrant: "grant",
	OnTimeout: "timeout", OnFIN: "FIN", OnReset: "reset", OnUnsent: "unsent", OnError: "ERROR",
	OnUnknown: "unknown type", OnStepBack: "WAITING behind ACQUIRED", OnOther: "another token",
	OnDone: "done", OnFailed: "failed", OnCancel: "cancel",
}

// String returns a word or two for logs.
func (o Occasion) String() string { return occasionNames[o] }
