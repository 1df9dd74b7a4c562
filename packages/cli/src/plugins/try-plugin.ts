import { describeBootstrap, initWorkflow, joinWorkflow, resetWorkflow } from '@groundplane/bootstrap';
import { messageOf } from '@groundplane/errors';
import { unusablePlugin } from './check-plugin.ts';
import { extendedWorkflow, insertionsFor, workflowNames } from './extended-workflow.ts';
import type { InstalledPlugin } from './installed-plugins.ts';
import { type LoadedPlugin, loadPlugin } from './load-plugins.ts';

export interface AddedPhase {
  readonly workflow: string;
  readonly phase: string;
  readonly after: string;
}

/** What a plugin adds. */
export interface PluginContents {
  readonly name: string;
  readonly version: string;
  readonly signers: readonly string[];
  readonly phases: readonly AddedPhase[];
}

/**
 * Loads a plugin, and checks it beside those that are there already.
 *
 * @throws GroundplaneError CLI_PLUGIN_UNUSABLE
 */
export async function tryPlugin(
  plugin: Pick<InstalledPlugin, 'name' | 'root'>,
  others: readonly InstalledPlugin[],
): Promise<PluginContents> {
  const loaded = await loadPlugin(plugin);
  const beside: LoadedPlugin[] = [];
  // One of them that is broken is no fault of this one.
  for (const other of others.filter(({ name }) => name !== plugin.name))
    await loadPlugin(other).then(
      (found) => beside.push(found),
      () => {},
    );
  const all = [...beside, loaded];
  extendedWorkflow(initWorkflow, all);
  extendedWorkflow(joinWorkflow, all);
  extendedWorkflow(resetWorkflow, all);
  const phases = workflowNames.flatMap((workflow) =>
    insertionsFor(workflow, [loaded]).flatMap(({ insertions }) =>
      insertions.map(({ phase, after }) => ({ workflow, phase: phase.name, after })),
    ),
  );
  // What its phases demand is asked for by whoever describes or verifies, of all phases at once.
  for (const workflow of new Set(phases.map((added) => added.workflow)))
    await describeBootstrap({ workflow, extend: async (own) => extendedWorkflow(own, all) }).catch((cause) => {
      throw unusablePlugin(plugin.name, `its phases of ${workflow} cannot be described: ${messageOf(cause)}`, {
        cause,
      });
    });
  const signers = Object.keys(loaded.plugin?.signers ?? {});
  return { name: loaded.package, version: loaded.version, signers, phases };
}
