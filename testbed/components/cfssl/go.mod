module groundplane.invalid/testbed/cfssl

go 1.26.0

tool github.com/cloudflare/cfssl/cmd/cfssl

require github.com/cloudflare/cfssl v1.6.5
