import type { Finding } from '@groundplane/errors';
import type { PhaseStatus, SuppliedPorts, Workflow } from '@groundplane/phases';
import type { InitContext } from './init-context.ts';
import type { ConfigurationSource } from './node-configuration.ts';
import { silently } from './node-facts.ts';
import { resolveInit } from './resolve-init.ts';

/** What to do where no command is sure to go by the same configuration. */
export const begunWith = 'with the configuration that it was begun with: --config FILE';

/** Which commands a status may advise. */
export interface Advice {
  /** Appended to each command, so that it goes by what the status was judged by; ` --config FILE` or empty. */
  readonly suffix: string;
  /** Whether a command of this phase goes by that. */
  readonly fits: (phase: string) => boolean;
  /** Whether the suffix names a file. */
  readonly isGiven: boolean;
}

export interface AdviceRequest<C> {
  readonly workflow: Workflow<C>;
  readonly context: InitContext;
  readonly source: ConfigurationSource;
  /** The file given by `--config`, as the caller names it. */
  readonly configFile?: string | undefined;
  /** Of the node, where that is not the root directory of this machine. */
  readonly rootDirectory?: string | undefined;
  readonly ports: SuppliedPorts;
}

/**
 * Finds out which commands go by the configuration that a status was judged by: those that are given the same file, and on a cluster
 * with the defaults those without one. What is on a node never tells all of it.
 */
export async function adviceFor<C>(request: AdviceRequest<C>): Promise<Advice> {
  const { workflow, context, source, configFile, rootDirectory, ports } = request;
  const root = rootDirectory === undefined ? '' : ` --rootfs ${quoted(rootDirectory)}`;
  const nothing: Advice = { suffix: root, fits: () => false, isGiven: false };
  if (source === 'file' && configFile !== undefined)
    return { suffix: ` --config ${quoted(configFile)}${root}`, fits: () => true, isGiven: true };
  if (source !== 'cluster' || workflow.name !== 'init') return nothing;
  const usual = await silently(() => resolveInit({ ports, command: 'init phase certs ca', looksOnly: true }));
  if (usual === undefined) return nothing;
  const fits = (name: string) => {
    const fields = workflow.phases.find((phase) => phase.name === name)?.configuration ?? ['ClusterConfiguration'];
    return comparable(context, fields) === comparable(usual.context, fields);
  };
  return { ...nothing, fits };
}

const versioned: ReadonlySet<string> = new Set(['ClusterConfiguration', 'kubernetesVersion', 'imageRepository']);

/** What phases with these fields depend on, as text. */
function comparable(
  { init, cluster, kubelet, kubeProxy, groundplane }: InitContext,
  fields: readonly string[],
): unknown {
  const { kubernetesVersion, ...rest } = cluster;
  const depends = (name: string) => fields.some((field) => field === name || field.startsWith(`${name}.`));
  const { criSocket, name } = init.nodeRegistration;
  const compared = {
    rest,
    groundplane,
    endpoint: init.localAPIEndpoint,
    name,
    ...(fields.some((field) => versioned.has(field)) ? { kubernetesVersion } : {}),
    ...(depends('nodeRegistration') ? { criSocket } : {}),
    ...(depends('KubeletConfiguration') ? { kubelet } : {}),
    ...(depends('KubeProxyConfiguration') ? { kubeProxy } : {}),
  };
  return JSON.stringify(compared, (_, value) => inOrder(value));
}

/** In whichever order fields were written. */
function inOrder(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** The status with commands that go by the same configuration, or with none and a sentence. */
export function withAdvice(status: PhaseStatus, { suffix, fits }: Pick<Advice, 'suffix' | 'fits'>): PhaseStatus {
  const { command, ...rest } = status;
  const findings = status.findings.map((finding) => advisedFinding(finding, { suffix, fits }));
  if (command === undefined) return { ...rest, findings };
  if (fits(status.phase)) return { ...rest, command: `${command}${suffix}`, findings };
  return { ...rest, advice: `its phase makes it, ${begunWith}`, findings };
}

const phaseCommand = /(?:'|\b(?:groundplane|kubeadm) )((?:init|join) phase ([a-z-]+)(?: ([a-z-]+))?)(?:'|$)/g;

/** Hints name commands as well. */
export function advisedFinding(finding: Finding, { suffix, fits }: Pick<Advice, 'suffix' | 'fits'>): Finding {
  if (finding.hint === undefined) return finding;
  const hint = finding.hint.replace(phaseCommand, (whole: string, command: string, group: string, name?: string) => {
    const phase = name === undefined ? group : `${group}/${name}`;
    return fits(phase) ? whole.replace(command, `${command}${suffix}`) : `${phase} ${begunWith}`;
  });
  return { ...finding, hint };
}

/** A word as a shell takes it. */
function quoted(word: string): string {
  return /^[\w./:@%+=-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
