import { parseKubeconfig } from '@groundplane/kubeconfig';
import { decodeBase64 } from '@groundplane/pki';

/** The key of a kubeconfig that has no certificate for it yet, as `kubeadm certs generate-csr` leaves it. Secret. */
export function waitingKey(text: string): string | undefined {
  const user = soleUser(text);
  const others = ['client-certificate-data', 'client-certificate', 'token', 'tokenFile', 'exec', 'auth-provider'];
  return user === undefined || others.some((field) => Boolean(user[field])) ? undefined : keyOf(user);
}

/** The private key that is embedded in a kubeconfig of one user. Secret. */
export function keyIn(text: string): string | undefined {
  const user = soleUser(text);
  return user && keyOf(user);
}

type User = Readonly<Record<string, unknown>>;

function keyOf(user: User): string | undefined {
  const data = user['client-key-data'];
  const bytes = typeof data === 'string' && data !== '' ? decodeBase64(data) : undefined;
  return bytes && new TextDecoder().decode(bytes);
}

function soleUser(text: string): User | undefined {
  try {
    const { users } = parseKubeconfig(text);
    return users.length === 1 ? users[0]?.user : undefined;
  } catch {
    return undefined;
  }
}
