package faultproxy

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

func TestParseRule(t *testing.T) {
	seven := uint8(7)
	for line, want := range map[string]Rule{
		"partition":                           {Fault: Partition},
		"partition dir=both":                  {Fault: Partition},
		"delay 100ms jitter=20ms dir=down":    {Fault: Delay, Delay: 100 * time.Millisecond, Jitter: 20 * time.Millisecond, Dir: Down},
		"reset on=ACQUIRED n=2 at=3":          {Fault: Reset, On: wire.TypeAcquired, N: Only(2), At: 3},
		"cut on=waiting before side=client":   {Fault: Cut, On: wire.TypeWaiting, Side: ClientSide},
		"half-close on=HEARTBEAT n=3+ after":  {Fault: HalfClose, On: wire.TypeHeartbeat, N: From(3), After: true, Dir: Up},
		"fragment 1,2-4 pause=5ms conn=2+":    {Fault: Fragment, Sizes: []Span{{1, 1}, {2, 4}}, Pause: 5 * time.Millisecond, Conn: From(2)},
		"coalesce 1400":                       {Fault: Coalesce, Size: 1400, Wait: 20 * time.Millisecond},
		"bandwidth rate=64k":                  {Fault: Bandwidth, Rate: 64_000},
		"stall 1000 dir=up":                   {Fault: Stall, At: 1000, Dir: Up},
		"corrupt on=ERROR at=1 byte=7":        {Fault: Corrupt, On: wire.TypeError, At: 1, Byte: &seven, Dir: Down},
		"corrupt at=9 xor=0x80":               {Fault: Corrupt, At: 9, Xor: 0x80},
		"lose on=ACQUIRED chance=0.25":        {Fault: Lose, On: wire.TypeAcquired, Chance: 0.25, Dir: Down},
		"lose at=3 len=4":                     {Fault: Lose, At: 3, Len: 4},
		" refuse  conn=2 ":                    {Fault: Refuse, Conn: Only(2)},
		"stop-listening":                      {Fault: StopListening},
		"partition on=ACQUIRED dir=up conn=1": {Fault: Partition, On: wire.TypeAcquired, Dir: Up, Conn: Only(1)},
	} {
		got, err := ParseRule(line)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s:\n got %+v, %v\nwant %+v", line, got, err, want)
		}
	}
}

func TestParseRuleSaysWhatIsWrong(t *testing.T) {
	for line, want := range map[string]string{
		"":                               "begins with a fault",
		"partitoin":                      `did you mean "partition"?`,
		"halfclose":                      `did you mean "half-close"?`,
		"explode":                        "there are partition, delay",
		"delay 100ms jiter=3ms":          `did you mean "jitter"?`,
		"delay":                          "delay is missing",
		"delay 100":                      "no duration",
		"delay -1s":                      "no duration",
		"delay 1s delay=2s":              "given twice",
		"delay 1s dir=dwon":              `did you mean "down"?`,
		"delay 1s jitter=x dir=sideways": "jitter",
		"reset on=ACQIURED":              `did you mean "ACQUIRED"?`,
		"reset on=ACQUIRED at=9":         "no byte 9",
		"reset on=HEARTBEAT at=1":        "no byte 1",
		"reset n=2":                      "need on",
		"reset after":                    "need on",
		"reset on=ACQUIRED at=1 after":   "exclude each other",
		"reset n=0 on=ACQUIRED":          "no number from 1 on",
		"lose on=ACQUIRED dir=up":        "ACQUIRED goes down, not up",
		"refuse dir=up":                  `refuse takes no dir; it takes conn`,
		"partition 3":                    "takes no value of its own",
		"partition side=client":          "takes no side",
		"fragment 0":                     "no list of sizes",
		"fragment 5-2":                   "no list of sizes",
		"bandwidth 1G":                   "no number of bytes",
		"corrupt xor=0":                  "changes nothing",
		"corrupt xor=1 byte=1":           "exclude each other",
		"corrupt xor=256":                "no byte",
		"lose on=ACQUIRED chance=2":      "no probability",
	} {
		_, err := ParseRule(line)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want it to say %q", line, err, want)
		}
	}
}

// Every example of the help text is a rule.
func TestExamplesParse(t *testing.T) {
	for _, f := range Faults() {
		r, err := ParseRule(f.Example)
		if err != nil || r.Fault != f.Fault {
			t.Errorf("%s: %v, %v", f.Example, r, err)
		}
	}
}

// Whatever a rule holds, both of its forms give it back.
func TestFormsAreTheSameRule(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := anyRule(t)
		again, err := ParseRule(r.String())
		if err != nil || !reflect.DeepEqual(again, r) {
			t.Fatalf("%s:\n got %+v, %v\nwant %+v", r, again, err, r)
		}
		data, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		var read Rule
		if err := json.Unmarshal(data, &read); err != nil || !reflect.DeepEqual(read, r) {
			t.Fatalf("%s:\n got %+v, %v\nwant %+v", data, read, err, r)
		}
	})
}

// anyRule draws a rule that a proxy takes.
func anyRule(t *rapid.T) Rule {
	info := rapid.SampledFrom(faultList).Draw(t, "fault")
	r := Rule{Fault: info.Fault}
	values := map[string][]string{
		"delay": {"1ms", "1h3m"}, "jitter": {"1us"}, "pause": {"2s"}, "wait": {"7ms"}, "sizes": {"1", "3,4-9"},
		"size": {"5"}, "rate": {"9k"}, "side": {"client", "server"}, "conn": {"1", "4+"}, "at": {"0", "2"},
		"len": {"6"}, "xor": {"0x10"}, "chance": {"0.125", "1"}, "n": {"2", "3+"}, "after": {"false"},
	}
	on := rapid.SampledFrom([]string{"", "ACQUIRE", "ACQUIRED", "ERROR"}).Draw(t, "on")
	for _, key := range info.Keys {
		choices := values[key]
		framed := key == "n" || key == "chance" || key == "after"
		if len(choices) == 0 || framed && on == "" || key != info.need && rapid.Bool().Draw(t, "skip "+key) {
			continue
		}
		f, _ := fieldOf(key)
		if err := f.set(&r, rapid.SampledFrom(choices).Draw(t, key)); err != nil {
			t.Fatal(err)
		}
	}
	for _, key := range info.Keys {
		if key == "on" && on != "" {
			_ = setOn(&r, on)
		}
	}
	r, err := r.checked()
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestJSONTakesNumbersAndLists(t *testing.T) {
	var r Rule
	err := json.Unmarshal([]byte(`{"fault":"fragment","sizes":[1,"2-3"],"conn":2,"on":"acquired"}`), &r)
	if err != nil || r.String() != "fragment 1,2-3 dir=down conn=2 on=ACQUIRED" {
		t.Errorf("%v, %v", r, err)
	}
	for body, want := range map[string]string{
		`[]`:                            "JSON object",
		`{"dir":"up"}`:                  `needs a "fault"`,
		`{"fault":"dealy"}`:             `did you mean "delay"?`,
		`{"fault":"delay","delay":{}}`:  "a value is",
		`{"fault":"delay","dely":"1s"}`: `did you mean "delay"?`,
	} {
		if err := json.Unmarshal([]byte(body), &r); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want it to say %q", body, err, want)
		}
	}
}
