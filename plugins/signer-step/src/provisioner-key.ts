import { type CryptoKey, compactDecrypt, importJWK, type JWK } from 'jose';

export interface ProvisionerKey {
  readonly id: string;
  readonly algorithm: string;
  readonly key: CryptoKey | Uint8Array;
}

/** As `step` makes them; its newest versions derive with 600,000 rounds (OWASP's advice for PBKDF2 with SHA-256). */
const wrapping = { keyManagementAlgorithms: ['PBES2-HS256+A128KW'], maxPBES2Count: 10_000_000 };

interface Provisioner {
  readonly type?: unknown;
  readonly name?: unknown;
  readonly key?: { readonly kid?: unknown; readonly alg?: unknown };
  readonly encryptedKey?: unknown;
}

/** The provisioner of a name, and its key. */
export interface FoundProvisioner {
  readonly id: string;
  readonly algorithm: string;
  /** Compact JWE. */
  readonly encryptedKey: string;
}

/**
 * Finds a provisioner in a page of `/provisioners`.
 *
 * @returns undefined if it is not on this page
 * @throws Error if it is of another type
 */
export function findProvisioner(page: unknown, name: string): FoundProvisioner | undefined {
  const { provisioners } = (page ?? {}) as { readonly provisioners?: unknown };
  const all = (Array.isArray(provisioners) ? provisioners : []) as readonly Provisioner[];
  const named = all.filter((one) => one.name === name);
  const found = named.find(({ type }) => type === 'JWK');
  if (found === undefined) {
    if (named.length === 0) return undefined;
    throw new Error(`the provisioner '${name}' is not of type JWK: ${String(named[0]?.type)}`);
  }
  const { key, encryptedKey } = found;
  if (typeof encryptedKey !== 'string' || encryptedKey === '')
    throw new Error(`the provisioner '${name}' keeps no encrypted key at the authority`);
  return { id: String(key?.kid), algorithm: typeof key?.alg === 'string' ? key.alg : 'ES256', encryptedKey };
}

/** @throws Error if the password does not open the key */
export async function openKey(
  { id, algorithm, encryptedKey }: FoundProvisioner,
  password: Uint8Array,
): Promise<ProvisionerKey> {
  let plain: Uint8Array;
  try {
    ({ plaintext: plain } = await compactDecrypt(encryptedKey, password, wrapping));
  } catch (cause) {
    throw new Error('the password does not open the key of the provisioner', { cause });
  }
  const key = await importJWK(JSON.parse(new TextDecoder().decode(plain)) as JWK, algorithm);
  return { id, algorithm, key };
}
