import { errorsOf, type Finding } from '@groundplane/errors';
import type { JoinConfiguration, ResetConfiguration, UpgradeConfiguration } from './command-configuration-types.ts';
import { decodeDocument } from './decode-document.ts';
import { configError } from './error-codes.ts';
import type { Field } from './field-schema.ts';
import { invalidConfiguration, problemFinding } from './findings.ts';
import { goUrlPath, goUrlScheme } from './go-url.ts';
import { joinConfiguration, joinConfigurationV1 } from './join-configuration-schema.ts';
import { normalCriSocket, normalizeApiEndpoint, normalizeNodeRegistration } from './normalize-configuration.ts';
import {
  type Documents,
  experimentalApiVersion,
  requireSupported,
  type SupportOptions,
  splitConfiguration,
} from './read-documents.ts';
import { resetConfiguration } from './reset-configuration-schema.ts';
import { ignoredDocument, unusedFields } from './strict-decoding.ts';
import { upgradeConfiguration } from './upgrade-configuration-schema.ts';
import { validateResetConfiguration, validateUpgradeConfiguration } from './validate-command-configurations.ts';
import { validateJoinConfiguration } from './validate-join-configuration.ts';

/** A document that was read, defaulted, normalized and validated. */
export interface ReadDocument<T> {
  readonly configuration: T;
  readonly warnings: readonly Finding[];
}

export interface ReadDocumentOptions {
  /** Of the files that `discovery.file.kubeConfigPath` may name, those that do not exist. @default [] */
  readonly missingFiles?: readonly string[];
}

export interface ReadCommandOptions extends ReadDocumentOptions, SupportOptions {
  /** Whether unknown and repeated fields are errors. @default false */
  readonly strict?: boolean;
  /** Whether documents that are not used are worth a warning. @default true */
  readonly warnIgnored?: boolean;
}

/** What differs between the kinds that a command reads alone. */
interface CommandKind<T> {
  readonly kind: string;
  readonly schema: Field<T>;
  /** Where kubeadm.k8s.io/v1 differs. */
  readonly experimentalSchema?: Field<T>;
  readonly normalize: (configuration: T, findings: Finding[]) => T;
  readonly validate: (configuration: T, options: ReadDocumentOptions) => readonly Finding[];
}

export const joinKind: CommandKind<JoinConfiguration> = {
  kind: 'JoinConfiguration',
  schema: joinConfiguration,
  experimentalSchema: joinConfigurationV1,
  normalize: normalizeJoin,
  validate: (join, { missingFiles }) => validateJoinConfiguration(join, missingFiles),
};

export const resetKind: CommandKind<ResetConfiguration> = {
  kind: 'ResetConfiguration',
  schema: resetConfiguration,
  normalize: (reset, findings) => ({ ...reset, criSocket: normalCriSocket(reset.criSocket, 'criSocket', findings) }),
  validate: validateResetConfiguration,
};

export const upgradeKind: CommandKind<UpgradeConfiguration> = {
  kind: 'UpgradeConfiguration',
  schema: upgradeConfiguration,
  normalize: (upgrade) => upgrade,
  validate: validateUpgradeConfiguration,
};

/**
 * Reads the JoinConfiguration of a file; other documents are passed over with a warning.
 *
 * @throws GroundplaneError of kind usage: CONFIG_UNREADABLE, CONFIG_DOCUMENT_MISSING, CONFIG_API_VERSION_UNSUPPORTED;
 *   CONFIG_INVALID with all problems as findings, whose artifacts are field paths
 */
export function readJoinConfiguration(
  text: string,
  options: ReadDocumentOptions = {},
): ReadDocument<JoinConfiguration> {
  return readCommandDocument(joinKind, splitConfiguration(text), options);
}

/** As {@link readJoinConfiguration}, for `reset`, which reads kubeadm.k8s.io/v1 as well, as kubeadm does. */
export function readResetConfiguration(
  text: string,
  options: ReadDocumentOptions = {},
): ReadDocument<ResetConfiguration> {
  return readCommandDocument(resetKind, splitConfiguration(text), { ...options, allowExperimentalApi: true });
}

/** As {@link readJoinConfiguration}, for `upgrade`. */
export function readUpgradeConfiguration(
  text: string,
  options: ReadDocumentOptions = {},
): ReadDocument<UpgradeConfiguration> {
  return readCommandDocument(upgradeKind, splitConfiguration(text), options);
}

/** Reads the one document of a kind (kubeadm, documentMapToJoinConfiguration and its siblings). */
export function readCommandDocument<T>(
  row: CommandKind<T>,
  documents: Documents,
  options: ReadCommandOptions = {},
): ReadDocument<T> {
  const document = documents.get(row.kind);
  if (document === undefined) {
    const found = [...documents.keys()].join(', ');
    throw configError(
      'CONFIG_DOCUMENT_MISSING',
      `no ${row.kind} found in the supplied config: ${found === '' ? 'it is empty' : found}`,
      { hint: `Give a document of kind ${row.kind}, apiVersion kubeadm.k8s.io/v1beta4` },
    );
  }
  requireSupported(document, { ...options, own: true });
  const isExperimental = document.apiVersion === experimentalApiVersion;
  const schema = isExperimental ? (row.experimentalSchema ?? row.schema) : row.schema;
  const decoded = decodeDocument(schema, document.value);
  const findings: Finding[] = [
    ...decoded.problems.map(problemFinding),
    ...unusedFields(document, decoded.unknownFields, options.strict),
  ];
  const configuration = row.normalize(decoded.value, findings);
  // A value of the wrong type counts as unset, which rules would take for what the user wrote.
  if (decoded.problems.length === 0) findings.push(...row.validate(configuration, options));
  if (options.warnIgnored !== false) {
    const others = [...documents.values()].filter((other) => other !== document);
    findings.push(...others.map(ignoredDocument));
  }
  const errors = errorsOf(findings);
  if (errors.length > 0) throw invalidConfiguration(`the ${row.kind}`, errors);
  return { configuration, warnings: findings };
}

function normalizeJoin(join: JoinConfiguration, findings: Finding[]): JoinConfiguration {
  const { discovery, controlPlane } = join;
  const { bootstrapToken, file, tlsBootstrapToken } = discovery;
  return {
    ...join,
    nodeRegistration: normalizeNodeRegistration(join.nodeRegistration, '', findings),
    discovery: {
      ...discovery,
      ...(file !== undefined && { file: { kubeConfigPath: pathOfFileUrl(file.kubeConfigPath) } }),
      tlsBootstrapToken: tlsBootstrapToken || (bootstrapToken?.token ?? ''),
    },
    ...(controlPlane !== undefined && {
      controlPlane: { ...controlPlane, localAPIEndpoint: normalizeApiEndpoint(controlPlane.localAPIEndpoint) },
    }),
  };
}

function pathOfFileUrl(text: string): string {
  return goUrlScheme(text) === 'file' ? goUrlPath(text) : text;
}

/**
 * The local files that a JoinConfiguration in the text names for discovery; their existence is checked when it is read.
 * Never throws: what cannot be read names no file.
 */
export function discoveryFilesOf(text: string): readonly string[] {
  let documents: Documents;
  try {
    documents = splitConfiguration(text);
  } catch {
    return [];
  }
  const { value } = decodeDocument(joinConfiguration, documents.get(joinKind.kind)?.value);
  const path = pathOfFileUrl(value.discovery.file?.kubeConfigPath ?? '');
  return path !== '' && goUrlScheme(path) === '' ? [path] : [];
}
