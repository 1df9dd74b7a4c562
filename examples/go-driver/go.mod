module groundplane.dev/examples/go-driver

go 1.26
