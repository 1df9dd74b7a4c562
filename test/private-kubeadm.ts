import { spawnSync } from 'node:child_process';

const program = process.env.GROUNDPLANE_KUBEADM ?? '';

/**
 * Arguments of unshare(1) for the real kubeadm with empty folders of its own in place of /etc/kubernetes and /var/lib/kubelet. The
 * network is this host's. Needs root.
 */
export function privateKubeadm(args: readonly string[]): readonly string[] {
  const folders = ['/etc/kubernetes', '/var/lib/kubelet'];
  const mounts = folders.map((folder) => `mkdir -p ${folder} && mount -t tmpfs none ${folder}`);
  return ['--mount', 'bash', '-c', [...mounts, 'exec timeout 90 "$@"'].join(' && '), 'bash', program, ...args];
}

/** Runs it to its end; what it printed on both of its outputs. */
export function runKubeadm(args: readonly string[]): { readonly status: number | null; readonly output: string } {
  const { status, stdout, stderr } = spawnSync('unshare', privateKubeadm(args), {
    encoding: 'utf8',
    env: { PATH: process.env.PATH ?? '', HOME: '/nonexistent' },
  });
  return { status, output: stdout + stderr };
}

/** The same where it has to succeed. */
export function mustRunKubeadm(args: readonly string[]): string {
  const { status, output } = runKubeadm(args);
  if (status !== 0) throw new Error(`kubeadm ${args.join(' ')}: ${output}`);
  return output;
}

/** Arguments of a join up to what would change the node. */
export function joinPreflight(
  endpoint: string,
  given: { readonly token: string; readonly pins: readonly string[] },
): readonly string[] {
  const pinned = given.pins.map((pin) => `--discovery-token-ca-cert-hash=${pin}`);
  const rest = ['--ignore-preflight-errors=all', '--cri-socket=unix:///run/nowhere.sock', '-v=1'];
  return ['join', 'phase', 'preflight', endpoint, `--token=${given.token}`, ...pinned, ...rest];
}

/** What it says, with `-v=1`, when it trusts the server. */
export const trustMessage = 'TLS certificate validates against pinned roots';
