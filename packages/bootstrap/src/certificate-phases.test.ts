import { createPrivateKey, createPublicKey, X509Certificate } from 'node:crypto';
import type { Memory } from '@groundplane/phases/testing';
import { beforeAll, describe, expect, test } from 'vitest';
import { foreignFiles, foreignPairs } from '../test/foreign-certificates.ts';
import { decisions, plan, run } from '../test/init-run.ts';
import { initContext, initWorld } from '../test/init-world.ts';
import { opensslKey, selfSigned } from '../test/openssl.ts';
import type { InitContext } from './index.ts';

const pki = '/etc/kubernetes/pki';
const certs = { only: ['certs'] };
let config: InitContext;
beforeAll(async () => {
  config = await initContext();
});

function certificate(memory: Memory, name: string): X509Certificate {
  return new X509Certificate(memory.text(`${pki}/${name}.crt`) ?? '');
}

/** A world in which the certs phase ran, and then some files were taken away. */
async function worldWithout(...names: readonly string[]) {
  const ports = initWorld();
  const { error } = await run(ports, config, certs);
  expect(error).toBeUndefined();
  for (const name of names) ports.memory.remove(`${pki}/${name}`);
  return ports;
}

describe('in an empty folder', () => {
  test('the files of kubeadm are made, with its modes', async () => {
    const { memory } = await worldWithout();
    const files = memory.paths().map((path) => `${path.slice(pki.length + 1)} ${memory.mode(path)?.toString(8)}`);
    const pairs = [
      ...['apiserver-etcd-client', 'apiserver-kubelet-client', 'apiserver', 'ca'],
      ...['etcd/ca', 'etcd/healthcheck-client', 'etcd/peer', 'etcd/server', 'front-proxy-ca', 'front-proxy-client'],
    ];
    expect(files).toEqual([
      ...pairs.flatMap((name) => [`${name}.crt 644`, `${name}.key 600`]),
      'sa.key 600',
      'sa.pub 600',
    ]);
  });

  test('every leaf is signed by its CA and belongs to its key, as Node.js sees it', async () => {
    const { memory } = await worldWithout();
    const leaves = {
      ca: ['apiserver', 'apiserver-kubelet-client'],
      'front-proxy-ca': ['front-proxy-client'],
      'etcd/ca': ['etcd/server', 'etcd/peer', 'etcd/healthcheck-client', 'apiserver-etcd-client'],
    };
    for (const [authority, names] of Object.entries(leaves)) {
      for (const name of names) {
        const leaf = certificate(memory, name);
        expect(leaf.verify(certificate(memory, authority).publicKey), name).toBe(true);
        expect(leaf.checkPrivateKey(createPrivateKey(memory.text(`${pki}/${name}.key`) ?? '')), name).toBe(true);
      }
    }
    expect(certificate(memory, 'apiserver').subjectAltName).toBe(
      'DNS:kubernetes, DNS:kubernetes.default, DNS:kubernetes.default.svc, DNS:kubernetes.default.svc.cluster.local, DNS:node-a, IP Address:10.96.0.1, IP Address:192.0.2.10',
    );
  });

  test('the service account keys are a pair', async () => {
    const { memory } = await worldWithout();
    const derived = createPublicKey(memory.text(`${pki}/sa.key`) ?? '').export({ type: 'spki', format: 'pem' });
    expect(memory.text(`${pki}/sa.pub`)).toBe(derived);
  });

  test('the host of the control plane endpoint is among the names of the API server', async () => {
    for (const [endpoint, name] of [
      ['lb.example.com:8443', 'DNS:lb.example.com'],
      ['"[2001:db8::5]:8443"', 'IP Address:2001:DB8:0:0:0:0:0:5'],
      ['"2001:db8::6"', 'IP Address:2001:DB8:0:0:0:0:0:6'],
    ]) {
      const ports = initWorld();
      const context = await initContext({ cluster: `controlPlaneEndpoint: ${endpoint}\n` });
      await run(ports, context, { only: ['certs/ca', 'certs/apiserver'] });
      expect(certificate(ports.memory, 'apiserver').subjectAltName).toContain(name);
    }
  });
});

describe('a half-done folder is completed with what is there', () => {
  test.each([
    { missing: ['apiserver.crt'], completed: ['certs/apiserver'] },
    { missing: ['etcd/server.crt', 'etcd/peer.crt'], completed: ['certs/etcd-server', 'certs/etcd-peer'] },
    { missing: ['sa.pub'], completed: ['certs/sa'] },
  ])('without $missing', async ({ missing, completed }) => {
    const ports = await worldWithout(...missing);
    const before = new Map(ports.memory.paths().map((path) => [path, ports.memory.text(path)]));
    const planned = await decisions(ports, config, certs);
    expect(Object.keys(planned).filter((phase) => planned[phase] !== 'keep')).toEqual(completed);
    const { error, changes } = await run(ports, config, certs);
    expect(error).toBeUndefined();
    expect(changes).toEqual(missing.map((name) => `write ${pki}/${name}`));
    for (const [path, text] of before) expect(ports.memory.text(path), path).toBe(text);
    if (missing.includes('apiserver.crt')) {
      const key = createPrivateKey(ports.memory.text(`${pki}/apiserver.key`) ?? '');
      expect(certificate(ports.memory, 'apiserver').checkPrivateKey(key)).toBe(true);
    }
  });

  test('the key of a CA alone: the CA is made for that key', async () => {
    const ports = await worldWithout(
      'ca.crt',
      'apiserver.crt',
      'apiserver.key',
      'apiserver-kubelet-client.crt',
      'apiserver-kubelet-client.key',
    );
    const key = ports.memory.text(`${pki}/ca.key`) ?? '';
    expect((await run(ports, config, certs)).error).toBeUndefined();
    expect(ports.memory.text(`${pki}/ca.key`)).toBe(key);
    expect(certificate(ports.memory, 'ca').checkPrivateKey(createPrivateKey(key))).toBe(true);
  });
});

describe('what cannot be completed stops the run before its first write', () => {
  test.each([
    {
      what: 'a certificate without its key',
      missing: ['apiserver.key'],
      code: 'BOOTSTRAP_KEY_MISSING',
      message: `Cannot use ${pki}/apiserver.crt as its private key is missing: ${pki}/apiserver.key`,
      hint: /Put .*apiserver\.key back, or move .*apiserver\.crt away/,
    },
    {
      what: 'leaves without their CA',
      missing: ['front-proxy-ca.crt', 'front-proxy-ca.key'],
      code: 'PHASES_OUTPUT_WITHOUT_INPUT',
      message: `${pki}/front-proxy-client.crt exists, but what it was made from does not: ${pki}/front-proxy-ca.crt`,
      hint: /Put .*front-proxy-ca\.crt back/,
    },
    {
      what: 'a public key for service accounts without its private key',
      missing: ['sa.key'],
      code: 'BOOTSTRAP_KEY_MISSING',
      message: 'Cannot make sa.key as sa.pub is there already and would no longer match',
      hint: /Put the private key of sa\.pub back/,
    },
  ])('$what', async ({ missing, code, message, hint }) => {
    const ports = await worldWithout(...missing);
    const { error, changes } = await run(ports, config, certs);
    expect(error).toMatchObject({ code: 'PHASES_CONFLICT', kind: 'conflict' });
    expect(error?.findings).toContainEqual(
      expect.objectContaining({ code, message, hint: expect.stringMatching(hint) }),
    );
    expect(changes).toEqual([]);
  });

  test.each([
    ['behind the one of before, as in a rotation', (own: string, other: string) => other + own],
    ['with line ends of another system', (own: string) => own.replaceAll('\n', '\r\n')],
  ])('but not the public key for service accounts %s', async (_, file) => {
    const [ports, other] = [await worldWithout(), await worldWithout()];
    const [own = '', others = ''] = [ports, other].map(({ memory }) => memory.text(`${pki}/sa.pub`));
    ports.memory.put(`${pki}/sa.pub`, file(own, others));
    const { error, changes } = await run(ports, config, certs);
    expect([error, changes]).toEqual([undefined, []]);
  });

  test('a public key for service accounts that is another one', async () => {
    const ports = await worldWithout();
    const other = await worldWithout();
    ports.memory.put(`${pki}/sa.pub`, other.memory.text(`${pki}/sa.pub`) ?? '');
    const { error, changes } = await run(ports, config, certs);
    expect(error?.findings).toMatchObject([{ code: 'BOOTSTRAP_KEY_PAIR_MISMATCH', artifact: `${pki}/sa.pub` }]);
    expect(changes).toEqual([]);
  });

  test('certificates that have expired: the leaves are named, the CAs are warned about', async () => {
    const ports = await worldWithout();
    const afterElevenYears = initWorld({ startMs: Date.UTC(2037, 0, 1) });
    for (const path of ports.memory.paths()) {
      afterElevenYears.memory.put(path, {
        content: ports.memory.bytes(path) ?? '',
        mode: ports.memory.mode(path) ?? 0,
      });
    }
    const { phases } = await plan(afterElevenYears, config, certs);
    const expired = phases.flatMap(({ phase, decision, findings }) =>
      findings
        .filter(({ code }) => code === 'PKI_CERTIFICATE_EXPIRED')
        .map(({ severity }) => [phase, decision, severity]),
    );
    expect(expired).toContainEqual(['certs/apiserver', 'conflict', 'error']);
    expect(expired).toContainEqual(['certs/ca', 'keep', 'warning']);
    expect(expired).toHaveLength(10);
  });
});

test('a key that others can read is kept as it is, with a warning', async () => {
  const ports = await worldWithout();
  ports.memory.chmod(`${pki}/etcd/peer.key`, 0o644);
  const { error, changes, events } = await run(ports, config, certs);
  expect(error).toBeUndefined();
  expect(events).toContainEqual({
    type: 'finding',
    phase: 'certs/etcd-peer',
    finding: expect.objectContaining({
      code: 'PHASES_SECRET_EXPOSED',
      severity: 'warning',
      artifact: `${pki}/etcd/peer.key`,
      hint: `chmod 0600 ${pki}/etcd/peer.key`,
    }),
  });
  expect(changes).toEqual([]);
  expect(ports.memory.mode(`${pki}/etcd/peer.key`)).toBe(0o644);
});

describe('a CA whose time is not now', () => {
  async function at(startMs: number) {
    const ports = await worldWithout();
    const files = Object.fromEntries(
      ['ca.crt', 'ca.key'].map((name) => [
        `${pki}/${name}`,
        { content: ports.memory.text(`${pki}/${name}`) ?? '', mode: 0o600 },
      ]),
    );
    const world = initWorld({ startMs, files });
    return { world, ...(await run(world, config, { only: ['certs/ca', 'certs/apiserver'] })) };
  }

  test('issues nothing once it has expired', async () => {
    const { error, changes } = await at(Date.UTC(2037, 0, 1));
    expect(error?.findings).toContainEqual(
      expect.objectContaining({
        code: 'BOOTSTRAP_AUTHORITY_EXPIRED',
        message: expect.stringMatching(/^Cannot have apiserver issued by .*\/pki\/ca\.crt as its CA has expired: 20/),
      }),
    );
    expect(changes).toEqual([]);
  });

  test('issues with a warning as long as it is not valid yet: the clock may be late', async () => {
    const { error, events, world } = await at(Date.UTC(2020, 0, 1));
    expect(error).toBeUndefined();
    const codes = events.flatMap((event) => (event.type === 'finding' ? [event.finding] : []));
    expect(codes).toContainEqual(
      expect.objectContaining({
        code: 'PKI_CERTIFICATE_NOT_YET_VALID',
        severity: 'warning',
        artifact: `${pki}/ca.crt`,
      }),
    );
    expect(certificate(world.memory, 'apiserver').validFromDate).toEqual(new Date(Date.UTC(2019, 11, 31, 23, 55)));
    expect(new Set(Object.values(await decisions(world, config, { only: ['certs/ca', 'certs/apiserver'] })))).toEqual(
      new Set(['keep']),
    );
  });
});

test('a CA that may not sign such names signs them, with a warning: its owner wants it so', async () => {
  const constraint = 'nameConstraints=critical,permitted;DNS:example.com';
  const { certificate: authority, key } = selfSigned(opensslKey(), '-subj', '/CN=narrow', '-addext', constraint);
  const files = { [`${pki}/ca.crt`]: authority, [`${pki}/ca.key`]: { content: key, mode: 0o600 } };
  const ports = initWorld({ startMs: Date.now() + 60_000, files });
  const { error, events } = await run(ports, config, { only: ['certs/ca', 'certs/apiserver'] });
  expect(error).toBeUndefined();
  const findings = events.flatMap((event) => (event.type === 'finding' ? [event.finding] : []));
  expect(findings).toMatchObject([
    { code: 'PKI_CERTIFICATE_UNTRUSTED', severity: 'warning', message: expect.stringContaining('name constraints') },
  ]);
  expect(certificate(ports.memory, 'apiserver').issuer).toBe('CN=narrow');
});

describe('an external CA', () => {
  const ofKubernetes = ['ca.key', 'apiserver.crt', 'apiserver.key'];

  test('what is missing is listed as an exact request, and nothing is written', async () => {
    const ports = await worldWithout(...ofKubernetes);
    const planned = await decisions(ports, config, certs);
    expect(planned).toMatchObject({
      'certs/ca': 'keep',
      'certs/apiserver': 'external',
      'certs/apiserver-kubelet-client': 'keep',
    });
    const { error, changes } = await run(ports, config, certs);
    expect(error).toMatchObject({ code: 'PHASES_EXTERNAL', kind: 'conflict' });
    expect(error?.findings).toMatchObject([
      {
        code: 'PHASES_EXTERNAL_REQUEST',
        message:
          'apiserver is missing and the key of its CA, /etc/kubernetes/pki/ca.key, is not on this node: wanted CN=kube-apiserver; serverAuth; SANs kubernetes, kubernetes.default, kubernetes.default.svc, kubernetes.default.svc.cluster.local, node-a, 10.96.0.1, 192.0.2.10',
        hint: `Have your CA issue it and put it at ${pki}/apiserver.key and ${pki}/apiserver.crt: groundplane certs requests; then groundplane certs import FILE`,
      },
    ]);
    expect(changes).toEqual([]);
  });

  test('what is there and verifies is kept', async () => {
    const ports = await worldWithout('ca.key', 'front-proxy-ca.key', 'etcd/ca.key');
    expect(new Set(Object.values(await decisions(ports, config, certs)))).toEqual(new Set(['keep']));
  });
});

describe('certificates that openssl made', () => {
  const now = { startMs: Date.now() + 60_000 };

  test('are kept, all of them', async () => {
    const ports = initWorld({ ...now, files: foreignFiles(foreignPairs()) });
    const { result, changes } = await run(ports, config, certs);
    expect(new Set(result?.phases.map(({ decision }) => decision))).toEqual(new Set(['keep']));
    expect(changes).toEqual([]);
  });

  test('a CA alone signs what is missing', async () => {
    const { ca } = foreignPairs();
    const ports = initWorld({ ...now, files: foreignFiles({ ca } as ReturnType<typeof foreignPairs>) });
    expect((await run(ports, config, certs)).error).toBeUndefined();
    const authority = new X509Certificate(ca?.certificate ?? '');
    expect(certificate(ports.memory, 'apiserver').verify(authority.publicKey)).toBe(true);
    expect(certificate(ports.memory, 'apiserver').issuer).toBe('CN=my own CA');
  });
});
