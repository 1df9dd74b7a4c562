import type { BootstrapRole } from './bootstrap-role.ts';
import { bootstrapRoles } from './bootstrap-roles.ts';

/** The rows of the table, told apart by whether a workflow brings their objects into order. */
export interface ReconciledRows {
  readonly reconciled: readonly BootstrapRole[];
  /** Nothing in the workflow writes these. */
  readonly leftOut: readonly BootstrapRole[];
}

/**
 * Which rows a workflow reconciles: those of its phases. A workflow that administers a cluster (init, upgrade) must leave none out; one
 * that has the rights of a token or of a node (join and upgrade of a worker) can write none.
 *
 * @param phases names of the workflow's phases
 */
export function reconciledRows(phases: readonly string[]): ReconciledRows {
  const isWritten = ({ writtenBy }: BootstrapRole): boolean => phases.includes(writtenBy);
  return {
    reconciled: bootstrapRoles.filter(isWritten),
    leftOut: bootstrapRoles.filter((row) => !isWritten(row)),
  };
}
