import { errorsOf, type Finding } from '@groundplane/errors';
import { documentsOfFlags, type RunOptions } from './apply-flags.ts';
import { clusterConfiguration } from './cluster-configuration-schema.ts';
import type { ClusterConfiguration, ComponentConfigurations, InitConfiguration } from './configuration-types.ts';
import { type Decoded, decodeDocument } from './decode-document.ts';
import { configError } from './error-codes.ts';
import { invalidConfiguration, problemFinding } from './findings.ts';
import type { FlagValues } from './flag.ts';
import { mixedFlags } from './flag-table.ts';
import { initConfiguration } from './init-configuration-schema.ts';
import { kubeProxyConfigurationSchema } from './kube-proxy-configuration-schema.ts';
import { kubeletConfigurationSchema } from './kubelet-configuration-schema.ts';
import { normalizeInitDocuments } from './normalize-configuration.ts';
import { type ConfigurationDocument, type DocumentKind, readDocuments } from './read-documents.ts';
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

export interface ReadOptions {
  /** Flags given on the command line, without those that were not given. */
  readonly flags?: FlagValues;
}

/**
 * Reads the configuration of `init`: documents of a file, or flags, or both where `--config` allows it. Defaults are
 * filled in, values are brought into their normal form and held to kubeadm's rules.
 *
 * @param text the file's content, YAML or JSON; undefined if there is no file and flags alone decide
 * @throws GroundplaneError of kind usage: CONFIG_UNREADABLE, CONFIG_DOCUMENT_MISSING, CONFIG_API_VERSION_UNSUPPORTED,
 *   CONFIG_MIXED_ARGUMENTS; CONFIG_INVALID with all problems as findings, whose artifacts are field paths
 */
export function readInitConfiguration(text: string | undefined, options: ReadOptions = {}): ReadInitConfiguration {
  const flags = options.flags ?? {};
  refuseMixedFlags(flags, text);
  const documents = text === undefined ? new Map<DocumentKind, ConfigurationDocument>() : readDocuments(text);
  if (text !== undefined) requireOwnKind(documents);
  const fromFlags = documentsOfFlags(flags);
  const findings: Finding[] = fromFlags.problems.map(problemFinding);

  const read = <T>(kind: DocumentKind, decode: (value: unknown) => Decoded<T>, byFlags: unknown): T => {
    const document = documents.get(kind);
    const decoded = decode(text === undefined ? byFlags : document?.value);
    findings.push(...decoded.problems.map(problemFinding));
    if (document !== undefined) findings.push(...ignoredFields(document, decoded.unknownFields));
    return decoded.value;
  };
  const init = read('InitConfiguration', (value) => decodeDocument(initConfiguration, value), fromFlags.init);
  const cluster = read(
    'ClusterConfiguration',
    (value) => decodeDocument(clusterConfiguration, value),
    fromFlags.cluster,
  );
  const componentConfigs = readComponents(documents, read);
  for (const document of documents.values()) findings.push(...ignoredDocument(document));

  const nodeName = text === undefined ? undefined : flags['node-name'];
  const normal = normalizeInitDocuments({ init, cluster }, typeof nodeName === 'string' ? nodeName : '');
  findings.push(...normal.findings, ...validateInitConfiguration(normal));
  const run = runOptions(fromFlags.run, normal.init, findings);
  const errors = errorsOf(findings);
  if (errors.length > 0) throw invalidConfiguration('the configuration', errors);
  return { init: normal.init, cluster: normal.cluster, componentConfigs, run, warnings: findings };
}

function refuseMixedFlags(flags: FlagValues, text: string | undefined): void {
  const given = Object.keys(flags).filter((name) => flags[name] !== undefined);
  const mixed = mixedFlags(text === undefined ? given : [...given, 'config']);
  if (mixed.length === 0) return;
  throw configError('CONFIG_MIXED_ARGUMENTS', `can not mix '--config' with arguments [${mixed.join(' ')}]`, {
    hint: 'Put these settings into the configuration file, or leave --config out',
    details: { flags: mixed },
  });
}

function requireOwnKind(documents: ReadonlyMap<DocumentKind, ConfigurationDocument>): void {
  if (documents.has('InitConfiguration') || documents.has('ClusterConfiguration')) return;
  const found = [...documents.values()].map((document) => document.kind);
  throw configError(
    'CONFIG_DOCUMENT_MISSING',
    `no InitConfiguration or ClusterConfiguration kind was found in the configuration file: ${found.length === 0 ? 'it is empty' : found.join(', ')}`,
    { hint: 'Give a document of kind InitConfiguration or ClusterConfiguration, apiVersion kubeadm.k8s.io/v1beta4' },
  );
}

function readComponents(
  documents: ReadonlyMap<DocumentKind, ConfigurationDocument>,
  read: <T>(kind: DocumentKind, decode: (value: unknown) => Decoded<T>, byFlags: unknown) => T,
): ComponentConfigurations {
  return {
    ...(documents.has('KubeletConfiguration') && {
      kubelet: read('KubeletConfiguration', (value) => decodeDocument(kubeletConfigurationSchema, value), undefined),
    }),
    ...(documents.has('KubeProxyConfiguration') && {
      kubeProxy: read(
        'KubeProxyConfiguration',
        (value) => decodeDocument(kubeProxyConfigurationSchema, value),
        undefined,
      ),
    }),
  };
}

/** One warning for each document, as kubeadm prints one. */
function ignoredFields(document: ConfigurationDocument, unknownFields: readonly string[]): readonly Finding[] {
  const faults = [
    ...document.duplicateKeys.map(
      ({ path, line }) => `line ${line}: key "${path}" already set in map, the last value counts`,
    ),
    ...unknownFields.map((path) => `unknown field "${path}"`),
  ];
  if (faults.length === 0) return [];
  const artifact = `${document.apiVersion}, Kind=${document.kind}`;
  const message = `Some fields of ${artifact} are not used as strict decoding fails: ${faults.join(', ')}`;
  return [{ code: 'CONFIG_FIELD_UNKNOWN', severity: 'warning', artifact, message }];
}

function ignoredDocument({ apiVersion, kind, usedBy }: ConfigurationDocument): readonly Finding[] {
  if (usedBy !== undefined) return [];
  const artifact = `${apiVersion}, Kind=${kind}`;
  return [
    {
      code: 'CONFIG_DOCUMENT_IGNORED',
      severity: 'warning',
      artifact,
      message: `Ignored a configuration document that this command does not use: ${artifact}`,
    },
  ];
}

function runOptions(
  flags: Readonly<Record<string, unknown>>,
  init: InitConfiguration,
  findings: Finding[],
): RunOptions {
  const names = (value: unknown): readonly string[] => (Array.isArray(value) ? value : []);
  const ignored = new Set(
    [...init.nodeRegistration.ignorePreflightErrors, ...names(flags.ignorePreflightErrors)].map((name) =>
      name.toLowerCase(),
    ),
  );
  if (ignored.has('all') && ignored.size > 1) {
    const reason = "individual checks must not be named if 'all' is used";
    findings.push(
      problemFinding({ path: 'ignore-preflight-errors', reason, value: [...ignored].toSorted().join(',') }),
    );
  }
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
