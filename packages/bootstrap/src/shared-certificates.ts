import { isGroundplaneError } from '@groundplane/errors';
import type { Artifact } from '@groundplane/phases';
import { decodeBase64, decryptSharedFile, encodeBase64, encryptSharedFile } from '@groundplane/pki';
import { certificateArtifactsOf, serviceAccountKey, serviceAccountPublicKey } from './artifacts.ts';
import { externalEtcdFiles } from './discovery-artifacts.ts';
import type { InitContext } from './init-context.ts';

interface SharedFileRow {
  /** Key in the Secret kubeadm-certs: the path below the PKI folder with `-` for `/`. */
  readonly key: string;
  readonly artifact: Artifact<string>;
  /** Absent: shared with either. */
  readonly etcd?: 'local' | 'external';
}

const ca = certificateArtifactsOf('ca');
const frontProxy = certificateArtifactsOf('front-proxy-ca');
const etcd = certificateArtifactsOf('etcd-ca');

/** What control-plane nodes have in common (kubeadm: phases/copycerts/copycerts.go). */
const sharedFiles: readonly SharedFileRow[] = [
  { key: 'ca.crt', artifact: ca.certificate },
  { key: 'ca.key', artifact: ca.key },
  { key: 'front-proxy-ca.crt', artifact: frontProxy.certificate },
  { key: 'front-proxy-ca.key', artifact: frontProxy.key },
  { key: 'sa.pub', artifact: serviceAccountPublicKey },
  { key: 'sa.key', artifact: serviceAccountKey },
  { key: 'etcd-ca.crt', artifact: etcd.certificate, etcd: 'local' },
  { key: 'etcd-ca.key', artifact: etcd.key, etcd: 'local' },
  { key: 'external-etcd-ca.crt', artifact: externalEtcdFiles.caFile, etcd: 'external' },
  { key: 'external-etcd.crt', artifact: externalEtcdFiles.certFile, etcd: 'external' },
  { key: 'external-etcd.key', artifact: externalEtcdFiles.keyFile, etcd: 'external' },
];

/** Key in the Secret → the file, of all that may be shared. */
export const sharedArtifacts: Readonly<Record<string, Artifact<string>>> = Object.fromEntries(
  sharedFiles.map(({ key, artifact }) => [key, artifact]),
);

/** Keys of the Secret for this configuration. */
export function sharedKeys({ cluster }: InitContext): readonly string[] {
  const kind = cluster.etcd.external === undefined ? 'local' : 'external';
  return sharedFiles.filter((row) => row.etcd === undefined || row.etcd === kind).map(({ key }) => key);
}

/** Key in the Secret → bytes of the file; undefined for one that is not there. */
export type SharedContents = Readonly<Record<string, Uint8Array<ArrayBuffer> | undefined>>;

/**
 * The data of the Secret kubeadm-certs: each file encrypted by itself, an empty value for one that is not there.
 *
 * @param certificateKey 64 hexadecimal digits
 * @throws PKI_CERTIFICATE_KEY_INVALID
 */
export async function encryptedData(
  contents: SharedContents,
  certificateKey: string,
): Promise<Readonly<Record<string, string>>> {
  const entries = Object.entries(contents).map(async ([key, bytes]) => {
    const value = bytes === undefined ? '' : encodeBase64(await encryptSharedFile(bytes, certificateKey));
    return [key, value] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

/** True if the data decrypt to exactly these files. */
export async function holdsContents(
  data: Readonly<Record<string, string>>,
  contents: SharedContents,
  certificateKey: string,
): Promise<boolean> {
  const keys = new Set([...Object.keys(data), ...Object.keys(contents)]);
  const verdicts = [...keys].map(async (key) => {
    const value = data[key];
    if (!(key in contents) || value === undefined) return false;
    const plain = value === '' ? undefined : await decrypted(value, certificateKey);
    return sameBytes(plain, contents[key]);
  });
  return (await Promise.all(verdicts)).every(Boolean);
}

/** True if the key is the one that at least one of the values was encrypted with. */
export async function opens(data: Readonly<Record<string, string>>, certificateKey: string): Promise<boolean> {
  const value = Object.values(data).find((text) => text !== '');
  return value !== undefined && (await decrypted(value, certificateKey)) !== undefined;
}

async function decrypted(value: string, certificateKey: string): Promise<Uint8Array | undefined> {
  const bytes = decodeBase64(value);
  if (bytes === undefined) return undefined;
  try {
    return await decryptSharedFile(bytes, certificateKey);
  } catch (error) {
    if (isGroundplaneError(error)) return undefined;
    throw error;
  }
}

function sameBytes(one: Uint8Array | undefined, other: Uint8Array | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return one.length === other.length && one.every((byte, index) => byte === other[index]);
}
