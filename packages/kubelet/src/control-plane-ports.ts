/** Ports of the control plane besides the API server's (kubeadm, constants.go). */
export const controlPlanePorts = {
  scheduler: 10259,
  controllerManager: 10257,
  etcdClient: 2379,
  etcdPeer: 2380,
} as const;
