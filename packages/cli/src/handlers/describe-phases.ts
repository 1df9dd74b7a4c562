import { covers, phaseName, type WorkflowDescription } from '@groundplane/phases';
import { type Invocation, textFlag } from '../invocation.ts';
import { nodeHost } from '../node-host.ts';
import { workflowWithPlugins } from '../plugins/with-plugins.ts';
import { givenConfig, namingFile } from '../read-config-file.ts';
import { descriptionLines } from '../render/description-lines.ts';
import { descriptionMarkdown } from '../render/description-markdown.ts';
import { printDocument, printText, wantsDocument } from '../render/print-document.ts';
import { visibleText } from '../render/shown-text.ts';
import { noSuchPhase } from './no-such-phase.ts';

/**
 * `phases describe [PHASE]`: what each phase reads and writes, and what is demanded of it, so that another tool can take its place.
 *
 * @throws GroundplaneError CLI_FILE_UNREADABLE, CLI_ARGUMENT_INVALID, those of the configuration
 */
export async function describePhases(invocation: Invocation): Promise<void> {
  const { describeBootstrap } = await import('@groundplane/bootstrap');
  const node = await nodeHost(invocation);
  const { path, text: configText } = await givenConfig(invocation, node);
  const description = await namingFile(path, () =>
    describeBootstrap({
      workflow: textFlag(invocation, 'workflow'),
      configText,
      host: node.host,
      workingDirectory: node.absolute('.'),
      extend: workflowWithPlugins,
    }),
  );
  const chosen = chosenPhases(description, invocation.words[0]);
  if (wantsDocument(invocation)) return printDocument(invocation, { ...chosen });
  const isMarkdown = textFlag(invocation, 'output') === 'markdown';
  const lines = isMarkdown ? descriptionMarkdown(chosen) : descriptionLines(chosen);
  printText(invocation.output, lines, visibleText);
}

/** All phases, one, or those of a group: `certs`, `certs/all`. */
function chosenPhases(description: WorkflowDescription, name: string | undefined): WorkflowDescription {
  if (name === undefined) return description;
  const wanted = phaseName(name);
  const phases = description.phases.filter(({ phase }) => covers(wanted, phase));
  if (phases.length > 0) return { ...description, phases };
  throw noSuchPhase('describe', { workflow: description.workflow, name });
}
