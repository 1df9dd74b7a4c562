/** A configuration that differs from the defaults wherever it can, so that who guesses is found out. */
export function unusualDocuments(criSocket: string): string {
  return `apiVersion: kubeadm.k8s.io/v1beta4
kind: ClusterConfiguration
kubernetesVersion: v1.37.2
clusterName: other
networking: {serviceSubnet: 10.200.0.0/16, podSubnet: 10.100.0.0/16, dnsDomain: example.org}
---
apiVersion: kubeadm.k8s.io/v1beta4
kind: InitConfiguration
localAPIEndpoint: {advertiseAddress: 192.0.2.10, bindPort: 7443}
nodeRegistration: {name: node-b, criSocket: ${criSocket}}
`;
}
