import { errorsOf, type Finding, messageOf } from '@groundplane/errors';
import { verifyKubeconfig } from '@groundplane/kubeconfig';
import { type AnyPhase, contract, optional } from '@groundplane/phases';
import { haveCommonAuthority } from './authority-match.ts';
import { clientAuthorityFindings, missingClientAuthority } from './client-authority.ts';
import { kubeletClientCertificate } from './discovery-artifacts.ts';
import { bootstrapError, bootstrapFinding } from './error-codes.ts';
import { filePathOf } from './file-path-of.ts';
import { findingsAbout } from './findings-about.ts';
import { withSmallInitial } from './initial-letter.ts';
import { bootstrapKubeconfig, joinedAuthority, joinedKubeconfig } from './join-artifacts.ts';
import { type JoinContext, joinLayoutOf, nodeNameOf } from './join-context.ts';
import { type KubeletMembership, kubeletMembership, membershipDemands } from './joined-kubelet.ts';
import { connectionDemands } from './kubeconfig-demands.ts';
import { kubeletConfDemands, kubeletConfFindings } from './kubelet-conf-findings.ts';
import { kubeletFileDemands, runningKubeletDemands } from './kubelet-demands.ts';
import { kubeletFileFindings } from './kubelet-file-findings.ts';
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
    const conflicts = [
      ...(await authorityFindings(existing.authority, config)),
      ...nodeFindings(config, membership),
      ...clientAuthorityFindings(config.missingClientAuthority, config),
      ...(membership.state === 'foreign' ? [] : errorsOf(await kubeletConfFindings(inputs, config, now))),
    ];
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
      ...clientAuthorityFindings(await missingClientAuthority(config, host), config),
      ...(membership.state === 'foreign'
        ? [membership.finding]
        : await kubeletConfFindings({ kubeconfig, certificate }, config, now)),
      ...(membership.state === 'awaited' && bootstrap === undefined ? [noCredentials(membership.reason)] : []),
      ...running,
    ];
  },
  async verifyOutputs({ config, inputs, outputs, now }) {
    return [
      ...(await authorityFindings(outputs.authority, config)),
      ...(await bootstrapFindings(outputs.bootstrap, {
        membership: await kubeletMembership(inputs, config, now),
        config,
        now,
      })),
      ...kubeletFileFindings(config, outputs, joinLayoutOf(config)),
    ];
  },
  run: ({ ports: { host }, progress }) => startKubelet(host, progress),
  demands: (config) => ({
    ...kubeletFileDemands(config, {
      taints: config.join.nodeRegistration.taints ?? [],
      origin: 'the ConfigMap kubelet-config of the cluster',
    }),
    kubeconfig: [...membershipDemands(config), ...kubeletConfDemands(config)],
    bootstrap: [
      {
        text: `As long as the kubelet has no certificate, this kubeconfig is there, with the server ${config.server}, the CA of the cluster and credentials that may ask for one: a bootstrap token`,
        code: 'BOOTSTRAP_KUBELET_WITHOUT_CREDENTIALS',
        severity: 'error',
      },
      ...connectionDemands({ ofKnownUser: false }).map((demand) => ({
        ...demand,
        text: `Where the kubelet is to ask with it: ${withSmallInitial(demand.text)}`,
      })),
    ],
    authority: [
      {
        text: 'One of its certificates has the public key of the CA to which discovery leads',
        code: 'BOOTSTRAP_NODE_OF_ANOTHER_CLUSTER',
        severity: 'error',
      },
    ],
  }),
  conditions: (config) => [
    ...runningKubeletDemands,
    {
      text: 'The CA that the configuration of the kubelet names (authentication.x509.clientCAFile) is there, or is the one that is written here',
      code: 'BOOTSTRAP_KUBELET_CLIENT_CA_MISSING',
      severity: 'error',
    },
    {
      text: `No other machine is Ready in the cluster as ${nodeNameOf(config)}`,
      code: 'BOOTSTRAP_JOIN_CONFLICT',
      severity: 'error',
    },
  ],
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
      hint: `If this machine is to leave another cluster, clean it up first: groundplane reset; otherwise move ${path} away`,
    }),
  ];
  try {
    if (await haveCommonAuthority(existing, config.certificateAuthority)) return [];
    return conflict('it has another public key');
  } catch (thrown) {
    return conflict(messageOf(thrown));
  }
}

interface AskingKubelet {
  readonly membership: KubeletMembership;
  readonly config: JoinContext;
  readonly now: Date;
}

/** Whether a kubelet that has no certificate can ask for one with this kubeconfig. */
async function bootstrapFindings(
  bootstrap: string | undefined,
  { membership, config, now }: AskingKubelet,
): Promise<readonly Finding[]> {
  if (bootstrap === undefined || membership.state !== 'awaited') return [];
  const place = filePathOf(bootstrapKubeconfig, joinLayoutOf(config));
  const findings = await verifyKubeconfig({
    artifact: place,
    kubeconfig: bootstrap,
    certificateAuthority: config.certificateAuthority,
    server: config.server,
    // Who may ask for a certificate is the affair of the cluster.
    subject: { commonName: '', organizations: [] },
    subjectRole: 'free',
    now,
  });
  return findingsAbout(place, findings);
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
    hint: 'Have it made again: groundplane join phase kubelet-start',
  });
}
