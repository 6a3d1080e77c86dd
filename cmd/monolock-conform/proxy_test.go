//go:build unix

package main

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/subject"
	"github.com/monolock-dev/monolock-conform/refserver"
)

// TestProxyCommand runs the proxy by itself: a rule from a flag delays, the control
// port lists it and heals, and SIGINT ends it in order.
func TestProxyCommand(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := refserver.New(refserver.Config{})
	go server.Serve(l)
	defer server.Close()
	cmd := process(t, asCommand, "proxy", "--listen", "127.0.0.1:0", "--upstream", l.Addr().String(), "--control", "127.0.0.1:0", "--rule", "delay 200ms dir=down")
	shown, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	control, address := addressesOf(t, shown)
	proxied := subject.Address(address)
	if took := roundTrip(t, proxied); took < 200*time.Millisecond {
		t.Errorf("a round trip of %v, with a delay of 200ms", took)
	}
	if body := request(t, http.MethodGet, control+"/rules"); !strings.Contains(body, "delay") {
		t.Errorf("the rules are %s", body)
	}
	request(t, http.MethodPost, control+"/heal")
	if took := roundTrip(t, proxied); took > 150*time.Millisecond {
		t.Errorf("a round trip of %v after healing", took)
	}
	cmd.Process.Signal(os.Interrupt)
	cmd.Wait()
	wantExit(t, cmd, exitConformant)
}

// addressesOf reads where the proxy listens.
func addressesOf(t *testing.T, shown io.Reader) (control, address string) {
	t.Helper()
	at := regexp.MustCompile(`^(control|proxy): (\S+)`)
	for lines := bufio.NewScanner(shown); lines.Scan(); {
		m := at.FindStringSubmatch(lines.Text())
		switch {
		case m == nil:
		case m[1] == "control":
			control = m[2]
		default:
			return control, m[2]
		}
	}
	t.Fatal("the proxy said nothing of where it listens")
	return "", ""
}

func roundTrip(t *testing.T, s subject.Server) time.Duration {
	t.Helper()
	answer, err := subject.Ask(context.Background(), s, "proxy-test-"+time.Now().String())
	if err != nil {
		t.Fatal(err)
	}
	return answer.RoundTrip
}

func request(t *testing.T, method, url string) string {
	t.Helper()
	r, err := http.NewRequest(method, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode >= 300 {
		t.Fatalf("%s %s: %s, %v: %s", method, url, response.Status, err, body)
	}
	return string(body)
}
