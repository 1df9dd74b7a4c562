import { errorsOf, type Finding } from '@groundplane/errors';
import { engineFindings, type PhaseState, type PhaseStatus, type SuppliedPorts } from '@groundplane/phases';
import type { Fact } from './configuration-by-manifests.ts';
import { layoutOf } from './init-context.ts';
import type { JoinContext } from './join-context.ts';
import type { NodeConfiguration } from './node-configuration.ts';
import { silently } from './node-facts.ts';

export interface Doubts extends Omit<NodeConfiguration, 'warnings'> {
  readonly ports: SuppliedPorts;
  readonly noCluster: string | undefined;
}

/** What other names, addresses and subnets would have, and these need not. */
const byNames: ReadonlySet<string> = new Set(['PKI_SAN_MISSING', 'PKI_SUBJECT_DIFFERS', 'KUBECONFIG_SERVER_DIFFERS']);

/** Engine's findings about what is broken, whatever the configuration is. */
const broken: ReadonlySet<string> = new Set(['PHASES_ARTIFACT_MALFORMED']);

const rotation = 'kubelet-finalize/enable-client-cert-rotation';
/** Files that a finished node can do without: administrators are told to move super-admin.conf away, and nodes that join get none. */
export const dispensable: ReadonlySet<string> = new Set(['kubeconfig/super-admin']);
/** Something is left to be made or to be seen to. */
export const unsettled: ReadonlySet<PhaseState> = new Set(['missing', 'partly', 'wrong']);
const ofEtcd = /^(etcd\/|certs\/(etcd-|apiserver-etcd-client))/;
/** Whether they are wanted is said by the configuration alone. */
const ofAddons = /^addon\//;

/** A verdict that goes by what nobody knows is none. */
export async function withDoubts(status: PhaseStatus, doubts: Doubts): Promise<PhaseStatus> {
  const doubt = doubtAbout(status, doubts);
  if (doubt !== undefined) return unknown(status, doubt);
  const { context, ports } = doubts;
  if (status.phase === rotation && status.state === 'done' && context.kubelet.rotateCertificates !== false) {
    const path = layoutOf(context).kubeletClientCertificate;
    const isThere = await silently(
      async () => path !== undefined && (await ports.host.files.status(path)) !== undefined,
    );
    // Its verify is content as long as there is nothing to refer to.
    if (isThere === false)
      return {
        ...status,
        state: 'missing',
        reason: `the kubelet has not written ${path} yet`,
        advice: 'the kubelet writes it once it runs; there is nothing to do for the phase before that',
      };
    if (isThere === undefined) return unknown(status, `${path} cannot be looked at`);
  }
  return status;
}

/** The same for a worker of which nothing tells where the CA of its cluster is. */
export function withDoubtfulAuthority(status: PhaseStatus, { join: { caCertPath } }: JoinContext): PhaseStatus {
  if (!unsettled.has(status.state)) return status;
  const lost = status.artifacts.filter(({ state }) => state === 'absent');
  const isAboutIt = lost.every(({ location }) => location === caCertPath);
  if (lost.length === 0 || !isAboutIt) return status;
  return unknown(status, `nothing tells which caCertPath this node has, give --config: ${status.reason}`);
}

/** What is not known has no command that makes it. */
function unknown({ command: _, ...status }: PhaseStatus, reason: string): PhaseStatus {
  return { ...status, state: 'unknown', reason };
}

/** Why something that is said to be missing may well be elsewhere; nothing if its place is known. */
export function doubtAboutMissing(
  { code, artifact }: Finding,
  { context, assumed, node }: Pick<Doubts, 'context' | 'assumed' | 'node'>,
): string | undefined {
  const { pki } = layoutOf(context);
  if (code !== engineFindings.missing || !artifact.startsWith(`${pki}/`)) return undefined;
  const tell = `give --config${hiddenText(node?.hidden ?? [])}`;
  if (assumed.has('certificatesDir')) return `nothing tells which certificatesDir this node has, ${tell}`;
  const isOfEtcd = /^(etcd\/|apiserver-etcd-client\.)/.test(artifact.slice(pki.length + 1));
  return isOfEtcd && assumed.has('etcd') ? `nothing tells whether etcd is external, ${tell}` : undefined;
}

/** The same for the CA of a worker. */
export function doubtAboutAuthority({ code, artifact }: Finding, { join }: JoinContext): string | undefined {
  if (code !== engineFindings.missing || artifact !== join.caCertPath) return undefined;
  return 'nothing tells which caCertPath this node has, give --config';
}

function doubtAbout(status: PhaseStatus, doubts: Doubts): string | undefined {
  const { source, assumed, node, noCluster } = doubts;
  if ((source !== 'node' && source !== 'defaults') || !unsettled.has(status.state)) return undefined;
  const tell = `give --config${hiddenText(node?.hidden ?? [])}`;
  const told = status.reason === undefined ? '' : `: ${status.reason}`;
  const isInCluster = status.artifacts.some(({ kind }) => kind === 'object' || kind === 'objects' || kind === 'list');
  const errors = errorsOf(status.findings);
  const isLost = status.artifacts.some(({ state }) => state === 'absent');
  if (isInCluster && noCluster === undefined) {
    if (!isLost || ofAddons.test(status.phase))
      return `what it should be is said by kubeadm-config, which is not known, ${tell}${told}`;
    return undefined;
  }
  const needed = factsFor(status, doubts).filter((fact) => assumed.has(fact));
  if (needed.includes('certificatesDir')) return `nothing tells which certificatesDir this node has, ${tell}${told}`;
  if (needed.includes('etcd')) return `nothing tells whether etcd is external, ${tell}${told}`;
  const isAboutNames = errors.length > 0 && errors.every(({ code }) => byNames.has(code));
  if (status.state === 'wrong' && isAboutNames && assumed.has('names'))
    return `by the defaults it would be wrong, ${tell}${told}`;
  const isManifest = /^(etcd|control-plane)\//.test(status.phase) && !errors.some(({ code }) => broken.has(code));
  if (status.state === 'wrong' && isManifest && assumed.size > 0)
    return `by what had to be assumed it would be wrong, ${tell}${told}`;
  return undefined;
}

/** On which facts the place of what a phase makes, and what it is held to, depend. */
function factsFor({ phase, state, artifacts, findings }: PhaseStatus, { context }: Doubts): readonly Fact[] {
  const { pki } = layoutOf(context);
  const isBelow = (path: string) => path.startsWith(`${pki}/`);
  const isJudgedByPki = state === 'wrong' && /^kubeconfig\//.test(phase);
  const isInPki =
    isJudgedByPki ||
    artifacts.some(({ location }) => isBelow(location)) ||
    findings.some(({ code, artifact }) => (state === 'wrong' || code === engineFindings.missing) && isBelow(artifact));
  return [...(isInPki ? (['certificatesDir'] as const) : []), ...(ofEtcd.test(phase) ? (['etcd'] as const) : [])];
}

function hiddenText(hidden: readonly { readonly path: string; readonly reason: string }[]): string {
  const [first] = hidden;
  if (first === undefined) return '';
  const more = hidden.length === 1 ? '' : ` and ${hidden.length - 1} more`;
  return `, or ask as who may read ${first.path}${more}`;
}
