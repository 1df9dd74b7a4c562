import { execFile, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { documentErrors, lineErrors } from '../packages/cli/test/output-validator.ts';
import { parseYaml } from '../packages/manifest/dist/index.js';
import { startTokenCluster, type TokenCluster } from './token-cluster.ts';

const components = process.env.GROUNDPLANE_COMPONENTS ?? '';
const repository = fileURLToPath(new URL('..', import.meta.url));
const program = join(repository, 'packages/cli/dist/bin/groundplane.js');
const signerProgram = join(repository, 'test/openssl-signer.ts');

const nodes = 'system:nodes';
const authenticated = 'system:authenticated';
const bootstrapper = {
  user: 'system:bootstrap:abcdef',
  groups: ['system:bootstrappers', 'system:bootstrappers:kubeadm:default-node-token', authenticated],
};
const kubelet = (name: string) => ({ user: `system:node:${name}`, groups: [nodes, authenticated] });

/** Folders of a CA: with its key, without it, and that of the openssl signer, which alone has it. */
let folder = '';
let cluster: TokenCluster;
const inFolder = (...names: readonly string[]) => join(folder, ...names);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'groundplane-kubelet-requests-'));
  cluster = await startTokenCluster(components, 'abcdef.0123456789abcdef');
  for (const name of ['with-key', 'without-key', 'keys']) mkdirSync(inFolder(name));
  for (const name of ['with-key', 'without-key', 'keys']) cpSync(cluster.path('ca.crt'), inFolder(name, 'ca.crt'));
  for (const name of ['with-key', 'keys']) cpSync(cluster.path('ca.key'), inFolder(name, 'ca.key'));
  const openssl = (...args: readonly string[]) =>
    execFileSync('openssl', args, { cwd: inFolder('keys'), stdio: 'pipe' });
  const authority = (name: string, ...signer: readonly string[]) =>
    openssl(
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-noenc', '-days', '2'],
      ...['-subj', `/CN=${name}`, '-keyout', `${name}.key`, '-out', `${name}.crt`, ...signer],
    );
  authority('intermediate', '-CA', 'ca.crt', '-CAkey', 'ca.key');
  authority('unknown-ca');
  // Without files for signing, as in a cluster whose CA is elsewhere.
  cluster.startControllers([
    'certificatesigningrequest-approving-controller',
    'certificatesigningrequest-signing-controller',
  ]);
}, 120_000);
afterEach(() => {
  cluster.api.kubectl('delete', 'csr', '--all');
});
afterAll(async () => {
  await cluster?.stop();
  rmSync(folder, { recursive: true, force: true });
});

interface Asked {
  readonly by?: { readonly user: string; readonly groups: readonly string[] };
  readonly signer?: string;
  readonly subject?: string;
  readonly names?: string;
  readonly usages?: readonly string[];
  readonly expirationSeconds?: number;
  /** Ends when the controller manager has approved it. */
  readonly approved?: boolean;
}

let count = 0;

/** Makes a request as a kubelet does. @returns its name in the API, which is also that of its files */
async function ask(node: string, asked: Asked = {}): Promise<string> {
  const isServing = asked.signer === 'kubelet-serving';
  const { by = isServing ? kubelet(node) : bootstrapper, signer = 'kube-apiserver-client-kubelet' } = asked;
  count += 1;
  const name = `csr-${String(count).padStart(3, '0')}`;
  execFileSync(
    'openssl',
    [
      ...['req', '-new', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-noenc', '-out', `${name}.csr`],
      ...['-keyout', `${name}.key`, '-subj', asked.subject ?? `/O=system:nodes/CN=system:node:${node}`],
      ...(asked.names === undefined ? [] : ['-addext', `subjectAltName=${asked.names}`]),
    ],
    { cwd: folder, stdio: 'pipe' },
  );
  const usages = asked.usages ?? ['digital signature', isServing ? 'server auth' : 'client auth'];
  const { expirationSeconds } = asked;
  const object = {
    apiVersion: 'certificates.k8s.io/v1',
    kind: 'CertificateSigningRequest',
    metadata: { name },
    spec: {
      request: readFileSync(inFolder(`${name}.csr`)).toString('base64'),
      signerName: `kubernetes.io/${signer}`,
      usages,
      ...(expirationSeconds === undefined ? {} : { expirationSeconds }),
    },
  };
  writeFileSync(inFolder(`${name}.json`), JSON.stringify(object));
  const groups = by.groups.map((group) => `--as-group=${group}`);
  cluster.api.kubectl('create', '-f', inFolder(`${name}.json`), `--as=${by.user}`, ...groups);
  if (asked.approved === true)
    await cluster.until(`approval of ${name}`, () => conditions(name).some(({ type }) => type === 'Approved'));
  return name;
}

const environment = () => ({ PATH: process.env.PATH, HOME: folder, GROUNDPLANE_STATE_DIR: inFolder('state') });

interface Csr {
  readonly status: {
    readonly certificate?: string;
    readonly conditions?: readonly { readonly type: string; readonly reason?: string }[];
  };
}
const csr = (name: string) => cluster.get<Csr>('csr', name);
const conditions = (name: string) => csr(name).status.conditions ?? [];

const commandLine = (folderOfCa: string, more: readonly string[]) => [
  ...['certs', 'sign-kubelet-requests', '--kubeconfig', cluster.path('admin.conf')],
  ...['--cert-dir', inFolder(folderOfCa), ...more],
];

interface Entry {
  readonly name: string;
  readonly outcome: string;
  readonly approved?: true;
  readonly notAfter?: string;
  readonly finding?: { readonly code: string; readonly message: string };
}
interface Call {
  readonly code: number | null;
  readonly stderr: string;
  readonly requests: readonly Entry[];
}

function sign(folderOfCa: 'with-key' | 'without-key', ...more: readonly string[]): Call {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [program, ...commandLine(folderOfCa, [...more, '-o', 'json'])],
    { encoding: 'utf8', cwd: folder, env: environment() },
  );
  expect(documentErrors(['certs-sign-kubelet-requests', 'error'], stdout)).toEqual([]);
  return { code: status, stderr, requests: JSON.parse(stdout).requests ?? [] };
}

const byOpenssl = (...fault: readonly string[]) => [
  '--signer-command',
  [process.execPath, signerProgram, inFolder('keys'), ...fault.map((word) => `'${word}'`)].join(' '),
];

/** Judges a certificate by openssl. @returns what it says of it */
function soundCertificate(name: string, purpose: 'sslclient' | 'sslserver'): string {
  writeFileSync(inFolder(`${name}.crt`), Buffer.from(csr(name).status.certificate ?? '', 'base64'));
  const openssl = (...args: readonly string[]) => execFileSync('openssl', args, { cwd: folder, encoding: 'utf8' });
  const authority = ['-CAfile', cluster.path('ca.crt'), '-untrusted', `${name}.crt`];
  expect(openssl('verify', '-purpose', purpose, ...authority, `${name}.crt`)).toBe(`${name}.crt: OK\n`);
  expect(openssl('x509', '-in', `${name}.crt`, '-noout', '-pubkey')).toBe(
    openssl('pkey', '-in', `${name}.key`, '-pubout'),
  );
  const shown = ['keyUsage', 'extendedKeyUsage', 'basicConstraints', 'subjectAltName'].join(',');
  return openssl('x509', '-in', `${name}.crt`, '-noout', '-subject', '-nameopt', 'RFC2253', '-ext', shown);
}

/** Who the API server takes somebody for who shows the certificate. */
function identity(name: string): { readonly username: string; readonly groups: readonly string[] } {
  const file = ['--server', cluster.api.server, '--certificate-authority', cluster.path('ca.crt'), '--kubeconfig'];
  const shown = ['--client-certificate', inFolder(`${name}.crt`), '--client-key', inFolder(`${name}.key`)];
  const args = ['auth', 'whoami', '-o', 'json', ...file, '/dev/null', ...shown];
  const output = execFileSync(join(components, 'kubectl'), args, { encoding: 'utf8' });
  return JSON.parse(output).status.userInfo;
}

function addNode(name: string, ...addresses: readonly (readonly [type: string, address: string])[]): void {
  writeFileSync(inFolder('node.json'), JSON.stringify({ apiVersion: 'v1', kind: 'Node', metadata: { name } }));
  cluster.api.kubectl('create', '-f', inFolder('node.json'));
  const status = { addresses: addresses.map(([type, address]) => ({ type, address })) };
  cluster.api.kubectl('patch', 'node', name, '--subresource=status', '-p', JSON.stringify({ status }));
}

describe('a kubelet that joins', () => {
  test('gets its certificate by the key of the CA, and the API server knows it', async () => {
    const name = await ask('node-a', { approved: true });
    expect(csr(name).status.certificate).toBeUndefined();
    expect(sign('with-key')).toMatchObject({ code: 0, requests: [{ name, outcome: 'signed' }] });
    expect(soundCertificate(name, 'sslclient')).toBe(`subject=CN=system:node:node-a,O=system:nodes
X509v3 Key Usage: critical
    Digital Signature
X509v3 Extended Key Usage: 
    TLS Web Client Authentication
X509v3 Basic Constraints: critical
    CA:FALSE
`);
    const { username, groups } = identity(name);
    expect({ username, groups }).toEqual({ username: 'system:node:node-a', groups: [nodes, authenticated] });
    const [entry, ...others] = readFileSync(inFolder('state', 'journal.jsonl'), 'utf8').trim().split('\n');
    expect(others).toEqual([]);
    expect(JSON.parse(entry ?? '')).toMatchObject({
      ...{ workflow: 'certs', phase: 'sign-kubelet-requests', action: 'extended' },
      location: `CertificateSigningRequest ${name}`,
    });
    expect(sign('with-key')).toMatchObject({ code: 0, requests: [] });
    expect(sign('with-key', name)).toMatchObject({ code: 0, requests: [{ name, outcome: 'kept' }] });
  });

  test('gets it from a signer while no key is here, and so it does through an intermediate', async () => {
    const usages = ['digital signature', 'key encipherment', 'client auth'];
    const [direct, chained] = [
      await ask('node-b', { approved: true, usages }),
      await ask('node-c', { approved: true, usages }),
    ];
    expect(sign('without-key', ...byOpenssl(chained, 'with an intermediate'))).toMatchObject({
      code: 0,
      requests: [
        { name: direct, outcome: 'signed' },
        { name: chained, outcome: 'signed' },
      ],
    });
    for (const [name, node] of [
      [direct, 'node-b'],
      [chained, 'node-c'],
    ] as const) {
      expect(soundCertificate(name, 'sslclient')).toContain('Digital Signature, Key Encipherment');
      expect(identity(name)).toMatchObject({ username: `system:node:${node}` });
    }
    expect(readFileSync(inFolder(`${chained}.crt`), 'utf8').match(/BEGIN/g)).toHaveLength(2);
  });

  test('renews its own, for as long as it asks', async () => {
    const name = await ask('node-a', { by: kubelet('node-a'), expirationSeconds: 3600, approved: true });
    const before = Date.now();
    const { requests } = sign('with-key', name);
    expect(requests).toMatchObject([{ name, outcome: 'signed' }]);
    const end = Date.parse(requests[0]?.notAfter ?? '');
    expect(end).toBeGreaterThan(before + 3_590_000);
    expect(end).toBeLessThanOrEqual(Date.now() + 3_600_000);
    soundCertificate(name, 'sslclient');
  });
});

describe('a kubelet that serves', () => {
  test('is approved and signed when told to, with addresses of its Node alone', async () => {
    addNode('node-s', ['InternalIP', '192.0.2.7'], ['InternalIP', '2001:db8::7'], ['Hostname', 'node-s']);
    const name = await ask('node-s', { signer: 'kubelet-serving', names: 'DNS:node-s,IP:192.0.2.7,IP:2001:db8::7' });
    expect(sign('with-key', name)).toMatchObject({
      code: 3,
      requests: [{ outcome: 'left', finding: { code: 'BOOTSTRAP_KUBELET_REQUEST_UNAPPROVED' } }],
    });
    expect(conditions(name)).toEqual([]);
    expect(sign('with-key', name, '--approve')).toMatchObject({
      code: 0,
      requests: [{ name, outcome: 'signed', approved: true }],
    });
    expect(conditions(name)).toMatchObject([{ type: 'Approved', reason: 'GroundplaneApproved' }]);
    const text = soundCertificate(name, 'sslserver');
    expect(text).toContain('DNS:node-s, IP Address:192.0.2.7, IP Address:2001:DB8:0:0:0:0:0:7');
    expect(text).toContain('TLS Web Server Authentication');
  });
});

describe('a request that something speaks against is left as it is, and others are signed', () => {
  const serving = { signer: 'kubelet-serving' } as const;
  const rows: readonly (readonly [what: string, node: string, asked: Asked, reason: string])[] = [
    [
      'of no node',
      'r',
      { subject: '/O=system:nodes/CN=node-r' },
      "its common name is not system:node:NAME of a node: 'node-r'",
    ],
    [
      'of a node without a name',
      'r',
      { subject: '/O=system:nodes/CN=system:node:' },
      'its common name is not system:node:NAME',
    ],
    [
      'for another group as well',
      'r',
      { subject: '/O=system:nodes/O=system:masters/CN=system:node:r' },
      'its only organization must be system:nodes: system:nodes, system:masters',
    ],
    ['for no group', 'r', { subject: '/CN=system:node:r' }, 'its only organization must be system:nodes: none'],
    [
      'with more of a subject',
      'r',
      { subject: '/O=system:nodes/OU=x/CN=system:node:r' },
      'it asks for what no kubelet needs: attribute 2.5.4.11 of the subject',
    ],
    [
      'for one usage more',
      'r',
      { usages: ['digital signature', 'client auth', 'server auth'] },
      'its usages must be digital signature, client auth and perhaps key encipherment',
    ],
    ['for one usage less', 'r', { usages: ['client auth'] }, 'its usages must be digital signature, client auth'],
    [
      'by an administrator',
      'r',
      { by: { user: 'jane', groups: ['system:masters'] } },
      "nor by the node itself: 'jane' of system:masters",
    ],
    [
      'with a token of another group',
      'r',
      { by: { user: 'system:bootstrap:abcdef', groups: ['system:bootstrappers', 'system:masters'] } },
      'it was made neither with a bootstrap token of the group',
    ],
    [
      'by a user who is in the group of tokens',
      'r',
      { by: { user: 'jane', groups: bootstrapper.groups } },
      "nor by the node itself: 'jane'",
    ],
    ['for another node', 'r', { by: kubelet('node-a') }, "nor by the node itself: 'system:node:node-a'"],
    ['by a client that wants a name', 'r', { names: 'DNS:r' }, 'clients have no names, and it asks for r'],
    [
      'by a client that wants an address',
      'r',
      { names: 'IP:192.0.2.1' },
      'clients have no names, and it asks for 192.0.2.1',
    ],
    [
      'by a client that wants a URI',
      'r',
      { names: 'URI:spiffe://r' },
      "it asks for what no kubelet needs: URI 'spiffe://r'",
    ],
    [
      'of a server with a token',
      'node-t',
      { ...serving, by: bootstrapper, names: 'DNS:node-t' },
      'it was not made by the node itself',
    ],
    ['of a server without names', 'node-t', serving, 'a server needs a DNS name or an IP address'],
    [
      'of a server with a name of others',
      'node-t',
      { ...serving, names: 'DNS:node-t,DNS:kubernetes' },
      'the addresses of Node node-t are 192.0.2.9, node-t, and it asks for kubernetes',
    ],
    [
      'of a server with an address of others',
      'node-t',
      { ...serving, names: 'IP:192.0.2.9,IP:192.0.2.10' },
      'and it asks for 192.0.2.10',
    ],
    [
      'of a server with an e-mail address',
      'node-t',
      { ...serving, names: 'DNS:node-t,email:me@example.com' },
      "e-mail address 'me@example.com'",
    ],
    ['of a server with a URI', 'node-t', { ...serving, names: 'DNS:node-t,URI:https://t' }, "URI 'https://t'"],
    [
      'of a server without Node',
      'node-u',
      { ...serving, names: 'DNS:node-u' },
      'there is no Node that says which addresses it has: node-u',
    ],
    [
      'of a server that wants to be a client',
      'node-t',
      { ...serving, names: 'DNS:node-t', usages: ['digital signature', 'client auth', 'server auth'] },
      'its usages must be digital signature, server auth',
    ],
  ];

  test('each by its reason, with one that is in order among them', async () => {
    addNode('node-t', ['InternalIP', '192.0.2.9'], ['Hostname', 'node-t']);
    const names: string[] = [];
    for (const [, node, asked] of rows) names.push(await ask(node, asked));
    const good = await ask('node-good');
    const { code, requests, stderr } = sign('with-key', '--approve');
    const reasons = names.map((name) => requests.find((one) => one.name === name)?.finding?.message ?? 'none');
    expect(Object.fromEntries(rows.map(([what], index) => [what, reasons[index]]))).toEqual(
      Object.fromEntries(
        rows.map(([what, , , reason], index) => [
          what,
          expect.stringContaining(`Cannot sign the request ${names[index]} as `) && expect.stringContaining(reason),
        ]),
      ),
    );
    expect(code).toBe(3);
    expect(stderr).not.toMatch(/^\s+at /m);
    expect(requests.find(({ name }) => name === good)).toMatchObject({ outcome: 'signed' });
    for (const name of names) expect([name, csr(name).status.certificate]).toEqual([name, undefined]);
  });

  test('one that was denied, one of another signer, and one that is not there', async () => {
    const denied = await ask('node-d', { signer: 'kubelet-serving', names: 'DNS:node-d' });
    cluster.api.kubectl('certificate', 'deny', denied);
    const foreign = await ask('node-d', {
      signer: 'kube-apiserver-client',
      subject: '/CN=jane',
      usages: ['client auth'],
      by: { user: 'jane', groups: ['system:masters'] },
    });
    expect(sign('with-key', '--approve')).toMatchObject({ code: 0, requests: [] });
    const { code, requests } = sign('with-key', '--approve', denied, foreign, 'nobody');
    expect({ code, reasons: requests.map(({ finding }) => finding?.message) }).toEqual({
      code: 3,
      reasons: [
        `Cannot sign the request ${denied} as somebody has denied it`,
        `Cannot sign the request ${foreign} as it is for another signer than those of kubelets: kubernetes.io/kube-apiserver-client`,
        'Cannot sign the request nobody as there is no such request',
      ],
    });
  });
});

describe('a signer that does something else', () => {
  const rows: readonly (readonly [fault: string, reason: RegExp])[] = [
    ['fails', /the HSM does not answer/],
    ['garbage', /it printed no certificate/],
    ['another key', /it is for another key than the request/],
    ['another name', /the common name somebody where system:node:node-f was asked for/],
    ['an extra name', /the DNS names evil\.example\.com where none was asked for/],
    ['an extra group', /the organizations system:masters, system:nodes where system:nodes was asked for/],
    ['an extra usage', /the extended key usages clientAuth, serverAuth where clientAuth was asked for/],
    ['the rights of a CA', /it is a CA, and was to be none/],
    ['an unknown CA', /no CA certificate at hand has the name of its issuer|not signed by its CA/],
    ['no intermediate', /no CA certificate at hand has the name of its issuer|not signed by its CA/],
    ['longer than its CA', /longer than its CA/],
    ['expired', /it has expired/],
  ];

  const usual = ['fails', 'another key', 'an extra group', 'an unknown CA'];
  const sample = process.env.GROUNDPLANE_TEST_FULL === '1' ? rows : rows.filter(([fault]) => usual.includes(fault));

  test.each(sample)('%s: nothing of it is taken, and the next run completes', async (fault, reason) => {
    const [name, other] = [await ask('node-f', { approved: true }), await ask('node-g', { approved: true })];
    const { code, requests } = sign('without-key', ...byOpenssl(name, fault));
    expect(code).toBe(3);
    expect(requests).toMatchObject([
      {
        name,
        outcome: 'left',
        finding: { code: 'BOOTSTRAP_KUBELET_REQUEST_UNSIGNED', message: expect.stringMatching(reason) },
      },
      { name: other, outcome: 'signed' },
    ]);
    expect(csr(name).status.certificate).toBeUndefined();
    expect(sign('without-key', ...byOpenssl())).toMatchObject({ code: 0, requests: [{ name, outcome: 'signed' }] });
    soundCertificate(name, 'sslclient');
  });
});

test('people read what became of each', async () => {
  const [good, bad] = [await ask('node-p', { by: kubelet('node-p') }), await ask('node-p', { names: 'DNS:p' })];
  const read = () => {
    const line = [program, ...commandLine('with-key', ['--approve'])];
    const { stdout, stderr } = spawnSync(process.execPath, line, { encoding: 'utf8', cwd: folder, env: environment() });
    return { stdout, stderr };
  };
  const reason = `CertificateSigningRequest/${bad}: Cannot sign the request ${bad} as clients have no names, and it asks for p`;
  const failure = `error: Cannot sign all requests of kubelets as 1 had to be left, 1 signed: ${bad}
  error BOOTSTRAP_KUBELET_REQUEST_REFUSED: ${reason}
    If nobody knows of this request, refuse it: kubectl certificate deny ${bad}
`;
  expect(read()).toEqual({
    stdout: expect.stringMatching(
      new RegExp(`^${good}  (approved and )?signed: system:node:node-p, until 20[-0-9]+T[:.0-9]+Z\n$`),
    ),
    stderr: failure,
  });
  cluster.api.kubectl('delete', 'csr', bad);
  expect(read()).toEqual({ stdout: 'No request of a kubelet waits for its certificate\n', stderr: '' });
});

test('without the key and without a signer nothing is asked', () => {
  const { code, stderr, requests } = sign('without-key');
  expect({ code, requests }).toEqual({ code: 3, requests: [] });
  expect(stderr).toContain(
    `Cannot sign the requests of kubelets as the key of its CA is not here, and nobody else is named who signs: ${inFolder('without-key')}/ca.key`,
  );
});

test('several at once do no harm to one another', async () => {
  const names: string[] = [];
  for (let index = 0; index < 6; index += 1) names.push(await ask(`many-${index}`));
  const run = promisify(execFile);
  const all = await Promise.all(
    [1, 2, 3].map(() =>
      run(process.execPath, [program, ...commandLine('with-key', ['--approve', '-o', 'json'])], {
        cwd: folder,
        env: environment(),
      }),
    ),
  );
  const signed = all.flatMap(({ stdout }) =>
    (JSON.parse(stdout).requests as readonly Entry[]).filter(({ outcome }) => outcome === 'signed'),
  );
  expect(signed.map(({ name }) => name).toSorted()).toEqual(names);
  for (const name of names) soundCertificate(name, 'sslclient');
});

describe('a user with the rights that the manual lists', () => {
  interface ClusterRole {
    readonly metadata: object;
    readonly rules: readonly { readonly verbs: readonly string[] }[];
  }
  const manual = readFileSync(join(repository, 'docs/kubelet-requests.md'), 'utf8');
  const role = parseYaml(manual.match(/```yaml\n([\s\S]*?)```/)?.[1] ?? '') as ClusterRole;
  let kubeconfig = '';

  beforeAll(() => {
    const openssl = (...args: readonly string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
    openssl(
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-noenc', '-days', '1'],
      ...['-CA', cluster.path('ca.crt'), '-CAkey', cluster.path('ca.key'), '-subj', '/CN=kubelet-signer'],
      ...['-keyout', 'user.key', '-out', 'user.crt', '-addext', 'extendedKeyUsage=clientAuth'],
    );
    kubeconfig = inFolder('user.conf');
    const { clusters } = JSON.parse(readFileSync(cluster.path('admin.conf'), 'utf8'));
    const user = { 'client-certificate': inFolder('user.crt'), 'client-key': inFolder('user.key') };
    const contexts = [{ name: 'test', context: { cluster: 'test', user: 'me' } }];
    const config = { apiVersion: 'v1', kind: 'Config', 'current-context': 'test', clusters, contexts };
    writeFileSync(kubeconfig, JSON.stringify({ ...config, users: [{ name: 'me', user }] }));
    cluster.apply(role, {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: { name: 'sign-kubelet-requests' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'sign-kubelet-requests' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'kubelet-signer' }],
    });
    addNode('node-m', ['Hostname', 'node-m']);
  });

  const askAndSign = async () => {
    const name = await ask('node-m', { signer: 'kubelet-serving', names: 'DNS:node-m' });
    // The last one of a flag counts.
    return { name, ...sign('with-key', name, '--approve', '--kubeconfig', kubeconfig) };
  };

  test('signs and approves', async () => {
    const { name, code, requests, stderr } = await askAndSign();
    expect({ code, requests, stderr }).toMatchObject({ code: 0, requests: [{ name, outcome: 'signed' }], stderr: '' });
  });

  test.each(role.rules.map((rule, index) => [JSON.stringify(rule), index] as const))(
    'does not without %s',
    async (_, index) => {
      cluster.apply({ ...role, rules: role.rules.filter((__, other) => other !== index) });
      try {
        await delay(500);
        const { code, stderr, name } = await askAndSign();
        expect(code).toBe(3);
        expect(stderr).toMatch(/forbidden|not allowed|not permitted/i);
        expect(csr(name).status.certificate).toBeUndefined();
      } finally {
        cluster.apply(role);
      }
    },
  );
});

describe('--watch', () => {
  /** A command that goes on, and what it has said so far. */
  function watch(...more: readonly string[]) {
    const line = commandLine('with-key', ['--watch', ...more]);
    const child = spawn(process.execPath, [program, ...line], {
      cwd: folder,
      env: environment(),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const said = { stdout: '', stderr: '' };
    child.stdout.on('data', (piece) => (said.stdout += piece));
    child.stderr.on('data', (piece) => (said.stderr += piece));
    return { child, said, ended: once(child, 'close') };
  }

  test('signs what comes, also after the API server was away, until a signal', async () => {
    const { child, said, ended } = watch('-o', 'json');
    try {
      const [early, stuck] = [
        await ask('node-w', { by: kubelet('node-w') }),
        await ask('node-w', { signer: 'kubelet-serving', names: 'DNS:node-w' }),
      ];
      await cluster.until(early, () => csr(early).status.certificate !== undefined);
      await cluster.api.kill();
      await delay(1_000);
      cluster.api.start();
      await cluster.api.ready();
      const late = await ask('node-x');
      await cluster.until(late, () => csr(late).status.certificate !== undefined);
      soundCertificate(late, 'sslclient');
      expect(csr(stuck).status.certificate).toBeUndefined();
      child.kill('SIGTERM');
      await ended;
      expect(child.signalCode).toBe('SIGTERM');
      const { requests, error } = JSON.parse(said.stdout);
      expect({ requests, error }).toMatchObject({
        requests: expect.arrayContaining([
          expect.objectContaining({ name: early, outcome: 'signed' }),
          expect.objectContaining({ name: late, outcome: 'signed' }),
          expect.objectContaining({ name: stuck, outcome: 'left' }),
        ]),
        error: undefined,
      });
      expect(said.stderr).toBe('');
    } finally {
      child.kill('SIGKILL');
    }
  });

  test('looks again at a server whose Node comes later, and ends with its time', async () => {
    const { child, said, ended } = watch('-o', 'jsonl', '--approve', '--timeout=15s');
    try {
      const name = await ask('node-y', { signer: 'kubelet-serving', names: 'DNS:node-y' });
      const never = await ask('node-z', { signer: 'kubelet-serving', names: 'DNS:node-z' });
      const told = () => said.stdout.split('\n').filter((line) => line.includes(`"${name}"`));
      await cluster.until(`word of ${name}`, () => told().length > 0);
      addNode('node-y', ['Hostname', 'node-y']);
      const [code] = await ended;
      expect(told().map((line) => JSON.parse(line).outcome)).toEqual(['left', 'signed']);
      expect(
        said.stdout.split('\n').filter((line) => line.includes(`"${never}"`) && line.includes('kubelet-request"')),
      ).toHaveLength(1);
      expect(code).toBe(3);
      expect(lineErrors(['kubelet-request', 'event'], said.stdout)).toEqual([]);
      soundCertificate(name, 'sslserver');
    } finally {
      child.kill('SIGKILL');
    }
  });
});
