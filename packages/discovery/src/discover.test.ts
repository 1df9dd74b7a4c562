import { readFileSync } from 'node:fs';
import { GroundplaneError } from '@groundplane/errors';
import { currentContextOf, parseKubeconfig } from '@groundplane/kubeconfig';
import { describe, expect, it } from 'vitest';
import { fakeClock } from '../test/fake-clock.ts';
import { testdata } from '../test/testdata.ts';
import { clusterInfo } from './cluster-info.ts';
import { type DiscoverOptions, discover } from './discover.ts';
import type { ConnectCluster, HttpsResult } from './discovery-ports.ts';

const token = 'abcdef.0123456789abcdef';
const folder = new URL('../../../test/cases/discovery-file-credentials/', import.meta.url);
const file = (name: string) => readFileSync(new URL(name, folder), 'utf8');
const server = 'https://lb.example.com:6443';

/** What the files of the case are called by. */
function readFile(directory: string) {
  return async (path: string): Promise<string | undefined> => {
    const absolute = path.startsWith('/') ? path : `${directory}/${path}`;
    if (!absolute.startsWith('/tmp/case/')) return undefined;
    try {
      return file(absolute.slice('/tmp/case/'.length));
    } catch {
      return undefined;
    }
  };
}

/** A cluster whose answers are these; remembers which kubeconfigs it was asked with. */
function clusterOf(...answers: readonly (object | undefined | GroundplaneError)[]) {
  const kubeconfigs: string[] = [];
  const connect: ConnectCluster = async ({ kubeconfig }) => {
    kubeconfigs.push(kubeconfig);
    const answer = answers[Math.min(kubeconfigs.length, answers.length) - 1];
    return {
      get: async (reference) => {
        expect(reference).toEqual({
          apiVersion: 'v1',
          kind: 'ConfigMap',
          namespace: 'kube-public',
          name: 'cluster-info',
        });
        if (answer instanceof GroundplaneError) throw answer;
        return answer;
      },
    };
  };
  return { connect, kubeconfigs };
}

const caseAuthority = file('ca.crt');
const published = clusterInfo({ server, certificateAuthority: caseAuthority });
const failure = (code: string, details = {}) =>
  new GroundplaneError(code, `it is ${code}`, { kind: 'refused', hint: 'crictl ps', details });

function join(kubeConfigPath: string, change: Partial<DiscoverOptions> & { readonly token?: string } = {}) {
  return discover({
    discovery: { file: { kubeConfigPath }, tlsBootstrapToken: change.token ?? '' },
    timeoutMs: 300_000,
    clock: fakeClock(),
    fetch: async () => ({ fault: 'unreachable', reason: 'nobody is to be asked' }),
    readFile: readFile('/'),
    connect: clusterOf(published).connect,
    ...change,
  });
}

const users = (text: string) => parseKubeconfig(text).users.map(({ user }) => user);

describe('the case discovery-file-credentials', () => {
  it('step 1: the token of the file is used', async () => {
    const found = await join('/tmp/case/token.conf');
    expect(users(found.kubeconfig)).toEqual([{ token: 'secret-1' }]);
    expect(found).toMatchObject({
      server,
      certificateAuthority: caseAuthority,
      findings: [],
      report: { method: 'file', source: '/tmp/case/token.conf', anchor: 'file' },
    });
  });

  it('step 2: a TLS bootstrap token goes before it', async () => {
    const found = await join('/tmp/case/token.conf', { token });
    expect(users(found.kubeconfig)).toEqual([{ token }]);
    expect(currentContextOf(parseKubeconfig(found.kubeconfig))).toMatchObject({
      name: 'tls-bootstrap-token-user@kubernetes',
      server,
      certificateAuthority: caseAuthority,
    });
  });

  it('step 3: certificate, key and CA are embedded, relative to the working directory', async () => {
    const found = await join('/tmp/case/cert-files.conf', { readFile: readFile('/tmp/case') });
    const context = currentContextOf(parseKubeconfig(found.kubeconfig));
    expect(context).toMatchObject({
      files: [],
      certificateAuthority: caseAuthority,
      clientCertificate: file('c.crt'),
      clientKey: file('c.key'),
    });
  });

  it('step 4: and not to the folder of the file', async () => {
    await expect(join('/tmp/case/cert-files.conf')).rejects.toMatchObject({
      code: 'DISCOVERY_FILE_UNREADABLE',
      kind: 'usage',
      message: expect.stringContaining('certificate-authority of the discovery file /tmp/case/cert-files.conf'),
    });
  });

  it('step 5: a token file is embedded, without the line end that no request could carry', async () => {
    expect(file('token.txt')).toBe('secret-2\n');
    expect(users((await join('/tmp/case/token-file.conf')).kubeconfig)).toEqual([{ token: 'secret-2' }]);
  });

  it('step 6: a program to run is kept', async () => {
    const [user] = users((await join('/tmp/case/exec.conf')).kubeconfig);
    expect(user).toMatchObject({ exec: { command: '/bin/true' } });
  });

  it('step 7: without credentials and token it is refused, before anybody is asked', async () => {
    const { connect, kubeconfigs } = clusterOf(published);
    await expect(join('/tmp/case/none.conf', { connect })).rejects.toMatchObject({
      code: 'DISCOVERY_CREDENTIALS_MISSING',
      kind: 'usage',
    });
    expect(kubeconfigs).toEqual([]);
    expect(users((await join('/tmp/case/none.conf', { token })).kubeconfig)).toEqual([{ token }]);
  });

  it('step 8: a CA that the file lacks comes from cluster-info', async () => {
    const found = await join('/tmp/case/no-ca.conf');
    expect(found.certificateAuthority).toBe(caseAuthority);
    expect(currentContextOf(parseKubeconfig(found.kubeconfig)).certificateAuthority).toBe(caseAuthority);
  });
});

describe('a discovery file', () => {
  const plain = (cluster: object, user: object = { token: 'x' }) =>
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'c',
      contexts: [{ name: 'c', context: { cluster: 'k', user: 'u', namespace: 'n' } }],
      clusters: [{ name: 'k', cluster }],
      users: [{ name: 'u', user }],
    });
  const data = { 'certificate-authority-data': Buffer.from(caseAuthority).toString('base64') };
  const reading = (text: string) => ({ readFile: async () => text });

  it('is used as it is where cluster-info may not be read, with a warning', async () => {
    const { connect } = clusterOf(failure('CLUSTER_FORBIDDEN'));
    const found = await join('/tmp/case/token.conf', { connect });
    expect(found.findings).toMatchObject([{ code: 'DISCOVERY_CLUSTER_INFO_FORBIDDEN', severity: 'warning' }]);
  });

  it('names the server that is used, with a warning where cluster-info names another', async () => {
    const { connect } = clusterOf(
      clusterInfo({ server: 'https://192.0.2.1:6443', certificateAuthority: testdata('ca.crt') }),
    );
    const found = await join('/tmp/case/token.conf', { connect });
    expect(found).toMatchObject({ server, certificateAuthority: caseAuthority });
    expect(found.findings).toMatchObject([{ code: 'DISCOVERY_SERVER_DIFFERS', severity: 'warning' }]);
  });

  it.each([
    ['that is empty', { data: {} }],
    ['without data', {}],
    ['that is no kubeconfig', { data: { kubeconfig: '{' } }],
    ['without cluster', { data: { kubeconfig: '{"kind":"Config"}' } }],
  ])('does not need a cluster-info %s', async (_, answer) => {
    const found = await join('/tmp/case/token.conf', { connect: clusterOf(answer).connect });
    expect(found).toMatchObject({ server, findings: [] });
  });

  it('waits for its API server and for cluster-info', async () => {
    const { connect, kubeconfigs } = clusterOf(failure('CLUSTER_UNAVAILABLE'), undefined, published);
    const reasons: string[] = [];
    await join('/tmp/case/token.conf', { connect, onProgress: ({ reason }) => void reasons.push(reason) });
    expect(reasons).toEqual([
      expect.stringContaining('it is CLUSTER_UNAVAILABLE'),
      expect.stringContaining('not there yet'),
    ]);
    expect(kubeconfigs.map((text) => currentContextOf(parseKubeconfig(text)).token)).toEqual([
      'secret-1',
      'secret-1',
      'secret-1',
    ]);
  });

  it('waits for its bootstrap token to be made, and for other credentials where the server was awaited', async () => {
    const early = (attempts: number) => failure('CLUSTER_UNAUTHORIZED', { status: 401, attempts });
    const answers = (first: GroundplaneError) => [first, ...Array(8).fill(early(1)), published];
    const withToken = async () => plain({ server, ...data }, { token });
    const known = { server, findings: [] };
    expect(await join('f', { readFile: withToken, ...clusterOf(...answers(early(1))) })).toMatchObject(known);
    expect(await join('/tmp/case/token.conf', clusterOf(...answers(early(14))))).toMatchObject(known);
    await expect(join('/tmp/case/token.conf', clusterOf(...answers(early(1))))).rejects.toMatchObject({
      code: 'DISCOVERY_UNAUTHORIZED',
    });
  });

  it.each([
    ['CLUSTER_UNAVAILABLE', 'DISCOVERY_UNREACHABLE'],
    ['CLUSTER_UNTRUSTED', 'DISCOVERY_UNTRUSTED'],
    ['CLUSTER_UNAUTHORIZED', 'DISCOVERY_UNAUTHORIZED'],
    ['CLUSTER_ANSWER_INVALID', 'DISCOVERY_ANSWER_INVALID'],
    ['CLUSTER_INVALID', 'DISCOVERY_REFUSED', 400],
    ['CLUSTER_UNAVAILABLE', 'DISCOVERY_REFUSED', 503],
    ['CLUSTER_PLUGIN_MISSING', 'DISCOVERY_FILE_INVALID'],
    ['CLUSTER_PLUGIN_FAILED', 'DISCOVERY_CREDENTIALS_FAILED'],
    ['CLUSTER_KUBECONFIG_INVALID', 'DISCOVERY_FILE_INVALID'],
    // It says itself what it is, and it is not the file.
    ['CLUSTER_PROXY_INVALID', 'CLUSTER_PROXY_INVALID'],
  ])('%s ends as %s', async (theirs, ours, status?: number) => {
    const { connect } = clusterOf(failure(theirs, status === undefined ? {} : { status }));
    const joined = join('/tmp/case/token.conf', { connect });
    await expect(joined).rejects.toMatchObject({
      code: ours,
      message: expect.stringContaining(`it is ${theirs}`),
    });
    // The API server runs on another machine.
    const isOwn = ours === theirs || /PLUGIN|KUBECONFIG/.test(theirs);
    if (!isOwn)
      await expect(joined)
        .rejects.toMatchObject({ hint: expect.not.stringContaining('crictl') })
        .catch(() => expect(joined).rejects.toMatchObject({ hint: undefined }));
  });

  it('a redirect is named, with its place', async () => {
    const details = { status: 307, location: 'https://evil.example.com/' };
    const { connect, kubeconfigs } = clusterOf(failure('CLUSTER_REDIRECTED', details));
    await expect(join('/tmp/case/token.conf', { connect })).rejects.toMatchObject({
      code: 'DISCOVERY_REDIRECTED',
      message: `Cannot read cluster-info from ${server} as the server redirects, with status 307, to "https://evil.example.com/"`,
    });
    expect(kubeconfigs).toHaveLength(1);
  });

  it.each(['one\ntwo', 'one\rtwo', 'one\u0000'])(
    'a token that no request can carry is refused at once: %j',
    async (text) => {
      const { connect, kubeconfigs } = clusterOf(published);
      for (const user of [{ token: text }, { tokenFile: '/tmp/token' }]) {
        const readFile = async (path: string) => (path === 'f' ? plain({ server, ...data }, user) : text);
        await expect(join('f', { readFile, connect })).rejects.toMatchObject({
          code: 'DISCOVERY_FILE_INVALID',
          message: expect.not.stringContaining('one'),
        });
      }
      expect(kubeconfigs).toEqual([]);
    },
  );

  it('may be the content of cluster-info, with a token', async () => {
    const { connect, kubeconfigs } = clusterOf(published);
    const text = published.data?.kubeconfig ?? '';
    const found = await join('f', { ...reading(text), connect, token });
    expect(found).toMatchObject({ server, certificateAuthority: caseAuthority });
    expect(users(kubeconfigs[0] ?? '')).toEqual([]);
    await expect(join('f', reading(text))).rejects.toMatchObject({ code: 'DISCOVERY_CREDENTIALS_MISSING' });
  });

  it('that has its server not verified is used, with a warning', async () => {
    const text = plain({ server, 'insecure-skip-tls-verify': true });
    const found = await join('f', reading(text));
    expect(found.findings).toMatchObject([{ code: 'DISCOVERY_TLS_UNVERIFIED', severity: 'warning' }]);
    expect(parseKubeconfig(found.kubeconfig).clusters[0]?.cluster).toEqual({ server, ...data });
  });

  it('hands on nothing but its current context', async () => {
    const whole = JSON.parse(plain({ server, ...data }));
    whole.users.push({ name: 'admin', user: { token: 'TopSecret' } });
    whole.clusters.push({ name: 'other', cluster: { server: 'https://other.example.com' } });
    const found = await join('f', reading(JSON.stringify(whole)));
    expect(found.kubeconfig).not.toMatch(/TopSecret|other/);
    expect(parseKubeconfig(found.kubeconfig)).toMatchObject({
      contexts: [{ name: 'c', context: { cluster: 'k', user: 'u', namespace: 'n' } }],
      'current-context': 'c',
    });
  });

  it.each<[string, string, string]>([
    ['no YAML', '{', 'it is no kubeconfig'],
    ['another document', '{"kind":"ConfigMap"}', 'it is no kubeconfig'],
    ['no current context', '{"kind":"Config"}', 'it has no current cluster'],
    ['a context without user', plain({ server, ...data }).replace('"user":"u"', '"user":"v"'), "it has no user 'v'"],
    [
      'a context without cluster',
      plain({ server, ...data }).replace('"cluster":"k"', '"cluster":"l"'),
      'no current cluster',
    ],
    ['a server without TLS', plain({ server: 'http://a:1', ...data }), 'no https URL'],
    ['no server', plain(data), 'no https URL'],
    ['a server with a user', plain({ server: 'https://u:p@a:1', ...data }), 'no https URL'],
    ['a server with a line end', plain({ server: 'https://a\nb:1', ...data }), 'no https URL'],
    ['a server of port 0', plain({ server: 'https://a:0', ...data }), 'no https URL'],
    ['a CA twice', plain({ server, ...data, 'certificate-authority': 'ca.crt' }), 'both given'],
    ['a CA that is none', plain({ server, 'certificate-authority-data': 'YQ==' }), 'holds a CA certificate'],
    ['a CA that is no base64', plain({ server, 'certificate-authority-data': '*' }), 'must be base64'],
    ['a CA that is not to be used', plain({ server, ...data, 'insecure-skip-tls-verify': true }), 'a CA is given'],
    [
      'a certificate twice',
      plain({ server, ...data }, { 'client-certificate': 'a', 'client-certificate-data': 'Yg==' }),
      'both given',
    ],
    ['a certificate without key', plain({ server, ...data }, { 'client-certificate': 'a' }), 'without its key'],
    ['a key twice', plain({ server, ...data }, { 'client-key': 'a', 'client-key-data': 'Yg==' }), 'both given'],
    ['a token and a password', plain({ server, ...data }, { token: 'a', username: 'b' }), 'a token and a password'],
    [
      'two plugins',
      plain({ server, ...data }, { exec: { command: 'a', apiVersion: 'b' }, 'auth-provider': { name: 'c' } }),
      'exec and auth-provider',
    ],
    [
      'a program without name',
      plain({ server, ...data }, { exec: { apiVersion: 'b' } }),
      'without command or apiVersion',
    ],
    ['a provider without name', plain({ server, ...data }, { 'auth-provider': { config: {} } }), 'without a name'],
  ])('is refused, before anybody is asked, with %s', async (_, text, why) => {
    const { connect, kubeconfigs } = clusterOf(published);
    await expect(join('f', { ...reading(text), connect })).rejects.toMatchObject({
      code: 'DISCOVERY_FILE_INVALID',
      message: expect.stringContaining(why),
    });
    expect(kubeconfigs).toEqual([]);
  });

  it('that is not there is named', async () => {
    await expect(join('/nonexistent/d.conf')).rejects.toMatchObject({
      code: 'DISCOVERY_FILE_UNREADABLE',
      message: expect.stringContaining('/nonexistent/d.conf'),
    });
  });
});

describe('a discovery file at a URL', () => {
  const url = 'https://files.example.com/d.conf';
  const answering = (...answers: readonly HttpsResult[]) => {
    const requests: unknown[] = [];
    const fetch: DiscoverOptions['fetch'] = async (address, { trust }) => {
      requests.push({ address, trust });
      return answers[requests.length - 1] ?? { fault: 'unreachable', reason: 'enough' };
    };
    return { fetch, requests };
  };

  it('is fetched once, from a server that the machine trusts', async () => {
    const { fetch, requests } = answering({ status: 200, text: file('token.conf') });
    expect(await join(url, { fetch })).toMatchObject({
      server,
      report: { method: 'url', source: url, anchor: 'machine' },
    });
    expect(requests).toEqual([{ address: url, trust: 'machine' }]);
  });

  it('that has files of this machine read, or programs run, is used with a warning', async () => {
    const local = async (name: string) => {
      const { fetch } = answering({ status: 200, text: file(name) });
      return (await join(url, { fetch, readFile: readFile('/tmp/case') })).findings;
    };
    expect(await local('token.conf')).toEqual([]);
    for (const [name, fields] of [
      ['cert-files.conf', '(certificate-authority, client-certificate, client-key)'],
      ['token-file.conf', '(tokenFile)'],
      ['exec.conf', '(exec)'],
    ] as const) {
      expect(await local(name)).toMatchObject([
        { code: 'DISCOVERY_FILE_REFERS_LOCALLY', severity: 'warning', message: expect.stringContaining(fields) },
      ]);
    }
    expect((await join('/tmp/case/token-file.conf')).findings).toEqual([]);
  });

  it('tells no password of its URL', async () => {
    const { fetch, requests } = answering({ status: 200, text: '<html>' }, { status: 200, text: file('token.conf') });
    const withUser = 'https://user:secret@files.example.com/d.conf';
    await expect(join(withUser, { fetch })).rejects.toMatchObject({ message: expect.not.stringContaining('secret') });
    expect((await join(withUser, { fetch })).report.source).toBe('https://…@files.example.com/d.conf');
    expect(requests).toMatchObject([{ address: withUser }, { address: withUser }]);
  });

  it('is not fetched from port 0', async () => {
    const { fetch, requests } = answering();
    await expect(join('https://files.example.com:0/d.conf', { fetch })).rejects.toMatchObject({
      code: 'DISCOVERY_ENDPOINT_INVALID',
    });
    expect(requests).toEqual([]);
  });

  it.each<[HttpsResult, string, string]>([
    [{ status: 404, text: '' }, 'DISCOVERY_REFUSED', 'HTTP status 404'],
    [
      { status: 301, text: '', location: 'https://evil.example.com/' },
      'DISCOVERY_REDIRECTED',
      'https://evil.example.com/',
    ],
    [{ fault: 'untrusted', reason: 'its certificate is not trusted' }, 'DISCOVERY_UNTRUSTED', 'not trusted'],
    [{ fault: 'unreachable', reason: 'nobody is there' }, 'DISCOVERY_UNREACHABLE', 'nobody is there'],
    [{ fault: 'too-large', reason: 'it is too large' }, 'DISCOVERY_ANSWER_INVALID', 'too large'],
    [{ status: 200, text: '<html>' }, 'DISCOVERY_FILE_INVALID', url],
  ])('%j is not tried again', async (answer, code, says) => {
    const { fetch, requests } = answering(answer);
    await expect(join(url, { fetch })).rejects.toMatchObject({ code, message: expect.stringContaining(says) });
    expect(requests).toHaveLength(1);
  });
});

describe('discover', () => {
  it('asks nobody without a way to do it, or with a token that is none', async () => {
    const options = { timeoutMs: 1, clock: fakeClock(), fetch: async () => ({ status: 200, text: '' }) };
    const rest = { ...options, readFile: async () => undefined, connect: clusterOf(published).connect };
    await expect(discover({ ...rest, discovery: { tlsBootstrapToken: token } })).rejects.toMatchObject({
      code: 'DISCOVERY_SOURCE_MISSING',
    });
    const source = { file: { kubeConfigPath: 'f' }, tlsBootstrapToken: 'abc' };
    await expect(discover({ ...rest, discovery: source })).rejects.toMatchObject({ code: 'DISCOVERY_TOKEN_INVALID' });
  });
});
