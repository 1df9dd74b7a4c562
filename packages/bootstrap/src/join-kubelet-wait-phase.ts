import type { Finding } from '@groundplane/errors';
import { type AnyPhase, contract, type Look, optional } from '@groundplane/phases';
import { kubeletConfigFile, kubeletFlagsFile } from './artifacts.ts';
import { kubeletClientCertificate } from './discovery-artifacts.ts';
import { bootstrapError, bootstrapFinding } from './error-codes.ts';
import { filePathOf } from './file-path-of.ts';
import { healthDemand, kubeletHealthCheck, lookAtKubelet } from './health-checks.ts';
import { explainHealth, kubeletLog, withReasons } from './health-explanation.ts';
import { timeoutOf } from './init-context.ts';
import { withCapitalInitial } from './initial-letter.ts';
import { bootstrapKubeconfig, joinedAuthority, joinedKubeconfig } from './join-artifacts.ts';
import { type JoinContext, joinLayoutOf, nodeNameOf } from './join-context.ts';
import { type KubeletMembership, kubeletMembership, membershipDemands } from './joined-kubelet.ts';
import { kubeletConfDemands, kubeletConfFindings } from './kubelet-conf-findings.ts';
import { kubeletCredentials } from './kubelet-credentials.ts';
import {
  clientRequests,
  followedRequest,
  ownRequestOf,
  ownRequestRemedy,
  ownRequestText,
} from './own-kubelet-request.ts';
import { renewableKubeletConf } from './placed-kubelet-conf.ts';

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
    requests: optional(clientRequests),
  },
  writes: { kubeconfig: joinedKubeconfig, certificate: optional(kubeletClientCertificate) },
  removes: [bootstrapKubeconfig],
  uses: ['host', 'runtime', 'clock', 'clusters'],
  demands: (config) => ({
    kubeconfig: [
      ...membershipDemands(config),
      ...kubeletConfDemands(config),
      {
        text: `Where somebody has brought its client certificate and the kubelet renews it, it names the file in which the kubelet keeps it: ${filePathOf(kubeletClientCertificate, joinLayoutOf(config))}`,
        code: 'BOOTSTRAP_KUBELET_CERTIFICATE_FIXED',
        severity: 'error',
      },
    ],
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
    const renewable = await renewableKubeletConf(credentials, config, now);
    return [
      ...(membership.state === 'joined' ? [] : [notJoined(membership)]),
      ...(renewable === undefined ? [] : [fixedCertificate(config)]),
      ...(membership.state === 'foreign' ? [] : await kubeletConfFindings(credentials, config, now)),
      ...(look.done ? [] : [unhealthy(look.reason)]),
    ];
  },
  async run({ config, inputs, ports: { host, runtime, clock, clusters }, now, progress, wait, write }) {
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
      const node = nodeNameOf(config);
      const ask = () => ownRequestOf(node, { clusters, kubeconfig: inputs.bootstrap });
      const explain = async () => {
        const request = await ask();
        return [
          withCapitalInitial(ownRequestText(request)),
          ...ownRequestRemedy(request, node),
          ...(await kubeletLog(host)),
        ];
      };
      const request = followedRequest(ask, clock);
      return wait({ subject, timeoutMs, intervalMs, explain }, async (): Promise<Look> => {
        const membership = await kubeletMembership(await kubeletCredentials(config, host), config, now);
        if (membership.state === 'joined') return { done: true };
        if (membership.state === 'awaited') return { done: false, reason: (await request()) ?? membership.reason };
        const { message, hint } = membership.finding;
        throw bootstrapError('BOOTSTRAP_JOIN_CONFLICT', message, hint === undefined ? {} : { hint });
      });
    };
    progress('Waiting for the kubelet to perform the TLS Bootstrap');
    await Promise.all([healthy(), joined()]);
    // One that was healthy for a moment may have ended since, and be started again by its service.
    await healthy();
    const renewable = await renewableKubeletConf(await kubeletCredentials(config, host), config, now);
    if (renewable === undefined) return;
    progress(
      `Updating "${filePathOf(joinedKubeconfig, joinLayoutOf(config))}" to point to a rotatable kubelet client certificate and key`,
    );
    await write('kubeconfig', renewable);
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

function fixedCertificate(config: JoinContext): Finding {
  const layout = joinLayoutOf(config);
  const place = filePathOf(joinedKubeconfig, layout);
  return bootstrapFinding({
    code: 'BOOTSTRAP_KUBELET_CERTIFICATE_FIXED',
    severity: 'error',
    artifact: place,
    message: `${place} does not use the certificate that the kubelet renews: ${filePathOf(kubeletClientCertificate, layout)}`,
    hint: 'Run the phase again: join phase kubelet-wait-bootstrap',
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
