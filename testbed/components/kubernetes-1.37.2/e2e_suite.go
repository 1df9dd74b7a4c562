//go:build tools

// Package endtoend keeps the modules that the Kubernetes project's own kubeadm
// suite needs in go.mod; it is never built.
package endtoend

import _ "k8s.io/kubernetes/test/e2e_kubeadm"
