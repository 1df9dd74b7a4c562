// Etcd is the server of go.etcd.io/etcd: its own main package lies in a module
// that replaces its siblings by relative paths and so cannot be built by name.
package main

import (
	"os"

	"go.etcd.io/etcd/server/v3/etcdmain"
)

func main() {
	etcdmain.Main(os.Args)
}
