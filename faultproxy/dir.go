package faultproxy

import "github.com/monolock-dev/monolock-conform/conformance/wire"

// Dir is a direction of traffic. As part of a rule its zero value means both.
type Dir uint8

// The directions.
const (
	Both Dir = iota
	Up       // client to server
	Down     // server to client
)

var dirNames = []string{"both", "up", "down"}

// String returns "both", "up" or "down".
func (d Dir) String() string { return nameOf(dirNames, int(d)) }

// covers reports whether a rule of direction d acts on the lane of direction o.
func (d Dir) covers(o Dir) bool { return d == Both || d == o }

// dirOf returns the direction in which frames of type t go.
func dirOf(t wire.Type) Dir {
	if t == wire.TypeAcquire || t == wire.TypeHeartbeat {
		return Up
	}
	return Down
}

// Side names one of the two connections that the proxy joins. The zero value
// means both of them.
type Side uint8

// The sides.
const (
	BothSides Side = iota
	ClientSide
	ServerSide
)

var sideNames = []string{"both", "client", "server"}

// String returns "both", "client" or "server".
func (s Side) String() string { return nameOf(sideNames, int(s)) }

func nameOf(names []string, i int) string {
	if i < len(names) {
		return names[i]
	}
	return "?"
}
