import { cliError } from '../error-codes.ts';

/** The error for a name, given as an argument, that no phase of a workflow has. */
export function noSuchPhase(
  verb: 'describe' | 'verify',
  { workflow, name }: { readonly workflow: string; readonly name: string },
): Error {
  return cliError('CLI_ARGUMENT_INVALID', `Cannot ${verb} a phase as ${workflow} has none of this name: ${name}`, {
    hint: `List the phases with: groundplane phases list --workflow ${workflow}`,
  });
}
