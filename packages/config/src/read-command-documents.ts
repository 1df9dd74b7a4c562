import { errorsOf, type Finding } from '@groundplane/errors';
import type { JoinConfiguration, ResetConfiguration, UpgradeConfiguration } from './command-configuration-types.ts';
import { type Decoded, decodeDocument } from './decode-document.ts';
import { configError } from './error-codes.ts';
import type { Field } from './field-schema.ts';
import { invalidConfiguration, problemFinding } from './findings.ts';
import { goUrlPath, goUrlScheme } from './go-url.ts';
import type { GroundplaneConfiguration } from './groundplane-configuration.ts';
import { joinConfiguration, joinConfigurationV1 } from './join-configuration-schema.ts';
import { normalCriSocket, normalizeApiEndpoint, normalizeNodeRegistration } from './normalize-configuration.ts';
import {
  type Documents,
  experimentalApiVersion,
  groundplaneApiVersion,
  kubeadmApiVersion,
  requireSupported,
  type SupportOptions,
  splitConfiguration,
} from './read-documents.ts';
import { readGroundplaneDocument } from './read-groundplane-document.ts';
import { resetConfiguration } from './reset-configuration-schema.ts';
import { ignoredDocument, unusedFields } from './strict-decoding.ts';
import { upgradeConfiguration } from './upgrade-configuration-schema.ts';
import { validateResetConfiguration, validateUpgradeConfiguration } from './validate-command-configurations.ts';
import { validateJoinConfiguration } from './validate-join-configuration.ts';

/** A document that was read, defaulted, normalized and validated. */
export interface ReadDocument<T> {
  readonly configuration: T;
  /** Our own document; absent if the file holds none. */
  readonly groundplane?: GroundplaneConfiguration;
  readonly warnings: readonly Finding[];
}

export interface ReadDocumentOptions {
  /** Of the files that `discovery.file.kubeConfigPath` may name, those that do not exist. @default [] */
  readonly missingFiles?: readonly string[];
  /** False for commands of `join` that do not ask the cluster who it is, see `discovers`. @default true */
  readonly requireDiscovery?: boolean;
}

export interface ReadCommandOptions extends ReadDocumentOptions, SupportOptions {
  /** Whether unknown and repeated fields are errors. @default false */
  readonly strict?: boolean;
  /** Whether documents that are not used are worth a warning. @default true */
  readonly warnIgnored?: boolean;
  /** Of the node, by a flag; wins over the document. */
  readonly nodeName?: string;
}

/** What differs between the kinds that a command reads alone. */
export interface CommandKind<T> {
  readonly kind: string;
  readonly schema: Field<T>;
  /** Where kubeadm.k8s.io/v1 differs. */
  readonly experimentalSchema?: Field<T>;
  readonly normalize: (configuration: T, findings: Finding[], options: ReadCommandOptions) => T;
  readonly validate: (configuration: T, options: ReadDocumentOptions) => readonly Finding[];
}

export const joinKind: CommandKind<JoinConfiguration> = {
  kind: 'JoinConfiguration',
  schema: joinConfiguration,
  experimentalSchema: joinConfigurationV1,
  normalize: normalizeJoin,
  validate: validateJoinConfiguration,
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
 * Reads the UpgradeConfiguration of a file; other documents are passed over with a warning.
 *
 * @throws GroundplaneError of kind usage: CONFIG_UNREADABLE, CONFIG_DOCUMENT_MISSING, CONFIG_API_VERSION_UNSUPPORTED;
 *   CONFIG_INVALID with all problems as findings, whose artifacts are field paths
 */
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
  const unused = [...documents.values()].filter((other) => other !== document && other.usedBy !== 'groundplane');
  const own = readGroundplaneDocument(documents);
  const remarks = [
    ...unusedFields(document, decoded.unknownFields, options.strict),
    ...own.findings,
    ...(options.warnIgnored === false ? [] : unused.map(ignoredDocument)),
  ];
  const finished = finishDocument(row, decoded, { ...options, remarks, ours: own.findings });
  return own.groundplane === undefined ? finished : { ...finished, groundplane: own.groundplane };
}

/**
 * Normalizes and validates a decoded document, be it from a file or from flags.
 *
 * @param options.remarks findings that are known already
 * @param options.ours those among them that are about our own document
 * @throws GroundplaneError CONFIG_INVALID
 */
export function finishDocument<T>(
  row: CommandKind<T>,
  decoded: Decoded<T>,
  {
    remarks,
    ours = [],
    ...options
  }: ReadCommandOptions & { readonly remarks: readonly Finding[]; readonly ours?: readonly Finding[] },
): ReadDocument<T> {
  const findings: Finding[] = [...decoded.problems.map(problemFinding), ...remarks];
  const configuration = row.normalize(decoded.value, findings, options);
  // A value of the wrong type counts as unset, which rules would take for what the user wrote.
  if (decoded.problems.length === 0) findings.push(...row.validate(configuration, options));
  const errors = errorsOf(findings);
  if (errors.length > 0) {
    const apiVersions = errors.map((error) => (ours.includes(error) ? groundplaneApiVersion : kubeadmApiVersion));
    throw invalidConfiguration(`the ${row.kind}`, errors, apiVersions);
  }
  return { configuration, warnings: findings };
}

function normalizeJoin(
  join: JoinConfiguration,
  findings: Finding[],
  { nodeName = '' }: ReadCommandOptions,
): JoinConfiguration {
  const { discovery, controlPlane } = join;
  const { bootstrapToken, file, tlsBootstrapToken } = discovery;
  return {
    ...join,
    nodeRegistration: normalizeNodeRegistration(join.nodeRegistration, nodeName, findings),
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

/** The path that a URL of scheme file names; anything else stays as it is. */
export function pathOfFileUrl(text: string): string {
  return goUrlScheme(text) === 'file' ? goUrlPath(text) : text;
}
