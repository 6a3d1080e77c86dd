package reports

import (
	"encoding/binary"
	"encoding/hex"
	"slices"

	"github.com/monolock-dev/monolock-conform/conformance/spec"
	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

// beatRow is the intervals between heartbeats of a connection, or of several, each
// with the lease that it belongs to.
type beatRow struct {
	name       string
	ms, leases []float64
}

// beatRows are a scenario's intervals by connection, where there are enough of them.
func beatRows(s Scenario) []beatRow {
	var rows []beatRow
	all := 0
	for _, row := range beatsByConnection(s) {
		if len(row.ms) > 1 && len(rows) < mostRows {
			rows = append(rows, row)
			all += len(row.ms)
		}
	}
	if all < fewestBeats {
		return nil
	}
	return rows
}

// summedBeats are all intervals of a scenario as one row, or none.
func summedBeats(s Scenario) []beatRow {
	sum := beatRow{name: s.ID}
	for _, row := range beatsByConnection(s) {
		sum.ms, sum.leases = append(sum.ms, row.ms...), append(sum.leases, row.leases...)
	}
	if len(sum.ms) < fewestBeats {
		return nil
	}
	return []beatRow{sum}
}

// beatsByConnection reads the HEARTBEAT frames off a timeline. Where events were
// left out, no interval is known; what the proxy passes on counts once.
func beatsByConnection(s Scenario) []beatRow {
	var rows []beatRow
	index := map[string]int{}
	last := map[string]int64{}
	lease := map[string]float64{}
	for _, e := range s.Timeline {
		name, _ := frameName(e)
		kind := kindOf(e.Who)
		switch {
		case e.isGap():
			clear(last)
		case kind != laneConn && kind != laneLink:
		case name == "ACQUIRE":
			lease[e.Who] = leaseIn(e, s.LeaseMS)
		case name == "HEARTBEAT":
			before, known := last[e.Who]
			last[e.Who] = e.TUS
			of := lease[e.Who]
			if !known || of <= 0 {
				continue
			}
			at, seen := index[e.Who]
			if !seen {
				at = len(rows)
				index[e.Who] = at
				rows = append(rows, beatRow{name: e.Who})
			}
			rows[at].ms = append(rows[at].ms, float64(e.TUS-before)/1000)
			rows[at].leases = append(rows[at].leases, of)
		}
	}
	return rows
}

// leaseIn is the lease that an ACQUIRE asks for, in milliseconds.
func leaseIn(e Event, otherwise int64) float64 {
	bytes, err := hex.DecodeString(e.Hex)
	if err != nil || len(bytes) < wire.AcquireHeaderSize {
		return float64(otherwise)
	}
	return float64(binary.BigEndian.Uint32(bytes[2:6]))
}

// handovers are the times from one holder to the next in a scenario that measures
// them, in microseconds.
func handovers(s Scenario) []float64 {
	if !slices.ContainsFunc(s.Requirements, func(j Judgement) bool { return j.ID == spec.S_Q_12 }) {
		return nil
	}
	claims := slices.Clone(s.Claims)
	slices.SortStableFunc(claims, func(a, b Claim) int { return int(a.FromUS - b.FromUS) })
	var us []float64
	for i := 1; i < len(claims); i++ {
		if gap := claims[i].FromUS - claims[i-1].ToUS; gap > 0 {
			us = append(us, float64(gap))
		}
	}
	return us
}
