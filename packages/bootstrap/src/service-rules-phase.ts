import { joinHostPort, serviceAddress } from '@groundplane/config';
import { isGroundplaneError } from '@groundplane/errors';
import type { Node } from '@groundplane/manifest';
import { type AnyPhase, contract, optional, whereApplicable } from '@groundplane/phases';
import { dnsDeployments, kubeProxyArtifacts } from './addon-artifacts.ts';
import { addressForCoreDns } from './addon-objects.ts';
import { adminKubeconfig, clusterAdminsBinding, nodeObject } from './artifacts.ts';
import { reasonDisabled } from './disabled-addons.ts';
import type { InitContext } from './init-context.ts';

/** What CoreDNS would lose without the rules is the 30 s of a connection that nobody answers, so less is worth while. */
const timeoutMs = 20_000;
/** How long one attempt may take: what goes to the API server on this node is answered at once, or never. */
const attemptMs = 300;

/**
 * Waits until the Service of the API server works on this node before CoreDNS is installed, if the pods of CoreDNS need it and could
 * start at once.
 * What they send to it before kube-proxy has made its rules goes to the default route, where most networks drop it without an answer.
 * Where the pod network is still to come nothing is lost, and nothing is waited for.
 */
export const serviceRulesPhase: AnyPhase<InitContext> = contract<InitContext>().defineEffect({
  name: 'addon/service-rules',
  summary: 'Wait for the Service rules of this node',
  hidden: true,
  serves: ['addon/coredns'],
  inapplicable: (config) =>
    reasonDisabled('addon/kube-proxy', config.cluster) ??
    reasonDisabled('addon/coredns', config.cluster) ??
    (addressForCoreDns(config) === undefined ? undefined : 'The pods of CoreDNS ask the API server at its own address'),
  reads: {
    access: whereApplicable(clusterAdminsBinding),
    daemonSet: optional(kubeProxyArtifacts.daemonSet),
    node: optional(nodeObject),
    coreDns: dnsDeployments,
  },
  connect: { kubeconfig: adminKubeconfig, endpoint: 'local' },
  uses: ['host'],
  everyTime: () => true,
  verify: () => [],
  async run({ config, inputs, ports: { host }, progress, wait }) {
    const { coreDns, daemonSet, node } = inputs;
    // An installed CoreDNS does not start anew.
    if (daemonSet === undefined || coreDns.length > 0 || !isReady(node)) return;
    const url = serviceUrl(config);
    try {
      await wait({ subject: `the Service of the API server at ${url}`, timeoutMs, intervalMs: 100 }, async () => {
        const { status } = await host.probe(url, { timeoutMs: attemptMs });
        return status === undefined ? { done: false, reason: 'kube-proxy has no rules for it yet' } : { done: true };
      });
    } catch (error) {
      if (!isGroundplaneError(error) || error.code !== 'PHASES_WAIT_TIMEOUT') throw error;
      progress('kube-proxy has made no rules for Services yet; CoreDNS may need half a minute more');
    }
  },
});

/** The Service kubernetes has the first address of the first range (kubernetes: pkg/controlplane/instance.go). */
function serviceUrl({ cluster }: InitContext): string {
  return `https://${joinHostPort(serviceAddress(cluster.networking.serviceSubnet, 1) ?? '', 443)}/livez`;
}

function isReady(node: Node | undefined): boolean {
  return node?.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') === true;
}
