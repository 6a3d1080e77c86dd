//go:build !unix

package defects

import "net"

// inherited is a plain connection: no child can inherit one here.
func inherited(nc net.Conn) net.Conn { return nc }
