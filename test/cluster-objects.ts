import { createHash } from 'node:crypto';
import { type Cluster, kubectlOutput, type Machine } from '@groundplane/testbed';

/** Every object of a cluster, by a key of kind, namespace and name in which nothing is random. */
export type ClusterObjects = ReadonlyMap<string, unknown>;

/** Text of one cluster that has its counterpart in another one, with the word that stands for both. */
interface Substitution {
  readonly text: string;
  readonly placeholder: string;
}

/** Fields that are never compared, wherever they are: identity, history and state. */
const maskedFields: ReadonlySet<string> = new Set([
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'managedFields',
  'status',
]);

/** Random, temporal, or the scheduler's choice, in objects of one kind: what a field's value is replaced by. */
const maskedByKind: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Lease: { acquireTime: '<time>', renewTime: '<time>', leaseTransitions: '<number>', holderIdentity: '<identity>' },
  CertificateSigningRequest: { request: '<request>', extra: '<extra>' },
  EndpointSlice: { nodeName: '<node>', 'endpoints.kubernetes.io/last-change-trigger-time': '<time>' },
  Endpoints: { nodeName: '<node>', 'endpoints.kubernetes.io/last-change-trigger-time': '<time>' },
  Pod: {
    'kubernetes.io/config.hash': '<hash>',
    'kubernetes.io/config.mirror': '<hash>',
    'kubernetes.io/config.seen': '<time>',
  },
};

/** Random parts of names and texts. */
const randomText: readonly (readonly [RegExp, string])[] = [
  [/\b(coredns)-[a-z0-9]{6,10}-[a-z0-9]{5}\b/g, '$1-<hash>-<random>'],
  [/\b(coredns)-[a-z0-9]{6,10}\b/g, '$1-<hash>'],
  [/\b(kube-proxy)-[a-z0-9]{5}\b/g, '$1-<random>'],
  [/\b(kube-proxy)-[a-z0-9]{6,10}\b/g, '$1-<hash>'],
  [/\b(kube-dns|csr|kube-api-access)-[a-z0-9]{5}\b/g, '$1-<random>'],
  [/\b(kube-apiserver-serving):[0-9a-f]{24}\b/g, '$1:<hash>'],
  [/\bapiserver-[a-z0-9]{26}\b/g, 'apiserver-<identity>'],
  [/\b10\.244\.\d+\.\d+\b(?!\/)/g, '<pod address>'],
  // The controller manager takes the next one for a node whose object changed while it gave it one.
  [/\b10\.244\.\d+\.0\/24\b/g, '<pod subnet of a node>'],
];

/** Labels whose value is a hash of a pod template, which is compared itself. */
const hashLabels: ReadonlySet<string> = new Set(['pod-template-hash', 'controller-revision-hash']);

interface ApiObject {
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly data?: Readonly<Record<string, string>>;
}

/** Reads every object of every kind that can be listed, but for events, and takes out what cannot be equal in two clusters. */
export async function clusterObjects(cluster: Cluster): Promise<ClusterObjects> {
  const resources = (await cluster.kubectl(['api-resources', '--verbs=list', '-o', 'name']))
    .split('\n')
    .filter((name) => name !== '' && !/^events(\.|$)/.test(name));
  const list = await kubectlOutput(cluster.controlPlane, ['get', resources.join(','), '-A', '-o', 'json'], {
    timeoutMs: 120_000,
  });
  const { items } = JSON.parse(list) as { items: readonly ApiObject[] };
  const substitutions = await substitutionsOf(cluster, items);
  const groups = new Map<string, string[]>();
  for (const item of items) {
    const { kind, metadata } = item;
    const key = replaceText([kind, metadata.namespace, metadata.name].filter(Boolean).join('/'), substitutions);
    groups.set(key, [...(groups.get(key) ?? []), JSON.stringify(normalized(item, kind, substitutions))]);
  }
  return new Map(
    [...groups].flatMap(([key, texts]) =>
      texts
        .toSorted()
        .map((text, index): [string, unknown] => [texts.length > 1 ? `${key} ${index + 1}` : key, JSON.parse(text)]),
    ),
  );
}

async function substitutionsOf(cluster: Cluster, items: readonly ApiObject[]): Promise<readonly Substitution[]> {
  const { controlPlane, workers } = cluster;
  const named = (machine: Machine, role: string): Substitution[] => [
    { text: machine.name, placeholder: `<${role}>` },
    { text: machine.address, placeholder: `<address of ${role}>` },
  ];
  const authorities = await Promise.all(
    ['ca', 'front-proxy-ca'].map(async (name) => {
      const pem = await controlPlane.readFile(`/etc/kubernetes/pki/${name}.crt`);
      return [
        { text: pem, placeholder: `<certificate ${name}>` },
        { text: pem.trimEnd(), placeholder: `<certificate ${name}>` },
        { text: Buffer.from(pem).toString('base64'), placeholder: `<certificate ${name} in base64>` },
      ];
    }),
  );
  // One token for nodes, and one that ends the shared certificates in time.
  const tokens = items.flatMap(({ kind, metadata }) => {
    const id = /^bootstrap-token-(.+)$/.exec(metadata.name)?.[1];
    return kind === 'Secret' && id !== undefined ? [id] : [];
  });
  const forNodes = cluster.joinArguments[cluster.joinArguments.indexOf('--token') + 1]?.split('.')[0];
  return [
    ...authorities.flat(),
    ...tokens.map((text) => ({
      text,
      placeholder: text === forNodes ? '<token for nodes>' : '<token of certificates>',
    })),
    ...named(controlPlane, 'control plane'),
    ...workers.flatMap((worker, index) => named(worker, `worker ${index + 1}`)),
  ].toSorted((a, b) => b.text.length - a.text.length);
}

function replaceText(text: string, substitutions: readonly Substitution[]): string {
  const known = substitutions.reduce(
    (result, { text: from, placeholder }) => result.replaceAll(from, placeholder),
    text,
  );
  return randomText.reduce((result, [pattern, placeholder]) => result.replaceAll(pattern, placeholder), known);
}

/**
 * An object without what cannot be equal in two clusters.
 *
 * @param substitutions what is replaced in its texts, the longest first
 */
export function normalized(object: ApiObject, kind: string, substitutions: readonly Substitution[]): unknown {
  const masks: Readonly<Record<string, string>> = { ...maskedByKind[kind], ...maskedHash(object, substitutions) };
  const walk = (value: unknown, path: readonly string[]): unknown => {
    if (typeof value === 'string') return replaceText(value, substitutions);
    if (Array.isArray(value)) return value.map((one) => walk(one, path));
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).flatMap(([name, content]): (readonly [string, unknown])[] => {
      if (maskedFields.has(name) && path.at(-1) !== 'data') return [];
      const here = [...path, name];
      const text = replaceText(name, substitutions);
      if (masks[name] !== undefined) return [[text, masks[name]]];
      if (hashLabels.has(name)) return [[text, '<hash>']];
      if (kind === 'Secret' && path.at(-1) === 'data')
        return [[text, secretValue(name, String(content), substitutions)]];
      if (/^jws-kubeconfig-/.test(name)) return [[text, '<signature>']];
      return [[text, walk(content, here)]];
    });
    return Object.fromEntries(entries);
  };
  const content = walk(object, []) as { spec?: { nodeName?: string } };
  // Where the pods of CoreDNS are is the scheduler's choice.
  if (kind === 'Pod' && object.metadata.name.startsWith('coredns-') && content.spec) content.spec.nodeName = '<node>';
  return content;
}

const componentHash = 'kubeadm.kubernetes.io/component-config.hash';

/**
 * The hash of a component's configuration is compared as it is, unless the data that it is of holds something of the one
 * cluster: the kubeconfig of kube-proxy has the address of the API server in it. There it must be that of the data, which
 * is compared itself.
 */
function maskedHash({ metadata, data = {} }: ApiObject, substitutions: readonly Substitution[]) {
  // Of other objects `data` need not be texts: a ControllerRevision has an object there.
  if (metadata.annotations?.[componentHash] === undefined) return {};
  const keys = Object.keys(data).toSorted();
  const values = keys.map((key) => data[key] ?? '');
  if (values.every((value) => replaceText(value, substitutions) === value)) return {};
  const hash = createHash('sha256').update(values.join('')).digest('hex');
  return metadata.annotations?.[componentHash] === `sha256:${hash}` ? { [componentHash]: '<hash of the data>' } : {};
}

/**
 * Lengths of PEM and of its ciphertext vary by the few bytes that DER integers do, and those of RSA-2048 and P-256 are well
 * inside these classes; a key of another kind or size, or a second certificate, shows.
 */
const lengthClass = 300;

/** What a token's Secret says in clear is compared; of keys, ciphertext and times how long they are. */
function secretValue(name: string, base64: string, substitutions: readonly Substitution[]): string {
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.length === 0) return '';
  if (name === 'token-secret') return `<secret ${name}, ${bytes.length} bytes>`;
  if (/\.(crt|key|pub)$/.test(name))
    return `<secret ${name}, about ${Math.round(bytes.length / lengthClass) * lengthClass} bytes>`;
  const text = bytes.toString();
  if (name === 'expiration') return /^\d{4}(-\d\d){2}T(\d\d:){2}\d\d(Z|[+-]\d\d:\d\d)$/.test(text) ? '<time>' : text;
  return replaceText(text, substitutions);
}
