import type { Finding } from '@groundplane/errors';
import { type AnyPhase, contract, type Host, type Look, optional } from '@groundplane/phases';
import { kubeletConfigFile, kubeletFlagsFile } from './artifacts.ts';
import { kubeletClientCertificate } from './discovery-artifacts.ts';
import { bootstrapError, bootstrapFinding } from './error-codes.ts';
import { filePathOf } from './file-path-of.ts';
import { healthDemand, kubeletHealthCheck, lookAtKubelet } from './health-checks.ts';
import { explainHealth, kubeletLog, withReasons } from './health-explanation.ts';
import { timeoutOf } from './init-context.ts';
import { bootstrapKubeconfig, joinedAuthority, joinedKubeconfig } from './join-artifacts.ts';
import { type JoinContext, joinLayoutOf, nodeNameOf } from './join-context.ts';
import { type KubeletMembership, kubeletMembership, membershipDemands } from './joined-kubelet.ts';
import { kubeletConfDemands, kubeletConfFindings } from './kubelet-conf-findings.ts';
import { kubeletCredentials } from './kubelet-credentials.ts';
import { readText } from './read-text.ts';

/** How often health and files are looked at, in milliseconds. */
const intervalMs = 50;

/**
 * Waits until the kubelet is healthy and has a certificate of the cluster; then what it asked with is removed (kubeadm:
 * cmd/phases/join/kubelet.go).
 */
export const joinKubeletWaitPhase: AnyPhase<JoinContext> = contract<JoinContext>().defineEffect({
  name: 'kubelet-wait-bootstrap',
  summary: 'Wait for the kubelet to bootstrap itself',
  configuration: ['timeouts.kubeletHealthCheck', 'timeouts.tlsBootstrap', 'KubeletConfiguration.healthzPort'],
  // What the kubelet starts with, so that files of a replaced phase are judged before it is waited for.
  reads: {
    config: kubeletConfigFile,
    flags: optional(kubeletFlagsFile),
    authority: optional(joinedAuthority),
    bootstrap: optional(bootstrapKubeconfig),
  },
  writes: { kubeconfig: joinedKubeconfig, certificate: optional(kubeletClientCertificate) },
  removes: [bootstrapKubeconfig],
  uses: ['host', 'runtime', 'clock'],
  demands: (config) => ({
    kubeconfig: [...membershipDemands(config), ...kubeletConfDemands(config)],
    certificate: [
      {
        text: 'Where kubelet.conf names it, it is there, has not expired, and holds the key of its first certificate',
        code: 'BOOTSTRAP_KUBELET_NOT_JOINED',
        severity: 'error',
      },
    ],
  }),
  conditions(config) {
    const health = kubeletHealthCheck(config);
    return health === undefined ? [] : [{ ...healthDemand(health), code: 'BOOTSTRAP_KUBELET_NOT_JOINED' }];
  },
  async verify({ config, ports: { host }, now }) {
    const health = kubeletHealthCheck(config);
    const credentials = await kubeletCredentials(config, host);
    const [membership, look] = await Promise.all([
      kubeletMembership(credentials, config, now),
      health === undefined ? ({ done: true } as const) : lookAtKubelet(health, host),
    ]);
    return [
      ...(membership.state === 'joined' ? [] : [notJoined(membership)]),
      ...(membership.state === 'foreign' ? [] : await kubeletConfFindings(credentials, config)),
      ...(look.done ? [] : [unhealthy(look.reason)]),
    ];
  },
  async run({ config, ports: { host, runtime, clock }, now, progress, wait }) {
    const health = kubeletHealthCheck(config);
    const healthy = async () => {
      if (health === undefined) return;
      const explain = () => explainHealth(health, { runtime, host });
      const subject = `${health.name} at ${health.url}`;
      const look = withReasons(health, { runtime, host, clock }, () => lookAtKubelet(health, host));
      await wait({ subject, timeoutMs: health.timeoutMs, intervalMs, explain }, look);
    };
    const joined = () => {
      const timeoutMs = timeoutOf(config, 'tlsBootstrap', '5m');
      const subject = `the certificate of the kubelet of ${nodeNameOf(config)}`;
      const explain = async () => [...(await whatMayBeMissing(config, host)), ...(await kubeletLog(host))];
      return wait({ subject, timeoutMs, intervalMs, explain }, async (): Promise<Look> => {
        const membership = await kubeletMembership(await kubeletCredentials(config, host), config, now);
        if (membership.state === 'joined') return { done: true };
        if (membership.state === 'awaited') return { done: false, reason: membership.reason };
        const { message, hint } = membership.finding;
        throw bootstrapError('BOOTSTRAP_JOIN_CONFLICT', message, hint === undefined ? {} : { hint });
      });
    };
    progress('Waiting for the kubelet to perform the TLS Bootstrap');
    await Promise.all([healthy(), joined()]);
    // One that was healthy for a moment may have ended since, and be started again by its service.
    await healthy();
  },
});

function notJoined(membership: Exclude<KubeletMembership, { readonly state: 'joined' }>): Finding {
  if (membership.state === 'foreign') return membership.finding;
  return bootstrapFinding({
    code: 'BOOTSTRAP_KUBELET_NOT_JOINED',
    severity: 'error',
    artifact: 'kubelet',
    message: `the kubelet has not joined the cluster: ${membership.reason}`,
  });
}

function unhealthy(reason: string): Finding {
  return bootstrapFinding({
    code: 'BOOTSTRAP_KUBELET_NOT_JOINED',
    severity: 'error',
    artifact: 'kubelet',
    message: `the kubelet is not healthy: ${reason}`,
  });
}

/** Once the kubelet has written its kubeconfig, it waits for an answer of the cluster; before, it has not come so far. */
async function whatMayBeMissing(config: JoinContext, host: Host): Promise<readonly string[]> {
  const layout = joinLayoutOf(config);
  if ((await readText(host, filePathOf(joinedKubeconfig, layout))) === undefined)
    return [`The kubelet has not begun to ask for its certificate: its log says why`];
  const node = nodeNameOf(config);
  return [
    `The kubelet has asked for its certificate, so a CertificateSigningRequest of system:node:${node} is likely pending. The token may not look at it; an administrator can:`,
    '  kubectl get csr --field-selector spec.signerName=kubernetes.io/kube-apiserver-client-kubelet',
    '  Pending: nobody approved it, as the ClusterRoleBinding kubeadm:node-autoapprove-bootstrap is missing or the group of the token is not in it; or by hand: kubectl certificate approve NAME',
    '  Approved without Issued: nobody signs it, as kube-controller-manager runs without the key of the CA (--cluster-signing-key-file), which is so with an external CA',
  ];
}
