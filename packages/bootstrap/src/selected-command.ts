import { initCommands, joinCommands, resetCommands } from '@groundplane/config';
import { phaseCommand, type Selection } from '@groundplane/phases';

const knownCommands: ReadonlySet<string> = new Set(
  [...initCommands, ...joinCommands, ...resetCommands].filter(({ group }) => !group).map(({ command }) => command),
);

/**
 * The command line that a selection stands for: it says what is asked of the machine and the cluster beforehand. One phase asks for
 * no more than it needs (`init phase certs ca`); whatever is no command of kubeadm's asks as the whole workflow does.
 */
export function selectedCommand(workflow: string, { only = [] }: Selection = {}): string {
  const [name, ...others] = only;
  if (name === undefined || others.length > 0) return workflow;
  const command = phaseCommand(workflow, name.toLowerCase());
  return [command, `${command} all`].find((candidate) => knownCommands.has(candidate)) ?? workflow;
}
