import { type BootstrapToken, readTokenSecret } from '@groundplane/discovery';
import type { Secret } from '@groundplane/manifest';
import type { Event } from '@groundplane/phases';
import type { MemoryPorts } from '@groundplane/phases/testing';

/** The bootstrap tokens in a world, by id. */
export function tokensIn({ memory }: MemoryPorts): readonly BootstrapToken[] {
  return memory
    .objects()
    .filter(({ kind, type }) => kind === 'Secret' && type === 'bootstrap.kubernetes.io/token')
    .map((object) => readTokenSecret(object as unknown as Secret))
    .toSorted((one, other) => one.id.localeCompare(other.id));
}

/** What phases handed back: name, value, and whether it is secret. */
export function productsIn(events: readonly Event[], name?: string): readonly unknown[] {
  return events.flatMap((event) =>
    event.type === 'result' && (name === undefined || event.name === name) ? [event.value] : [],
  );
}

/** A Secret that holds these texts. */
export function secretOf(name: string, texts: Readonly<Record<string, string>>, type = 'Opaque') {
  const data = Object.entries(texts).map(([key, text]) => [key, Buffer.from(text).toString('base64')]);
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    type,
    metadata: { name, namespace: 'kube-system' },
    data: Object.fromEntries(data) as Readonly<Record<string, string>>,
  };
}

/** The Secret of a usual bootstrap token, with changes. */
export function tokenSecretOf(token: string, changes: Readonly<Record<string, string | undefined>> = {}) {
  const [id = '', secret = ''] = token.split('.');
  const texts = {
    'token-id': id,
    'token-secret': secret,
    'usage-bootstrap-signing': 'true',
    'usage-bootstrap-authentication': 'true',
    'auth-extra-groups': 'system:bootstrappers:kubeadm:default-node-token',
    ...changes,
  };
  const there = Object.entries(texts).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return secretOf(`bootstrap-token-${id}`, Object.fromEntries(there), 'bootstrap.kubernetes.io/token');
}
