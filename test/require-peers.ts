import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';

const peers = ['kube-apiserver', 'etcd', 'kubectl', 'containerd', 'cfssl', 'step-ca'];

/**
 * Ends a run of peer tests that has no peers, or cannot start them: such a test never passes by being skipped.
 *
 * @throws Error which of them is missing
 */
export default function requirePeers(): void {
  const { GROUNDPLANE_KUBEADM: kubeadm = '', GROUNDPLANE_COMPONENTS: components = '' } = process.env;
  const paths = [kubeadm, ...peers.map((name) => components && join(components, name))];
  if (paths.includes('')) {
    throw new Error(
      'Cannot test against peers as GROUNDPLANE_KUBEADM and GROUNDPLANE_COMPONENTS do not say where they are',
    );
  }
  for (const path of paths) accessSync(path, constants.X_OK);
}
