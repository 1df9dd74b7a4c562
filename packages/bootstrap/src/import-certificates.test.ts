import type { MemoryPorts } from '@groundplane/phases/testing';
import {
  type CertificateAndKey,
  type CertificateAuthorityName,
  type CertificateRequest,
  issueCertificate,
} from '@groundplane/pki';
import { beforeAll, describe, expect, test } from 'vitest';
import { initContext, initWorld } from '../test/init-world.ts';
import type { KnownNeed } from './certificate-need.ts';
import { knownNeeds } from './certificate-needs.ts';
import type { ExchangedFile } from './exchange-file.ts';
import { type ImportRequest, importCertificates } from './import-certificates.ts';
import type { InitContext } from './init-context.ts';
import { requestCertificates } from './request-certificates.ts';

const authorities = ['ca', 'front-proxy-ca', 'etcd-ca'] as const;
const day = 86_400_000;
const encoder = new TextEncoder();

let context: InitContext;
/** CA of the node → the one that is trusted, and those below it, the last of which signs. */
const chains = new Map<CertificateAuthorityName, readonly CertificateAndKey[]>();
/** The files of a node whose keys wait, and when they were made. */
const waiting: Record<string, string> = {};
let now: Date;

beforeAll(async () => {
  context = await initContext();
  const ports = initWorld();
  now = ports.clock.now();
  for (const name of authorities) {
    const root = await authority(`Root of ${name}`);
    const upper = await authority(`Upper of ${name}`, root);
    chains.set(name, [root, upper, await authority(`Lower of ${name}`, upper)]);
  }
  await requestCertificates({ context, ports, authorities, now });
  for (const path of ports.memory.paths()) waiting[path] = ports.memory.text(path) ?? '';
});

function authority(commonName: string, issuer?: CertificateAndKey): Promise<CertificateAndKey> {
  const request: CertificateRequest = {
    subject: { commonName, organizations: [] },
    sans: { dnsNames: [], ipAddresses: [] },
    extendedKeyUsages: [],
    isCA: true,
    notBefore: new Date(now.getTime() - day),
    notAfter: new Date(now.getTime() + 3650 * day),
    keyAlgorithm: 'ECDSA-P256',
  };
  return issueCertificate(request, { issuer: issuer ?? 'self' });
}

function chainOf(name: CertificateAuthorityName): readonly CertificateAndKey[] {
  const chain = chains.get(name);
  if (chain === undefined) throw new Error(`there is no ${name}`);
  return chain;
}

/** A node that waits for its certificates. */
function node(): MemoryPorts {
  const ports = initWorld();
  for (const [path, content] of Object.entries(waiting)) ports.memory.put(path, { content, mode: 0o600 });
  return ports;
}

const needsOf = (ports: MemoryPorts) => knownNeeds({ context, ports, authorities, now });

async function needNamed(name: string): Promise<KnownNeed> {
  const need = (await needsOf(node())).find((one) => one.name === name);
  if (need === undefined) throw new Error(`there is no ${name}`);
  return need;
}

interface Change extends Partial<CertificateRequest> {
  readonly issuer?: CertificateAndKey;
  readonly key?: string;
}

async function signed(need: KnownNeed, { issuer, key = need.key, ...change }: Change = {}): Promise<string> {
  if (need.request === undefined || need.authority === undefined) throw new Error(`nothing is signed for ${need.name}`);
  const by = issuer ?? chainOf(need.authority).at(-1);
  if (by === undefined || key === undefined) throw new Error('nobody signs');
  return (await issueCertificate({ ...need.request, ...change }, { issuer: by, key })).certificate;
}

type File = ImportRequest['files'][number];
const file = (name: string, ...pems: readonly string[]): File => ({ name, bytes: encoder.encode(pems.join('')) });

/** The certificates of the CAs themselves, by the names of their files, and what is between them and the leaves. */
const trusted = () => authorities.map((name) => file(`${name}.crt`, chainOf(name)[0]?.certificate ?? ''));
const between = () =>
  file(
    'between.pem',
    ...authorities.flatMap((name) =>
      chainOf(name)
        .slice(1)
        .map(({ certificate }) => certificate),
    ),
  );

async function allAnswers(): Promise<readonly File[]> {
  const leaves = (await needsOf(node())).filter(({ request }) => request !== undefined);
  return Promise.all(leaves.map(async (need) => file(`${need.name}.pem`, await signed(need))));
}

const take = (ports: MemoryPorts, files: readonly File[], request: Partial<ImportRequest> = {}) =>
  importCertificates({ context, ports, authorities, now, files, ...request });

const contents = (ports: MemoryPorts) =>
  Object.fromEntries(ports.memory.paths().map((path) => [path, ports.memory.text(path)]));

describe('importCertificates()', () => {
  const another = async () => (await authority('Somebody else')) satisfies CertificateAndKey;
  const sansOf = ({ request }: KnownNeed) => request?.sans ?? { dnsNames: [], ipAddresses: [] };

  test.each<readonly [string, string, (need: KnownNeed) => Change | Promise<Change>, string, RegExp]>([
    [
      'another key',
      'apiserver',
      async () => ({ key: (await another()).key }),
      'BOOTSTRAP_ANSWER_UNKNOWN',
      /another key/,
    ],
    [
      'a name missing',
      'apiserver',
      (need) => ({ sans: { ...sansOf(need), dnsNames: sansOf(need).dnsNames.slice(1) } }),
      'PKI_SAN_MISSING',
      /kubernetes/,
    ],
    [
      'a name too many',
      'apiserver',
      (need) => ({ sans: { ...sansOf(need), dnsNames: [...sansOf(need).dnsNames, 'evil.example.com'] } }),
      'BOOTSTRAP_ANSWER_EXTRA',
      /evil\.example\.com/,
    ],
    [
      'an address too many',
      'etcd-peer',
      (need) => ({ sans: { ...sansOf(need), ipAddresses: [...sansOf(need).ipAddresses, '203.0.113.1'] } }),
      'BOOTSTRAP_ANSWER_EXTRA',
      /203\.0\.113\.1/,
    ],
    [
      'a group too many in a kubeconfig',
      'scheduler.conf',
      ({ request }) => ({
        subject: { commonName: request?.subject.commonName ?? '', organizations: ['system:masters'] },
      }),
      'BOOTSTRAP_ANSWER_EXTRA',
      /system:masters/,
    ],
    [
      'a group too many',
      'apiserver-kubelet-client',
      ({ request }) => ({
        subject: { commonName: request?.subject.commonName ?? '', organizations: ['system:nodes', 'system:masters'] },
      }),
      'BOOTSTRAP_ANSWER_EXTRA',
      /system:nodes/,
    ],
    [
      'a name for who is a client alone',
      'admin.conf',
      () => ({ sans: { dnsNames: ['admin.example.com'], ipAddresses: [] } }),
      'BOOTSTRAP_ANSWER_EXTRA',
      /admin\.example\.com/,
    ],
    [
      'the wrong usage',
      'front-proxy-client',
      () => ({ extendedKeyUsages: ['serverAuth'] }),
      'PKI_USAGE_MISSING',
      /clientAuth/,
    ],
    [
      'the wrong CA',
      'etcd-server',
      () => ({ issuer: chainOf('ca').at(-1) as CertificateAndKey }),
      'PKI_CERTIFICATE_UNTRUSTED',
      /etcd/,
    ],
    [
      'an unknown CA',
      'kubelet.conf',
      async () => ({ issuer: await another() }),
      'PKI_CERTIFICATE_UNTRUSTED',
      /kubelet\.conf/,
    ],
    [
      'an end in the past',
      'etcd-healthcheck-client',
      () => ({ notBefore: new Date(now.getTime() - 400 * day), notAfter: new Date(now.getTime() - day) }),
      'PKI_CERTIFICATE_EXPIRED',
      /healthcheck/,
    ],
    [
      'a begin in the future',
      'apiserver-etcd-client',
      () => ({ notBefore: new Date(now.getTime() + day), notAfter: new Date(now.getTime() + 366 * day) }),
      'PKI_CERTIFICATE_NOT_YET_VALID',
      /apiserver-etcd-client/,
    ],
    [
      'too short a time',
      'controller-manager.conf',
      () => ({ notAfter: new Date(now.getTime() + 30 * day) }),
      'BOOTSTRAP_ANSWER_TOO_SHORT',
      /365 days: 30/,
    ],
    ['the rights of a CA', 'super-admin.conf', () => ({ isCA: true }), 'BOOTSTRAP_ANSWER_IS_CA', /CA:TRUE/],
  ])('refuses %s by name, and takes the rest', async (_, name, changeOf, code, reason) => {
    const ports = node();
    const need = await needNamed(name);
    const wrong = file('wrong.pem', await signed(need, await changeOf(need)));
    const good = (await allAnswers()).filter((one) => one.name !== `${name}.pem`);
    const { imported, refused, needs } = await take(ports, [...trusted(), between(), wrong, ...good]);
    expect(refused.map(({ from }) => from)).toEqual(['wrong.pem']);
    const said = refused[0]?.findings ?? [];
    expect(said.map((finding) => finding.code)).toContain(code);
    expect(said.map(({ message }) => message).join()).toMatch(reason);
    expect(JSON.stringify(refused[0]?.findings)).toContain(need.place);
    expect(refused[0]?.name).toBe(code === 'BOOTSTRAP_ANSWER_UNKNOWN' ? undefined : name);
    expect(imported).toHaveLength(authorities.length + good.length);
    expect(needs.filter(({ state }) => state !== 'valid').map((one) => [one.name, one.state])).toEqual([
      [name, 'requested'],
    ]);
    expect(contents(ports)[need.place]).toBe(waiting[need.place]);
    // The right answer still finds its place afterwards.
    const right = await take(ports, [file('right.pem', await signed(need))]);
    expect(right).toMatchObject({ refused: [], imported: [{ name, action: 'placed' }] });
  });

  test('what an answer is valid for counts from now, and with the CAs above it', async () => {
    const need = await needNamed('apiserver');
    const half = { notBefore: new Date(now.getTime() - 182 * day), notAfter: new Date(now.getTime() + 183 * day) };
    const answer = file('half', await signed(need, half));
    const refusedBy = async (minimumValidityMs?: number) => {
      const limit = minimumValidityMs === undefined ? {} : { minimumValidityMs };
      const { refused } = await take(node(), [...trusted(), between(), answer], limit);
      return refused.flatMap(({ findings }) =>
        findings.map(({ code, message }) => [code, message.includes('183 days')]),
      );
    };
    expect(await refusedBy()).toEqual([['BOOTSTRAP_ANSWER_TOO_SHORT', true]]);
    expect(await refusedBy(200 * day)).toEqual([['BOOTSTRAP_ANSWER_TOO_SHORT', true]]);
    expect(await refusedBy(183 * day)).toEqual([]);
    const long = file('long', await signed(need, { notAfter: new Date(now.getTime() + 20_000 * day) }));
    const { imported } = await take(node(), [...trusted(), between(), long]);
    const warnings = imported.find(({ name }) => name === 'apiserver')?.warnings ?? [];
    expect(warnings.map(({ code }) => code)).toEqual(['BOOTSTRAP_CERTIFICATE_OUTLIVES_ISSUER']);
  });

  test('one CA in place of two is worth a warning', async () => {
    const root = chainOf('ca')[0]?.certificate ?? '';
    const told = (authority: 'ca' | 'etcd-ca' | 'front-proxy-ca') => ({ ...file(`${authority}.crt`, root), authority });
    const { refused, remarks } = await take(node(), [told('ca'), told('etcd-ca'), told('front-proxy-ca')]);
    expect(refused).toEqual([]);
    expect(remarks.filter(({ code }) => code === 'BOOTSTRAP_AUTHORITY_SHARED').map(({ message }) => message)).toEqual([
      expect.stringMatching(/front-proxy-ca and ca are one CA/),
      expect.stringMatching(/etcd-ca and ca are one CA/),
    ]);
    expect((await take(node(), trusted())).remarks).toEqual([]);
  });

  test('an extended key usage too many is worth a warning', async () => {
    const need = await needNamed('apiserver');
    const answer = await signed(need, { extendedKeyUsages: ['serverAuth', 'clientAuth'] });
    const { imported, refused } = await take(node(), [...trusted(), between(), file('a', answer)]);
    expect(refused).toEqual([]);
    const warnings = imported.find(({ name }) => name === 'apiserver')?.warnings ?? [];
    expect(warnings.map(({ code, message }) => [code, /clientAuth/.test(message)])).toEqual([
      ['BOOTSTRAP_ANSWER_EXTRA', true],
    ]);
  });

  test('of two answers for one request the one that is valid longest is taken, whichever comes first', async () => {
    const need = await needNamed('apiserver');
    const long = file('long.pem', await signed(need, { notAfter: new Date(now.getTime() + 500 * day) }));
    const usual = file('usual.pem', await signed(need));
    for (const order of [
      [long, usual],
      [usual, long],
    ]) {
      const { imported, refused, remarks } = await take(node(), [...trusted(), between(), ...order]);
      expect(refused).toEqual([]);
      expect(imported.filter(({ name }) => name === 'apiserver').map(({ answer }) => answer.file.name)).toEqual([
        'long.pem',
      ]);
      expect(remarks.map(({ code, message }) => [code, message.includes('usual.pem')])).toEqual([
        ['BOOTSTRAP_ANSWER_SUPERFLUOUS', true],
      ]);
    }
  });

  test.each([
    ['leaf first', (leaf: string, [root, upper, lower]: readonly string[]) => [leaf, lower, upper, root]],
    ['root first', (leaf: string, [root, upper, lower]: readonly string[]) => [root, upper, lower, leaf]],
    ['the leaf in the middle', (leaf: string, [root, upper, lower]: readonly string[]) => [upper, leaf, root, lower]],
  ])('puts a chain that comes with %s in the order of TLS', async (_, orderOf) => {
    const ports = node();
    const need = await needNamed('etcd-server');
    const leaf = await signed(need);
    const chain = chainOf('etcd-ca').map(({ certificate }) => certificate);
    const order = orderOf(leaf, chain).map((one) => one ?? '');
    const { refused } = await take(ports, [...trusted(), file('bundle', ...order)]);
    expect(refused).toEqual([]);
    expect(ports.memory.text(need.place)).toBe([leaf, chain[2], chain[1]].join(''));
  });

  test('takes portions in any order, keeps what belongs together, and is content in the end', async () => {
    const ports = node();
    const answers = await allAnswers();
    const half = answers.length >> 1;
    // Leaves before their CAs cannot be verified, and are refused with what is missing.
    const early = await take(ports, answers.slice(0, 1));
    expect(early.refused.flatMap(({ findings }) => findings.map(({ code }) => code))).toContain(
      'BOOTSTRAP_ANSWER_UNTRUSTED',
    );
    const first = await take(ports, [...trusted(), between()]);
    expect(first.kept).toMatchObject({ added: 6 });
    expect((await take(ports, answers.slice(half))).refused).toEqual([]);
    const last = await take(ports, answers.slice(0, half));
    expect(last.refused).toEqual([]);
    expect(last.needs.filter(({ state }) => state !== 'valid')).toEqual([]);
    const whole = node();
    await take(whole, [...answers, between(), ...trusted()]);
    const { '/etc/kubernetes/pki/intermediates.crt': _, ...files } = contents(ports);
    expect(files).toEqual(contents(whole));
  });

  test('changes nothing when it is done again, and tells of each file once', async () => {
    const ports = node();
    const files = [...trusted(), between(), ...(await allAnswers())];
    const told: ExchangedFile[] = [];
    const onWritten = async (written: ExchangedFile) => void told.push(written);
    await take(ports, files, { onWritten });
    expect(told).toHaveLength(files.length - 1);
    expect(new Set(told.map(({ location }) => location)).size).toBe(told.length);
    expect(told.filter(({ action }) => action === 'replaced').map(({ artifact }) => artifact)).toHaveLength(5);
    const [before, writes] = [contents(ports), ports.memory.writes.length];
    const again = await take(ports, files, { onWritten });
    expect(new Set(again.imported.map(({ action }) => action))).toEqual(new Set(['kept']));
    expect(again.refused).toEqual([]);
    expect(contents(ports)).toEqual(before);
    expect(ports.memory.writes.length).toBe(writes);
    expect(told).toHaveLength(files.length - 1);
  });

  test.each([0, 2, 7, 14])(
    'that fails at the write after %d leaves whole files alone, and the next one completes it',
    async (done) => {
      const files = [...trusted(), between(), ...(await allAnswers())];
      const whole = node();
      await take(whole, files);
      const ports = node();
      let left = done;
      const failing = {
        ...ports.host.files,
        write: async (...args: Parameters<typeof ports.host.files.write>) => {
          if (left-- === 0) throw new Error('no space left on device');
          return ports.host.files.write(...args);
        },
      };
      const broken = { ...ports, host: { ...ports.host, files: failing } };
      await expect(importCertificates({ context, ports: broken, authorities, now, files })).rejects.toThrow('no space');
      const wanted = contents(whole);
      const changed = Object.entries(contents(ports)).filter(([path, text]) => text !== waiting[path]);
      expect(changed).toHaveLength(done);
      for (const [path, text] of changed) expect({ path, text }).toEqual({ path, text: wanted[path] });
      expect((await take(ports, files)).refused).toEqual([]);
      expect(contents(ports)).toEqual(wanted);
    },
  );

  test('says nothing secret', async () => {
    const ports = node();
    const need = await needNamed('apiserver');
    const files = [...trusted(), between(), ...(await allAnswers()), file('wrong', await signed(need, { isCA: true }))];
    const said = JSON.stringify(await take(ports, files));
    const keys = Object.values(waiting).flatMap((text) => [
      ...[...text.matchAll(/-----BEGIN [A-Z ]*PRIVATE KEY-----\n(\S+)/g)].map(([, line = '']) => line),
      ...[...text.matchAll(/client-key-data: (\S+)/g)].map(([, data = '']) => data),
    ]);
    expect(keys.length).toBeGreaterThan(11);
    expect(keys.filter((key) => said.includes(key))).toEqual([]);
  });
});
