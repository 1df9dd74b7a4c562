import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createPlainServer, type RequestListener } from 'node:http';
import { createServer, type Server } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openConnection } from './connection.ts';

let directory: string;
let server: Server;
let url: string;

const file = (name: string): string => readFileSync(join(directory, name), 'utf8');
const openssl = (...args: readonly string[]): void => {
  execFileSync('openssl', args, { cwd: directory, stdio: 'pipe' });
};

/** An HTTPS server whose certificate comes from an intermediate CA, which tells what it was asked. */
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'groundplane-connection-'));
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-noenc', '-days', '1'];
  const ca = ['-addext', 'basicConstraints=critical,CA:TRUE'];
  openssl('req', '-x509', ...key, '-keyout', 'root.key', '-out', 'root.crt', '-subj', '/CN=root');
  openssl(
    'req',
    '-x509',
    ...key,
    '-keyout',
    'middle.key',
    '-out',
    'middle.crt',
    '-subj',
    '/CN=middle',
    '-CA',
    'root.crt',
    '-CAkey',
    'root.key',
    ...ca,
  );
  const leaf = [
    '-addext',
    'basicConstraints=critical,CA:FALSE',
    '-addext',
    'subjectAltName=IP:127.0.0.1,DNS:kubernetes',
  ];
  openssl(
    'req',
    '-x509',
    ...key,
    '-keyout',
    'leaf.key',
    '-out',
    'leaf.crt',
    '-subj',
    '/CN=api',
    '-CA',
    'middle.crt',
    '-CAkey',
    'middle.key',
    ...leaf,
  );
  openssl('req', '-x509', ...key, '-keyout', 'client.key', '-out', 'client.crt', '-subj', '/CN=me');
  server = createServer(
    { key: file('leaf.key'), cert: file('leaf.crt'), requestCert: true, rejectUnauthorized: false },
    (request, response) => {
      if (request.url === '/silence') return;
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const socket = request.socket as import('node:tls').TLSSocket;
        const peer = socket.getPeerCertificate();
        response.writeHead(request.url === '/busy' ? 429 : 200, { 'Retry-After': '7' });
        response.end(
          JSON.stringify({
            method: request.method,
            url: request.url,
            headers: request.headers,
            body: Buffer.concat(chunks).toString(),
            client: peer.subject?.CN,
            port: socket.remotePort,
          }),
        );
      });
    },
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  rmSync(directory, { recursive: true });
});

const base64 = (name: string): string => Buffer.from(file(name)).toString('base64');

function kubeconfig(options: { ca?: string; user?: object; cluster?: object } = {}): string {
  return JSON.stringify({
    'current-context': 'c',
    clusters: [
      {
        name: 'c',
        cluster: { server: url, 'certificate-authority-data': base64(options.ca ?? 'root.crt'), ...options.cluster },
      },
    ],
    contexts: [{ name: 'c', context: { cluster: 'c', user: options.user === undefined ? '' : 'u' } }],
    users: options.user === undefined ? [] : [{ name: 'u', user: options.user }],
  });
}

const get = async (text: string, path = '/', more: { server?: string } = {}) => {
  const connection = await openConnection({ kubeconfig: text, environment: {}, ...more });
  const answer = await connection.request({ method: 'GET', path, timeoutMs: 5000 });
  return { ...answer, seen: JSON.parse(answer.text) };
};

describe('who we say we are', () => {
  it('is nobody where the context has no user', async () => {
    const { seen } = await get(kubeconfig({ ca: 'middle.crt' }));
    expect(seen.headers.authorization).toBeUndefined();
    expect(seen.client).toBeUndefined();
  });

  it.each([
    {
      name: 'inline',
      user: () => ({ 'client-certificate-data': base64('client.crt'), 'client-key-data': base64('client.key') }),
    },
    {
      name: 'in files',
      user: () => ({
        'client-certificate': join(directory, 'client.crt'),
        'client-key': join(directory, 'client.key'),
      }),
    },
  ])('is the client certificate: $name', async ({ user }) => {
    expect((await get(kubeconfig({ ca: 'middle.crt', user: user() }))).seen.client).toBe('me');
  });

  it.each([
    { name: 'inline', user: () => ({ token: '123456.0123456789012345' }), expected: 'Bearer 123456.0123456789012345' },
    { name: 'in a file', user: () => ({ tokenFile: join(directory, 'token') }), expected: 'Bearer from-file' },
  ])('is the token: $name', async ({ user, expected }) => {
    writeFileSync(join(directory, 'token'), 'from-file\n');
    expect((await get(kubeconfig({ ca: 'middle.crt', user: user() }))).seen.headers.authorization).toBe(expected);
  });
});

describe('whom we trust', () => {
  it('takes an intermediate CA for an anchor, as Go does', async () => {
    expect((await get(kubeconfig({ ca: 'middle.crt' }))).status).toBe(200);
  });

  it.each([
    {
      name: 'a CA that did not sign it',
      text: () => kubeconfig({ ca: 'client.crt' }),
      code: 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
    },
    {
      name: 'a name that it does not bear',
      text: () => kubeconfig({ ca: 'middle.crt', cluster: { 'tls-server-name': 'other' } }),
      code: 'ERR_TLS_CERT_ALTNAME_INVALID',
    },
  ])('refuses $name', async ({ text, code }) => {
    await expect(get(text())).rejects.toMatchObject({ code });
  });

  it('verifies the name that the kubeconfig gives', async () => {
    expect((await get(kubeconfig({ ca: 'middle.crt', cluster: { 'tls-server-name': 'kubernetes' } }))).status).toBe(
      200,
    );
  });

  it('verifies nothing where the kubeconfig says so', async () => {
    const cluster = { 'insecure-skip-tls-verify': true, 'certificate-authority-data': undefined };
    expect((await get(kubeconfig({ cluster }))).status).toBe(200);
  });
});

describe('a request', () => {
  it('goes to another server when told so, below the path of its URL', async () => {
    const text = kubeconfig({ ca: 'middle.crt', cluster: { server: 'https://192.0.2.1:6443' } });
    expect((await get(text, '/api', { server: `${url}/k8s/clusters/one/` })).seen.url).toBe('/k8s/clusters/one/api');
  });

  it('carries its method, type and body', async () => {
    const connection = await openConnection({ kubeconfig: kubeconfig({ ca: 'middle.crt' }), environment: {} });
    const body = { type: 'application/apply-patch+yaml', text: '{"a": "ä"}' };
    const answer = await connection.request({ method: 'PATCH', path: '/x?force=true', body, timeoutMs: 5000 });
    expect(JSON.parse(answer.text)).toMatchObject({
      method: 'PATCH',
      url: '/x?force=true',
      body: '{"a": "ä"}',
      headers: { 'content-type': 'application/apply-patch+yaml', accept: 'application/json' },
    });
  });

  it('tells when to try again', async () => {
    expect(await get(kubeconfig({ ca: 'middle.crt' }), '/busy')).toMatchObject({ status: 429, retryAfter: 7 });
  });

  it('uses one connection for several', async () => {
    const connection = await openConnection({ kubeconfig: kubeconfig({ ca: 'middle.crt' }), environment: {} });
    const ports = new Set<number>();
    for (let count = 0; count < 3; count += 1) {
      ports.add(JSON.parse((await connection.request({ method: 'GET', path: '/', timeoutMs: 5000 })).text).port);
    }
    expect(ports.size).toBe(1);
  });

  it('is given up after its time', async () => {
    const connection = await openConnection({ kubeconfig: kubeconfig({ ca: 'middle.crt' }), environment: {} });
    await expect(connection.request({ method: 'GET', path: '/silence', timeoutMs: 50 })).rejects.toMatchObject({
      code: 'ETIMEDOUT',
      message: 'no answer within 50 ms',
    });
  });
});

it('goes through the proxy that the kubeconfig names', async () => {
  const tunnels: (string | undefined)[] = [];
  const sockets: Duplex[] = [];
  const proxy = createPlainServer();
  proxy.on('connect', (request, socket) => {
    tunnels.push(request.url);
    const upstream = connect(Number(request.url?.split(':')[1]), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      upstream.pipe(socket).pipe(upstream);
    });
    sockets.push(socket, upstream);
    socket.on('close', () => upstream.destroy());
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const proxyUrl = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const user = { 'client-certificate-data': base64('client.crt'), 'client-key-data': base64('client.key') };
  const { seen } = await get(kubeconfig({ ca: 'root.crt', user, cluster: { 'proxy-url': proxyUrl, ...bundle() } }));
  expect(seen.client).toBe('me');
  expect(tunnels).toEqual([url.replace('https://', '')]);
  for (const socket of sockets) socket.destroy();
  await new Promise((resolve) => proxy.close(resolve));
});

/** Both CA certificates, as a bundle. */
function bundle(): object {
  return { 'certificate-authority-data': Buffer.from(`${file('root.crt')}${file('middle.crt')}`).toString('base64') };
}

describe('a kubeconfig that cannot be used', () => {
  it.each([
    {
      name: 'no YAML',
      text: 'users:\n- user: {client-key-data: c2VjcmV0LWtleQ==\n- : [',
      message: /no YAML: .* in line \d/,
    },
    { name: 'empty', text: '', message: /names no cluster|no YAML|Cannot read/ },
    {
      name: 'no such cluster',
      text: JSON.stringify({ 'current-context': 'a', contexts: [{ name: 'a', context: { cluster: 'none' } }] }),
      message: /current context 'a' names no cluster/,
    },
    {
      name: 'no server',
      text: JSON.stringify({
        'current-context': 'a',
        contexts: [{ name: 'a', context: { cluster: 'a' } }],
        clusters: [{ name: 'a', cluster: {} }],
      }),
      message: /server is missing/,
    },
    {
      name: 'plain HTTP',
      text: JSON.stringify({
        'current-context': 'a',
        contexts: [{ name: 'a', context: { cluster: 'a' } }],
        clusters: [{ name: 'a', cluster: { server: 'http://a:80' } }],
      }),
      message: /not an https URL: 'http:\/\/a:80'/,
    },
  ])('is refused: $name', async ({ text, message }) => {
    const result = openConnection({ kubeconfig: text, environment: {} });
    await expect(result).rejects.toMatchObject({
      code: 'CLUSTER_KUBECONFIG_INVALID',
      message: expect.stringMatching(message),
    });
    const error = await result.catch((thrown: Error) => thrown);
    expect(JSON.stringify([error, String(error), String((error as Error).cause)])).not.toContain('c2VjcmV0LWtleQ');
  });
});

describe('a server that does not answer as one', () => {
  const servers: Server[] = [];
  const sockets = new Set<Duplex>();
  afterEach(async () => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
    await Promise.all(servers.splice(0).map((one) => new Promise((resolve) => one.close(resolve))));
  });
  /** Says this after the head of a request has come, without regard to HTTP. */
  const saying = async (say: (socket: Duplex) => void) => {
    const one = createServer({ key: file('leaf.key'), cert: file('leaf.crt') });
    one.removeAllListeners('secureConnection');
    one.on('secureConnection', (socket) => {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.once('data', () => say(socket));
    });
    servers.push(one);
    await new Promise<void>((resolve) => one.listen(0, '127.0.0.1', resolve));
    return `https://127.0.0.1:${(one.address() as AddressInfo).port}`;
  };
  const asking = async (server: string, more: object = {}) => {
    const text = kubeconfig({ ca: 'middle.crt' });
    const connection = await openConnection({ kubeconfig: text, server, environment: {}, ...more });
    return connection.request({ method: 'GET', path: '/', timeoutMs: 5000 });
  };

  it.each([
    {
      name: 'changes to another protocol',
      answer: 'HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n',
    },
    { name: 'has only information', answer: 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(10) },
  ])('$name', async ({ answer }) => {
    await expect(asking(await saying((socket) => socket.write(answer)))).rejects.toMatchObject({
      code: 'GROUNDPLANE_FOREIGN',
    });
  });

  it('has no end', async () => {
    let sent = 0;
    const url = await saying((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      const more = (): void => {
        while (!socket.destroyed && sent < 1e9 && socket.write(Buffer.alloc(100_000))) sent += 100_000;
      };
      socket.on('drain', more);
      more();
    });
    await expect(asking(url, { maximumBytes: 1_000_000 })).rejects.toThrow('larger than 1000000 bytes');
    expect(sent).toBeLessThan(50_000_000);
  });
});

describe('credentials', () => {
  const exec = (command: string, ...args: readonly string[]) => ({
    exec: { apiVersion: 'client.authentication.k8s.io/v1', command, args, interactiveMode: 'Never' },
  });
  const ask = async (user: object, more: object = {}) => {
    const connection = await openConnection({
      kubeconfig: kubeconfig({ ca: 'middle.crt', user }),
      environment: {},
      ...more,
    });
    return connection.request({ method: 'GET', path: '/', timeoutMs: 5000 });
  };

  it('come from a program', async () => {
    const credential = { kind: 'ExecCredential', status: { token: 'from-program' } };
    const answer = await ask(exec('echo', JSON.stringify(credential)));
    expect(JSON.parse(answer.text).headers.authorization).toBe('Bearer from-program');
  });

  it.each([
    {
      name: 'is not there',
      user: exec('/nonexistent/plugin'),
      code: 'CLUSTER_PLUGIN_MISSING',
      says: /ENOENT.*\/nonexistent\/plugin/,
    },
    { name: 'cannot be run', user: exec('/etc/passwd'), code: 'CLUSTER_PLUGIN_MISSING', says: /EACCES/ },
    {
      name: 'fails',
      user: exec('sh', '-c', 'echo first >&2; echo no session >&2; exit 3'),
      code: 'CLUSTER_PLUGIN_FAILED',
      says: /as no session;/,
    },
    { name: 'says nothing', user: exec('false'), code: 'CLUSTER_PLUGIN_FAILED', says: /without a word/ },
    {
      name: 'does not end',
      user: exec('sh', '-c', 'sleep 600; true'),
      code: 'CLUSTER_PLUGIN_FAILED',
      says: /nothing came within 200 ms/,
    },
  ])('of a program that $name', async ({ name, user, code, says }) => {
    const asked = ask(user, name === 'does not end' ? { credentialsMs: 200 } : {});
    await expect(asked).rejects.toMatchObject({ code, message: expect.stringMatching(says) });
  });

  it('that no header can carry are told before anything is sent', async () => {
    await expect(ask({ token: 'one\ntwo' })).rejects.toMatchObject({
      code: 'CLUSTER_KUBECONFIG_INVALID',
      message: expect.not.stringContaining('two'),
    });
  });
});

it('a proxy of a kubeconfig that cannot be used is refused', async () => {
  const text = kubeconfig({ ca: 'root.crt', cluster: { 'proxy-url': 'ftp://user:secret@proxy' } });
  await expect(openConnection({ kubeconfig: text, environment: {} })).rejects.toMatchObject({
    code: 'CLUSTER_PROXY_INVALID',
    message: expect.stringMatching(/proxy-url of the kubeconfig.*ftp$/),
  });
});

it('nothing is sent to port 0, for which Node.js would take another', async () => {
  const text = kubeconfig({ ca: 'root.crt', cluster: { server: 'https://127.0.0.1:0' } });
  await expect(openConnection({ kubeconfig: text, environment: {} })).rejects.toMatchObject({
    code: 'CLUSTER_KUBECONFIG_INVALID',
    message: expect.stringContaining('port 0'),
  });
});

/** A server whose RSA key has 1024 bits, which OpenSSL does not take unless it is told to. */
function weakServer(answer: RequestListener) {
  const folder = mkdtempSync(join(tmpdir(), 'groundplane-weak-'));
  const names = ['-subj', '/CN=weak', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const files = ['-keyout', 'weak.key', '-out', 'weak.crt'];
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:1024', '-noenc', '-days', '1', ...names, ...files], {
    cwd: folder,
    stdio: 'pipe',
  });
  const [key = '', cert = ''] = ['weak.key', 'weak.crt'].map((name) => readFileSync(join(folder, name), 'utf8'));
  rmSync(folder, { recursive: true });
  return { cert, server: createServer({ key, cert, ciphers: 'DEFAULT@SECLEVEL=0' }, answer) };
}

it('connects where keys are as weak as Kubernetes takes them', async () => {
  const { cert, server: weak } = weakServer((_, response) => response.end('{}'));
  await new Promise<void>((resolve) => weak.listen(0, '127.0.0.1', resolve));
  try {
    const { port } = weak.address() as AddressInfo;
    const data = Buffer.from(cert).toString('base64');
    const cluster = { server: `https://127.0.0.1:${port}`, 'certificate-authority-data': data };
    const context = { cluster: 'c', user: '' };
    const kubeconfig = JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'x',
      clusters: [{ name: 'c', cluster }],
      contexts: [{ name: 'x', context }],
      users: [],
    });
    const connection = await openConnection({ kubeconfig, environment: {} });
    expect(await connection.request({ method: 'GET', path: '/', timeoutMs: 5000 })).toMatchObject({ status: 200 });
  } finally {
    weak.closeAllConnections();
    weak.close();
  }
});
