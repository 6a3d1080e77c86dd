package subject

import "context"

// smallSegmentBytes is the payload of a segment that every network must carry
// (RFC 9293, section 3.7.1).
const smallSegmentBytes = 536

type segmentsKey struct{}

// WithSmallSegments makes what is dialled with ctx ask its peer for small segments,
// where the system lets it: a kernel's send buffer grows with their size, so that a
// peer whose answers nobody reads blocks earlier.
func WithSmallSegments(ctx context.Context) context.Context {
	return context.WithValue(ctx, segmentsKey{}, true)
}

func smallSegments(ctx context.Context) bool {
	small, _ := ctx.Value(segmentsKey{}).(bool)
	return small
}
