import type { MemoryContent } from '@groundplane/phases/testing';
import { beforeAll, describe, expect, test } from 'vitest';
import { type ForeignRow, foreignFiles, foreignPairs, foreignTable } from '../test/foreign-certificates.ts';
import { run } from '../test/init-run.ts';
import { initContext, initWorld } from '../test/init-world.ts';
import type { InitContext } from './index.ts';

/** init with the certs phase replaced by a person with openssl. */
const selection = { skip: ['certs'] };
const pki = '/etc/kubernetes/pki';
let pairs: ReturnType<typeof foreignPairs>;
let config: InitContext;

beforeAll(async () => {
  pairs = foreignPairs();
  config = await initContext();
});

/** Runs on a machine that holds these files, whose clock goes a minute ahead of openssl's. */
async function runWith(files: Readonly<Record<string, MemoryContent>>, context = config) {
  const ports = initWorld({ startMs: Date.now() + 60_000, files });
  return { ports, ...(await run(ports, context, selection)) };
}

describe('certificates that are in order', () => {
  test('are used as they are, and init runs to its end', async () => {
    const files = foreignFiles(pairs);
    const { ports, error, result } = await runWith(files);
    expect(error).toBeUndefined();
    expect(result?.phases.map(({ phase }) => phase)).not.toContain('certs/ca');
    for (const [name, { certificate }] of Object.entries(pairs)) {
      expect(ports.memory.text(`${pki}/${name}.crt`), name).toBe(certificate);
    }
    expect(ports.memory.paths().filter((path) => path.startsWith(pki))).toEqual(Object.keys(files).toSorted());
  });

  test('may leave out what nothing on this node starts with', async () => {
    const files = foreignFiles(pairs);
    delete files[`${pki}/etcd/healthcheck-client.crt`];
    delete files[`${pki}/etcd/healthcheck-client.key`];
    expect((await runWith(files)).error).toBeUndefined();
  });

  test('may leave out those of etcd where etcd is external', async () => {
    const files = foreignFiles(pairs);
    for (const path of Object.keys(files)) if (path.includes('etcd')) delete files[path];
    const external = await initContext({ cluster: 'etcd:\n  external:\n    endpoints: [http://192.0.2.21:2379]\n' });
    const ports = initWorld({ startMs: Date.now() + 60_000, files, externalEtcd: true });
    expect((await run(ports, external, selection)).error).toBeUndefined();
  });
});

interface Spoiling {
  readonly what: string;
  readonly spoil: (files: Record<string, MemoryContent>) => void;
  /** Of the finding that stops the run. */
  readonly artifact: string;
  readonly code: string;
  readonly message: RegExp;
  readonly hint: RegExp;
}

const remove =
  (...names: readonly string[]) =>
  (files: Record<string, MemoryContent>) => {
    for (const name of names) delete files[`${pki}/${name}`];
  };
/** Has one row of the table made otherwise, together with all the others. */
const remakeAll = (name: string, change: Partial<ForeignRow>) => (files: Record<string, MemoryContent>) => {
  Object.assign(files, foreignFiles(foreignPairs({ [name]: { ...rowOf(name), ...change } })));
};
/** Puts one certificate of another set of certificates. */
const putOther = (name: string) => (files: Record<string, MemoryContent>) => {
  const { certificate = '', key = '' } = foreignPairs()[name] ?? {};
  files[`${pki}/${name}.crt`] = certificate;
  files[`${pki}/${name}.key`] = { content: key, mode: 0o600 };
};

function rowOf(name: string): ForeignRow {
  const row = foreignTable[name];
  if (row === undefined) throw new TypeError(`Cannot remake ${name} as the table does not list it`);
  return row;
}

const spoilings: readonly Spoiling[] = [
  ...['etcd/server', 'etcd/peer', 'apiserver-etcd-client', 'apiserver', 'front-proxy-client'].map(
    (name): Spoiling => ({
      what: `${name} missing altogether`,
      spoil: remove(`${name}.crt`, `${name}.key`),
      artifact: `${pki}/${name}.crt`,
      code: 'PHASES_ARTIFACT_MISSING',
      message: /is needed and does not exist: /,
      hint: /Run the phase that makes it, 'init phase certs [a-z-]+', or put a PEM certificate there/,
    }),
  ),
  {
    what: 'a key missing beside its certificate',
    spoil: remove('etcd/server.key'),
    artifact: `${pki}/etcd/server.key`,
    code: 'PHASES_ARTIFACT_MISSING',
    message: /etcd\/server\.key is needed and does not exist/,
    hint: /put a PEM private key there/,
  },
  {
    what: 'a service account key missing',
    spoil: remove('sa.key'),
    artifact: `${pki}/sa.key`,
    code: 'PHASES_ARTIFACT_MISSING',
    message: /private key that signs service account tokens/,
    hint: /put a PEM private key there/,
  },
  {
    what: 'a certificate of another CA of the same name',
    spoil: putOther('front-proxy-client'),
    artifact: `${pki}/front-proxy-client.crt`,
    code: 'PKI_CERTIFICATE_UNTRUSTED',
    message:
      /^\/etc\/kubernetes\/pki\/front-proxy-client\.crt: Cannot trust the certificate as it is not signed by its CA, its signature is not by the key of 'CN=my front proxy CA'/,
    hint: /signed by the CA/,
  },
  {
    what: 'a server certificate without the service address',
    spoil: remakeAll('apiserver', { names: 'DNS:node-a,DNS:kubernetes.default.svc,IP:192.0.2.10' }),
    artifact: `${pki}/apiserver.crt`,
    code: 'PKI_SAN_MISSING',
    message: /Cannot reach the server by 10\.96\.0\.1 as the names of its certificate are others/,
    hint: /signed again with these names/,
  },
  {
    what: 'a client certificate that may not be one',
    spoil: remakeAll('apiserver-kubelet-client', { usages: 'serverAuth' }),
    artifact: `${pki}/apiserver-kubelet-client.crt`,
    code: 'PKI_USAGE_MISSING',
    message: /its extended key usage lacks clientAuth: serverAuth/,
    hint: /^/,
  },
  {
    what: 'a key of another certificate',
    spoil: (files) => {
      files[`${pki}/etcd/peer.key`] = { content: pairs['etcd/server']?.key ?? '', mode: 0o600 };
    },
    artifact: `${pki}/etcd/peer.crt`,
    code: 'PKI_KEY_MISMATCH',
    message: /the private key beside it is another one/,
    hint: /openssl x509 -noout -pubkey/,
  },
  {
    what: 'a file that is no certificate',
    spoil: (files) => {
      files[`${pki}/ca.crt`] = 'hello\n';
    },
    artifact: `${pki}/ca.crt`,
    code: 'PHASES_ARTIFACT_MALFORMED',
    message: /ca\.crt is not a PEM certificate: it holds no PEM block/,
    hint: /Mend it, or move it away/,
  },
];

describe('a fault stops the run before its first write, and is explained', () => {
  test.each(spoilings)('$what', async ({ spoil, artifact, code, message, hint }) => {
    const files = foreignFiles(pairs);
    spoil(files);
    const { error, changes } = await runWith(files);
    expect(error).toMatchObject({ code: 'PHASES_CONFLICT', kind: 'conflict' });
    const finding = error?.findings.find((one) => one.code === code);
    expect(finding).toMatchObject({ artifact, severity: 'error', message: expect.stringMatching(message) });
    expect(finding?.hint ?? '').toMatch(hint);
    expect(changes).toEqual([]);
  });

  test('an expired certificate', async () => {
    const ports = initWorld({ startMs: Date.now() + 31 * 86_400_000, files: foreignFiles(pairs) });
    const { error, changes } = await run(ports, config, selection);
    const expired = error?.findings.filter(({ code }) => code === 'PKI_CERTIFICATE_EXPIRED') ?? [];
    expect(expired.map(({ artifact }) => artifact)).toContain(`${pki}/apiserver.crt`);
    expect(expired[0]?.hint).toMatch(/Renew it, or move/);
    expect(changes).toEqual([]);
  });
});
