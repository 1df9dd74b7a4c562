import { type Finding, messageOf } from '@groundplane/errors';
import { type AnyPhase, contract, optional } from '@groundplane/phases';
import { haveCommonAuthority } from './authority-match.ts';
import { kubeletClientCertificate } from './discovery-artifacts.ts';
import { bootstrapError, bootstrapFinding } from './error-codes.ts';
import { filePathOf } from './file-path-of.ts';
import { bootstrapKubeconfig, joinedAuthority, joinedKubeconfig } from './join-artifacts.ts';
import { type JoinContext, joinLayoutOf, nodeNameOf } from './join-context.ts';
import { type KubeletMembership, kubeletMembership } from './joined-kubelet.ts';
import { kubeletFileContents, kubeletFiles, runningKubeletFindings, startKubelet } from './kubelet-files.ts';
import { readText } from './read-text.ts';

/**
 * Gives the kubelet what it needs to ask for its certificate, and has it run (kubeadm: cmd/phases/join/kubelet.go). A machine that
 * belongs to another cluster, or whose name another one has, is refused before anything is written.
 */
export const joinKubeletStartPhase: AnyPhase<JoinContext> = contract<JoinContext>().defineEffect({
  name: 'kubelet-start',
  summary: 'Write kubelet settings, certificates and (re)start the kubelet',
  configuration: ['nodeRegistration', 'discovery', 'caCertPath', 'patches'],
  reads: { kubeconfig: optional(joinedKubeconfig), certificate: optional(kubeletClientCertificate) },
  writes: { bootstrap: optional(bootstrapKubeconfig), authority: joinedAuthority, ...kubeletFiles },
  uses: ['host'],
  async render({ config, inputs, existing, now, outputs }) {
    const membership = await kubeletMembership(inputs, config, now);
    const conflicts = [...(await authorityFindings(existing.authority, config)), ...nodeFindings(config, membership)];
    const [first, ...others] = conflicts;
    if (first !== undefined) {
      const options = { findings: others, ...(first.hint === undefined ? {} : { hint: first.hint }) };
      throw bootstrapError('BOOTSTRAP_JOIN_CONFLICT', first.message, options);
    }
    return outputs({
      // Needed until the kubelet has a certificate; what is left of it then is removed when that is certain.
      bootstrap: membership.state === 'joined' ? undefined : config.bootstrapKubeconfig,
      authority: existing.authority ?? config.certificateAuthority,
      ...kubeletFileContents(config, existing, { taints: config.join.nodeRegistration.taints ?? [] }),
    });
  },
  async verify({ config, ports: { host }, now }) {
    const layout = joinLayoutOf(config);
    const text = (artifact: typeof joinedKubeconfig) => readText(host, filePathOf(artifact, layout));
    const [kubeconfig, certificate, bootstrap, authority, running] = await Promise.all([
      text(joinedKubeconfig),
      text(kubeletClientCertificate),
      text(bootstrapKubeconfig),
      text(joinedAuthority),
      runningKubeletFindings(config, { host, layout, readAtStart: [bootstrapKubeconfig, joinedAuthority] }),
    ]);
    const membership = await kubeletMembership({ kubeconfig, certificate }, config, now);
    return [
      ...(await authorityFindings(authority, config)),
      ...(membership.state === 'foreign' ? [membership.finding] : []),
      ...(membership.state === 'awaited' && bootstrap === undefined ? [noCredentials(membership.reason)] : []),
      ...running,
    ];
  },
  run: ({ ports: { host }, progress }) => startKubelet(host, progress),
});

/** A CA that is there already is kept if it is that of the cluster. */
async function authorityFindings(existing: string | undefined, config: JoinContext): Promise<readonly Finding[]> {
  if (existing === undefined) return [];
  const path = config.join.caCertPath;
  const conflict = (reason: string): readonly Finding[] => [
    bootstrapFinding({
      code: 'BOOTSTRAP_NODE_OF_ANOTHER_CLUSTER',
      severity: 'error',
      artifact: path,
      message: `Cannot join as the CA that is on this machine is not that of the cluster: ${path}: ${reason}`,
      hint: `If this machine is to leave another cluster, clean it up first: kubeadm reset; otherwise move ${path} away`,
    }),
  ];
  try {
    if (await haveCommonAuthority(existing, config.certificateAuthority)) return [];
    return conflict('it has another public key');
  } catch (thrown) {
    return conflict(messageOf(thrown));
  }
}

/** A name is no longer free if another machine is Ready under it. */
function nodeFindings(config: JoinContext, membership: KubeletMembership): readonly Finding[] {
  if (membership.state === 'foreign') return [membership.finding];
  const { registeredNode } = config;
  if (membership.state === 'joined' || registeredNode === undefined) return [];
  if (!registeredNode.isReady || registeredNode.isThisMachine) return [];
  const name = nodeNameOf(config);
  return [
    bootstrapFinding({
      code: 'BOOTSTRAP_NODE_NAME_TAKEN',
      severity: 'error',
      artifact: `Node ${name}`,
      message: `a Node with name "${name}" and status "Ready" already exists in the cluster. You must delete the existing Node or change the name of this new joining Node`,
      hint: `Give this node another name with --node-name, or if the other machine is gone: kubectl delete node ${name}`,
    }),
  ];
}

function noCredentials(reason: string): Finding {
  return bootstrapFinding({
    code: 'BOOTSTRAP_KUBELET_WITHOUT_CREDENTIALS',
    severity: 'error',
    artifact: bootstrapKubeconfig.id,
    message: `the kubelet has no kubeconfig to ask for its certificate with, and needs one: ${reason}`,
  });
}
