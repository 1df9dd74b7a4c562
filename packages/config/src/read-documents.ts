import { isGroundplaneError, messageOf } from '@groundplane/errors';
import { type ParsedDocument, parseDocuments } from '@groundplane/manifest';
import { configError } from './error-codes.ts';
import { problemFinding } from './findings.ts';

/** The kind of a document; others than the known ones occur, too. */
export type DocumentKind = string;

/** A document of a configuration file and what becomes of it. */
export interface ConfigurationDocument {
  readonly apiVersion: string;
  readonly kind: DocumentKind;
  readonly value: unknown;
  readonly duplicateKeys: ParsedDocument['duplicateKeys'];
  /** Absent if `init` does not use it. `groundplane`: our own, which all commands use. */
  readonly usedBy?: 'init' | 'component' | 'groundplane';
}

/** Which kubeadm release can still read an API version that is gone (kubeadm, util/config/common.go). */
const removedVersions: Readonly<Record<string, string>> = {
  'kubeadm.k8s.io/v1alpha1': 'v1.11',
  'kubeadm.k8s.io/v1alpha2': 'v1.12',
  'kubeadm.k8s.io/v1alpha3': 'v1.14',
  'kubeadm.k8s.io/v1beta1': 'v1.15',
  'kubeadm.k8s.io/v1beta2': 'v1.22',
  'kubeadm.k8s.io/v1beta3': 'v1.36',
};

const kubeadmGroup = 'kubeadm.k8s.io';
export const kubeadmApiVersion = `${kubeadmGroup}/v1beta4`;
/** Not released yet: read only where that is asked for, never written. */
export const experimentalApiVersion = `${kubeadmGroup}/v1`;
/** What older kubeadm releases wrote; only `config migrate` reads it. */
export const oldApiVersion = `${kubeadmGroup}/v1beta3`;
export const kubeletApiVersion = 'kubelet.config.k8s.io/v1beta1';
export const kubeProxyApiVersion = 'kubeproxy.config.k8s.io/v1alpha1';
const groundplaneGroup = 'groundplane.dev';
export const groundplaneApiVersion = `${groundplaneGroup}/v1alpha1`;
export const groundplaneKind = 'GroundplaneConfiguration';

/** Component groups: the version and the kind that are understood. */
const components: Readonly<Record<string, { readonly apiVersion: string; readonly kind: string }>> = {
  'kubelet.config.k8s.io': { apiVersion: kubeletApiVersion, kind: 'KubeletConfiguration' },
  'kubeproxy.config.k8s.io': { apiVersion: kubeProxyApiVersion, kind: 'KubeProxyConfiguration' },
};

const kubeadmKinds: ReadonlySet<string> = new Set([
  'InitConfiguration',
  'ClusterConfiguration',
  'JoinConfiguration',
  'ResetConfiguration',
  'UpgradeConfiguration',
]);
const initKinds: ReadonlySet<string> = new Set(['InitConfiguration', 'ClusterConfiguration']);

/** The documents of a file by kind, in file order. */
export type Documents = ReadonlyMap<DocumentKind, ConfigurationDocument>;

export interface SupportOptions {
  /** Whether kubeadm.k8s.io/v1 may be read. @default false */
  readonly allowExperimentalApi?: boolean;
}

/**
 * Splits a configuration file into documents by kind (kubeadm, util/marshal.go, SplitConfigDocuments) and holds them
 * to the API versions that `init` reads.
 *
 * @throws CONFIG_UNREADABLE, CONFIG_API_VERSION_UNSUPPORTED
 */
export function readDocuments(text: string): Documents {
  const documents = splitConfiguration(text);
  for (const document of documents.values()) requireSupported(document);
  return documents;
}

/**
 * Splits a configuration file into documents by kind, whatever their API versions are.
 *
 * @throws CONFIG_UNREADABLE
 */
export function splitConfiguration(text: string): Documents {
  const documents = new Map<DocumentKind, ConfigurationDocument>();
  const twice: string[] = [];
  for (const parsed of parse(text)) {
    const document = classify(parsed);
    if (documents.has(document.kind)) twice.push(document.kind);
    else documents.set(document.kind, document);
  }
  if (twice.length > 0) {
    throw configError(
      'CONFIG_UNREADABLE',
      `Cannot use the configuration file as a kind is specified twice: ${[...new Set(twice)].join(', ')}`,
      { hint: 'Merge the documents of one kind into one' },
    );
  }
  return documents;
}

function parse(text: string): readonly ParsedDocument[] {
  if (text === '') return [];
  try {
    return parseDocuments(text);
  } catch (thrown) {
    const hint = isGroundplaneError(thrown) ? thrown.hint : undefined;
    throw configError('CONFIG_UNREADABLE', messageOf(thrown), { cause: thrown, ...(hint !== undefined && { hint }) });
  }
}

function classify({ value, number, line, duplicateKeys }: ParsedDocument): ConfigurationDocument {
  const place = `document ${number} (line ${line})`;
  const apiVersion = typeField(value, 'apiVersion', place);
  const kind = typeField(value, 'kind', place);
  const parts = apiVersion.split('/');
  const [group = '', version = ''] = parts.length > 1 ? parts : ['', apiVersion];
  if (group === '' || version === '' || parts.length > 2 || kind === '') {
    throw configError(
      'CONFIG_UNREADABLE',
      `Cannot read ${place} as kind and apiVersion with a group is mandatory information that must be specified: apiVersion ${JSON.stringify(apiVersion)}, kind ${JSON.stringify(kind)}`,
      { hint: `Write for instance apiVersion: ${kubeadmApiVersion} and kind: ClusterConfiguration` },
    );
  }
  const usedBy = usedByOf(group, kind);
  return { apiVersion, kind, value, duplicateKeys, ...(usedBy !== undefined && { usedBy }) };
}

function usedByOf(group: string, kind: string): ConfigurationDocument['usedBy'] {
  if (group === groundplaneGroup) return 'groundplane';
  if (initKinds.has(kind)) return 'init';
  return components[group] === undefined ? undefined : 'component';
}

/**
 * One of the two fields that say what a document is. Go finds them in any letter case, and of several spellings the one
 * that sorts last counts; strict decoding names the others later.
 */
function typeField(value: unknown, field: 'apiVersion' | 'kind', place: string): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return '';
  const spellings = Object.keys(value).filter((key) => key.toLowerCase() === field.toLowerCase());
  const given = spellings
    .toSorted()
    .map((key) => (value as Readonly<Record<string, unknown>>)[key])
    .filter((member) => member !== null);
  // A bare number or word such as `yes` counts as text here, by its value.
  const wrong = given.find((member) => typeof member === 'object');
  if (wrong === undefined) return String(given.at(-1) ?? '');
  const problem = problemFinding({ path: field, reason: `it must be of type string in ${place}`, value: wrong });
  throw configError('CONFIG_UNREADABLE', problem.message, { findings: [{ ...problem, code: 'CONFIG_UNREADABLE' }] });
}

/** Whether kubeadm knows the API version and kind of a document; those that it knew once count (validateKnownGVKs). */
export function isKnown({ apiVersion, kind }: ConfigurationDocument): boolean {
  if (removedVersions[apiVersion] !== undefined) return true;
  if (apiVersion === kubeadmApiVersion || apiVersion === experimentalApiVersion) return kubeadmKinds.has(kind);
  if (apiVersion === groundplaneApiVersion) return kind === groundplaneKind;
  return Object.values(components).some((known) => known.apiVersion === apiVersion && known.kind === kind);
}

/**
 * Refuses a document whose API version cannot be read (kubeadm, validateSupportedVersion).
 *
 * @param options.own whether the caller reads this kind; what `init` uses always counts
 * @throws CONFIG_API_VERSION_UNSUPPORTED
 */
export function requireSupported(
  { apiVersion, kind, usedBy }: ConfigurationDocument,
  { allowExperimentalApi = false, own = false }: SupportOptions & { readonly own?: boolean } = {},
): void {
  const refuse = (reason: string, hint: string) =>
    configError('CONFIG_API_VERSION_UNSUPPORTED', `Cannot use ${kind} as ${reason}: ${apiVersion}`, { hint });
  const lastRelease = removedVersions[apiVersion];
  if (lastRelease !== undefined) {
    throw refuse(
      `its API version is no longer supported (the last kubeadm to read it is ${lastRelease})`,
      apiVersion === oldApiVersion
        ? `Run 'groundplane config migrate --old-config FILE --new-config FILE', which converts it`
        : `Use kubeadm ${lastRelease} and run 'kubeadm config migrate --old-config FILE --new-config FILE'`,
    );
  }
  if (apiVersion === experimentalApiVersion && !allowExperimentalApi) {
    throw refuse(
      'its experimental API version is not allowed',
      `Use ${kubeadmApiVersion}, or --allow-experimental-api where the command has it`,
    );
  }
  if (usedBy === 'groundplane') {
    if (apiVersion !== groundplaneApiVersion)
      throw refuse('its API version is not known', `Convert the document to ${groundplaneApiVersion}`);
    if (kind !== groundplaneKind)
      throw refuse('this group has no such configuration kind', `Use the kind ${groundplaneKind}`);
    return;
  }
  const component = components[apiVersion.split('/')[0] ?? ''];
  const isKubeadmKind = usedBy === 'init' || own;
  const expected = isKubeadmKind ? kubeadmApiVersion : component?.apiVersion;
  const isExperimental = isKubeadmKind && apiVersion === experimentalApiVersion;
  if ((usedBy !== undefined || own) && apiVersion !== expected && !isExperimental) {
    throw refuse('its API version is not known', `Convert the document to ${expected}`);
  }
  if (usedBy === 'component' && kind !== component?.kind) {
    throw refuse('this group has no such configuration kind', `Use the kind ${component?.kind}`);
  }
}
