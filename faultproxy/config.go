package faultproxy

import (
	"context"
	"net"
	"strings"
)

// DialTCP returns a Config.Dial for the TCP address "host:port".
func DialTCP(address string) func(context.Context) (Conn, error) {
	return func(ctx context.Context) (Conn, error) {
		c, err := new(net.Dialer).DialContext(ctx, "tcp", address)
		if err != nil {
			return nil, err
		}
		return c.(*net.TCPConn), nil
	}
}

// RuleList is the value of a flag that may be given several times, each time
// with a rule in text form. It is a flag.Value, and a pflag.Value too.
type RuleList []Rule

// Set adds the rule of one line.
func (l *RuleList) Set(line string) error {
	r, err := ParseRule(line)
	if err == nil {
		*l = append(*l, r)
	}
	return err
}

// String returns the rules' text forms.
func (l *RuleList) String() string {
	var lines []string
	for _, r := range *l {
		lines = append(lines, r.String())
	}
	return strings.Join(lines, "; ")
}

// Type returns "rule", the word for the value in a help text.
func (l *RuleList) Type() string { return "rule" }
