import { errorsOf, type Finding } from '@groundplane/errors';
import { documentsOfFlags, type RunOptions } from './apply-flags.ts';
import { clusterConfiguration, clusterConfigurationV1 } from './cluster-configuration-schema.ts';
import type { ClusterConfiguration, ComponentConfigurations, InitConfiguration } from './configuration-types.ts';
import { type Decoded, decodeDocument } from './decode-document.ts';
import { configError } from './error-codes.ts';
import type { Field } from './field-schema.ts';
import { invalidConfiguration, problemFinding } from './findings.ts';
import type { FlagValues } from './flag.ts';
import { initConfiguration, initConfigurationV1 } from './init-configuration-schema.ts';
import { joinConfiguration } from './join-configuration-schema.ts';
import { kubeProxyConfigurationSchema } from './kube-proxy-configuration-schema.ts';
import { kubeletConfigurationSchema } from './kubelet-configuration-schema.ts';
import { normalizeInitDocuments } from './normalize-configuration.ts';
import {
  type ConfigurationDocument,
  type DocumentKind,
  type Documents,
  experimentalApiVersion,
  kubeadmApiVersion,
} from './read-documents.ts';
import { resetConfiguration } from './reset-configuration-schema.ts';
import { ignoredDocument, unusedFields } from './strict-decoding.ts';
import { upgradeConfiguration } from './upgrade-configuration-schema.ts';
import { validateInitConfiguration } from './validate-configuration.ts';

/** What `init` was asked to do, before anything of the host is looked at. */
export interface ReadInitConfiguration {
  readonly init: InitConfiguration;
  readonly cluster: ClusterConfiguration;
  /** The user's component configuration documents, without defaults. */
  readonly componentConfigs: ComponentConfigurations;
  readonly run: RunOptions;
  readonly warnings: readonly Finding[];
}

export interface ReadInitOptions {
  readonly flags?: FlagValues;
  /** Whether unknown and repeated fields are errors. @default false */
  readonly strict?: boolean;
  /** Whether documents that are not used are worth a warning. @default true */
  readonly warnIgnored?: boolean;
  /** Whether the list of ignored preflight checks must make sense, which only runs of `init` look at. @default true */
  readonly checkIgnored?: boolean;
}

/**
 * Decodes, defaults, normalizes and validates the documents of `init`.
 *
 * @param documents of the file; undefined if there is none and flags alone decide
 * @throws GroundplaneError CONFIG_DOCUMENT_MISSING; CONFIG_INVALID with all problems as findings
 */
export function readInitDocuments(
  documents: Documents | undefined,
  { flags = {}, strict = false, warnIgnored = true, checkIgnored = true }: ReadInitOptions = {},
): ReadInitConfiguration {
  if (documents !== undefined) requireOwnKind(documents);
  const fromFlags = documentsOfFlags(flags);
  const findings: Finding[] = fromFlags.problems.map(problemFinding);
  const read: Read = (kind, schema, byFlags) => {
    const document = documents?.get(kind);
    const decoded: Decoded<unknown> = decodeDocument(
      document?.apiVersion === experimentalApiVersion ? (schema.experimental ?? schema.current) : schema.current,
      documents === undefined ? byFlags : document?.value,
    );
    findings.push(...decoded.problems.map(problemFinding));
    if (document !== undefined) findings.push(...unusedFields(document, decoded.unknownFields, strict));
    return decoded.value as never;
  };
  const init = read('InitConfiguration', schemas.init, fromFlags.init);
  const cluster = read('ClusterConfiguration', schemas.cluster, fromFlags.cluster);
  const componentConfigs = readComponents(documents ?? new Map(), read);
  if (warnIgnored) {
    for (const document of documents?.values() ?? []) {
      if (document.usedBy === undefined) findings.push(...unknownFieldsOfOthers(document), ignoredDocument(document));
    }
  }

  const nodeName = documents === undefined ? undefined : flags['node-name'];
  const normal = normalizeInitDocuments({ init, cluster }, typeof nodeName === 'string' ? nodeName : '');
  const refused = new Set(errorsOf(findings).map(({ artifact }) => withoutPositions(artifact)));
  // A value of the wrong type counts as unset, which rules would take for what the user wrote.
  const judged = validateInitConfiguration(normal).filter(({ artifact }) => !refused.has(withoutPositions(artifact)));
  findings.push(...normal.findings, ...judged);
  const run = runOptions(fromFlags.run, normal.init);
  if (checkIgnored) findings.push(...contradictingChecks(run.ignorePreflightErrors));
  const errors = errorsOf(findings);
  if (errors.length > 0) throw invalidConfiguration('the configuration', errors);
  return { init: normal.init, cluster: normal.cluster, componentConfigs, run, warnings: findings };
}

/** The field tables of a kind in the API versions that differ. */
interface Schemas<T> {
  readonly current: Field<T>;
  readonly experimental?: Field<T>;
}

const schemas = {
  init: { current: initConfiguration, experimental: initConfigurationV1 },
  cluster: { current: clusterConfiguration, experimental: clusterConfigurationV1 },
  kubelet: { current: kubeletConfigurationSchema },
  kubeProxy: { current: kubeProxyConfigurationSchema },
} as const;

/** Kinds of other commands. Their documents may be in the same file. */
const otherKinds: Readonly<Record<DocumentKind, Field<unknown>>> = {
  JoinConfiguration: joinConfiguration,
  ResetConfiguration: resetConfiguration,
  UpgradeConfiguration: upgradeConfiguration,
};

function unknownFieldsOfOthers(document: ConfigurationDocument): readonly Finding[] {
  const schema = document.apiVersion === kubeadmApiVersion ? otherKinds[document.kind] : undefined;
  return schema === undefined ? [] : unusedFields(document, decodeDocument(schema, document.value).unknownFields);
}

type Read = <T>(kind: DocumentKind, schema: Schemas<T>, byFlags?: unknown) => T;

function requireOwnKind(documents: Documents): void {
  if (documents.has('InitConfiguration') || documents.has('ClusterConfiguration')) return;
  const found = [...documents.values()].map((document) => document.kind);
  throw configError(
    'CONFIG_DOCUMENT_MISSING',
    `no InitConfiguration or ClusterConfiguration kind was found in the configuration file: ${found.length === 0 ? 'it is empty' : found.join(', ')}`,
    { hint: 'Give a document of kind InitConfiguration or ClusterConfiguration, apiVersion kubeadm.k8s.io/v1beta4' },
  );
}

function readComponents(documents: Documents, read: Read): ComponentConfigurations {
  return {
    ...(documents.has('KubeletConfiguration') && { kubelet: read('KubeletConfiguration', schemas.kubelet) }),
    ...(documents.has('KubeProxyConfiguration') && { kubeProxy: read('KubeProxyConfiguration', schemas.kubeProxy) }),
  };
}

function runOptions(flags: Readonly<Record<string, unknown>>, init: InitConfiguration): RunOptions {
  const names = (value: unknown): readonly string[] => (Array.isArray(value) ? value : []);
  const ignored = new Set(
    [...init.nodeRegistration.ignorePreflightErrors, ...names(flags.ignorePreflightErrors)].map((name) =>
      name.toLowerCase(),
    ),
  );
  const directory = (flags.patchesDirectory as string | undefined) || init.patches?.directory;
  const skipped = names(flags.skipPhases);
  return {
    dryRun: (flags.dryRun as boolean | undefined) ?? init.dryRun,
    ignorePreflightErrors: [...ignored].toSorted(),
    skipPhases: skipped.length > 0 ? skipped : init.skipPhases,
    uploadCerts: flags.uploadCerts === true,
    skipTokenPrint: flags.skipTokenPrint === true,
    skipCertificateKeyPrint: flags.skipCertificateKeyPrint === true,
    printManifest: flags.printManifest === true,
    ...(directory ? { patchesDirectory: directory } : {}),
    kubeconfig: (flags.kubeconfig as string | undefined) || '/etc/kubernetes/admin.conf',
    kubeconfigDir: (flags.kubeconfigDir as string | undefined) || '/etc/kubernetes',
  };
}

function contradictingChecks(names: readonly string[]): readonly Finding[] {
  if (!names.includes('all') || names.length === 1) return [];
  const reason = "individual checks must not be named if 'all' is used";
  return [problemFinding({ path: 'ignore-preflight-errors', reason, value: names.join(',') })];
}

/** A field path with its list positions left out. */
function withoutPositions(path: string): string {
  return path.replaceAll(/\[\d+\]|\.\d+(?=\.|$)/g, '');
}
