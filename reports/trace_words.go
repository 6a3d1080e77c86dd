package reports

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/conformance/spec"
	"github.com/monolock-dev/monolock-conform/conformance/timeline/capture"
)

// traceNumbers says in one line what a capture held.
func traceNumbers(s capture.Summary) string {
	return fmt.Sprintf("%s of %s, in %s and %v", counted(s.Frames, "frame", "frames"), counted(s.Conns, "connection", "connections"),
		counted(s.Packets, "packet", "packets"), s.Last.Sub(s.First).Round(time.Millisecond))
}

// TraceLimits says what could not be seen in a capture, a sentence each.
func TraceLimits(s capture.Summary) []string {
	var said []string
	say := func(n int, one, many string) {
		if n > 0 {
			said = append(said, counted(n, one, many))
		}
	}
	if s.Cut {
		said = append(said, fmt.Sprintf("the file ends inside a packet, behind %s and %d bytes; what came before it counts", counted(s.Packets, "packet", "packets"), s.Bytes))
	}
	say(s.Unstarted, "connection began before the capture: its lock and lease are not known", "connections began before the capture: their locks and leases are not known")
	if s.Holes > 0 {
		said = append(said, fmt.Sprintf("%s where bytes are missing, %d in all: nothing that depends on them is judged", counted(s.Holes, "place", "places"), s.Missing))
	}
	say(s.Unread, "byte was not read, since it is not sure where a frame begins there", "bytes were not read, since it is not sure where a frame begins there")
	say(s.Shortened, "segment was cut by the snap length: capture with tcpdump -s 0", "segments were cut by the snap length: capture with tcpdump -s 0")
	say(s.Fragments, "fragment of IP was not put together", "fragments of IP were not put together")
	say(int(min(s.Dropped, 1<<31)), "packet was dropped by the capture itself", "packets were dropped by the capture itself")
	say(s.Repeated, "segment was sent again", "segments were sent again")
	say(s.Disordered, "segment came before its turn", "segments came before their turn")
	say(s.Foreign-s.TLS-s.OtherPort, "connection speaks something else", "connections speak something else")
	say(s.TLS, "connection is encrypted (TLS): nothing can be read of it", "connections are encrypted (TLS): nothing can be read of them")
	say(s.OtherPort, "connection was left out for its port", "connections were left out for their port")
	say(s.Evicted, "connection was forgotten, for too many were open at once", "connections were forgotten, for too many were open at once")
	for _, link := range slices.Sorted(maps.Keys(s.Links)) {
		said = append(said, fmt.Sprintf("%s of link type %d, which is not read", counted(s.Links[link], "packet", "packets"), link))
	}
	return said
}

// TraceForeign says why a capture holds nothing to judge, and what to try.
func TraceForeign(s capture.Summary) string {
	switch {
	case s.Packets == 0:
		return "the capture holds no packets"
	case s.Segments == 0 && len(s.Links) > 0:
		return fmt.Sprintf("the capture holds packets of link type %d, which is not read; capture on another interface, or with tcpdump -i any", slices.Sorted(maps.Keys(s.Links))[0])
	case s.Segments == 0:
		return fmt.Sprintf("none of the %s is TCP", counted(s.Packets, "packet", "packets"))
	case s.TLS > 0:
		return fmt.Sprintf("no connection can be read: %d of %d are encrypted (TLS); capture behind what ends the TLS", s.TLS, s.Foreign)
	case s.OtherPort > 0:
		return fmt.Sprintf("no connection of that port speaks monolock; %s of other ports", counted(s.OtherPort, "connection is", "connections are"))
	}
	return fmt.Sprintf("no connection speaks monolock, of %d that carry anything; name the server's port with --port where it is not %d", s.Foreign, capture.DefaultPort)
}

// traceLeftOut says how much of the catalogue a capture showed.
func (r Result) traceLeftOut() string {
	return fmt.Sprintf("a capture, which shows %d of %d requirements", len(r.Requirements)-r.Counts[conformance.Unsupported], len(r.Requirements))
}

// fact is what a capture shows of a requirement that nobody judges.
func (w *traceWatch) fact(id spec.ID) (text string, some bool) {
	for _, o := range w.observations() {
		if o.ID == id && (id == spec.S_Q_12 || id == spec.C_HB_09) {
			text, some = joinedWords(text, o.Key+" = "+o.Value), true
		}
	}
	return text, some
}

func joinedWords(before, more string) string {
	if before == "" {
		return more
	}
	return before + ", " + more
}

// observations are the facts of a capture.
func (w *traceWatch) observations() []Observation {
	all, facts := []Observation{}, w.watch.Facts()
	if w.role == spec.RoleServer {
		if facts.Drops > 0 {
			all = append(all, Observation{spec.S_HB_06, "sessions_ended_within_their_lease_without_error", fmt.Sprint(facts.Drops)})
		}
		if h := facts.Handovers; h.Count > 0 {
			all = append(all, Observation{spec.S_Q_12, "p50_us", fmt.Sprint(h.Quantile(0.5))},
				Observation{spec.S_Q_12, "p99_us", fmt.Sprint(h.Quantile(0.99))}, Observation{spec.S_Q_12, "max_us", fmt.Sprint(h.Max)})
		}
		return all
	}
	if i := facts.Intervals; i.Count > 0 {
		all = append(all, Observation{spec.C_HB_09, "interval_p50_percent_of_lease", fmt.Sprint(i.Quantile(0.5))},
			Observation{spec.C_HB_09, "interval_p99_percent_of_lease", fmt.Sprint(i.Quantile(0.99))}, Observation{spec.C_HB_09, "interval_max_percent_of_lease", fmt.Sprint(i.Max)})
	}
	return all
}
