package reports

import (
	"strconv"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance"
)

// mostMarks bounds each list of a scenario's marks.
const mostMarks = 200

func newClaims(result conformance.Result) []Claim {
	claims := []Claim{}
	for _, h := range first(result.Claims, mostMarks) {
		claims = append(claims, Claim{
			Who: cleanLine(h.Who), FromUS: micro(result, h.From), ToUS: micro(result, h.To), Token: strconv.FormatUint(h.Token, 10),
		})
	}
	return claims
}

func newBands(result conformance.Result) []Band {
	bands := []Band{}
	for _, b := range first(result.Bands, mostMarks) {
		bands = append(bands, Band{What: cleanLine(b.What), FromUS: micro(result, b.From), ToUS: micro(result, b.To)})
	}
	return bands
}

func newLimits(result conformance.Result) []Limit {
	limits := []Limit{}
	for _, l := range first(result.Limits, mostMarks) {
		limits = append(limits, Limit{What: cleanLine(l.What), AtUS: micro(result, l.At)})
	}
	return limits
}

// first are the first n of s.
func first[T any](s []T, n int) []T { return s[:min(len(s), n)] }

// micro is an instant on the clock of the scenario's timeline.
func micro(result conformance.Result, at time.Time) int64 {
	return at.Sub(result.Zero).Microseconds()
}
