/** Tokens, cluster-info and its signatures beside the real ones: kubeadm, kube-apiserver and kube-controller-manager. */
import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { kubernetesClusters } from '../packages/cluster/dist/index.js';
import {
  type BootstrapToken,
  clusterInfo,
  type Discovered,
  type DiscoveryProgress,
  discover,
  type HttpsGetOptions,
  isSignedBy,
  joinCommand,
  nodeBootstrapGroup,
  parseToken,
  pinsOf,
  readClusterInfo,
  readTokenSecret,
  signClusterInfo,
  tokenSecret,
} from '../packages/discovery/dist/index.js';
import { httpsGet, systemClock } from '../packages/host/dist/index.js';
import type { Secret } from '../packages/manifest/dist/index.js';
import { joinPreflight, mustRunKubeadm, runKubeadm, trustMessage } from './private-kubeadm.ts';
import { startTokenCluster, type TokenCluster } from './token-cluster.ts';

/** The token that kubeadm makes. */
const token = 'abcdef.0123456789abcdef';

let cluster: TokenCluster;
let pins: readonly string[];
let ca: string;

const publishedInfo = () => cluster.clusterInfo();
const signaturesIn = () => readClusterInfo(publishedInfo()).signatures;

beforeAll(async () => {
  cluster = await startTokenCluster(process.env.GROUNDPLANE_COMPONENTS ?? '', token);
  ca = cluster.ca;
  pins = await pinsOf(ca);
});
afterAll(() => cluster?.stop());

function find(
  change: { readonly token?: string; readonly pins?: readonly string[]; readonly timeoutMs?: number } = {},
) {
  const progress: DiscoveryProgress[] = [];
  const requests: HttpsGetOptions['trust'][] = [];
  const given = change.token ?? token;
  const found: Promise<Discovered> = discover({
    discovery: {
      bootstrapToken: {
        token: given,
        apiServerEndpoint: cluster.endpoint,
        caCertHashes: change.pins ?? pins,
        unsafeSkipCAVerification: false,
      },
      tlsBootstrapToken: given,
    },
    timeoutMs: change.timeoutMs ?? 30_000,
    clock: systemClock(),
    fetch: (url, options) => {
      requests.push(options.trust);
      return httpsGet(url, options);
    },
    readFile: async () => undefined,
    connect: (options) => kubernetesClusters({ clock: systemClock(), environment: {} }).connect(options),
    onProgress: (one) => progress.push(one),
  });
  return { found, progress, requests };
}

describe('what kubeadm made', () => {
  it('its cluster-info has the bytes of ours', () => {
    const ours = clusterInfo({ server: cluster.api.server, certificateAuthority: ca });
    expect(publishedInfo().data).toEqual(ours.data);
  });

  it('its token is read, and made again by us it is the same Secret', () => {
    const theirs = cluster.get<Secret>('secret', 'bootstrap-token-abcdef', '-n', 'kube-system');
    const read = readTokenSecret(theirs);
    expect(read).toMatchObject({
      ...parseToken(token),
      description: 'of kubeadm',
      usages: ['authentication', 'signing'],
      groups: [nodeBootstrapGroup],
    });
    const ours = tokenSecret(read, { now: new Date() });
    expect({ type: ours.type, data: ours.data }).toEqual({ type: theirs.type, data: theirs.data });
  });

  it('is waited for until somebody has signed it', async () => {
    const { found, progress } = find({ timeoutMs: 1500 });
    await expect(found).rejects.toMatchObject({ code: 'DISCOVERY_UNSIGNED', kind: 'timeout' });
    expect(progress[0]?.reason).toContain('no token has signed it');
  });
});

describe('with the signer of kube-controller-manager', () => {
  const tokenOf = (id: string, change: Partial<BootstrapToken> = {}): BootstrapToken => ({
    id,
    secret: 'aaaabbbbccccdddd',
    usages: ['signing', 'authentication'],
    groups: [nodeBootstrapGroup],
    ...change,
  });
  const ours = tokenOf('ourown', { description: 'of ours', expires: new Date(Date.now() + 3_600_000) });
  const others = [
    tokenOf('nosign', { usages: ['authentication'] }),
    tokenOf('noauth', { usages: ['signing'], groups: [] }),
    tokenOf('oldone', { expires: new Date(Date.now() - 1000) }),
  ];

  beforeAll(async () => {
    const waiting = find({ timeoutMs: 60_000 });
    cluster.startControllers();
    cluster.apply(...[ours, ...others].map((one) => tokenSecret(one, { now: new Date() })));
    await waiting.found;
    await cluster.until(
      'the signature of our token',
      () => signaturesIn().get('ourown') !== undefined && signaturesIn().get('noauth') !== undefined,
    );
  });

  it('cluster-info is signed as we sign it, by the same tokens', async () => {
    const published = publishedInfo();
    const secrets = cluster.get<{ items: Secret[] }>('secrets', '-n', 'kube-system').items;
    const tokens = secrets.filter(({ type }) => type === 'bootstrap.kubernetes.io/token').map(readTokenSecret);
    const unsigned = clusterInfo({ server: cluster.api.server, certificateAuthority: ca });
    const signed = await signClusterInfo(unsigned, { tokens: [...tokens, ...others], now: new Date() });
    expect(published.data).toEqual(signed.data);
    expect([...readClusterInfo(published).signatures.keys()].sort()).toEqual(['abcdef', 'noauth', 'ourown']);
  });

  it('each signature verifies, and with no other token', async () => {
    const { kubeconfig, signatures } = readClusterInfo(publishedInfo());
    const signature = signatures.get('ourown') ?? '';
    expect(await isSignedBy(kubeconfig, { signature, token: ours })).toBe(true);
    expect(await isSignedBy(kubeconfig, { signature, token: { ...ours, secret: 'aaaabbbbccccddde' } })).toBe(false);
    expect(await isSignedBy(`${kubeconfig}\n`, { signature, token: ours })).toBe(false);
  });

  it('the cleaner removes the token that has expired', async () => {
    const exists = () => cluster.api.kubectl('get', 'secrets', '-n', 'kube-system', '-o', 'name').includes('oldone');
    await cluster.until('the end of the expired token', () => !exists());
  });

  it('the cluster is discovered, at once', async () => {
    const { found, progress, requests } = find();
    const start = performance.now();
    const { server, certificateAuthority, kubeconfig } = await found;
    const elapsed = performance.now() - start;
    expect({ server, certificateAuthority }).toEqual({ server: cluster.api.server, certificateAuthority: ca });
    expect(requests).toEqual(['nobody', { authority: expect.stringContaining('BEGIN CERTIFICATE') }]);
    expect(progress).toEqual([]);
    expect(elapsed).toBeLessThan(3000);
    writeFileSync(cluster.path('found.conf'), kubeconfig);
    const whoami = cluster.api.kubectl('--kubeconfig', cluster.path('found.conf'), 'auth', 'whoami', '-o', 'json');
    expect(JSON.parse(whoami)).toMatchObject({
      status: {
        userInfo: { username: 'system:bootstrap:abcdef', groups: expect.arrayContaining([nodeBootstrapGroup]) },
      },
    });
  });

  it.each([
    ['a token that nobody knows', 'nobody.aaaabbbbccccdddd', 'DISCOVERY_UNSIGNED'],
    ['a token that has expired', 'oldone.aaaabbbbccccdddd', 'DISCOVERY_UNSIGNED'],
    ['a token that is not for signing', 'nosign.aaaabbbbccccdddd', 'DISCOVERY_UNSIGNED'],
    ['a token with another secret', 'abcdef.aaaabbbbccccdddd', 'DISCOVERY_SIGNATURE_INVALID'],
  ])('not with %s', async (_, given, code) => {
    await expect(find({ token: given, timeoutMs: 3000 }).found).rejects.toMatchObject({ code });
  });

  it('not with the pin of another CA', async () => {
    const { found, requests } = find({ pins: await pinsOf(Buffer.from(cluster.api.otherCa(), 'base64').toString()) });
    await expect(found).rejects.toMatchObject({ code: 'DISCOVERY_PIN_MISMATCH' });
    expect(requests).toEqual(['nobody']);
  });

  it.each(['superAdmin', 'nobody'] as const)('by a file, as %s', async (identity) => {
    const text = cluster.api.kubeconfig(identity);
    const clock = systemClock();
    const found = await discover({
      discovery: { file: { kubeConfigPath: '/d.conf' }, tlsBootstrapToken: identity === 'nobody' ? token : '' },
      timeoutMs: 20_000,
      clock,
      fetch: httpsGet,
      readFile: async () => (identity === 'nobody' ? readClusterInfo(publishedInfo()).kubeconfig : text),
      connect: (options) => kubernetesClusters({ clock, environment: {} }).connect(options),
    });
    expect(found).toMatchObject({ server: cluster.api.server, certificateAuthority: ca, findings: [] });
  });

  it('kubeadm lists our tokens as it does its own', () => {
    const output = mustRunKubeadm(['token', 'list', '--kubeconfig', cluster.path('admin.conf'), '-o', 'json']);
    const listed = JSON.parse(`[${output.trim().replaceAll(/}\s*{/g, '},{')}]`) as { token: string }[];
    const find = (id: string) => listed.find((one) => one.token.startsWith(id));
    expect(find('ourown')).toMatchObject({
      token: 'ourown.aaaabbbbccccdddd',
      description: 'of ours',
      usages: ['authentication', 'signing'],
      groups: [nodeBootstrapGroup],
      expires: ours.expires?.toISOString().replace(/\.\d+Z$/, 'Z'),
    });
    expect(find('nosign')).toMatchObject({ usages: ['authentication'] });
    expect(find('nosign')).not.toHaveProperty('expires');
  });

  it.each([
    ['a worker', []],
    ['a control-plane node', ['--certificate-key', 'c0ffee']],
  ])('kubeadm prints the join command of %s as we do', (_, args) => {
    const asked = ['token', 'create', 'printd.aaaabbbbccccdddd', '--print-join-command', ...args];
    const printed = mustRunKubeadm([...asked, '--kubeconfig', cluster.path('admin.conf')]);
    cluster.api.kubectl('delete', 'secret', 'bootstrap-token-printd', '-n', 'kube-system');
    const facts = { server: cluster.api.server, token: 'printd.aaaabbbbccccdddd', caCertHashes: pins };
    const controlPlane = args[1] === undefined ? {} : { controlPlane: true, certificateKey: args[1] };
    expect(printed).toBe(`${joinCommand({ ...facts, ...controlPlane }, { oneLine: true })}\n`);
  });
});

describe('kubeadm joins', () => {
  const ours = { ...parseToken('ourown.aaaabbbbccccdddd'), usages: ['signing'], groups: [] };

  beforeAll(() => cluster.endControllers());

  it('with a signature of ours', async () => {
    const unsigned = clusterInfo({ server: cluster.api.server, certificateAuthority: ca });
    cluster.apply(await signClusterInfo(unsigned, { tokens: [ours], now: new Date() }));
    cluster.api.kubectl(
      'patch',
      'configmap',
      'cluster-info',
      '-n',
      'kube-public',
      '--type=json',
      '-p',
      '[{"op":"remove","path":"/data/jws-kubeconfig-abcdef"}]',
    );
    expect([...readClusterInfo(publishedInfo()).signatures.keys()]).toContain('ourown');
    const { status, output } = runKubeadm(joinPreflight(cluster.endpoint, { token: 'ourown.aaaabbbbccccdddd', pins }));
    expect(output).toContain(trustMessage);
    expect(status, output).toBe(0);
  });

  it('and not with one over another text', async () => {
    const other = clusterInfo({ server: 'https://192.0.2.1:6443', certificateAuthority: ca });
    const { data = {} } = await signClusterInfo(other, { tokens: [ours], now: new Date() });
    const { kubeconfig: _, ...signatures } = data;
    cluster.apply({
      ...publishedInfo(),
      metadata: { name: 'cluster-info', namespace: 'kube-public' },
      data: { ...publishedInfo().data, ...signatures },
    });
    const { status, output } = runKubeadm(joinPreflight(cluster.endpoint, { token: 'ourown.aaaabbbbccccdddd', pins }));
    expect(output).toContain('failed to verify JWS signature');
    expect(status).not.toBe(0);
    await expect(find({ token: 'ourown.aaaabbbbccccdddd' }).found).rejects.toMatchObject({
      code: 'DISCOVERY_SIGNATURE_INVALID',
    });
  });
});
