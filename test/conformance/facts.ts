import { createPrivateKey, type X509Certificate } from 'node:crypto';
import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DocumentOptions, parse, parseAllDocuments, type SchemaOptions } from 'yaml';
import { certificateFields, pemCertificates } from './certificate-fields.ts';
import { podSelection } from './pod-selection.ts';
import type { StepResult } from './run-step.ts';

// biome-ignore lint/suspicious/noExplicitAny: documents of any shape, which the facts are about
type Document = any;

interface FactRow {
  /** What the labels of this kind look like; its groups are handed to `read`. */
  readonly label: RegExp;
  /** @param want the expected value, where it says which fields are compared */
  readonly read: (result: StepResult, groups: readonly string[], want: unknown) => unknown;
}

/** Every form of fact. The readers are Node.js' own and the yaml package, never the packages under test. */
const rows: readonly FactRow[] = [
  { label: /^(\S+\.crt)$/, read: certificate },
  { label: /^(\S+\.conf)$/, read: kubeconfig },
  {
    label: /^(\S+) is for the key (\S+)$/,
    read: (result, [path, key = '']) =>
      firstCertificate(result, path).checkPrivateKey(createPrivateKey(file(result, key) ?? '')),
  },
  {
    label: /^(\S+) is signed by (\S+)$/,
    read: (result, [path, issuer]) => {
      const [signed, authority] = [firstCertificate(result, path), firstCertificate(result, issuer)];
      return signed.checkIssued(authority) && signed.verify(authority.publicKey);
    },
  },
  { label: /^(\S+) args$/, read: (result, [name]) => container(result, name)?.command ?? null },
  {
    label: /^(\S+) args matching \/(.*)\/$/,
    read: (result, [name, pattern = '']) =>
      container(result, name)?.command.filter((argument: string) => new RegExp(pattern).test(argument)) ?? null,
  },
  { label: /^(\S+) env$/, read: environment },
  { label: /^(\S+) volumes matching \/(.*)\/$/, read: volumes },
  {
    label: /^(\S+) endpoint annotation$/,
    read: (result, [name]) => annotations(result, name)[`kubeadm.kubernetes.io/${name}.advertise-address.endpoint`],
  },
  {
    label: /^(\S+) annotations$/,
    read: (result, [name], want) =>
      Array.isArray(want) ? Object.keys(annotations(result, name)).sort() : annotations(result, name),
  },
  { label: /^(\S+) probe host$/, read: probeHost },
  { label: /^(\S+) pod \(selected\)$/, read: (result, [name]) => podSelection(pod(result, name)) },
  {
    label: /^every value re-reads as a string \(or is absent\)$/,
    read: (result) =>
      container(result, 'kube-scheduler').env.every(
        ({ value }: Document) => value === undefined || typeof value === 'string',
      ),
  },
  { label: /^SAN extension IP lengths$/, read: (result) => certificate(result, ['pki/apiserver.crt'], ['ipLengths']) },
  { label: /^PEM types$/, read: (result, _, want) => mapKeys(want, (name) => pemType(result, name)) },
  { label: /^top-level keys of (\S+)$/, read: (result, [path = '']) => Object.keys(yaml(file(result, path) ?? '')) },
  { label: /^files$/, read: (result, _, want) => mapKeys(want, (path) => status(result, path)) },
  { label: /^stdout$/, read: ({ stdout }) => stdout },
  { label: /^stdout lines$/, read: ({ stdout }) => (stdout.trim() === '' ? [] : stdout.trim().split('\n')) },
  { label: /^stdout contains$/, read: ({ stdout }, _, want) => mapKeys(want, (text) => stdout.includes(text)) },
  { label: /^warning lines on stderr$/, read: ({ stderr }) => stderr.split('\n').filter(isWarning).length },
  { label: /^json$/, read: ({ stdout }) => JSON.parse(stdout) },
  {
    label: /^keys$/,
    read: ({ stdout }, _, want) => mapKeys(want, (key) => Object.keys(JSON.parse(stdout)[key]).sort()),
  },
  { label: /^kinds written$/, read: ({ stdout }) => documents(stdout).map(({ kind }) => kind) },
  {
    label: /^token matches the token pattern$/,
    read: ({ stdout }) =>
      documents(stdout).some(({ bootstrapTokens }) =>
        /^[a-z0-9]{6}\.[a-z0-9]{16}$/.test(bootstrapTokens?.[0]?.token ?? ''),
      ),
  },
  {
    label: /^([A-Z]\w+Configuration)$/,
    read: ({ stdout }, [kind], want) => {
      const document = documents(stdout).find((one) => one.kind === kind);
      return document === undefined ? null : mapKeys(want, (path) => valueAt(document, path));
    },
  },
];

/**
 * Reads what a step left.
 *
 * @param label as in expected.json
 * @param want its expected value
 * @throws Error if there is no reader for such a label
 */
export function readFact(label: string, want: unknown, result: StepResult): unknown {
  for (const { label: pattern, read } of rows) {
    const match = pattern.exec(label);
    if (match !== null) return read(result, match.slice(1), want);
  }
  throw new Error(`no reader for the fact '${label}'`);
}

function file({ artifacts }: StepResult, path: string): string | undefined {
  try {
    return readFileSync(join(artifacts, path), 'utf8');
  } catch {
    return undefined;
  }
}

/** The rules of YAML 1.1, by which Kubernetes reads. To Go a number that is too great, such as 1e999, is a text. */
const yamlRules: DocumentOptions & SchemaOptions = {
  version: '1.1',
  customTags: (tags) =>
    tags.map((tag) =>
      typeof tag === 'object' && 'format' in tag && tag.format === 'EXP'
        ? { ...tag, resolve: (text: string) => (Number.isFinite(Number(text)) ? Number(text) : text) }
        : tag,
    ) as typeof tags,
};

function yaml(text: string): Document {
  return parse(text, yamlRules);
}

function documents(text: string): readonly Document[] {
  return parseAllDocuments(text, yamlRules)
    .map((document) => document.toJS())
    .filter((document) => document !== null);
}

function mapKeys(want: unknown, value: (key: string) => unknown): Record<string, unknown> {
  return Object.fromEntries(Object.keys(want ?? {}).map((key) => [key, value(key)]));
}

/** The value at a path such as `bootstrapTokens/0/token`. */
function valueAt(document: Document, path: string): unknown {
  let at = document;
  for (const part of path.split('/')) {
    if (at === null || at === undefined) return '<absent>';
    at = at[part];
  }
  return at === undefined ? '<absent>' : at;
}

function certificate(result: StepResult, [path = '']: readonly string[], want: unknown): unknown {
  const pem = file(result, path);
  if (pem === undefined) return null;
  if (Array.isArray(want)) return Object.values(certificateFields(pem, ['ipLengths']))[0];
  return certificateFields(pem, Object.keys(want ?? {}), file(result, 'pki/ca.crt'));
}

function firstCertificate(result: StepResult, path = ''): X509Certificate {
  const [certificate] = pemCertificates(file(result, path) ?? '');
  if (certificate === undefined) throw new Error(`there is no certificate in ${path}`);
  return certificate;
}

function kubeconfig(result: StepResult, [path = '']: readonly string[], want: unknown): unknown {
  const text = file(result, path);
  if (text === undefined) return null;
  const config = yaml(text);
  const named = (list: readonly Document[], name: string) => list.find((one) => one.name === name);
  const current = config['current-context'];
  const { context } = named(config.contexts, current);
  const cluster = named(config.clusters, context.cluster);
  const user = named(config.users, context.user);
  const decoded = (base64: string) => Buffer.from(base64, 'base64').toString();
  return mapKeys(want, (field) => {
    if (field === 'server') return cluster.cluster.server;
    if (field === 'cluster') return cluster.name;
    if (field === 'context') return current;
    if (field === 'user') return user.name;
    if (field === 'caCount') return pemCertificates(decoded(cluster.cluster['certificate-authority-data'])).length;
    return certificateFields(decoded(user.user['client-certificate-data']), [field])[field];
  });
}

function pod(result: StepResult, component: string | undefined): Document {
  const text = file(result, `manifests/${component}.yaml`);
  return text === undefined ? undefined : yaml(text);
}

function container(result: StepResult, component: string | undefined): Document {
  return pod(result, component)?.spec.containers[0];
}

function annotations(result: StepResult, component: string | undefined): Record<string, string> {
  return pod(result, component)?.metadata.annotations ?? {};
}

function environment(result: StepResult, [component]: readonly string[]): unknown {
  const found = container(result, component);
  if (found === undefined) return null;
  return (found.env ?? []).map(({ name, value, valueFrom }: Document) => {
    return { name, value: value ?? null, ...(valueFrom === undefined ? {} : { valueFrom }) };
  });
}

function volumes(result: StepResult, [component, pattern = '']: readonly string[]): unknown {
  const document = pod(result, component);
  if (document === undefined) return null;
  const mounts: readonly Document[] = document.spec.containers[0].volumeMounts;
  return document.spec.volumes
    .filter(({ name }: Document) => new RegExp(pattern).test(name))
    .map(({ name, hostPath }: Document) => ({
      name,
      path: hostPath.path,
      type: hostPath.type ?? null,
      mount: mounts
        .filter((mount) => mount.name === name)
        .map(({ mountPath, readOnly }) => [mountPath, readOnly ?? false]),
    }));
}

function probeHost(result: StepResult, [component]: readonly string[]): unknown {
  const { livenessProbe, readinessProbe, startupProbe } = container(result, component);
  const probes: readonly Document[] = [livenessProbe, readinessProbe, startupProbe].filter(
    (probe) => probe !== undefined,
  );
  const hosts = new Set(probes.map((probe) => probe.httpGet.host));
  return hosts.size === 1 ? [...hosts][0] : [...hosts];
}

function pemType(result: StepResult, name: string): string | undefined {
  const [path = '', key] = name.split(' ');
  const text = file(result, path) ?? '';
  const pem = key === undefined ? text : Buffer.from(yaml(text).users[0].user['client-key-data'], 'base64').toString();
  return /-----BEGIN ([A-Z0-9 ]+)-----/.exec(pem)?.[1];
}

function status({ artifacts }: StepResult, path: string): unknown {
  const found = lstatSync(join(artifacts, path), { throwIfNoEntry: false });
  if (found === undefined) return null;
  const type = found.isSymbolicLink() ? 'link' : found.isDirectory() ? 'dir' : 'file';
  return { mode: `0o${(found.mode & 0o7777).toString(8)}`, type };
}

/** Warnings of kubeadm's log (`W1130 …`), of preflight (`[WARNING Swap]: …`) and ours (`WARNING: …`). */
function isWarning(line: string): boolean {
  return /^W\d{4} |^\t?\[WARNING |^WARNING: /.test(line);
}
