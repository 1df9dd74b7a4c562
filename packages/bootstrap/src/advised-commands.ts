import { errorsOf, type Finding } from '@groundplane/errors';
import { engineFindings, type PhaseStatus, phaseCommand, type SuppliedPorts, type Workflow } from '@groundplane/phases';
import type { InitContext } from './init-context.ts';
import { withCapitalInitial, withSmallInitial } from './initial-letter.ts';
import type { ConfigurationSource } from './node-configuration.ts';
import { silently } from './node-facts.ts';
import type { PhaseCall, Remedies } from './node-remedies.ts';
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
  /** What is to be done by hand, as no phase would. */
  readonly remedies: Remedies;
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
  /** Finds what no phase makes; told how phases are called. */
  readonly remedies: (phaseCall: PhaseCall) => Promise<Remedies>;
}

/**
 * Finds out which commands go by the configuration that a status was judged by: those that are given the same file, and on a cluster
 * with the defaults those without one. What is on a node never tells all of it.
 */
export async function adviceFor<C>(request: AdviceRequest<C>): Promise<Advice> {
  const commands = await commandsFor(request);
  const { workflow } = request;
  const phaseCall = (phase: string) =>
    commands.fits(phase)
      ? `groundplane ${phaseCommand(workflow.name, phase)}${commands.suffix}`
      : `${phase} ${begunWith}`;
  return { ...commands, remedies: await request.remedies(phaseCall) };
}

async function commandsFor<C>(request: AdviceRequest<C>): Promise<Omit<Advice, 'remedies'>> {
  const { workflow, context, source, configFile, rootDirectory, ports } = request;
  const root = rootDirectory === undefined ? '' : ` --rootfs ${quoted(rootDirectory)}`;
  const nothing = { suffix: root, fits: () => false, isGiven: false };
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

type Commands = Pick<Advice, 'suffix' | 'fits' | 'remedies'>;

/** The status with a command that makes what is missing by the same configuration, or with what else is to be done. */
export function withAdvice(status: PhaseStatus, commands: Commands): PhaseStatus {
  const { command, ...rest } = status;
  const { suffix, fits } = commands;
  const findings = status.findings.map((finding) => advisedFinding(finding, commands));
  if (command === undefined || status.advice !== undefined) return { ...rest, findings };
  const byHand = adviceByHand({ ...status, findings }, commands);
  if (byHand !== undefined) return { ...rest, advice: byHand, findings };
  if (fits(status.phase)) return { ...rest, command: `${command}${suffix}`, findings };
  const isThere = status.artifacts.every(({ state }) => state !== 'absent');
  const hints = isThere ? hintsOf(errorsOf(findings)) : '';
  return { ...rest, advice: hints || `its phase makes it, ${begunWith}`, findings };
}

/** Each once, in the middle of a sentence. */
function hintsOf(findings: readonly Finding[]): string {
  return [...new Set(findings.flatMap(({ hint }) => (hint === undefined ? [] : [withSmallInitial(hint)])))].join('; ');
}

/** Why the phase alone does not mend it: what it makes is not to be made anew, something else comes first, or it keeps what is there. */
function adviceByHand(status: PhaseStatus, { remedies }: Pick<Commands, 'remedies'>): string | undefined {
  const own = remediesOf(status, remedies);
  if (own.length > 0) return own.join('; ');
  const places = new Set(status.artifacts.map(({ location }) => location));
  const errors = errorsOf(status.findings);
  const needed = errors.filter(({ code, artifact }) => code === engineFindings.missing && !places.has(artifact));
  if (needed.length > 0) return hintsOf(needed);
  return status.state === 'wrong' ? hintsOf(errors) || undefined : undefined;
}

/** What has to be done by hand before the phase can do its part. */
export function remediesOf({ artifacts, findings }: PhaseStatus, remedies: Remedies): readonly string[] {
  const absent = artifacts.filter(({ state }) => state === 'absent').map(({ location }) => location);
  const broken = findings.filter(({ code }) => code === engineFindings.malformed).map(({ artifact }) => artifact);
  return [...new Set([...absent, ...broken].flatMap((place) => remedies.get(place) ?? []))];
}

const namedCommand = /(?:'|\b(?:groundplane|kubeadm) )((?:init|join) phase ([a-z-]+)(?: ([a-z-]+))?)(?:'|$)/g;
const ofArtifacts: ReadonlySet<string> = new Set([engineFindings.missing, engineFindings.malformed]);

/** Hints name commands as well, and the phase of what is missing is not always the one to make it. */
export function advisedFinding(finding: Finding, { suffix, fits, remedies }: Commands): Finding {
  const remedy = ofArtifacts.has(finding.code) ? remedies.get(finding.artifact) : undefined;
  if (remedy !== undefined) return { ...finding, hint: withCapitalInitial(remedy) };
  if (finding.hint === undefined) return finding;
  const hint = finding.hint.replace(namedCommand, (whole: string, command: string, group: string, name?: string) => {
    const phase = name === undefined ? group : `${group}/${name}`;
    return fits(phase) ? whole.replace(command, `${command}${suffix}`) : `${phase} ${begunWith}`;
  });
  return { ...finding, hint };
}

/** A word as a shell takes it. */
function quoted(word: string): string {
  return /^[\w./:@%+=-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
