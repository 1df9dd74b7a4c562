import { messageOf } from '@groundplane/errors';
import { type AnyPhase, defineWorkflow, type Workflow } from '@groundplane/phases';
import type { PhaseInsertion, PhaseInsertions } from '@groundplane/plugin';
import { isRecord, kindOf, unusablePlugin } from './check-plugin.ts';
import type { LoadedPlugin } from './load-plugins.ts';
import { phaseToolkit } from './phase-toolkit.ts';

/** What a plugin adds to the workflow of one name. */
export interface Insertions {
  /** Name of the plugin's package. */
  readonly package: string;
  readonly insertions: readonly PhaseInsertion<never>[];
}

/** The workflows that plugins can add to. */
export const workflowNames: readonly string[] = ['init', 'join', 'reset'] satisfies (keyof PhaseInsertions)[];

/**
 * What plugins add to one workflow.
 *
 * @throws GroundplaneError CLI_PLUGIN_UNUSABLE
 */
export function insertionsFor(workflow: string, plugins: readonly LoadedPlugin[]): readonly Insertions[] {
  return plugins.flatMap((loaded) => {
    const all = phasesOf(loaded)[workflow as keyof PhaseInsertions] as readonly PhaseInsertion<never>[] | undefined;
    return all === undefined || all.length === 0 ? [] : [{ package: loaded.package, insertions: all }];
  });
}

function phasesOf({ package: name, plugin }: LoadedPlugin): PhaseInsertions {
  if (plugin?.phases === undefined) return {};
  let phases: unknown;
  try {
    phases = plugin.phases(phaseToolkit);
  } catch (cause) {
    throw unusablePlugin(name, `its phases cannot be made: ${messageOf(cause)}`, { cause });
  }
  if (!isRecord(phases)) throw unusablePlugin(name, `its phases are no map of workflows: ${kindOf(phases)}`);
  for (const [workflow, list] of Object.entries(phases)) {
    if (!workflowNames.includes(workflow))
      throw unusablePlugin(name, `there is no such workflow: '${workflow}', there are ${workflowNames.join(', ')}`);
    if (!Array.isArray(list)) throw unusablePlugin(name, `its phases of ${workflow} are no list: ${kindOf(list)}`);
    for (const entry of list) checkInsertion(name, workflow, entry);
  }
  return phases;
}

/** Phases are made by the toolkit; what is none would fail in the middle of a run. */
function checkInsertion(name: string, workflow: string, entry: unknown): void {
  const { phase, after } = isRecord(entry) ? entry : {};
  const phaseName = isRecord(phase) && typeof phase.name === 'string' ? phase.name : undefined;
  if (
    !isRecord(phase) ||
    phaseName === undefined ||
    typeof phase.verify !== 'function' ||
    typeof phase.demands !== 'function'
  )
    throw unusablePlugin(
      name,
      `a phase of ${workflow} was not made with definePhase or defineEffect: ${phaseName ?? kindOf(phase)}`,
    );
  if (!/^[a-z0-9]+(-[a-z0-9]+)*(\/[a-z0-9]+(-[a-z0-9]+)*)*$/.test(phaseName))
    throw unusablePlugin(name, `the name of a phase of ${workflow} is no word of small letters: '${phaseName}'`);
  if (typeof after !== 'string')
    throw unusablePlugin(name, `its phase '${phaseName}' does not say after which phase it comes: ${kindOf(after)}`);
  checkArtifacts(name, phase, phaseName);
}

/** What an artifact cannot do without, and what it is. */
const artifactFields = {
  id: 'string',
  description: 'string',
  where: 'function',
  format: 'object',
  policy: 'string',
} as const;

function checkArtifacts(name: string, phase: Readonly<Record<string, unknown>>, phaseName: string): void {
  for (const map of ['reads', 'writes', 'amends']) {
    if (!isRecord(phase[map]))
      throw unusablePlugin(name, `'${map}' of its phase '${phaseName}' are no map: ${kindOf(phase[map])}`);
    for (const [key, entry] of Object.entries(phase[map])) {
      const artifact = isRecord(entry) && 'optional' in entry ? entry.optional : entry;
      for (const [field, type] of Object.entries(artifactFields))
        if (!isRecord(artifact) || typeof artifact[field] !== type)
          throw unusablePlugin(
            name,
            `'${key}' in '${map}' of its phase '${phaseName}' is no artifact: '${field}' is ${kindOf(isRecord(artifact) ? artifact[field] : artifact)}`,
          );
    }
  }
}

/**
 * A workflow with the phases of plugins at their places, checked as a whole: what it refuses is the fault of the plugin that came last.
 *
 * @throws GroundplaneError CLI_PLUGIN_UNUSABLE that says what `defineWorkflow` says
 */
export function extendedWorkflow<C>(workflow: Workflow<C>, plugins: readonly LoadedPlugin[]): Workflow<C> {
  return insertionsFor(workflow.name, plugins).reduce(withInsertions<C>, workflow);
}

function withInsertions<C>(workflow: Workflow<C>, { package: name, insertions }: Insertions): Workflow<C> {
  const phases = [...workflow.phases];
  // Two of them after the same phase come in their own order.
  const last = new Map<string, string>();
  for (const { phase, after } of insertions) {
    const place = phases.findIndex((one) => one.name === (last.get(after) ?? after));
    if (place < 0)
      throw unusablePlugin(
        name,
        `its phase '${phase.name}' is to come after '${after}', which ${workflow.name} does not have`,
      );
    phases.splice(place + 1, 0, phase as AnyPhase<C>);
    last.set(after, phase.name);
  }
  const { localEndpoint, apiTimeoutMs, ...rest } = workflow;
  try {
    return defineWorkflow<C>({
      ...rest,
      ...(localEndpoint === undefined ? {} : { localEndpoint }),
      ...(apiTimeoutMs === undefined ? {} : { apiTimeoutMs }),
      phases,
    });
  } catch (cause) {
    throw unusablePlugin(name, `its phases do not fit: ${messageOf(cause)}`, { cause });
  }
}
