package reports

// The exit codes of a run. DESIGN: "The command line".
const (
	exitConformant    = 0
	exitNotConformant = 1
	exitUndecided     = 3
	exitInterrupted   = 130
)

// ExitCode is 0 for conformant, 1 for not conformant, 3 for undecided, and 130
// for a run that the user interrupted, whatever it had found by then.
func (r Result) ExitCode(interrupted bool) int {
	switch {
	case interrupted:
		return exitInterrupted
	case r.Result == Conformant:
		return exitConformant
	case r.Result == NotConformant:
		return exitNotConformant
	}
	return exitUndecided
}
