import type { Artifact, ClusterObject, Format, Location, Policy } from '../src/index.ts';

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Text that begins and ends as it should. */
export function textFormat(name: string, begin: string, end: string): Format<string> {
  return {
    name,
    parse(bytes) {
      const text = decoder.decode(bytes);
      if (!text.startsWith(begin) || !text.endsWith(end)) throw new Error(`it does not begin with ${begin} and end`);
      return text;
    },
    serialize: (value) => encoder.encode(value),
  };
}

export function jsonFormat<T>(name: string): Format<T> {
  return {
    name,
    parse(bytes) {
      const value: unknown = JSON.parse(decoder.decode(bytes));
      if (typeof value !== 'object' || value === null) throw new Error('it is no JSON object');
      return value as T;
    },
    serialize: (value) => encoder.encode(JSON.stringify(value)),
  };
}

/** What exists is good enough when every field that we set has our value. */
export function objectFormat<T extends object>(kind: string): Format<T> {
  return { ...jsonFormat<T>(`${kind} object`), satisfied: (desired, existing) => isSubset(desired, existing) };
}

export function isSubset(part: unknown, whole: unknown): boolean {
  if (typeof part !== 'object' || part === null) return part === whole;
  if (typeof whole !== 'object' || whole === null) return false;
  if (Array.isArray(part))
    return (
      Array.isArray(whole) &&
      part.length === whole.length &&
      part.every((entry, index) => isSubset(entry, whole[index]))
    );
  return Object.entries(part).every(([key, value]) => isSubset(value, (whole as Record<string, unknown>)[key]));
}

interface Row {
  readonly policy: Policy;
  readonly mode?: number;
  readonly maxMode?: number;
  readonly secret?: true;
  readonly external?: true;
  readonly until?: Artifact<unknown>;
}

export function file<T>(path: string, format: Format<T>, row: Row): Artifact<T> {
  const location: Location = { kind: 'file', path: `/etc/sample/${path}` };
  return { id: path, description: `the ${path} of the sample`, where: () => location, format, ...row };
}

export function object<T extends ClusterObject>(kind: string, name: string, row: Row): Artifact<T> {
  const apiVersion = kind === 'Binding' ? 'sample/v1' : 'v1';
  const namespace = kind === 'ConfigMap' ? { namespace: 'kube-system' } : {};
  const location: Location = { kind: 'object', reference: { apiVersion, kind, name, ...namespace } };
  return {
    id: `object/${name}`,
    description: `the ${kind} ${name}`,
    where: () => location,
    format: objectFormat<T>(kind),
    ...row,
  };
}

export function state(name: string): Artifact<unknown> {
  const format: Format<unknown> = { name: 'state', parse: () => undefined, serialize: () => new Uint8Array() };
  return { id: name, description: name, where: () => ({ kind: 'state', name }), format, policy: 'observe' };
}

export const certificateFormat = textFormat('fake certificate', '{', '}');
export const keyFormat = textFormat('fake key', '-----FAKE KEY-----\n', '\n');

const secretFile = { policy: 'preserve', mode: 0o600, maxMode: 0o640, secret: true } as const;
const publicFile = { policy: 'preserve', mode: 0o644, maxMode: 0o644 } as const;

export const caCertificate = file('ca.crt', certificateFormat, publicFile);
export const caKey = file('ca.key', keyFormat, secretFile);
export const serverCertificate = file('server.crt', certificateFormat, publicFile);
export const serverKey = file('server.key', keyFormat, secretFile);
export const clientCertificate = file('client.crt', certificateFormat, publicFile);
export const clientKey = file('client.key', keyFormat, secretFile);

export interface Access {
  readonly server: string;
  readonly certificate: string;
  readonly key: string;
}
/** The connection of the phases with objects. */
export const access = file<string>('access.conf', textFormat('access file', 'access ', '\n'), secretFile);

export interface Settings {
  readonly name: string;
  readonly certificate: string;
}
export const settings = file('settings.json', jsonFormat<Settings>('settings'), { policy: 'converge', mode: 0o644 });
export const agentSettings = file('agent.json', jsonFormat<{ readonly name: string }>('agent settings'), {
  policy: 'converge',
  mode: 0o600,
  maxMode: 0o600,
});
export const identity = file('identity', textFormat('identity', 'identity of ', '\n'), {
  policy: 'observe',
  mode: 0o600,
  maxMode: 0o600,
  secret: true,
});
export const joinToken = file('join-token', textFormat('join token', 'token ', '\n'), {
  policy: 'ephemeral',
  mode: 0o600,
  secret: true,
  until: identity,
});
export const agentRuns = state('agent runs');

export interface ConfigMap extends ClusterObject {
  readonly data: Readonly<Record<string, string>>;
}
export const configMap = object<ConfigMap>('ConfigMap', 'sample-config', { policy: 'converge' });
export const binding = object<ClusterObject>('Binding', 'sample-admins', { policy: 'converge' });
export const node = object<ClusterObject>('Node', 'node', { policy: 'extend', external: true });
