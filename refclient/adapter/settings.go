package adapter

import (
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"strconv"
	"time"
)

// contract is the version of the adapter contract that is spoken here.
const contract = "1"

// settings is what the environment comes to.
type settings struct {
	addr  string
	name  string
	lease time.Duration
	retry bool
	tls   tlsFiles
}

// readSettings reads the environment. Its error joins everything that is wrong.
func readSettings(getenv func(string) string) (settings, error) {
	s := settings{addr: getenv("MONOLOCK_ADDR"), tls: readTLSFiles(getenv)}
	var errs []error
	if v := getenv("MONOLOCK_CONTRACT"); v != contract {
		errs = append(errs, fmt.Errorf("MONOLOCK_CONTRACT is %q, want %q: run this program under the suite", v, contract))
	}
	if _, _, err := net.SplitHostPort(s.addr); err != nil {
		errs = append(errs, fmt.Errorf("MONOLOCK_ADDR: %q is not host:port", s.addr))
	}
	name, err := hex.DecodeString(getenv("MONOLOCK_NAME_HEX"))
	if err != nil {
		errs = append(errs, fmt.Errorf("MONOLOCK_NAME_HEX: %w", err))
	}
	s.name = string(name)
	ms, err := strconv.ParseUint(getenv("MONOLOCK_LEASE_MS"), 10, 32)
	if err != nil {
		errs = append(errs, fmt.Errorf("MONOLOCK_LEASE_MS: %w", err))
	}
	s.lease = time.Duration(ms) * time.Millisecond
	switch mode := getenv("MONOLOCK_MODE"); mode {
	case "once":
	case "retry":
		s.retry = true
	default:
		errs = append(errs, fmt.Errorf("MONOLOCK_MODE: %q is neither once nor retry", mode))
	}
	return s, errors.Join(errs...)
}
