import {
  type Artifact,
  artifactOf,
  formatLocation,
  isOptional,
  type Layout,
  type Location,
  type Policy,
  type Read,
} from './artifact.ts';
import { maxModeOf } from './artifact-findings.ts';
import { modeOf, octal, usualDirectoryMode } from './artifact-mode.ts';
import { artifactsOf, creatorsOf, isObservable, readsOf } from './declarations.ts';
import type { Demand } from './demand.ts';
import { engineFindings } from './error-codes.ts';
import type { AnyPhase, Connect } from './phase.ts';
import { phaseCommand } from './phase-command.ts';
import type { Ports } from './ports.ts';
import type { Workflow } from './workflow.ts';

/** How one phase uses one artifact. */
export interface ArtifactUse {
  readonly id: string;
  readonly description: string;
  readonly location: Location;
  /** The location as one line: a path, or `ConfigMap kube-system/kubeadm-config`. */
  readonly place: string;
  /** In words: `PEM certificate`, `YAML Pod`. */
  readonly format: string;
  readonly policy: Policy;
  /** Four octal digits, `0600`: what a new file or directory gets. */
  readonly mode?: string;
  /** The most permissive mode that is accepted. */
  readonly maxMode?: string;
  /** What directories get that have to be made on the way to a file. */
  readonly directoryMode?: string;
  /** Of files and directories. */
  readonly owner?: string;
  readonly secret: boolean;
  /** True if it may be absent. */
  readonly optional: boolean;
  /** True if it may come from outside the workflow. */
  readonly external: boolean;
  /** The phase that creates it, if the workflow has one. */
  readonly madeBy?: string;
  /** The other phases that read or change it. */
  readonly usedBy: readonly string[];
  readonly demands: readonly Demand[];
}

/** The interface of one phase: what another tool has to do in its place. */
export interface PhaseDescription {
  readonly phase: string;
  /** `init phase certs ca`; absent for a hidden phase. */
  readonly command?: string;
  readonly summary: string;
  readonly kind: 'pure' | 'effect';
  readonly hidden: boolean;
  /** Fields of the configuration that it depends on. */
  readonly configuration: readonly string[];
  /** Why the configuration does not ask for it; absent if it does. */
  readonly inapplicable?: string;
  readonly connect?: { readonly kubeconfig: string; readonly endpoint: Connect['endpoint'] };
  /** What it acts through, beside the files and objects that it declares. */
  readonly uses: readonly (keyof Ports)[];
  readonly reads: readonly ArtifactUse[];
  readonly writes: readonly ArtifactUse[];
  readonly amends: readonly ArtifactUse[];
  readonly removes: readonly ArtifactUse[];
  /** What it asks of the world beside artifacts. */
  readonly conditions: readonly Demand[];
}

export interface WorkflowDescription {
  readonly workflow: string;
  readonly summary: string;
  readonly phases: readonly PhaseDescription[];
}

export interface DescribeOptions<C> {
  readonly layout: Layout;
  /** Without it nothing is said about what depends on the configuration. */
  readonly config?: C;
}

/**
 * The documented interface of a workflow as plain JSON: for each phase its artifacts and what is demanded of them.
 *
 * @throws what the demands of a phase throw for its configuration
 */
export async function describeWorkflow<C>(
  workflow: Workflow<C>,
  options: DescribeOptions<C>,
): Promise<WorkflowDescription> {
  const { name, summary, phases } = workflow;
  const described = await Promise.all(phases.map((phase) => describePhase(phase, workflow, options)));
  return { workflow: name, summary, phases: described };
}

async function describePhase<C>(
  phase: AnyPhase<C>,
  { name: workflow, phases }: Workflow<C>,
  { layout, ...given }: DescribeOptions<C>,
): Promise<PhaseDescription> {
  const isConfigured = 'config' in given;
  const config = given.config as C;
  const inapplicable = isConfigured ? phase.inapplicable(config) : undefined;
  const [demands, conditions]: readonly [Awaited<ReturnType<typeof phase.demands>>, readonly Demand[]] =
    isConfigured && inapplicable === undefined
      ? await Promise.all([phase.demands(config), phase.conditions(config)])
      : [{}, []];
  refuseUndeclared(phase, demands);
  const creators = creatorsOf(phases);
  /** A read that is wanted wherever its maker is. */
  const mayBeAbsent = (entry: Read) => {
    if (!isOptional(entry)) return false;
    const maker = phases.find((candidate) => candidate.name === creators.get(entry.optional.id));
    if (!entry.whereApplicable || !isConfigured || maker === undefined) return true;
    return maker.inapplicable(config) !== undefined;
  };
  const useOf = (entry: Read, own: readonly Demand[] = []) => {
    const artifact = artifactOf(entry);
    const madeBy = creators.get(artifact.id);
    return {
      ...describeArtifact(artifact, layout),
      optional: mayBeAbsent(entry),
      external: artifact.external ?? false,
      ...(madeBy === undefined ? {} : { madeBy }),
      usedBy: phases
        .filter((other) => other.name !== madeBy && other !== phase && mentions(other, artifact))
        .map((other) => other.name),
      demands: own,
    };
  };
  const inputs = Object.entries(readsOf(phase)).map(([key, read]) => useOf(read, demands[key]));
  const outputs = (entries: Readonly<Record<string, Read>>) =>
    Object.entries(entries).map(([key, entry]) => {
      const isHeld = inapplicable === undefined && isObservable(phase, artifactOf(entry), layout);
      const observed = isHeld ? observedDemands(entry, { mayBeAbsent: mayBeAbsent(entry), layout }) : [];
      return useOf(entry, [...observed, ...(demands[key] ?? [])]);
    });
  return {
    phase: phase.name,
    ...(phase.hidden ? {} : { command: phaseCommand(workflow, phase.name) }),
    summary: phase.summary,
    kind: phase.kind,
    hidden: phase.hidden,
    configuration: phase.configuration,
    ...(inapplicable === undefined ? {} : { inapplicable }),
    ...(phase.connect === undefined
      ? {}
      : { connect: { kubeconfig: phase.connect.kubeconfig.id, endpoint: phase.connect.endpoint } }),
    uses: phase.uses,
    reads: distinct(inputs),
    writes: outputs(phase.writes),
    amends: outputs(phase.amends),
    removes: phase.removes.map((artifact) => useOf(artifact, [removalDemand(artifact)])),
    conditions,
  };
}

/** The compiler sees a key that is not declared only where the demands are written down as they are. */
function refuseUndeclared(phase: AnyPhase<never>, demands: object): void {
  const declared = new Set(Object.keys({ ...phase.reads, ...phase.writes, ...phase.amends }));
  const unknown = Object.keys(demands).find((key) => !declared.has(key));
  if (unknown === undefined) return;
  throw new TypeError(
    `Cannot describe '${phase.name}' as it demands something of what it does not declare: ${unknown}`,
  );
}

/** What the engine itself asks of every output that it can look at. */
function observedDemands(
  entry: Read,
  { mayBeAbsent, layout }: { readonly mayBeAbsent: boolean; readonly layout: Layout },
): readonly Demand[] {
  const artifact = artifactOf(entry);
  const maximum = isOnDisk(artifact.where(layout)) ? maxModeOf(artifact) : undefined;
  return [
    ...(!mayBeAbsent
      ? [demand('It is there', engineFindings.missing, artifact.policy === 'ephemeral' ? 'warning' : 'error')]
      : []),
    demand(`It can be read as what it is: ${artifact.format.name}`, engineFindings.malformed, 'error'),
    ...(maximum === undefined
      ? []
      : [
          demand(
            `It has no permission bits beyond ${octal(maximum)}`,
            artifact.secret ? engineFindings.exposed : engineFindings.mode,
            'warning',
          ),
        ]),
    ...(artifact.where(layout).kind === 'file'
      ? [demand('It belongs to root, or to who looks', engineFindings.owner, 'warning')]
      : []),
  ];
}

function removalDemand({ emptied }: Artifact<unknown>): Demand {
  const text = emptied ? 'It is gone, or nothing is in it' : 'It is gone';
  return demand(text, engineFindings.leftover, 'error');
}

function demand(text: string, code: string, severity: 'error' | 'warning'): Demand {
  return { text, code, severity };
}

type Place = Pick<
  ArtifactUse,
  | 'id'
  | 'description'
  | 'location'
  | 'place'
  | 'format'
  | 'policy'
  | 'mode'
  | 'maxMode'
  | 'directoryMode'
  | 'owner'
  | 'secret'
>;

function describeArtifact(artifact: Artifact<unknown>, layout: Layout): Place {
  const location = artifact.where(layout);
  const onDisk = isOnDisk(location);
  const maximum = maxModeOf(artifact);
  return {
    id: artifact.id,
    description: artifact.description,
    location,
    place: formatLocation(location),
    format: artifact.format.name,
    policy: artifact.policy,
    ...(onDisk ? { mode: octal(modeOf(artifact, location.kind)) } : {}),
    ...(onDisk && maximum !== undefined ? { maxMode: octal(maximum) } : {}),
    ...(location.kind === 'file' ? { directoryMode: octal(artifact.directoryMode ?? usualDirectoryMode) } : {}),
    ...(onDisk ? { owner: 'root:root' } : {}),
    secret: artifact.secret ?? false,
  };
}

function isOnDisk({ kind }: Location): boolean {
  return kind === 'file' || kind === 'directory';
}

function mentions(phase: AnyPhase<never>, { id }: Artifact<unknown>): boolean {
  return artifactsOf(phase).some((artifact) => artifact.id === id);
}

/** The connection's kubeconfig may be read for itself, too. */
function distinct(uses: readonly ArtifactUse[]): readonly ArtifactUse[] {
  return uses.filter((use, index) => uses.findIndex(({ id }) => id === use.id) === index);
}
