// Cloud-init-renderer prints the user data that Cluster API's kubeadm bootstrap provider gives a machine.
//
// It reads one JSON object from standard input (see request), does to the machine's KubeadmConfig what the provider's
// controller does before it renders, and writes the user data to standard output. What the controller keeps in objects of
// the management cluster, the cluster's authorities, is handed back inside the user data of the first control plane and
// comes in again, as caCertificate, for a worker.
package main

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/blang/semver/v4"
	corev1 "k8s.io/api/core/v1"

	bootstrapv1 "sigs.k8s.io/cluster-api/api/bootstrap/kubeadm/v1beta2"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/cluster-api/bootstrap/kubeadm/pkg/cloudinit"
	kubeadmtypes "sigs.k8s.io/cluster-api/bootstrap/kubeadm/pkg/types"
	"sigs.k8s.io/cluster-api/bootstrap/kubeadm/pkg/types/upstream"
	"sigs.k8s.io/cluster-api/util/certs"
	"sigs.k8s.io/cluster-api/util/secret"
)

type request struct {
	// Role is `init` for the first control plane, or `worker`.
	Role              string                        `json:"role"`
	KubernetesVersion string                        `json:"kubernetesVersion"`
	ClusterName       string                        `json:"clusterName"`
	Cluster           clusterv1.ClusterSpec         `json:"cluster"`
	Config            bootstrapv1.KubeadmConfigSpec `json:"config"`
	// CACertificate is the PEM text of the cluster's CA, for a worker.
	CACertificate string `json:"caCertificate"`
	// BootstrapToken is one of the workload cluster, for a worker.
	BootstrapToken string `json:"bootstrapToken"`
}

func render(r request) ([]byte, error) {
	version, err := semver.ParseTolerant(r.KubernetesVersion)
	if err != nil {
		return nil, fmt.Errorf("kubernetesVersion %q: %w", r.KubernetesVersion, err)
	}
	base := cloudinit.BaseUserData{
		KubernetesVersion:   version,
		BootCommands:        r.Config.BootCommands,
		PreKubeadmCommands:  r.Config.PreKubeadmCommands,
		PostKubeadmCommands: r.Config.PostKubeadmCommands,
		AdditionalFiles:     r.Config.Files,
	}
	if r.Config.Verbosity != nil {
		base.KubeadmVerbosity = fmt.Sprintf("--v %d", *r.Config.Verbosity)
	}
	switch r.Role {
	case "init":
		return renderInit(r, version, base)
	case "worker":
		return renderWorker(r, version, base)
	default:
		return nil, fmt.Errorf("role %q: it is init or worker", r.Role)
	}
}

// As handleClusterNotInitialized of the provider's controller.
func renderInit(r request, version semver.Version, base cloudinit.BaseUserData) ([]byte, error) {
	clusterConfiguration := &r.Config.ClusterConfiguration
	if clusterConfiguration.ControlPlaneEndpoint == "" {
		clusterConfiguration.ControlPlaneEndpoint = r.Cluster.ControlPlaneEndpoint.String()
	}
	data := &upstream.AdditionalData{ClusterName: &r.ClusterName, KubernetesVersion: &r.KubernetesVersion}
	if pods := r.Cluster.ClusterNetwork.Pods.String(); pods != "" {
		data.PodSubnet = &pods
	}
	if services := r.Cluster.ClusterNetwork.Services.String(); services != "" {
		data.ServiceSubnet = &services
	}
	clusterDocument, err := kubeadmtypes.MarshalClusterConfigurationForVersion(clusterConfiguration, version, data)
	if err != nil {
		return nil, err
	}
	initDocument, err := kubeadmtypes.MarshalInitConfigurationForVersion(&r.Config.InitConfiguration, version)
	if err != nil {
		return nil, err
	}
	certificates := secret.NewCertificatesForInitialControlPlane(clusterConfiguration)
	if err := certificates.Generate(); err != nil {
		return nil, err
	}
	return cloudinit.NewInitControlPlane(&cloudinit.ControlPlaneInput{
		BaseUserData:         base,
		Certificates:         certificates,
		ClusterConfiguration: clusterDocument,
		InitConfiguration:    initDocument,
	})
}

// As joinWorker and reconcileDiscovery of the provider's controller.
func renderWorker(r request, version semver.Version, base cloudinit.BaseUserData) ([]byte, error) {
	join := &r.Config.JoinConfiguration
	ca := secret.Certificate{Purpose: secret.ClusterCA, KeyPair: &certs.KeyPair{Cert: []byte(r.CACertificate)}}
	hashes, err := ca.Hashes()
	if err != nil {
		return nil, fmt.Errorf("caCertificate: %w", err)
	}
	join.Discovery.BootstrapToken = bootstrapv1.BootstrapTokenDiscovery{
		Token:             r.BootstrapToken,
		APIServerEndpoint: r.Cluster.ControlPlaneEndpoint.String(),
		CACertHashes:      hashes,
	}
	var taints []corev1.Taint
	if join.NodeRegistration.Taints != nil {
		taints = *join.NodeRegistration.Taints
	}
	taints = append(taints, clusterv1.NodeUninitializedTaint)
	join.NodeRegistration.Taints = &taints
	document, err := kubeadmtypes.MarshalJoinConfigurationForVersion(join, version)
	if err != nil {
		return nil, err
	}
	return cloudinit.NewNode(&cloudinit.NodeInput{BaseUserData: base, JoinConfiguration: document})
}

func main() {
	decoder := json.NewDecoder(os.Stdin)
	decoder.DisallowUnknownFields()
	var r request
	err := decoder.Decode(&r)
	if err == nil {
		var data []byte
		if data, err = render(r); err == nil {
			_, err = os.Stdout.Write(data)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "cannot render:", err)
		os.Exit(1)
	}
}
