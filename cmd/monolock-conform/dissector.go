package main

import (
	"io"

	"github.com/spf13/cobra"

	"github.com/monolock-dev/monolock-conform/conformance/timeline/capture"
)

func newDissector(c console) *cobra.Command {
	return &cobra.Command{
		Use:   "dissector",
		Short: "Print the Wireshark dissector of the protocol, in Lua",
		Long: `Print the dissector. Put it into Wireshark's folder of personal Lua plugins, or:

  monolock-conform dissector > monolock.lua
  tshark -X lua_script:monolock.lua -r capture.pcapng -Y monolock`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := io.WriteString(c.out, capture.Dissector)
			return err
		},
	}
}
