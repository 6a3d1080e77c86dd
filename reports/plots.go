package reports

import (
	"cmp"
	"fmt"
	"html/template"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/monolock-dev/monolock-conform/conformance/timeline"
)

// pulse is the heartbeats of one connection.
type pulse struct {
	who     string
	leaseMS float64
	gaps    []float64 // ms between one heartbeat and the next
	last    int64
}

var leaseText = regexp.MustCompile(`\blease=(\d+)ms\b`)

// pulses finds the heartbeats of each connection.
func pulses(s Scenario) []pulse {
	var found []pulse
	for _, e := range s.Timeline {
		if e.What != string(timeline.Send) && e.What != string(timeline.Recv) {
			continue
		}
		i := slices.IndexFunc(found, func(p pulse) bool { return p.who == e.Who })
		if lease := leaseText.FindStringSubmatch(e.Frame); i < 0 && strings.HasPrefix(e.Frame, "ACQUIRE ") && lease != nil {
			ms, _ := strconv.ParseFloat(lease[1], 64)
			found = append(found, pulse{who: e.Who, leaseMS: ms, last: e.TUS})
		} else if i >= 0 && e.Frame == "HEARTBEAT" {
			p := &found[i]
			p.gaps = append(p.gaps, float64(e.TUS-p.last)/1000)
			p.last = e.TUS
		}
	}
	return found
}

// mostPlots is how many connections' heartbeats are drawn.
const mostPlots = 3

// plots draws the heartbeat intervals of the connections with the most of them,
// against a quarter of the lease and the lease.
func plots(s Scenario) template.HTML {
	const leastBeats = 3
	found := slices.DeleteFunc(pulses(s), func(p pulse) bool { return len(p.gaps) < leastBeats })
	slices.SortStableFunc(found, func(a, b pulse) int { return cmp.Compare(len(b.gaps), len(a.gaps)) })
	var out strings.Builder
	for _, p := range found[:min(len(found), mostPlots)] {
		out.WriteString(plotPulse(p))
	}
	return template.HTML(out.String())
}

// plotPulse draws each interval as a bar.
func plotPulse(p pulse) string {
	const width, height, left = 300.0, 86.0, 6.0
	longest := max(slices.Max(p.gaps), p.leaseMS/4)
	y := func(ms float64) float64 { return height - 14 - ms/(longest*1.15)*(height-28) }
	var out strings.Builder
	fmt.Fprintf(&out, `<figure class="plot"><svg viewBox="0 0 %.0f %.0f" role="img"><title>%d intervals from ACQUIRE or HEARTBEAT to the next HEARTBEAT on %s: shortest %s, longest %s, a quarter of the lease is %s</title>`,
		width, height, len(p.gaps), esc(p.who), millisText(slices.Min(p.gaps)), millisText(slices.Max(p.gaps)), millisText(p.leaseMS/4))
	step := (width - 2*left) / float64(len(p.gaps))
	for i, gap := range p.gaps {
		fmt.Fprintf(&out, `<rect class="gap" x="%.1f" y="%.1f" width="%.1f" height="%.1f"><title>%s</title></rect>`,
			left+float64(i)*step, y(gap), max(step-1, 0.7), height-14-y(gap), millisText(gap))
	}
	fmt.Fprintf(&out, `<path class="quarter" d="M%.0f %.1fH%.0f"/><text class="small" x="%.0f" y="%.1f">lease/4 = %s</text>`,
		left, y(p.leaseMS/4), width-left, left, y(p.leaseMS/4)-3, millisText(p.leaseMS/4))
	fmt.Fprintf(&out, `</svg><figcaption>Heartbeat intervals, %s: %s to %s</figcaption></figure>`,
		esc(p.who), millisText(slices.Min(p.gaps)), millisText(slices.Max(p.gaps)))
	return out.String()
}

// plotHandover draws the latencies of promotion that a run observed (S-Q-12).
func plotHandover(observations []Observation) template.HTML {
	type bar struct {
		name string
		us   float64
	}
	var bars []bar
	for _, o := range observations {
		name, isTime := strings.CutSuffix(o.Key, "_us")
		us, err := strconv.ParseFloat(o.Value, 64)
		if o.ID == "S-Q-12" && isTime && err == nil {
			bars = append(bars, bar{name, us})
		}
	}
	if len(bars) == 0 {
		return ""
	}
	longest := slices.MaxFunc(bars, func(a, b bar) int { return cmp.Compare(a.us, b.us) }).us
	var out, words strings.Builder
	for i, b := range bars {
		y := 4 + 18*i
		fmt.Fprintf(&out, `<text class="small" x="4" y="%d">%s</text><rect class="gap" x="40" y="%d" width="%.1f" height="12"/><text class="small" x="%.1f" y="%d">%s</text>`,
			y+10, esc(b.name), y, max(b.us/max(longest, 1)*180, 1), 46+b.us/max(longest, 1)*180, y+10, microsText(int64(b.us)))
		fmt.Fprintf(&words, " %s %s", b.name, microsText(int64(b.us)))
	}
	return template.HTML(fmt.Sprintf(`<figure class="plot"><svg viewBox="0 0 300 %d" role="img"><title>Handover latencies:%s</title>%s</svg><figcaption>Handover latency (S-Q-12)</figcaption></figure>`,
		8+18*len(bars), esc(words.String()), out.String()))
}
