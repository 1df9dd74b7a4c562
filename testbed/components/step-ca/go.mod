module groundplane.invalid/testbed/step-ca

go 1.26.0

tool github.com/smallstep/certificates/cmd/step-ca

require github.com/smallstep/certificates v0.30.2
