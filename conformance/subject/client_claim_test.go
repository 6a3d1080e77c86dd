package subject

import (
	"slices"
	"strings"
	"testing"
	"time"
)

func TestClaimEnv(t *testing.T) {
	for _, test := range []struct {
		name  string
		claim Claim
		want  string
	}{
		{"the least", Claim{}, "MONOLOCK_CONTRACT=1|MONOLOCK_ADDR=|MONOLOCK_NAME=|MONOLOCK_NAME_HEX=|MONOLOCK_LEASE_MS=0|" +
			"MONOLOCK_MODE=once|MONOLOCK_CASE="},
		{"a NUL in the name", Claim{Name: "\x00"}, "MONOLOCK_CONTRACT=1|MONOLOCK_ADDR=|MONOLOCK_NAME_HEX=00|MONOLOCK_LEASE_MS=0|" +
			"MONOLOCK_MODE=once|MONOLOCK_CASE="},
		{"all", Claim{Addr: "h:1", Name: " e\u0301=", Lease: maxLease, Mode: Retry, Case: "x", TLS: ClaimTLS{"ca", "c", "k", "s"}},
			"MONOLOCK_CONTRACT=1|MONOLOCK_ADDR=h:1|MONOLOCK_NAME= e\u0301=|MONOLOCK_NAME_HEX=2065cc813d|MONOLOCK_LEASE_MS=4294967295|" +
				"MONOLOCK_MODE=retry|MONOLOCK_CASE=x|MONOLOCK_TLS_CA=ca|MONOLOCK_TLS_CERT=c|MONOLOCK_TLS_KEY=k|MONOLOCK_TLS_SERVER_NAME=s"},
	} {
		if got := strings.Join(test.claim.Env(), "|"); got != test.want {
			t.Errorf("%s: %q\nwant %q", test.name, got, test.want)
		}
		for _, variable := range test.claim.Env() {
			if name, _, _ := strings.Cut(variable, "="); !slices.Contains(contractVariables, name) {
				t.Errorf("%s is not among the contract's variables", name)
			}
		}
		if err := test.claim.check(); err != nil {
			t.Errorf("%s: %v", test.name, err)
		}
	}
}

func TestClaimsThatCannotBeAsked(t *testing.T) {
	for _, claim := range []Claim{{Lease: -time.Second}, {Lease: maxLease + time.Millisecond}, {Lease: time.Microsecond},
		{Mode: "twice"}, {Addr: "a\x00b"}, {Case: "a\x00b"}} {
		if _, err := writes(hello).Start(t.Context(), claim); err == nil {
			t.Errorf("Start(%+v) succeeded", claim)
		}
	}
}
