import { isGroundplaneError } from '@groundplane/errors';
import type { Node, Pod } from '@groundplane/manifest';
import { type AnyPhase, type ClusterObject, contract, optional, whereApplicable } from '@groundplane/phases';
import { dnsDeployments, kubeProxyArtifacts, kubeProxyPods, kubeProxyPodsOf } from './addon-artifacts.ts';
import { adminKubeconfig, clusterAdminsBinding, nodeObject } from './artifacts.ts';
import { reasonDisabled } from './disabled-addons.ts';
import { followObject } from './follow-object.ts';
import type { InitContext } from './init-context.ts';

/** What CoreDNS would lose without its Service rules is the 30 s of a connection that nobody answers, so less is worth while. */
const timeoutMs = 10_000;

/**
 * Waits until kube-proxy runs on this node before CoreDNS is installed, if the pods of CoreDNS could start at once. What they send to the
 * Service of the API server before there are rules for it goes to the default route, where most networks drop it without an answer.
 * Where the pod network is still to come nothing is lost, and nothing is waited for.
 */
export const kubeProxyRunningPhase: AnyPhase<InitContext> = contract<InitContext>().defineEffect({
  name: 'addon/kube-proxy-running',
  summary: 'Wait for the Service rules of this node',
  hidden: true,
  inapplicable: ({ cluster }) =>
    reasonDisabled('addon/kube-proxy', cluster) ?? reasonDisabled('addon/coredns', cluster),
  reads: {
    access: whereApplicable(clusterAdminsBinding),
    daemonSet: optional(kubeProxyArtifacts.daemonSet),
    node: optional(nodeObject),
    pods: kubeProxyPods,
    coreDns: dnsDeployments,
  },
  connect: { kubeconfig: adminKubeconfig, endpoint: 'local' },
  uses: ['cluster'],
  everyTime: () => true,
  verify: () => [],
  async run({ config, inputs, ports: { cluster }, progress, wait, signal }) {
    // An installed CoreDNS does not start anew.
    const { coreDns, daemonSet, node, pods } = inputs;
    if (daemonSet === undefined || coreDns.length > 0 || !isReady(node) || pods.some(isReady)) return;
    const { name } = config.init.nodeRegistration;
    const pod = followObject(cluster, kubeProxyPodsOf(name), signal);
    try {
      await wait({ subject: `kube-proxy on ${name}`, timeoutMs, intervalMs: 50 }, async () => {
        const live = pod.current();
        if (isReady(live)) return { done: true };
        return { done: false, reason: live === undefined ? 'it has no pod yet' : 'its pod is not ready yet' };
      });
    } catch (error) {
      if (!isGroundplaneError(error) || error.code !== 'PHASES_WAIT_TIMEOUT') throw error;
      progress('kube-proxy does not run yet; CoreDNS may need half a minute more');
    } finally {
      pod.stop();
    }
  },
});

function isReady(object: Node | Pod | ClusterObject | undefined): boolean {
  const { conditions } = (object as Node | Pod | undefined)?.status ?? {};
  return conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') === true;
}
