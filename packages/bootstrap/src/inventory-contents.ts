import { messageOf } from '@groundplane/errors';
import { currentContextOf, parseKubeconfig } from '@groundplane/kubeconfig';
import type { Host } from '@groundplane/phases';
import {
  type CertificateDescription,
  type ChainLink,
  certificateChain,
  describeCertificate,
  splitCertificates,
} from '@groundplane/pki';
import type { InventoryRow } from './certificate-inventory-rows.ts';
import { silently } from './node-facts.ts';
import { readText } from './read-text.ts';

/**
 * `present` it is there · `missing` the file is not there · `unreadable` it cannot be read, or holds no certificate ·
 * `without-certificate` a kubeconfig whose user has other credentials.
 */
export type InventoryState = 'present' | 'missing' | 'unreadable' | 'without-certificate';

/** A certificate beside the chain: another one in the file of a CA, or the CA in a kubeconfig. */
export interface FurtherCertificate {
  readonly in: 'file' | 'certificate-authority-data';
  readonly certificate: CertificateDescription;
}

/** What was found at one place. */
export interface LookedAt {
  readonly state: 'present' | 'missing' | 'unreadable';
  readonly reason?: string;
  /** Secret for kubeconfigs and for files that hold a key as well. */
  readonly text?: string;
  readonly key?: 'present' | 'missing';
  /** Secret. */
  readonly keyText?: string | undefined;
}

/** Looks at one place and at the key that belongs to it. */
export async function lookAt(host: Host, { path, keyPath }: InventoryRow): Promise<LookedAt> {
  const { files } = host;
  // Like os.Stat, an obstacle says that there is something.
  const has = async (place: string) =>
    files.status(place).then(
      (status) => status !== undefined,
      () => true,
    );
  const keyText = keyPath === undefined ? undefined : await silently(() => readText(host, keyPath));
  const key =
    keyPath === undefined ? {} : { key: (await has(keyPath)) ? ('present' as const) : ('missing' as const), keyText };
  try {
    const status = await files.status(path);
    if (status === undefined || status.kind === 'directory')
      return { state: 'missing', reason: 'the file is not there', ...key };
    const text = await readText(host, path);
    return text === undefined
      ? { state: 'missing', reason: 'the file is not there', ...key }
      : { state: 'present', text, ...key };
  } catch (thrown) {
    return { state: 'unreadable', reason: messageOf(thrown), ...key };
  }
}

/** What is in it. */
export interface Content {
  readonly state: InventoryState;
  readonly reason?: string;
  readonly chain: readonly ChainLink[];
  readonly further: readonly FurtherCertificate[];
  /** PEM of the certificate. */
  readonly text?: string;
  /** PEM of its key. Secret. */
  readonly key?: string | undefined;
  /** PEM of the CA in a kubeconfig. */
  readonly trusted?: string | undefined;
}

/**
 * Reads the certificates at one place.
 *
 * @param options.authorities PEM of each CA by the name of its entry; `files`: contents by path of what kubeconfigs may refer to
 */
export async function contentOf(
  row: InventoryRow,
  file: LookedAt,
  {
    authorities,
    files,
  }: { readonly authorities: ReadonlyMap<string, string>; readonly files: Readonly<Record<string, string>> },
): Promise<Content> {
  const nothing = { chain: [], further: [] };
  if (file.text === undefined)
    return { ...nothing, state: file.state, ...(file.reason === undefined ? {} : { reason: file.reason }) };
  try {
    if (row.kind === 'kubeconfig') {
      const current = currentContextOf(parseKubeconfig(file.text), files);
      const { clientCertificate: text, clientKey: key, certificateAuthority: trusted } = current;
      const further = await furtherOf(trusted, 'certificate-authority-data');
      if (text === undefined) {
        const elsewhere = current.files.filter((path) => files[path] === undefined);
        const reason =
          elsewhere.length === 0
            ? 'its user has no client certificate'
            : `its client certificate is in a file of its own: ${elsewhere.join(', ')}`;
        return { chain: [], further, state: 'without-certificate', reason, trusted };
      }
      const chain = await certificateChain({ certificate: text, anchors: authorities.get(row.authority ?? '') });
      return { state: 'present', chain, further, text, key, trusted };
    }
    const isAuthority = row.kind === 'authority';
    const anchors = isAuthority ? undefined : authorities.get(row.authority ?? '');
    const chain = await certificateChain({ certificate: file.text, anchors });
    const [, ...others] = splitCertificates(file.text);
    const shown = new Set(chain.map(({ fingerprint }) => fingerprint));
    const further = (await furtherOf(others.join(''), 'file')).filter(
      ({ certificate }) => !shown.has(certificate.fingerprint),
    );
    const key = file.keyText ?? (row.kind === 'kubelet' && /PRIVATE KEY-----/.test(file.text) ? file.text : undefined);
    return { state: 'present', chain, further, text: file.text, key };
  } catch (thrown) {
    return { ...nothing, state: 'unreadable', reason: messageOf(thrown) };
  }
}

async function furtherOf(
  pem: string | undefined,
  place: FurtherCertificate['in'],
): Promise<readonly FurtherCertificate[]> {
  const described = await Promise.all(
    splitCertificates(pem ?? '').map((one) => describeCertificate(one).catch(() => undefined)),
  );
  return described.flatMap((certificate) => (certificate === undefined ? [] : [{ in: place, certificate }]));
}
