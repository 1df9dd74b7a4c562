import type { WorkflowDescription } from '@groundplane/phases';
import { cliError } from '../error-codes.ts';
import { type Invocation, textFlag } from '../invocation.ts';
import { nodeHost } from '../node-host.ts';
import { namingFile, readConfigFile } from '../read-config-file.ts';
import { descriptionLines } from '../render/description-lines.ts';
import { descriptionMarkdown } from '../render/description-markdown.ts';
import { printDocument, wantsDocument } from '../render/print-document.ts';
import { visibleText } from '../render/shown-text.ts';

/**
 * `phases describe [PHASE]`: what each phase reads and writes, and what is demanded of it, so that another tool can take its place.
 *
 * @throws GroundplaneError CLI_FILE_UNREADABLE, CLI_ARGUMENT_INVALID, those of the configuration
 */
export async function describePhases(invocation: Invocation): Promise<void> {
  const { describeBootstrap } = await import('@groundplane/bootstrap');
  const node = await nodeHost(invocation);
  const path = textFlag(invocation, 'config') || undefined;
  const configText = path === undefined ? undefined : await readConfigFile(node, path);
  const description = await namingFile(path, () =>
    describeBootstrap({
      workflow: textFlag(invocation, 'workflow'),
      configText,
      host: node.host,
      workingDirectory: node.absolute('.'),
    }),
  );
  const chosen = chosenPhases(description, invocation.words[0]);
  if (wantsDocument(invocation)) return printDocument(invocation, { ...chosen });
  const isMarkdown = textFlag(invocation, 'output') === 'markdown';
  const lines = isMarkdown ? descriptionMarkdown(chosen) : descriptionLines(chosen);
  invocation.output.stdout(lines.map((line) => `${visibleText(line)}\n`).join(''));
}

/** All phases, one, or those of a group: `certs`, `certs/all`. */
function chosenPhases(description: WorkflowDescription, name: string | undefined): WorkflowDescription {
  if (name === undefined) return description;
  const wanted = name.replace(/\/all$/, '').toLowerCase();
  const phases = description.phases.filter(({ phase }) => phase === wanted || phase.startsWith(`${wanted}/`));
  if (phases.length > 0) return { ...description, phases };
  throw cliError(
    'CLI_ARGUMENT_INVALID',
    `Cannot describe a phase as ${description.workflow} has none of this name: ${name}`,
    {
      hint: `List the phases with: groundplane phases list --workflow ${description.workflow}`,
    },
  );
}
