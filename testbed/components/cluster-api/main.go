// Cloud-init-renderer prints the user data that Cluster API's kubeadm bootstrap
// provider gives a machine. It reads one JSON object from standard input:
// kubernetesVersion, and either clusterConfiguration and initConfiguration, or
// joinConfiguration (with controlPlane: true for a control plane); these are
// texts of kubeadm documents. Commands before and after kubeadm and files are optional.
package main

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/blang/semver/v4"
	bootstrapv1 "sigs.k8s.io/cluster-api/api/bootstrap/kubeadm/v1beta2"
	"sigs.k8s.io/cluster-api/bootstrap/kubeadm/pkg/cloudinit"
)

type request struct {
	KubernetesVersion    string             `json:"kubernetesVersion"`
	ClusterConfiguration string             `json:"clusterConfiguration"`
	InitConfiguration    string             `json:"initConfiguration"`
	JoinConfiguration    string             `json:"joinConfiguration"`
	ControlPlane         bool               `json:"controlPlane"`
	PreKubeadmCommands   []string           `json:"preKubeadmCommands"`
	PostKubeadmCommands  []string           `json:"postKubeadmCommands"`
	Files                []bootstrapv1.File `json:"files"`
}

func render(r request) ([]byte, error) {
	version, err := semver.ParseTolerant(r.KubernetesVersion)
	if err != nil {
		return nil, fmt.Errorf("kubernetesVersion %q: %w", r.KubernetesVersion, err)
	}
	base := cloudinit.BaseUserData{
		KubernetesVersion:   version,
		PreKubeadmCommands:  r.PreKubeadmCommands,
		PostKubeadmCommands: r.PostKubeadmCommands,
		AdditionalFiles:     r.Files,
		ControlPlane:        r.ControlPlane,
	}
	if r.JoinConfiguration == "" {
		return cloudinit.NewInitControlPlane(&cloudinit.ControlPlaneInput{
			BaseUserData:         base,
			ClusterConfiguration: r.ClusterConfiguration,
			InitConfiguration:    r.InitConfiguration,
		})
	}
	if r.ControlPlane {
		return cloudinit.NewJoinControlPlane(&cloudinit.ControlPlaneJoinInput{
			BaseUserData:      base,
			JoinConfiguration: r.JoinConfiguration,
		})
	}
	return cloudinit.NewNode(&cloudinit.NodeInput{BaseUserData: base, JoinConfiguration: r.JoinConfiguration})
}

func main() {
	var r request
	err := json.NewDecoder(os.Stdin).Decode(&r)
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
