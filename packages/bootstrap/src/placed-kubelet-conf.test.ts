import { readFileSync } from 'node:fs';
import { buildKubeconfig, stringifyKubeconfig, type User } from '@groundplane/kubeconfig';
import { planWorkflow } from '@groundplane/phases';
import type { Memory, MemoryContent } from '@groundplane/phases/testing';
import { issueCertificate } from '@groundplane/pki';
import { describe, expect, test } from 'vitest';
import { initContext, initWorld } from '../test/init-world.ts';
import { joinDecisions, runJoin } from '../test/join-run.ts';
import {
  clusterAuthority,
  clusterObjects,
  endpoint,
  joinContext,
  joinWorld,
  kubeletCertificate,
  paths,
  server,
} from '../test/join-world.ts';
import { resolve } from '../test/resolved-join.ts';
import { joinWorkflow, userKubeconfig, webCryptoSigner } from './index.ts';

const pem = (name: string) => readFileSync(new URL(`../../pki/testdata/${name}`, import.meta.url), 'utf8');
const key = pem('p384-sec1.key');
const otherKey = pem('root.key');

interface Change {
  readonly commonName?: string;
  readonly organizations?: readonly string[];
  readonly usages?: readonly ('clientAuth' | 'serverAuth')[];
  readonly notBefore?: Date;
  readonly notAfter?: Date;
}

/** A client certificate as the CA of the cluster makes it for whoever asks. */
async function signed(change: Change = {}): Promise<string> {
  const { certificate } = await issueCertificate(
    {
      subject: {
        commonName: change.commonName ?? 'system:node:node-b',
        organizations: change.organizations ?? ['system:nodes'],
      },
      sans: { dnsNames: [], ipAddresses: [] },
      extendedKeyUsages: change.usages ?? ['clientAuth'],
      isCA: false,
      notBefore: change.notBefore ?? new Date('2025-12-31T00:00:00Z'),
      notAfter: change.notAfter ?? new Date('2027-01-01T00:00:00Z'),
      keyAlgorithm: 'ECDSA-P256',
    },
    { issuer: clusterAuthority, key },
  );
  return certificate;
}

/** One that another CA has signed. */
async function signedByOther(): Promise<string> {
  const { certificate } = await issueCertificate(
    {
      subject: { commonName: 'system:node:node-b', organizations: ['system:nodes'] },
      sans: { dnsNames: [], ipAddresses: [] },
      extendedKeyUsages: ['clientAuth'],
      isCA: false,
      notBefore: new Date('2025-12-31T00:00:00Z'),
      notAfter: new Date('2027-01-01T00:00:00Z'),
      keyAlgorithm: 'ECDSA-P256',
    },
    { issuer: { certificate: pem('impostor.crt'), key: pem('impostor.key') }, key },
  );
  return certificate;
}

/** A kubeconfig that somebody has made. */
function conf(user: User, at: string = server): MemoryContent {
  const certificateAuthority = clusterAuthority.certificate;
  const made = buildKubeconfig({ clusterName: 'kubernetes', server: at, certificateAuthority, user: 'kubelet' });
  return { content: stringifyKubeconfig({ ...made, users: [{ name: 'kubelet', user }] }), mode: 0o600 };
}

const base64 = (text: string) => Buffer.from(text).toString('base64');
const embedded = (certificate: string, ownKey = key) => ({
  'client-certificate-data': base64(certificate),
  'client-key-data': base64(ownKey),
});
const files = (certificate: string, privateKey: string) => ({
  'client-certificate': certificate,
  'client-key': privateKey,
});

const rotating = clusterObjects({ kubelet: 'rotateCertificates: true\n' });

/** A machine whose kubelet takes over what it finds in kubelet.conf, as one does that renews its certificate. */
function world(given: Readonly<Record<string, MemoryContent>>, { objects = rotating, taken = '' } = {}) {
  const onRestart = (_: string, memory: Memory) => {
    if (memory.text(paths.certificate) === undefined && taken !== '')
      memory.put(paths.certificate, { content: taken, mode: 0o600 });
  };
  return joinWorld({ files: given, objects, onRestart });
}

const good = await signed();
const all = { preflight: 'deferred', 'kubelet-start': 'keep', 'kubelet-wait-bootstrap': 'keep' };

describe('a kubelet.conf that somebody has brought', async () => {
  test.each<[string, Readonly<Record<string, MemoryContent>>]>([
    ['with everything embedded', { [paths.kubeconfig]: conf(embedded(good)) }],
    [
      'with files',
      {
        [paths.kubeconfig]: conf(files('/srv/node.crt', '/srv/node.key')),
        '/srv/node.crt': good,
        '/srv/node.key': key,
      },
    ],
    [
      'with files by relative paths',
      {
        [paths.kubeconfig]: conf(files('pki/node.pem', 'pki/node.pem')),
        '/etc/kubernetes/pki/node.pem': `${good}${key}`,
      },
    ],
  ])('%s is what the kubelet goes by, and no token is needed', async (_, given) => {
    const taken = `${good}${key}`;
    const ports = world(given, { taken });
    const config = await joinContext(ports);
    const { error, changes } = await runJoin(ports, config);
    expect(error).toBeUndefined();
    expect(changes).not.toContain(`write ${paths.bootstrap}`);
    // What is renewed is found again after the one that was brought has expired.
    expect(changes.at(-1)).toBe(`write ${paths.kubeconfig}`);
    const text = ports.memory.text(paths.kubeconfig);
    expect(text).toContain(`client-certificate: ${paths.certificate}`);
    expect(text).toContain(`client-key: ${paths.certificate}`);
    expect(text).not.toMatch(/-key-data|client-certificate-data/);
    expect(ports.memory.mode(paths.kubeconfig)).toBe(0o600);
    expect(await joinDecisions(ports, await joinContext(ports))).toEqual(all);
  });

  test('may be one that kubeconfig user has made', async () => {
    const maker = initWorld();
    maker.memory.put('/etc/kubernetes/pki/ca.crt', { content: clusterAuthority.certificate, mode: 0o644 });
    maker.memory.put('/etc/kubernetes/pki/ca.key', { content: clusterAuthority.key, mode: 0o600 });
    const { kubeconfig } = await userKubeconfig({
      context: await initContext({ cluster: `controlPlaneEndpoint: ${endpoint}\n` }),
      ports: { ...maker, signer: webCryptoSigner() },
      clientName: 'system:node:node-b',
      organizations: ['system:nodes'],
      validityMs: 86_400_000,
      now: maker.clock.now(),
    });
    const ports = world({ [paths.kubeconfig]: { content: kubeconfig, mode: 0o600 } });
    const { error, changes } = await runJoin(ports, await joinContext(ports));
    expect(error).toBeUndefined();
    expect(changes).not.toContain(`write ${paths.bootstrap}`);
  });

  test('stays as it is where the kubelet renews nothing', async () => {
    const given = { [paths.kubeconfig]: conf(embedded(good)) };
    const objects = clusterObjects({ kubelet: 'rotateCertificates: false\n' });
    const ports = world(given, { objects });
    const { error, changes } = await runJoin(ports, await joinContext(ports));
    expect(error).toBeUndefined();
    expect(changes).not.toContain(`write ${paths.kubeconfig}`);
    expect(await joinDecisions(ports, await joinContext(ports))).toEqual(all);
  });

  const elsewhere = pem('impostor.crt');
  test.each<[string, Readonly<Record<string, MemoryContent>>, RegExp]>([
    [
      'of another group',
      { [paths.kubeconfig]: conf(embedded(await signed({ organizations: ['nodes'] }))) },
      /system:nodes/,
    ],
    ['of no group', { [paths.kubeconfig]: conf(embedded(await signed({ organizations: [] }))) }, /system:nodes/],
    ['of a server', { [paths.kubeconfig]: conf(embedded(await signed({ usages: ['serverAuth'] }))) }, /clientAuth/],
    ['of another CA', { [paths.kubeconfig]: conf(embedded(await signedByOther())) }, /CA/],
    ['that is a CA of another cluster itself', { [paths.kubeconfig]: conf(embedded(elsewhere)) }, /system:node:node-b/],
    ['for another key', { [paths.kubeconfig]: conf(embedded(good, otherKey)) }, /private key/],
    [
      'that has expired',
      { [paths.kubeconfig]: conf(embedded(await signed({ notAfter: new Date('2025-12-31T12:00:00Z') }))) },
      /expired/,
    ],
    [
      'that is not valid yet',
      { [paths.kubeconfig]: conf(embedded(await signed({ notBefore: new Date('2026-06-01T00:00:00Z') }))) },
      /2026-06-01/,
    ],
    [
      'of another node',
      { [paths.kubeconfig]: conf(embedded(await signed({ commonName: 'system:node:node-x' }))) },
      /node-x.*system:node:node-b/,
    ],
    [
      'of another group in a file',
      {
        [paths.kubeconfig]: conf(files('/srv/node.crt', '/srv/node.key')),
        '/srv/node.crt': await signed({ organizations: [] }),
        '/srv/node.key': key,
      },
      /system:nodes/,
    ],
    [
      'that waits for its certificate',
      { [paths.kubeconfig]: conf({ 'client-key-data': base64(key) }) },
      /waits for its certificate/,
    ],
    ['for another server', { [paths.kubeconfig]: conf(embedded(good), 'https://192.0.2.9:6443') }, /192\.0\.2\.9/],
    [
      'while the kubelet has one of an earlier cluster, which it would take',
      { [paths.kubeconfig]: conf(embedded(good)), [paths.certificate]: await kubeletCertificate({ name: 'node-x' }) },
      /kubelet-client-current\.pem/,
    ],
  ])('%s is refused before anything is written', async (_, given, reason) => {
    const ports = world(given);
    const { error, changes } = await runJoin(ports, await joinContext(ports));
    expect(error).toMatchObject({ code: 'PHASES_CONFLICT', kind: 'conflict' });
    expect(error?.message).toMatch(reason);
    expect(error?.hint).toMatch(/[Mm]ove \/etc\/kubernetes\/kubelet\.conf away|groundplane reset|^Remove/);
    expect(changes).toEqual([]);
  });

  test('that makes an administrator of the kubelet is warned of', async () => {
    const powerful = await signed({ organizations: ['system:masters'] });
    const { warnings } = await resolve(world({ [paths.kubeconfig]: conf(embedded(powerful)) }));
    expect(warnings).toMatchObject([{ severity: 'warning', message: expect.stringContaining('system:masters') }]);
  });

  test('one of an earlier cluster that has expired is no obstacle, nor is one of this cluster', async () => {
    for (const own of [
      await kubeletCertificate({ name: 'node-x', notAfter: new Date('2025-12-31T12:00:00Z') }),
      await kubeletCertificate(),
    ]) {
      const ports = world({ [paths.kubeconfig]: conf(embedded(good)), [paths.certificate]: own });
      const { phases } = await planWorkflow({ workflow: joinWorkflow, config: await joinContext(ports), ports });
      expect(phases.flatMap(({ findings }) => findings)).toEqual([]);
    }
  });

  test.each<[string, User]>([
    ['without certificate', { token: 'abc' }],
    ['with a file that is not there', files('/srv/node.crt', '/srv/node.key')],
  ])('%s is one by which the kubelet asks for another, and for that it needs its token', async (_, user) => {
    const ports = joinWorld({ files: { [paths.kubeconfig]: conf(user) }, certificate: await kubeletCertificate() });
    const { error, changes } = await runJoin(ports, await joinContext(ports));
    expect(error).toBeUndefined();
    expect(changes).toContain(`write ${paths.bootstrap}`);
  });
});
