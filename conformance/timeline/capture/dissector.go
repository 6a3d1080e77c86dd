package capture

import _ "embed"

// Dissector is a Wireshark dissector of the protocol, in Lua.
//
//go:embed monolock.lua
var Dissector string
