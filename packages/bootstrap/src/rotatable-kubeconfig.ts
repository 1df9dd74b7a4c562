import { isGroundplaneError } from '@groundplane/errors';
import { type Kubeconfig, parseKubeconfig, stringifyKubeconfig, type User } from '@groundplane/kubeconfig';
import { bootstrapError } from './error-codes.ts';

/** True if the user of the current context has certificate and key in this file; false for what is no kubeconfig. */
export function refersTo(kubeconfig: string, path: string): boolean {
  let user: User | undefined;
  try {
    user = currentUser(parseKubeconfig(kubeconfig))?.user;
  } catch (error) {
    if (isGroundplaneError(error)) return false;
    throw error;
  }
  return (
    user?.['client-certificate'] === path &&
    user['client-key'] === path &&
    !user['client-certificate-data'] &&
    !user['client-key-data']
  );
}

/**
 * The same kubeconfig with the certificate and key of its current user in a file, in place of embedded ones (kubeadm:
 * cmd/phases/init/kubeletfinalize.go).
 *
 * @throws GroundplaneError BOOTSTRAP_KUBECONFIG_USER_MISSING
 */
export function withClientFile(kubeconfig: string, path: string): string {
  const document = parseKubeconfig(kubeconfig);
  const current = currentUser(document);
  if (current === undefined) {
    throw bootstrapError(
      'BOOTSTRAP_KUBECONFIG_USER_MISSING',
      `Cannot enable the rotation of the kubelet's certificate as the user of the current context is not in kubelet.conf: '${document['current-context']}'`,
      { hint: 'Have it made again: move kubelet.conf away and run init phase kubeconfig kubelet' },
    );
  }
  const { 'client-certificate-data': _, 'client-key-data': __, ...rest } = current.user;
  const user = { ...rest, 'client-certificate': path, 'client-key': path };
  return stringifyKubeconfig({
    ...document,
    users: document.users.map((entry) => (entry.name === current.name ? { ...entry, user } : entry)),
  });
}

function currentUser(kubeconfig: Kubeconfig): { readonly name: string; readonly user: User } | undefined {
  const context = kubeconfig.contexts.find(({ name }) => name === kubeconfig['current-context'])?.context;
  return kubeconfig.users.find(({ name }) => name === context?.user);
}
