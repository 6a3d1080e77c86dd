package timeline

// What a capture says of its own events, in their notes.
const (
	// Missed is the remark that bytes of a connection were not seen, in either
	// direction. Events after it are whole again.
	Missed = "bytes are missing here"
	// Late is the note of a frame that was seen after it may have arrived, so that its
	// place among other events proves nothing.
	Late = "out of order"
)
