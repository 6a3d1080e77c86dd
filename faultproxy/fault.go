package faultproxy

import "slices"

// Fault names what is done to traffic.
type Fault string

// The faults.
const (
	Partition     Fault = "partition"
	Delay         Fault = "delay"
	Fragment      Fault = "fragment"
	Coalesce      Fault = "coalesce"
	Bandwidth     Fault = "bandwidth"
	Stall         Fault = "stall"
	Cut           Fault = "cut"
	Reset         Fault = "reset"
	HalfClose     Fault = "half-close"
	Corrupt       Fault = "corrupt"
	Lose          Fault = "lose"
	Refuse        Fault = "refuse"
	StopListening Fault = "stop-listening"
)

// Info describes a fault: for help texts, and for whoever checks rules.
type Info struct {
	Fault    Fault
	Sentence string   // what it does
	Main     string   // the key whose value may stand alone behind the name; "" for none
	Keys     []string // the keys that it takes, Main and conn included
	Example  string   // a rule in text form

	lane    bool // it acts on bytes or their endings; the others act on the listener
	byFrame bool // with On it acts on the frames met and on nothing else
	need    string
}

// where are the keys by which a fault waits for its moment.
var where = []string{"on", "n", "at", "after", "chance"}

var faultList = []Info{
	{Fault: Partition, lane: true, Keys: append([]string{"dir", "conn"}, where...),
		Sentence: "holds bytes and endings, keeps both connections open, and releases in order when removed",
		Example:  "partition dir=both"},
	{Fault: Delay, lane: true, byFrame: true, Main: "delay", need: "delay", Keys: []string{"delay", "jitter", "dir", "conn", "on", "n", "chance"},
		Sentence: "releases bytes and endings so long after their receipt, each frame differing by up to the jitter",
		Example:  "delay 100ms jitter=20ms dir=down"},
	{Fault: Fragment, lane: true, byFrame: true, Main: "sizes", need: "sizes", Keys: []string{"sizes", "pause", "dir", "conn", "on", "n", "chance"},
		Sentence: "writes pieces of these sizes (a list, ranges are drawn from) with a pause between them",
		Example:  "fragment 1,2-4 pause=5ms on=ACQUIRED"},
	{Fault: Coalesce, lane: true, Main: "size", need: "size", Keys: []string{"size", "wait", "dir", "conn"},
		Sentence: "waits for so many bytes, for a while at most (20ms), and writes what there is as one",
		Example:  "coalesce 1400 wait=20ms"},
	{Fault: Bandwidth, lane: true, Main: "rate", need: "rate", Keys: []string{"rate", "dir", "conn"},
		Sentence: "passes so many bytes a second",
		Example:  "bandwidth 64k dir=up"},
	{Fault: Stall, lane: true, Main: "at", Keys: []string{"at", "dir", "conn"},
		Sentence: "passes so many bytes of a direction and then holds the rest",
		Example:  "stall 1000 dir=up"},
	{Fault: Cut, lane: true, Keys: append([]string{"side", "dir", "conn"}, where...),
		Sentence: "ends the connection with a FIN to its sides; what is still under way is lost",
		Example:  "cut on=WAITING after"},
	{Fault: Reset, lane: true, Keys: append([]string{"side", "dir", "conn"}, where...),
		Sentence: "ends the connection with a RST to its sides; what is still under way is lost",
		Example:  "reset on=ACQUIRED n=2 at=3"},
	{Fault: HalfClose, lane: true, byFrame: true, Keys: append([]string{"dir", "conn"}, where...),
		Sentence: "ends one direction with a FIN and loses what comes after; the other goes on",
		Example:  "half-close dir=up on=HEARTBEAT n=3"},
	{Fault: Corrupt, lane: true, byFrame: true, Keys: []string{"at", "xor", "byte", "dir", "conn", "on", "n", "chance"},
		Sentence: "changes the byte at an offset: flips bits (0xff) or sets it",
		Example:  "corrupt on=ACQUIRED at=8 xor=0x01"},
	{Fault: Lose, lane: true, byFrame: true, Keys: []string{"at", "len", "dir", "conn", "on", "n", "chance"},
		Sentence: "throws bytes away: frames, a range of the stream, or all; endings pass",
		Example:  "lose on=ACQUIRED n=1"},
	{Fault: Refuse, Keys: []string{"conn"},
		Sentence: "resets new connections and never dials for them",
		Example:  "refuse conn=2+"},
	{Fault: StopListening,
		Sentence: "closes the listener, so that connects are refused, and opens it again when removed",
		Example:  "stop-listening"},
}

var faultTable = func() map[Fault]Info {
	table := make(map[Fault]Info, len(faultList))
	for _, f := range faultList {
		table[f.Fault] = f
	}
	return table
}()

// Faults returns a description of every fault, in the order in which a help
// text should show them.
func Faults() []Info { return slices.Clone(faultList) }
