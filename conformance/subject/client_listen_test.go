package subject

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// describe shows events and what broke, for comparison.
func describe(events []ClientEvent) string {
	var words []string
	for _, ev := range events {
		word := string(ev.Kind)
		switch {
		case ev.Kind == Granted:
			word += fmt.Sprint(" ", ev.Token)
		case ev.Kind == Result && ev.Code != nil:
			word += fmt.Sprint(" ", ev.Outcome, " ", *ev.Code, ev.Message)
		case ev.Kind == Result:
			word += fmt.Sprint(" ", ev.Outcome, ev.Message)
		case ev.Kind == Broken:
			word = ev.Err.Error()
		}
		words = append(words, word)
	}
	return strings.Join(words, ", ")
}

func newListener() *listener {
	return &listener{order: order{mode: Once, limits: clientLimits{}.orDefaults(), begun: time.Now()}}
}

const (
	hello    = `{"event":"hello"}` + "\n"
	granted  = `{"event":"granted","token":"7"}` + "\n"
	lost     = `{"event":"lost"}` + "\n"
	finished = `{"event":"finished"}` + "\n"
	resultOK = `{"event":"result","outcome":"ok"}` + "\n"
)

func TestWhatAnAdapterMayWrite(t *testing.T) {
	for _, test := range []struct{ name, output, want string }{
		{"a whole claim", hello + `{"event":"waiting"}` + "\n" + granted + finished + resultOK, "hello, waiting, granted 7, finished, result ok"},
		{"two claims of a retry", hello + granted + lost + finished + granted + finished + resultOK,
			"hello, granted 7, lost, finished, granted 7, finished, result ok"},
		{"a new claim beside lost work", hello + granted + lost + granted + finished + finished + resultOK,
			"hello, granted 7, lost, granted 7, finished, finished, result ok"},
		{"a signal after the work", hello + granted + finished + lost + resultOK, "hello, granted 7, finished, lost, result ok"},
		{"a signal twice", hello + granted + lost + lost + finished, "hello, granted 7, lost, lost, finished"},
		{"a result beside work that goes on", hello + granted + `{"event":"result","outcome":"lost"}` + "\n", "hello, granted 7, result lost"},
		{"no work at all", hello + resultOK, "hello, result ok"},
		{"log text", "starting\n\n [\"x\"]\n" + hello + " {\n", "hello"},
		{"unknown events and fields", `{"event":"debug"}` + "\n" + `{"event":"hello","x":[{}],"lacks":null}` + "\n" + `{"level":"info"}` + "\n" +
			`{"event":7}` + "\n" + `{"Event":"hello"}` + "\n" + `{"event":"HELLO"}` + "\n", "hello"},
		{"carriage returns", strings.ReplaceAll(hello+granted, "\n", "\r\n"), "hello, granted 7"},
		{"blanks and escapes", "{ \"event\" : \"h\\u0065llo\" } \n", "hello"},
		{"the largest token", hello + `{"event":"granted","token":"18446744073709551615"}` + "\n", "hello, granted 18446744073709551615"},
		{"the smallest, with zeros", hello + `{"event":"granted","token":"000"}` + "\n", "hello, granted 0"},
		{"a code", hello + `{"event":"result","outcome":"stop","code":255,"message":" m"}` + "\n", "hello, result stop 255 m"},
		{"code 0", hello + `{"event":"result","outcome":"retry","code":0,"message":null}` + "\n", "hello, result retry 0"},
		{"every outcome", hello + `{"event":"result","outcome":"cancelled","code":null}` + "\n", "hello, result cancelled"},
		{"all that may lack", `{"event":"hello","lacks":["retry","cancel","fail","classify","tls","mtls","tls"]}` + "\n", "hello"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := describe(newListener().hear(time.Now(), []byte(test.output))); got != test.want {
				t.Errorf("heard %s\nwant %s", got, test.want)
			}
			l, bytewise := newListener(), []ClientEvent{}
			for _, b := range []byte(test.output) {
				bytewise = append(bytewise, l.hear(time.Now(), []byte{b})...)
			}
			if got := describe(bytewise); got != test.want {
				t.Errorf("byte by byte heard %s\nwant %s", got, test.want)
			}
		})
	}
}

func TestWhatBreaksTheContract(t *testing.T) {
	for _, test := range []struct{ output, want string }{
		{"{\n", `wrote what is no JSON object (unexpected end of JSON input) in line 1 of its output, "{": `},
		{hello + "{'event':'granted'}\n", `wrote what is no JSON object (invalid character`},
		{hello + "log\n{\"event\":\"waiting\"} \x1b[2J\n", `in line 3 of its output, "{\"event\":\"waiting\"} \x1b[2J"`},
		{hello + "{}{}\n", "wrote what is no JSON object"},
		{granted, "wrote granted before hello in line 1"},
		{resultOK, "wrote result before hello in line 1"},
		{hello + hello, "wrote a second hello in line 2"},
		{hello + finished, "wrote finished without granted in line 2"},
		{hello + granted + finished + finished, "wrote finished without granted in line 4"},
		{hello + lost, "wrote lost without granted in line 2"},
		{hello + granted + granted, "wrote a second granted while the claim of line 2 stands in line 3"},
		{hello + granted + resultOK, "wrote the result ok while the claim of line 2 stands in line 3"},
		{hello + resultOK + `{"event":"waiting"}` + "\n", "wrote waiting after result in line 3"},
		{hello + resultOK + hello, "wrote hello after result in line 3"},
		{hello + resultOK + resultOK, "wrote result after result in line 3"},
		{hello + `{"event":"result"}` + "\n", "wrote a result without an outcome in line 2"},
		{hello + `{"event":"result","outcome":1}` + "\n", "wrote a result without an outcome"},
		{hello + `{"event":"result","outcome":"OK"}` + "\n", `wrote the unknown outcome "OK" in line 2`},
		{hello + `{"event":"result","outcome":"canceled"}` + "\n", `did you mean cancelled? Known are ok, failed,`},
		{hello + `{"event":"result","outcome":"\u001b[0m"}` + "\n", `wrote the unknown outcome "\x1b[0m" in line 2`},
		{hello + `{"event":"result","outcome":"ok","code":"21"}` + "\n", "wrote a code that is no number from 0 to 255"},
		{hello + `{"event":"result","outcome":"ok","code":256}` + "\n", "wrote a code that is no number from 0 to 255"},
		{hello + `{"event":"result","outcome":"ok","code":-1}` + "\n", "wrote a code that is no number from 0 to 255"},
		{hello + `{"event":"result","outcome":"ok","code":2.5}` + "\n", "wrote a code that is no number from 0 to 255"},
		{hello + `{"event":"result","outcome":"ok","message":{}}` + "\n", `wrote a "message" that is no string`},
		{hello + `{"event":"granted"}` + "\n", "wrote granted without a token in line 2"},
		{hello + `{"event":"granted","token":null}` + "\n", "wrote granted without a token in line 2"},
		{hello + `{"event":"granted","token":7}` + "\n", "wrote a token that is no string in line 2"},
		{hello + `{"event":"granted","token":""}` + "\n", "wrote a token that is not decimal"},
		{hello + `{"event":"granted","token":"+7"}` + "\n", "wrote a token that is not decimal"},
		{hello + `{"event":"granted","token":"-7"}` + "\n", "wrote a negative token in line 2"},
		{hello + `{"event":"granted","token":"-1"}` + "\n", "it is probably the token 18446744073709551615, read as a signed number"},
		{hello + `{"event":"granted","token":"-9223372036854775808"}` + "\n", "it is probably the token 9223372036854775808, read"},
		{hello + `{"event":"granted","token":"-9223372036854775809"}` + "\n", "wrote a token that is not decimal"},
		{hello + `{"event":"granted","token":"-0"}` + "\n", "wrote a token that is not decimal"},
		{hello + `{"event":"granted","token":"-7\u001b[0m"}` + "\n", "wrote a token that is not decimal"},
		{hello + `{"event":"granted","token":" 7"}` + "\n", "wrote a token that is not decimal"},
		{hello + `{"event":"granted","token":"7.0"}` + "\n", "wrote a token that is not decimal"},
		{hello + `{"event":"granted","token":"1e3"}` + "\n", "wrote a token that is not decimal"},
		{hello + `{"event":"granted","token":"0x7"}` + "\n", "wrote a token that is not decimal"},
		{hello + `{"event":"granted","token":"1_000"}` + "\n", "wrote a token that is not decimal"},
		{hello + `{"event":"granted","token":"٧"}` + "\n", "wrote a token that is not decimal"},
		{hello + `{"event":"granted","token":"18446744073709551616"}` + "\n", "wrote a token above 2^64-1"},
		{`{"event":"hello","client":5}` + "\n", `wrote a "client" that is no string in line 1`},
		{`{"event":"hello","lacks":"cancel"}` + "\n", "wrote a lacks that is no list of strings"},
		{`{"event":"hello","lacks":[1]}` + "\n", "wrote a lacks that is no list of strings"},
		{`{"event":"hello","lacks":["cancle"]}` + "\n", `lacks the unknown "cancle" in line 1`},
		{`{"event":"hello","lacks":["cancle"]}` + "\n", "did you mean cancel?"},
		{`{"event":"hello","lacks":["quux"]}` + "\n", "known are retry, cancel, fail, classify, tls, mtls"},
		{`{"event":"hello","lacks":["tokens"]}` + "\n", `declines "tokens", which no client may in line 1`},
		{`{"event":"hello","lacks":["` + strings.Repeat("cancel", 100_000) + `"]}` + "\n", "lacks the unknown"},
		{hello + strings.Repeat("x", lineKept+1), "wrote more than 1024 KiB without a newline in line 2"},
	} {
		events := newListener().hear(time.Now(), []byte(test.output+"{never read\n"))
		if last := events[len(events)-1]; last.Kind != Broken || !strings.Contains(last.Err.Error(), test.want) {
			t.Errorf("after %.200q the last event is %s (%v)\nwant %q", test.output, last.Kind, last.Err, test.want)
		}
		for _, ev := range events[:len(events)-1] {
			if ev.Kind == Broken {
				t.Errorf("%q: events after an error", test.output)
			}
		}
	}
}

func TestTheLogIsWhatIsNoEvent(t *testing.T) {
	l := newListener()
	l.hear(time.Now(), []byte("starting\r\n"+hello+`{"event":"debug"}`+"\nhalf"))
	l.ended(time.Now(), clientExit{}, true)
	if got, want := l.log.String(), "starting\n{\"event\":\"debug\"}\nhalf\n"; got != want {
		t.Errorf("the log is %q, want %q", got, want)
	}
}

func TestALongestLineIsTaken(t *testing.T) {
	l := newListener()
	line := `{"event":"hello","client":"` + strings.Repeat("x", lineKept) + `"}`
	line = line[:len(`{"event":"hello","client":"`)] + line[len(line)-(lineKept-len(`{"event":"hello","client":"`)):]
	if got := describe(l.hear(time.Now(), []byte(line+"\n"))); got != "hello" || len(line) != lineKept {
		t.Errorf("a line of %d bytes: %.200s", len(line), got)
	}
}

// FuzzListener: whatever an adapter writes, however it is cut, nothing panics,
// the events are the same, and an error is the last of them.
func FuzzListener(f *testing.F) {
	f.Add([]byte(hello+granted+lost+finished+resultOK), 9)
	f.Add([]byte(helloLine+`{"event":"result","outcome":"stop","code":21,"message":"x"}`), 80)
	f.Add([]byte("log\n{\"event\":\"granted\",\"token\":1}\n"), 3)
	f.Add([]byte("{\n"), 1)
	f.Fuzz(func(t *testing.T, output []byte, cut int) {
		cut = min(max(cut, 0), len(output))
		whole, halves, at := newListener(), newListener(), time.Now()
		events := whole.hear(at, output)
		inHalves := append(halves.hear(at, output[:cut]), halves.hear(at, output[cut:])...)
		if got, want := describe(inHalves), describe(events); got != want {
			t.Errorf("cut at %d heard %s\nwhole %s", cut, got, want)
		}
		events = append(events, whole.ended(at, codeExit(0), false)...)
		for i, ev := range events {
			if ev.Kind == Broken && (i != len(events)-2 || ev.Err.Error() == "") {
				t.Errorf("event %d of %d is an error: %s", i, len(events), describe(events))
			}
		}
		whole.awaited()
	})
}
