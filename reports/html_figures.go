package reports

import (
	"fmt"
	"html/template"
	"slices"
	"strconv"

	"github.com/monolock-dev/monolock-conform/conformance/spec"
)

// htmlFigure is a plot with its numbers as a table.
type htmlFigure struct {
	Title, Text string
	Drawing     template.HTML
	Head        []string
	Rows        [][]string
}

// Bounds of plots: fewer intervals say nothing, more rows are not read.
const (
	fewestBeats = 3
	mostRows    = 20
)

// scenarioFigures are the small plots of one scenario.
func scenarioFigures(r Result, s Scenario, id string) []htmlFigure {
	var figures []htmlFigure
	if rows := beatRows(s); len(rows) > 0 {
		figures = append(figures, beatFigure(r.Subject.Role, rows, id+"-beats"))
	}
	if delays := handovers(s); len(delays) > 0 {
		figures = append(figures, handoverFigure(r, delays, id+"-handover"))
	}
	return figures
}

// htmlFigures are the plots of the whole run.
func htmlFigures(r Result) []htmlFigure {
	var figures []htmlFigure
	var rows []beatRow
	for _, s := range r.Scenarios {
		if r.Subject.Role == spec.RoleClient {
			rows = append(rows, summedBeats(s)...)
		}
		if delays := handovers(s); len(delays) > 0 {
			figures = append(figures, handoverFigure(r, delays, "run-handover"))
		}
	}
	slices.SortStableFunc(rows, func(a, b beatRow) int { return len(b.ms) - len(a.ms) })
	if rows = rows[:min(len(rows), mostRows)]; len(rows) > 0 {
		figures = append(figures, beatFigure(r.Subject.Role, rows, "run-beats"))
	}
	return figures
}

// beatFigure shows how the intervals of heartbeats lie to the lease.
func beatFigure(role spec.Role, rows []beatRow, id string) htmlFigure {
	sender := "client"
	if role == spec.RoleServer {
		sender = "suite"
	}
	p := plot{title: "Heartbeat intervals", from: 0, to: 1.1}
	for _, share := range []float64{0, 0.25, 0.5, 0.75, 1} {
		p.ticks = append(p.ticks, plotLine{share, strconv.FormatFloat(share, 'f', -1, 64)})
	}
	p.lines = []plotLine{{0.25, "¼ lease"}, {0.8, "0.8 lease"}, {1, "lease"}}
	f := htmlFigure{
		Title: p.title, Head: []string{"", "lease", "intervals", "least", "middle", "most"},
		Text: "Each dot is the time from one heartbeat of the " + sender + " to the next, as a share of the lease.",
	}
	for _, row := range rows {
		values := make([]float64, len(row.ms))
		for i, ms := range row.ms {
			values[i] = ms / row.leases[i]
		}
		p.rows = append(p.rows, plotRow{cleanLine(row.name), values})
		least, middle, most := spreadOf(row.ms)
		f.Rows = append(f.Rows, []string{cleanLine(row.name), leaseText(row.leases), strconv.Itoa(len(values)), millisText(least), millisText(middle), millisText(most)})
	}
	f.Drawing = p.drawn(id)
	return f
}

func leaseText(leases []float64) string {
	least, _, most := spreadOf(leases)
	if least == most {
		return fmt.Sprintf("%.0f ms", least)
	}
	return fmt.Sprintf("%.0f to %.0f ms", least, most)
}

// handoverFigure shows how long a lock took from one holder to the next.
func handoverFigure(r Result, us []float64, id string) htmlFigure {
	least, middle, most := spreadOf(us)
	p := plot{title: "Handover latency", log: true, spread: true, from: decadeBelow(least), to: decadeAbove(most)}
	for at := p.from; at <= p.to; at *= 10 {
		p.ticks = append(p.ticks, plotLine{at, microsWord(at)})
	}
	p.rows = []plotRow{{"from one holder to the next", us}}
	f := htmlFigure{
		Title: p.title, Head: []string{"", "value"},
		Text: "Each dot is the time from a holder's close to the next one's grant, as the claims of the timeline have it; the lines are what the whole scenario measured.",
		Rows: [][]string{{"handovers drawn", strconv.Itoa(len(us))}, {"least", microsWord(least)}, {"middle", microsWord(middle)}, {"most", microsWord(most)}},
	}
	for _, o := range r.Observations {
		if o.ID != spec.S_Q_12 {
			continue
		}
		f.Rows = append(f.Rows, []string{cleanLine(o.Key), cleanLine(o.Value)})
		if v, err := strconv.ParseFloat(o.Value, 64); err == nil && v > 0 {
			p.lines = append(p.lines, plotLine{v, cleanLine(o.Key)})
		}
	}
	f.Drawing = p.drawn(id)
	return f
}

func microsWord(us float64) string {
	if us >= 1000 {
		return strconv.FormatFloat(us/1000, 'f', -1, 64) + " ms"
	}
	return strconv.FormatFloat(us, 'f', -1, 64) + " µs"
}

func decadeBelow(v float64) float64 {
	decade := 1.0
	for decade*10 <= v {
		decade *= 10
	}
	return decade
}

func decadeAbove(v float64) float64 {
	decade := 10.0
	for decade < v {
		decade *= 10
	}
	return decade
}
