package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net"
	"strings"
	"time"

	"github.com/monolock-dev/monolock-conform/refserver"
)

// settings is what flags and environment come to.
type settings struct {
	listen    string
	ioTimeout time.Duration
	logLevel  slog.Level
	logFormat string
}

// option is one line of the documented configuration. The flag set, the
// environment and the usage text all read the same table.
type option struct {
	flag, env string
	fallback  string
	usage     string
	set       func(*settings, string) error // nil: documented, not implemented yet
}

// Source: configuration.
var options = []option{
	{"listen", "MONOLOCK_LISTEN_ADDRESS", "0.0.0.0:7070", "`address` of the lock protocol; port 0 picks a free one", setListen},
	{"io-timeout", "MONOLOCK_IO_TIMEOUT", refserver.DefaultIOTimeout.String(), "`duration` that an ACQUIRE or a blocked write may take", setIOTimeout},
	{"log-level", "MONOLOCK_LOG_LEVEL", "info", "least `level` that is logged: debug, info, warn, error", setLogLevel},
	{"log-format", "MONOLOCK_LOG_FORMAT", "text", "`format` of the log on standard error: text, json", setLogFormat},
	{"ops-listen", "MONOLOCK_OPS_LISTEN_ADDRESS", "", "`address` of metrics and health (not implemented yet)", nil},
	{"admin-listen", "MONOLOCK_ADMIN_LISTEN_ADDRESS", "", "`address` of the admin API (not implemented yet)", nil},
	{"tls-cert", "MONOLOCK_TLS_CERT", "", "certificate `file` (not implemented yet)", nil},
	{"tls-key", "MONOLOCK_TLS_KEY", "", "key `file` (not implemented yet)", nil},
	{"tls-client-ca", "MONOLOCK_TLS_CLIENT_CA", "", "client CA `file` (not implemented yet)", nil},
	{"acl-file", "MONOLOCK_ACL_FILE", "", "access rules `file` (not implemented yet)", nil},
	{"audit-log", "MONOLOCK_AUDIT_LOG", "", "audit `file`, - for standard output (not implemented yet)", nil},
}

var errNotImplemented = errors.New("not implemented yet in the reference server")

// readSettings reads the table: flag over environment over default. An empty
// variable counts as unset. Its error joins everything that is wrong;
// flag.ErrHelp, alone, says that the usage text was asked for.
func readSettings(args []string, lookup func(string) (string, bool)) (settings, error) {
	fs := newFlagSet(io.Discard)
	if err := fs.Parse(args); err != nil {
		return settings{}, err
	}
	if fs.NArg() > 0 {
		return settings{}, fmt.Errorf("unexpected argument %q", fs.Arg(0))
	}
	given := make(map[string]bool)
	fs.Visit(func(f *flag.Flag) { given[f.Name] = true })

	var s settings
	var errs []error
	for _, o := range options {
		origin, value := "-"+o.flag, fs.Lookup(o.flag).Value.String()
		if v, ok := lookup(o.env); ok && v != "" && !given[o.flag] {
			origin, value = o.env, v
		}
		if err := o.apply(&s, value); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", origin, err))
		}
	}
	return s, errors.Join(errs...)
}

func (o option) apply(s *settings, value string) error {
	if o.set != nil {
		return o.set(s, value)
	}
	if value != "" {
		return errNotImplemented
	}
	return nil
}

func newFlagSet(out io.Writer) *flag.FlagSet {
	fs := flag.NewFlagSet("monolock-refserver", flag.ContinueOnError)
	fs.SetOutput(out)
	for _, o := range options {
		fs.String(o.flag, o.fallback, o.usage+"\n"+o.env)
	}
	return fs
}

func printUsage(out io.Writer) {
	fmt.Fprint(out, "Usage: monolock-refserver [flags]\n\n"+
		"The monolock reference server. A flag stands over its variable, a variable over the default.\n\n")
	newFlagSet(out).PrintDefaults()
}

func setListen(s *settings, value string) error {
	if _, _, err := net.SplitHostPort(value); err != nil {
		return fmt.Errorf("%q is not host:port", value)
	}
	s.listen = value
	return nil
}

func setIOTimeout(s *settings, value string) error {
	d, err := time.ParseDuration(value)
	if err != nil || d <= 0 {
		return fmt.Errorf("%q is not a positive duration such as 5s", value)
	}
	s.ioTimeout = d
	return nil
}

func setLogLevel(s *settings, value string) error {
	if err := s.logLevel.UnmarshalText([]byte(value)); err != nil {
		return fmt.Errorf("%q is none of debug, info, warn, error", value)
	}
	return nil
}

func setLogFormat(s *settings, value string) error {
	s.logFormat = strings.ToLower(value)
	if s.logFormat != "text" && s.logFormat != "json" {
		return fmt.Errorf("%q is neither text nor json", value)
	}
	return nil
}
