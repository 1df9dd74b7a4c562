module groundplane.invalid/testbed/pause

go 1.26.0
