package faultproxy

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// asked is the answer to one request.
type asked struct {
	status int
	body   string
}

func ask(h http.Handler, method, target, kind, body string) asked {
	req := httptest.NewRequest(method, target, strings.NewReader(body))
	if kind != "" {
		req.Header.Set("Content-Type", kind)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, req)
	return asked{w.Code, w.Body.String()}
}

func TestControlAddsListsAndRemovesRules(t *testing.T) {
	everywhere(t, watched(), func(r *rig) {
		h := Control(r.p)
		client, server := r.connect()
		added := ask(h, "POST", "/rules", "application/json", `{"fault":"lose","on":"ACQUIRED","n":1}`)
		if added.status != http.StatusCreated || !strings.Contains(added.body, `"id": 1`) {
			r.Fatalf("added: %+v", added)
		}
		if added := ask(h, "POST", "/rules", "text/plain; charset=utf-8", "stall 1000 dir=up\n"); added.status != http.StatusCreated {
			r.Fatalf("added: %+v", added)
		}
		server.send(acquired + waiting)
		client.want(waiting)

		var list []shownRule
		if err := json.Unmarshal([]byte(ask(h, "GET", "/rules", "", "").body), &list); err != nil {
			r.Fatal(err)
		}
		if len(list) != 2 || list[0].Hits != 1 || list[0].Text != "lose dir=down on=ACQUIRED n=1" || list[1].Rule.At != 1000 {
			r.Errorf("the list is %+v", list)
		}
		if got := ask(h, "DELETE", "/rules/1", "", ""); got.status != http.StatusOK {
			r.Errorf("removed: %+v", got)
		}
		if got := ask(h, "POST", "/heal", "", ""); got.status != http.StatusOK || !strings.Contains(got.body, `"removed": 1`) {
			r.Errorf("healed: %+v", got)
		}
		if left := r.p.Rules(); len(left) != 0 {
			r.Errorf("%v are left", left)
		}
	})
}

func TestControlListsAndEndsConnections(t *testing.T) {
	everywhere(t, unwatched(), func(r *rig) {
		h := Control(r.p)
		client, server := r.connect()
		second, _ := r.connect()
		var list []Connection
		if err := json.Unmarshal([]byte(ask(h, "GET", "/connections", "", "").body), &list); err != nil {
			r.Fatal(err)
		}
		if len(list) != 2 || list[0].Client != client.LocalAddr().String() || list[0].Upstream != server.LocalAddr().String() || !list[1].Plain {
			r.Errorf("the list is %+v", list)
		}
		if got := ask(h, "DELETE", "/connections/1", "", ""); got.status != http.StatusOK {
			r.Errorf("ended: %+v", got)
		}
		client.wantReset()
		if got := ask(h, "DELETE", "/connections/2?how=cut", "", ""); got.status != http.StatusOK {
			r.Errorf("ended: %+v", got)
		}
		second.wantFIN()
	})
}

func TestControlSaysWhatIsWrong(t *testing.T) {
	h := Control(New(Config{}))
	for _, row := range []struct {
		method, target, kind, body string
		status                     int
		want                       string
	}{
		{"POST", "/rules", "", `{"fault":"dealy"}`, 400, `did you mean \"delay\"?`},
		{"POST", "/rules", "text/plain", "delay", 400, "delay is missing"},
		{"POST", "/rules", "", `{`, 400, "unexpected end"},
		{"POST", "/rules", "", strings.Repeat(" ", maxBody+1), 400, "longer than"},
		{"GET", "/rules/7", "", "", 404, "no rule 7"},
		{"DELETE", "/rules/7", "", "", 404, "no rule 7"},
		{"DELETE", "/rules/seven", "", "", 400, "no number"},
		{"DELETE", "/connections/1", "", "", 404, "not open"},
		{"DELETE", "/connections/1?how=hard", "", "", 400, "killed by cut or reset"},
		{"GET", "/", "", "", 404, "there are /rules"},
		{"PUT", "/rules", "", "", 404, "no PUT /rules"},
	} {
		got := ask(h, row.method, row.target, row.kind, row.body)
		var body map[string]string
		if err := json.Unmarshal([]byte(got.body), &body); err != nil || got.status != row.status || !strings.Contains(got.body, row.want) {
			t.Errorf("%s %s: %+v, %v, want %d and %q", row.method, row.target, got, err, row.status, row.want)
		}
	}
}

func TestControlRefusesWhatAPageMakesABrowserSend(t *testing.T) {
	req := httptest.NewRequest("POST", "/heal", nil)
	req.Header.Set("Sec-Fetch-Site", "cross-site")
	w := httptest.NewRecorder()
	Control(New(Config{})).ServeHTTP(w, req)
	if w.Code != http.StatusForbidden {
		t.Errorf("status %d, want 403", w.Code)
	}
}

func ExampleControl() {
	p := New(Config{})
	defer p.Close()
	control := httptest.NewServer(Control(p))
	defer control.Close()

	answer, err := http.Post(control.URL+"/rules", "text/plain", strings.NewReader("delay 100ms jitter=20ms dir=down"))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer answer.Body.Close()
	body, _ := io.ReadAll(answer.Body)
	fmt.Println(string(body))
	// Output:
	// {
	//   "id": 1,
	//   "text": "delay 100ms jitter=20ms dir=down",
	//   "rule": {
	//     "fault": "delay",
	//     "delay": "100ms",
	//     "jitter": "20ms",
	//     "dir": "down"
	//   },
	//   "hits": 0
	// }
}
