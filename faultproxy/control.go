package faultproxy

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strconv"
	"strings"
)

// maxBody is the longest request body that is read, in bytes.
const maxBody = 64 << 10

// Control returns a handler that steers p over HTTP, in JSON:
//
//	GET    /rules             the rules in force, each with its hits
//	POST   /rules             adds a rule: a JSON object, or its text form as text/plain
//	GET    /rules/{id}        one rule
//	DELETE /rules/{id}        removes a rule
//	DELETE /rules             removes all, as does
//	POST   /heal
//	GET    /connections       the open connections
//	DELETE /connections/{n}   ends one with a reset, or with a FIN: ?how=cut
//
// An error is an object with one sentence, {"error": "..."}. The handler asks
// nobody who they are: it belongs on a loopback address. It refuses requests
// that a web page could make a browser send.
func Control(p *Proxy) http.Handler {
	c := control{p}
	mux := http.NewServeMux()
	for pattern, handle := range map[string]func(*http.Request) (int, any, error){
		"GET /rules":                   c.list,
		"POST /rules":                  c.add,
		"DELETE /rules":                c.heal,
		"GET /rules/{id}":              c.get,
		"DELETE /rules/{id}":           c.remove,
		"POST /heal":                   c.heal,
		"GET /connections":             c.connections,
		"DELETE /connections/{number}": c.kill,
	} {
		mux.Handle(pattern, answer(handle))
	}
	mux.HandleFunc("/", c.unknown)
	return local(mux)
}

type control struct{ p *Proxy }

// answer writes what handle returns.
func answer(handle func(*http.Request) (int, any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		r.Body = http.MaxBytesReader(w, r.Body, maxBody)
		status, body, err := handle(r)
		if err != nil {
			body = map[string]string{"error": sentence(err)}
		}
		write(w, status, body)
	}
}

func write(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	_ = e.Encode(body) // the client has gone: nobody to tell
}

// sentence puts an error with several lines on one.
func sentence(err error) string { return strings.ReplaceAll(err.Error(), "\n", "; ") }

// local refuses what a browser sends for a page of somebody else's.
func local(next http.Handler) http.Handler {
	return http.NewCrossOriginProtection().Handler(next)
}

// shownRule is a rule as the handler shows it.
type shownRule struct {
	ID   ID     `json:"id"`
	Text string `json:"text"`
	Rule Rule   `json:"rule"`
	Hits int64  `json:"hits"`
}

func shown(s Status) shownRule {
	return shownRule{ID: s.ID, Text: s.Rule.String(), Rule: s.Rule, Hits: s.Hits}
}

func (c control) list(*http.Request) (int, any, error) {
	list := []shownRule{}
	for _, s := range c.p.Rules() {
		list = append(list, shown(s))
	}
	return http.StatusOK, list, nil
}

func (c control) get(r *http.Request) (int, any, error) {
	id, err := number(r, "id")
	if err != nil {
		return http.StatusBadRequest, nil, err
	}
	for _, s := range c.p.Rules() {
		if int64(s.ID) == id {
			return http.StatusOK, shown(s), nil
		}
	}
	return http.StatusNotFound, nil, fmt.Errorf("there is no rule %d", id)
}

func (c control) add(r *http.Request) (int, any, error) {
	rule, err := readRule(r)
	if err != nil {
		return http.StatusBadRequest, nil, err
	}
	id, err := c.p.Add(rule)
	if err != nil {
		return statusOf(err), nil, err
	}
	return http.StatusCreated, shownRule{ID: id, Text: rule.String(), Rule: rule}, nil
}

// readRule reads a rule from a request's body, in either form.
func readRule(r *http.Request) (rule Rule, err error) {
	body, err := io.ReadAll(r.Body)
	var long *http.MaxBytesError
	if errors.As(err, &long) {
		return rule, fmt.Errorf("the body is longer than %d bytes", long.Limit)
	}
	if err != nil {
		return rule, err
	}
	kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if kind == "text/plain" {
		return ParseRule(string(body))
	}
	err = json.Unmarshal(body, &rule)
	return rule, err
}

func (c control) remove(r *http.Request) (int, any, error) {
	id, err := number(r, "id")
	if err != nil {
		return http.StatusBadRequest, nil, err
	}
	if err := c.p.Remove(ID(id)); err != nil {
		return statusOf(err), nil, err
	}
	return http.StatusOK, map[string]int64{"removed": id}, nil
}

func (c control) heal(*http.Request) (int, any, error) {
	count := len(c.p.Rules())
	if err := c.p.Heal(); err != nil {
		return statusOf(err), nil, err
	}
	return http.StatusOK, map[string]int{"removed": count}, nil
}

func (c control) connections(*http.Request) (int, any, error) {
	return http.StatusOK, c.p.Connections(), nil
}

func (c control) kill(r *http.Request) (int, any, error) {
	n, err := number(r, "number")
	if err != nil {
		return http.StatusBadRequest, nil, err
	}
	how := Reset
	if q := r.URL.Query().Get("how"); q != "" {
		how = Fault(q)
	}
	if err := c.p.Kill(int(n), how); err != nil {
		return statusOf(err), nil, err
	}
	return http.StatusOK, map[string]int64{"ended": n}, nil
}

func (c control) unknown(w http.ResponseWriter, r *http.Request) {
	write(w, http.StatusNotFound, map[string]string{
		"error": fmt.Sprintf("there is no %s %s; there are /rules, /rules/{id}, /heal, /connections and /connections/{n}", r.Method, r.URL.Path),
	})
}

func number(r *http.Request, name string) (int64, error) {
	text := r.PathValue(name)
	n, err := strconv.ParseInt(text, 10, 32)
	if err != nil {
		return 0, fmt.Errorf("%q is no number", text)
	}
	return n, nil
}

// statusOf returns the HTTP status for an error of a proxy's method.
func statusOf(err error) int {
	switch {
	case errors.Is(err, ErrNotFound):
		return http.StatusNotFound
	case errors.Is(err, ErrClosed):
		return http.StatusServiceUnavailable
	case errors.Is(err, ErrNotListening):
		return http.StatusInternalServerError
	}
	return http.StatusBadRequest
}
