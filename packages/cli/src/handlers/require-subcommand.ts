import { cliError } from '../error-codes.ts';
import { helpLines } from '../help/help-lines.ts';
import type { Invocation } from '../invocation.ts';
import { wantsDocument } from '../render/print-document.ts';

/**
 * A parent command called on its own: its help on stdout where no data is wanted, then an error (kubeadm: cmd/util/cmdutil.go, RequireSubcommand).
 *
 * @throws GroundplaneError CLI_SUBCOMMAND_REQUIRED always
 */
export async function requireSubcommand(invocation: Invocation): Promise<void> {
  const { output, path, table } = invocation;
  const command = table.commands.find((row) => row.path.join(' ') === path.join(' '));
  if (command !== undefined && !wantsDocument(invocation))
    output.stdout(`${helpLines(table, command, { columns: output.columns }).join('\n')}\n`);
  const name = [table.program, ...path].join(' ');
  throw cliError('CLI_SUBCOMMAND_REQUIRED', 'subcommand is required', {
    hint: `Run '${name} --help' for the sub-commands`,
  });
}
