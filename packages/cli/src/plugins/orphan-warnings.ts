import { type ExtendWorkflow, initWorkflow, joinWorkflow, resetWorkflow } from '@groundplane/bootstrap';
import type { Finding } from '@groundplane/errors';
import type { JournalEntry, ReadJournal } from '@groundplane/phases';

/**
 * What phases have made that are not there any more, as those of a plugin that was taken out: nobody verifies or changes it, and nothing
 * of ours needs it.
 */
export async function orphanWarnings(
  journal: ReadJournal | undefined,
  extend: ExtendWorkflow,
): Promise<readonly Finding[]> {
  if (journal === undefined) return [];
  const workflows = await Promise.all([extend(initWorkflow), extend(joinWorkflow), extend(resetWorkflow)]);
  const known = new Map(workflows.map(({ name, phases }) => [name, new Set(phases.map((phase) => phase.name))]));
  const last = new Map<string, JournalEntry>();
  for (const entry of journal.entries) last.set(entry.location, entry);
  return [...last.values()].flatMap(({ workflow, phase, location, action }) => {
    const phases = known.get(workflow);
    if (phases === undefined || phases.has(phase) || action === 'removed') return [];
    return [
      {
        code: 'CLI_PHASE_GONE',
        severity: 'warning' as const,
        artifact: location,
        message: `It was made by the phase '${phase}' of ${workflow}, which is not there any more: nobody looks after it`,
        hint: 'Install the plugin that it came with again, or remove it yourself if nothing needs it',
      },
    ];
  });
}
