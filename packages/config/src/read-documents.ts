import { isGroundplaneError, messageOf } from '@groundplane/errors';
import { type ParsedDocument, parseDocuments } from '@groundplane/manifest';
import { configError } from './error-codes.ts';

/** The kind of a document; others than the known ones occur, too. */
export type DocumentKind = string;

/** A document of a configuration file and what becomes of it. */
export interface ConfigurationDocument {
  readonly apiVersion: string;
  readonly kind: DocumentKind;
  readonly value: unknown;
  readonly duplicateKeys: ParsedDocument['duplicateKeys'];
  /** Absent if this command does not use it. */
  readonly usedBy?: 'init' | 'component';
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
export const kubeletApiVersion = 'kubelet.config.k8s.io/v1beta1';
export const kubeProxyApiVersion = 'kubeproxy.config.k8s.io/v1alpha1';

/** Component groups: the version and the kind that are understood. */
const components: Readonly<Record<string, { readonly apiVersion: string; readonly kind: string }>> = {
  'kubelet.config.k8s.io': { apiVersion: kubeletApiVersion, kind: 'KubeletConfiguration' },
  'kubeproxy.config.k8s.io': { apiVersion: kubeProxyApiVersion, kind: 'KubeProxyConfiguration' },
};

const initKinds: ReadonlySet<string> = new Set(['InitConfiguration', 'ClusterConfiguration']);

/**
 * Splits a configuration file into documents by kind (kubeadm, util/marshal.go, SplitConfigDocuments).
 *
 * @throws CONFIG_UNREADABLE, CONFIG_API_VERSION_UNSUPPORTED
 */
export function readDocuments(text: string): ReadonlyMap<DocumentKind, ConfigurationDocument> {
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
  for (const document of documents.values()) requireSupported(document);
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

function classify(parsed: ParsedDocument): ConfigurationDocument {
  const { apiVersion = '', kind = '', number, line, duplicateKeys, value } = parsed;
  const parts = apiVersion.split('/');
  const [group = '', version = ''] = parts.length > 1 ? parts : ['', apiVersion];
  if (group === '' || version === '' || kind === '') {
    throw configError(
      'CONFIG_UNREADABLE',
      `Cannot read document ${number} (line ${line}) as kind and apiVersion with a group is mandatory information that must be specified: apiVersion ${JSON.stringify(apiVersion)}, kind ${JSON.stringify(kind)}`,
      { hint: `Write for instance apiVersion: ${kubeadmApiVersion} and kind: ClusterConfiguration` },
    );
  }
  const usedBy = initKinds.has(kind) ? 'init' : components[group] !== undefined ? 'component' : undefined;
  return { apiVersion, kind, value, duplicateKeys, ...(usedBy !== undefined && { usedBy }) };
}

function requireSupported({ apiVersion, kind, usedBy }: ConfigurationDocument): void {
  const refuse = (reason: string, hint: string) =>
    configError('CONFIG_API_VERSION_UNSUPPORTED', `Cannot use ${kind} as ${reason}: ${apiVersion}`, { hint });
  const lastRelease = removedVersions[apiVersion];
  if (lastRelease !== undefined) {
    throw refuse(
      `its API version is no longer supported (the last kubeadm to read it is ${lastRelease})`,
      `Use kubeadm ${lastRelease} and run 'kubeadm config migrate --old-config FILE --new-config FILE'`,
    );
  }
  if (apiVersion === 'kubeadm.k8s.io/v1') {
    throw refuse('its experimental API version is not allowed', `Use ${kubeadmApiVersion}`);
  }
  const expected = usedBy === 'init' ? kubeadmApiVersion : components[apiVersion.split('/')[0] ?? '']?.apiVersion;
  if (usedBy !== undefined && apiVersion !== expected) {
    throw refuse('its API version is not known', `Convert the document to ${expected}`);
  }
  const expectedKind = components[apiVersion.split('/')[0] ?? '']?.kind;
  if (usedBy === 'component' && kind !== expectedKind) {
    throw refuse('this group has no such configuration kind', `Use the kind ${expectedKind}`);
  }
}
