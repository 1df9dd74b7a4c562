import { documentsOfFlags } from './apply-flags.ts';
import type { ResetConfiguration } from './command-configuration-types.ts';
import { decodeDocument } from './decode-document.ts';
import { invalidConfiguration } from './findings.ts';
import type { FlagValues } from './flag.ts';
import { refuseMixedFlags } from './mixed-flags.ts';
import { finishDocument, type ReadDocument, readCommandDocument, resetKind } from './read-command-documents.ts';
import { splitConfiguration } from './read-documents.ts';
import { resetConfiguration } from './reset-configuration-schema.ts';
import { resetFlags } from './reset-flag-table.ts';
import { contradictingChecks, pathFlag, type WorkflowRunOptions, workflowRunOptions } from './run-options.ts';

/** Settings of one run of `reset`. */
export interface ResetRunOptions extends WorkflowRunOptions {
  /** Absolute path of the kubeconfig file by which the cluster is reached, as far as it is. */
  readonly kubeconfig: string;
}

/** What `reset` was asked to do, before anything of the host is looked at. */
export interface ReadResetConfiguration extends ReadDocument<ResetConfiguration> {
  readonly run: ResetRunOptions;
}

export interface ReadResetOptions {
  /** Flags given on the command line, without those that were not given. */
  readonly flags?: FlagValues;
}

/**
 * Reads the ResetConfiguration of a file, or what flags make of it; other documents are passed over with a warning. As in
 * kubeadm, kubeadm.k8s.io/v1 is read as well (cmd/reset.go, newResetData).
 *
 * @param text the file's content, YAML or JSON; undefined if flags alone decide
 * @returns the configuration with the settings of the run in their place, and these alone
 * @throws as `readJoinConfiguration`
 */
export function readResetConfiguration(
  text: string | undefined,
  { flags = {} }: ReadResetOptions = {},
): ReadResetConfiguration {
  refuseMixedFlags(flags, text);
  const { reset, run: fromFlags } = documentsOfFlags(flags, resetFlags);
  const { configuration, warnings, ...own } =
    text === undefined
      ? finishDocument(resetKind, decodeDocument(resetConfiguration, reset), { remarks: [] })
      : readCommandDocument(resetKind, splitConfiguration(text), { allowExperimentalApi: true });
  const run = workflowRunOptions(fromFlags, configuration);
  const contradictions = contradictingChecks(run);
  if (contradictions.length > 0) throw invalidConfiguration('the ResetConfiguration', contradictions);
  return {
    configuration: { ...configuration, dryRun: run.dryRun, ignorePreflightErrors: run.ignorePreflightErrors },
    ...own,
    run: { ...run, kubeconfig: pathFlag(fromFlags, 'kubeconfig', '/etc/kubernetes/admin.conf') },
    warnings,
  };
}
