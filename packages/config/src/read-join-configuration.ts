import type { Finding } from '@groundplane/errors';
import { documentsOfFlags } from './apply-flags.ts';
import type { JoinConfiguration } from './command-configuration-types.ts';
import { decodeDocument } from './decode-document.ts';
import { invalidConfiguration } from './findings.ts';
import type { FlagValues } from './flag.ts';
import { goUrlScheme } from './go-url.ts';
import { joinConfiguration } from './join-configuration-schema.ts';
import { ignoredFlag, joinDocumentOfFlags } from './join-document-of-flags.ts';
import { joinFlags } from './join-flag-table.ts';
import { refuseMixedFlags } from './mixed-flags.ts';
import {
  finishDocument,
  joinKind,
  pathOfFileUrl,
  type ReadDocument,
  type ReadDocumentOptions,
  readCommandDocument,
} from './read-command-documents.ts';
import { type Documents, splitConfiguration } from './read-documents.ts';
import { contradictingChecks, type WorkflowRunOptions, workflowRunOptions } from './run-options.ts';

/** What `join` was asked to do, before anything of the host is looked at. */
export interface ReadJoinConfiguration extends ReadDocument<JoinConfiguration> {
  readonly run: WorkflowRunOptions;
}

export interface ReadJoinOptions extends ReadDocumentOptions {
  /** Flags given on the command line, without those that were not given. */
  readonly flags?: FlagValues;
  /** `host:port` of an API server: the argument of the command, if there is one. */
  readonly endpoint?: string | undefined;
}

/**
 * Reads the JoinConfiguration of a file, or what flags and the argument make of it; other documents are passed over with a
 * warning. Beside a file, `--node-name` wins over it and the ignored checks add up (kubeadm, cmd/join.go, newJoinData).
 *
 * @param text the file's content, YAML or JSON; undefined if flags alone decide
 * @returns the configuration with the settings of the run in their place, and these alone
 * @throws GroundplaneError of kind usage: CONFIG_UNREADABLE, CONFIG_DOCUMENT_MISSING, CONFIG_API_VERSION_UNSUPPORTED,
 *   CONFIG_MIXED_ARGUMENTS; CONFIG_INVALID with all problems as findings, whose artifacts are field paths
 */
export function readJoinConfiguration(text: string | undefined, options: ReadJoinOptions = {}): ReadJoinConfiguration {
  const { flags = {} } = options;
  refuseMixedFlags(flags, text);
  const { configuration, warnings, ...own } = text === undefined ? byFlags(options) : byFile(text, options);
  const { run: fromFlags } = documentsOfFlags(flags, joinFlags);
  const run = workflowRunOptions(fromFlags, { ...configuration, ...configuration.nodeRegistration });
  const contradictions = contradictingChecks(run);
  if (contradictions.length > 0) throw invalidConfiguration('the JoinConfiguration', contradictions);
  const { dryRun, ignorePreflightErrors } = run;
  return {
    configuration: {
      ...configuration,
      dryRun,
      nodeRegistration: { ...configuration.nodeRegistration, ignorePreflightErrors },
    },
    ...own,
    run,
    warnings: [...warnings, ...unusedEndpoint(text, options)],
  };
}

function byFile(text: string, options: ReadJoinOptions): ReadDocument<JoinConfiguration> {
  const nodeName = String(options.flags?.['node-name'] ?? '');
  return readCommandDocument(joinKind, splitConfiguration(text), { ...options, nodeName });
}

function byFlags({ flags = {}, ...options }: ReadJoinOptions): ReadDocument<JoinConfiguration> {
  const { value, problems, warnings: remarks } = joinDocumentOfFlags(flags, options);
  const decoded = decodeDocument(joinConfiguration, value);
  return finishDocument(
    joinKind,
    { ...decoded, problems: [...decoded.problems, ...problems] },
    { ...options, remarks },
  );
}

function unusedEndpoint(text: string | undefined, { endpoint, requireDiscovery }: ReadJoinOptions): readonly Finding[] {
  if (endpoint === undefined) return [];
  const why =
    requireDiscovery === false
      ? 'in this phase, which does not look for the cluster'
      : text === undefined
        ? undefined
        : 'beside --config: the file alone says how the cluster is found';
  if (why === undefined) return [];
  const message = `The argument ${endpoint} has no effect ${why}`;
  return [ignoredFlag('config', message, 'Leave the argument out')];
}

/**
 * The local files that a JoinConfiguration in the text names for discovery, or `--discovery-file` without one; their
 * existence is checked when it is read. Never throws: what cannot be read names no file.
 */
export function discoveryFilesOf(text: string | undefined, flags: FlagValues = {}): readonly string[] {
  const path = pathOfFileUrl(text === undefined ? String(flags['discovery-file'] ?? '') : fileInDocument(text));
  return path !== '' && goUrlScheme(path) === '' ? [path] : [];
}

function fileInDocument(text: string): string {
  let documents: Documents;
  try {
    documents = splitConfiguration(text);
  } catch {
    return '';
  }
  const { value } = decodeDocument(joinConfiguration, documents.get(joinKind.kind)?.value);
  return value.discovery.file?.kubeConfigPath ?? '';
}
