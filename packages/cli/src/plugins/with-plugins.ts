import type { ExtendWorkflow } from '@groundplane/bootstrap';
import { type Finding, isGroundplaneError } from '@groundplane/errors';
import type { Workflow } from '@groundplane/phases';
import { requiredPlugins } from './installed-plugins.ts';

/**
 * A workflow with what the installed plugins add to it; where none is installed, as nearly always, the workflow itself, without loading
 * anything.
 *
 * @throws GroundplaneError CLI_PLUGIN_UNUSABLE, CLI_PLUGINS_UNREADABLE: a run without a phase that somebody wants would be another run
 */
export async function workflowWithPlugins<C>(workflow: Workflow<C>): Promise<Workflow<C>> {
  const plugins = requiredPlugins();
  if (plugins.length === 0) return workflow;
  const [{ loadPlugins }, { extendedWorkflow }] = await Promise.all([
    import('./load-plugins.ts'),
    import('./extended-workflow.ts'),
  ]);
  return extendedWorkflow(workflow, await loadPlugins(plugins));
}

/** For those who only look: plugins that cannot be used are left out, and `findings` has why once something was extended. */
export function extensionForLooking(): { readonly extend: ExtendWorkflow; readonly findings: readonly Finding[] } {
  const findings: Finding[] = [];
  const extend: ExtendWorkflow = async (workflow) => {
    try {
      return await workflowWithPlugins(workflow);
    } catch (error) {
      if (!isGroundplaneError(error)) throw error;
      const { code, message, hint = '', details } = error;
      const finding = {
        code,
        severity: 'warning',
        artifact: String(details.plugin ?? 'plugins'),
        message,
        hint,
      } as const;
      if (!findings.some((known) => known.message === message)) findings.push(finding);
      return workflow;
    }
  };
  return { extend, findings };
}
