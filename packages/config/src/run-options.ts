import type { Finding } from '@groundplane/errors';
import type { Patches } from './configuration-types.ts';
import { problemFinding } from './findings.ts';

/** Settings of one run of a workflow that are no part of any document, or that flags and documents share. */
export interface WorkflowRunOptions {
  readonly dryRun: boolean;
  /** Lower case, sorted, without repetition: the union of flag and configuration. */
  readonly ignorePreflightErrors: readonly string[];
  readonly skipPhases: readonly string[];
  /** Absent if no patches are asked for. */
  readonly patchesDirectory?: string;
}

/** What a document says about the run. */
export interface RunSource {
  readonly dryRun: boolean;
  readonly ignorePreflightErrors: readonly string[];
  readonly skipPhases: readonly string[];
  readonly patches?: Patches | undefined;
}

/** Settings of the run by flags. */
export type RunFlags = Readonly<Record<string, unknown>>;

/** Flags win over the document, but for ignored checks, which add up. */
export function workflowRunOptions(flags: RunFlags, document: RunSource): WorkflowRunOptions {
  const names = (value: unknown): readonly string[] => (Array.isArray(value) ? value : []);
  const ignored = [...document.ignorePreflightErrors, ...names(flags.ignorePreflightErrors)];
  const directory = (flags.patchesDirectory as string | undefined) || document.patches?.directory;
  const skipped = names(flags.skipPhases);
  return {
    dryRun: (flags.dryRun as boolean | undefined) ?? document.dryRun,
    ignorePreflightErrors: [...new Set(ignored.map((name) => name.toLowerCase()))].toSorted(),
    skipPhases: skipped.length > 0 ? skipped : document.skipPhases,
    ...(directory ? { patchesDirectory: directory } : {}),
  };
}

/** The text of a path flag; an empty one counts as not given. */
export function pathFlag(flags: RunFlags, name: string, fallback: string): string {
  return (flags[name] as string | undefined) || fallback;
}

/** `all` beside other checks contradicts itself, be it only in the union of flag and configuration. */
export function contradictingChecks({ ignorePreflightErrors: names }: WorkflowRunOptions): readonly Finding[] {
  if (!names.includes('all') || names.length === 1) return [];
  const reason = "individual checks must not be named if 'all' is used";
  return [problemFinding({ path: 'ignore-preflight-errors', reason, value: names.join(',') })];
}
