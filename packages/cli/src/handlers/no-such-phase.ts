import { cliError } from '../error-codes.ts';

export interface NoSuchPhase {
  readonly workflow: string;
  readonly name: string;
  /** Why it is this workflow, where nobody said so: `as this is a worker node`. */
  readonly reason?: string | undefined;
  /** Workflows that have such a phase. */
  readonly others?: readonly string[];
}

/** The error for a name, given as an argument, that no phase of a workflow has. */
export function noSuchPhase(verb: 'describe' | 'verify', { workflow, name, reason, others = [] }: NoSuchPhase): Error {
  const told = reason === undefined ? `${workflow} has` : `${workflow} counts, ${reason}, and has`;
  const elsewhere = others
    .map((other) => `${other} has it: groundplane ${verb} ${name} --workflow=${other}. `)
    .join('');
  return cliError('CLI_ARGUMENT_INVALID', `Cannot ${verb} a phase as ${told} none of this name: ${name}`, {
    hint: `${elsewhere}List the phases with: groundplane phases list --workflow ${workflow}`,
  });
}
