import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ProbeTrust } from '@groundplane/phases';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { weakServer } from '../test/weak-server.ts';
import { httpProbe } from './http-probe.ts';

const connections: (string | undefined)[] = [];
const answer: RequestListener = (request, response) => {
  connections.push(request.headers.connection);
  switch (request.url) {
    case '/healthz':
      return response.end('ok');
    case '/failing':
      return response.writeHead(503).end('[-]etcd failed');
    case '/large':
      return response.end('x'.repeat(1_000_000));
    case '/switch':
      return response.socket?.end('HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n');
    case '/half':
      response.writeHead(200);
      response.write('half');
      return setTimeout(() => response.destroy(), 20);
    default:
      return undefined; // silence
  }
};

let directory: string;
let plain: Server;
let secure: Server;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'groundplane-probe-'));
  const files = ['-keyout', 'key.pem', '-out', 'cert.pem'];
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-noenc'];
  execFileSync('openssl', ['req', '-x509', ...key, ...files, '-subj', '/CN=elsewhere', '-days', '1'], {
    cwd: directory,
    stdio: 'pipe',
  });
  const read = (name: string): Buffer => readFileSync(join(directory, name));
  plain = createServer(answer);
  secure = createSecureServer({ key: read('key.pem'), cert: read('cert.pem') }, answer);
  await Promise.all(
    [plain, secure].map((server) => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))),
  );
});

afterAll(async () => {
  for (const server of [plain, secure]) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
  rmSync(directory, { recursive: true });
});

const url = (server: Server, path: string): string =>
  `${server === secure ? 'https' : 'http'}://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;

describe('httpProbe', () => {
  it('tells status and body over HTTP, on a connection of its own', async () => {
    expect(await httpProbe(url(plain, '/healthz'), { timeoutMs: 5000 })).toEqual({ status: 200, text: 'ok' });
    expect(connections.at(-1)).toBe('close');
  });

  it('does not verify the certificate', async () => {
    expect(await httpProbe(url(secure, '/healthz'), { timeoutMs: 5000 })).toEqual({ status: 200, text: 'ok' });
  });

  it('takes an error status for an answer', async () => {
    expect(await httpProbe(url(secure, '/failing'), { timeoutMs: 5000 })).toEqual({
      status: 503,
      text: '[-]etcd failed',
    });
  });

  it('keeps the beginning of a large body', async () => {
    const { status, text } = await httpProbe(url(plain, '/large'), { timeoutMs: 5000 });
    expect(status).toBe(200);
    expect(text).toBe('x'.repeat(8192));
  });

  it.each([
    { name: 'silence', path: '/silence', timeoutMs: 50, text: 'no answer within 50 ms' },
    { name: 'half an answer', path: '/half', timeoutMs: 5000, text: 'aborted' },
  ])('has no status for $name', async ({ path, timeoutMs, text }) => {
    expect(await httpProbe(url(plain, path), { timeoutMs })).toEqual({ text });
  });

  it('has no status for a server that changes to another protocol', async () => {
    const text = 'it changes to another protocol: HTTP status 101';
    expect(await httpProbe(url(plain, '/switch'), { timeoutMs: 5000 })).toEqual({ text });
    expect(await httpProbe(url(secure, '/switch'), { timeoutMs: 5000 })).toEqual({ text });
  });

  it('has no status when nobody listens', async () => {
    const result = await httpProbe('https://127.0.0.1:1/healthz', { timeoutMs: 5000 });
    expect(result).toEqual({ text: 'connect ECONNREFUSED 127.0.0.1:1' });
  });

  it('throws the reason of a signal that aborts', async () => {
    const reason = new Error('enough');
    const controller = new AbortController();
    const result = httpProbe(url(plain, '/silence'), { timeoutMs: 5000, signal: controller.signal });
    controller.abort(reason);
    await expect(result).rejects.toBe(reason);
    await expect(httpProbe(url(plain, '/'), { timeoutMs: 1, signal: controller.signal })).rejects.toBe(reason);
  });
});

describe('httpProbe that is told whom to trust', () => {
  let mutual: Server;
  const pem = (name: string): string => readFileSync(join(directory, name), 'utf8');
  const trusted = () => ({
    authority: pem('ca.crt'),
    client: { certificate: pem('client.crt'), key: pem('client.key') },
  });

  beforeAll(async () => {
    const openssl = (...args: readonly string[]) => execFileSync('openssl', args, { cwd: directory, stdio: 'pipe' });
    const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-noenc', '-days', '1'];
    openssl('req', '-x509', ...key, '-keyout', 'ca.key', '-out', 'ca.crt', '-subj', '/CN=authority');
    const issue = (name: string, ...extension: readonly string[]) => {
      const issuer = ['-CA', 'ca.crt', '-CAkey', 'ca.key', ...extension];
      openssl(
        'req',
        '-x509',
        ...key,
        ...issuer,
        '-keyout',
        `${name}.key`,
        '-out',
        `${name}.crt`,
        '-subj',
        `/CN=${name}`,
      );
    };
    issue('server', '-addext', 'subjectAltName=IP:127.0.0.1');
    issue('client');
    mutual = createSecureServer(
      {
        key: pem('server.key'),
        cert: pem('server.crt'),
        ca: pem('ca.crt'),
        requestCert: true,
        rejectUnauthorized: true,
      },
      answer,
    );
    await new Promise<void>((resolve) => mutual.listen(0, '127.0.0.1', resolve));
  });

  afterAll(() => new Promise((resolve) => mutual.close(resolve)));

  const address = (host: string) => `https://${host}:${(mutual.address() as AddressInfo).port}/healthz`;
  const probe = (trust: ProbeTrust, host = '127.0.0.1') => httpProbe(address(host), { timeoutMs: 5000, trust });

  it('shows its certificate to a server that it trusts', async () => {
    expect(await probe(trusted())).toEqual({ status: 200, text: 'ok' });
  });

  it.each([
    [
      'a server of another authority',
      () => probe({ ...trusted(), authority: pem('cert.pem') }),
      'self-signed certificate',
    ],
    ['a server that this machine does not know', () => probe({ client: trusted().client }), 'self-signed certificate'],
    ['a server of another name', () => probe(trusted(), 'localhost'), 'altnames'],
    ['a server that wants a certificate', () => probe({ authority: trusted().authority }), 'certificate required'],
  ])('has no status for %s', async (_name, attempt, text) => {
    const result = await attempt();
    expect(result.status).toBeUndefined();
    expect(result.text).toContain(text);
  });
});

it.each([
  ['of that CA', true],
  ['whoever answers', false],
])('asks a server with a key as weak as Kubernetes takes it: %s', async (_, isKnown) => {
  const { cert, server: weak } = weakServer((_request, response) => response.end('ok'));
  await new Promise<void>((resolve) => weak.listen(0, '127.0.0.1', resolve));
  try {
    const { port } = weak.address() as AddressInfo;
    const trust = isKnown ? { trust: { authority: cert } } : {};
    expect(await httpProbe(`https://127.0.0.1:${port}/`, { timeoutMs: 5000, ...trust })).toEqual({
      status: 200,
      text: 'ok',
    });
  } finally {
    weak.closeAllConnections();
    weak.close();
  }
});
