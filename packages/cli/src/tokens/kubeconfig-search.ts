import { cliError } from '../error-codes.ts';
import { type Invocation, textFlag } from '../invocation.ts';
import type { NodeHost } from '../node-host.ts';

const adminKubeconfig = '/etc/kubernetes/admin.conf';

/**
 * The kubeconfig that a command about the cluster uses: what `--kubeconfig` names; otherwise the first that exists of those in
 * `KUBECONFIG`, or of `~/.kube/config` without it, and of admin.conf (kubeadm: cmd/util/cmdutil.go, GetKubeConfigPath).
 *
 * @returns its path and text
 * @throws GroundplaneError CLI_FILE_UNREADABLE for the first of them, if there is none
 */
export async function findKubeconfig(
  invocation: Invocation,
  { host, absolute }: NodeHost,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Promise<{ readonly path: string; readonly text: string }> {
  const given = textFlag(invocation, 'kubeconfig') ?? '';
  const candidates = given === '' ? standardPaths(environment) : [given];
  for (const candidate of candidates) {
    const path = absolute(candidate);
    const file = await host.files.read(path);
    if (file !== undefined) return { path, text: new TextDecoder().decode(file.bytes) };
  }
  const [first = adminKubeconfig] = candidates;
  throw cliError('CLI_FILE_UNREADABLE', `failed to load admin kubeconfig: open ${first}: there is no such file`, {
    hint:
      given === ''
        ? `Give --kubeconfig, or set KUBECONFIG; looked for: ${candidates.join(', ')}`
        : 'Give the path of a kubeconfig file that is there',
    details: { path: first },
  });
}

function standardPaths({ KUBECONFIG: list, HOME: home }: Readonly<Record<string, string | undefined>>) {
  const own = list ? list.split(':').filter((path) => path !== '') : home ? [`${home}/.kube/config`] : [];
  return [...own, adminKubeconfig];
}
