package adapter

import (
	"bytes"
	"encoding/json"
	"io"
)

// line is one statement to the suite.
type line struct {
	Event    string   `json:"event"`
	Client   string   `json:"client,omitempty"`
	Version  string   `json:"version,omitempty"`
	Language string   `json:"language,omitempty"`
	Lacks    []string `json:"lacks,omitempty"`
	Token    string   `json:"token,omitempty"` // decimal: numbers of JSON end at 2^53 for many
	Cause    string   `json:"cause,omitempty"`
	Outcome  string   `json:"outcome,omitempty"`
	Code     *int     `json:"code,omitempty"`
	Message  string   `json:"message,omitempty"`
}

// linesWaiting is how many lines may wait for the writer before say blocks.
const linesWaiting = 64

// output writes lines in order, each at once and in one piece, from a
// goroutine of its own: a suite that is slow to read does not stop the client.
type output struct {
	lines   chan line
	stop    chan struct{} // closed: what waits is the last
	written chan struct{} // closed: all is written
}

func newOutput(w io.Writer) *output {
	o := &output{lines: make(chan line, linesWaiting), stop: make(chan struct{}), written: make(chan struct{})}
	go o.write(w)
	return o
}

// say lets l be written. Behind close it does nothing.
func (o *output) say(l line) {
	select {
	case o.lines <- l:
	case <-o.written:
	}
}

// close waits until all is written that was said before.
func (o *output) close() {
	close(o.stop)
	<-o.written
}

// write goes on after an error: nobody listens any more, and that is for the
// end of input to say.
func (o *output) write(w io.Writer) {
	defer close(o.written)
	for {
		select {
		case l := <-o.lines:
			_, _ = w.Write(encode(l))
		case <-o.stop:
			o.writeRest(w)
			return
		}
	}
}

func (o *output) writeRest(w io.Writer) {
	for {
		select {
		case l := <-o.lines:
			_, _ = w.Write(encode(l))
		default:
			return
		}
	}
}

func encode(l line) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(l) // strings, and a number: it cannot fail
	return b.Bytes()
}
