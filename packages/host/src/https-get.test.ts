import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer as createPlainServer } from 'node:http';
import { createServer } from 'node:https';
import {
  type AddressInfo,
  connect,
  createServer as createSocketServer,
  type Server as NetServer,
  type Socket,
} from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { socksServer } from '../test/socks-server.ts';
import { weakServer } from '../test/weak-server.ts';
import { type HttpsGetOptions, type HttpsResult, httpsGet } from './https-get.ts';

// Certificates that openssl made; the servers are Node.js's own.
const folder = new URL('../../discovery/testdata/', import.meta.url);
const pem = (name: string) => readFileSync(new URL(name, folder), 'utf8');
const ca = pem('ca.crt');
const limits = { timeoutMs: 5000, maximumBytes: 100_000 };

const servers: NetServer[] = [];
const sockets = new Set<Socket>();
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  sockets.clear();
  await Promise.all(servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve))));
});

async function listen(server: NetServer, host = '127.0.0.1'): Promise<number> {
  servers.push(server);
  server.on('connection', (socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  return (server.address() as AddressInfo).port;
}

type Handler = Parameters<typeof createServer>[1];

/** An HTTPS server with a certificate of the folder. */
async function serve(name: string, handler: Handler = (_, response) => response.end('hello'), host = '127.0.0.1') {
  const chain = name === 'issuing-server' ? pem('issuing-server.crt') : pem(`${name}.crt`);
  const port = await listen(createServer({ cert: chain, key: pem(`${name}.key`) }, handler), host);
  return `https://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

const hello: HttpsResult = { status: 200, text: 'hello' };

describe('httpsGet verifies', () => {
  it.each<[string, string, HttpsGetOptions['trust'], boolean]>([
    ['a server of the CA', 'server', { authority: ca }, true],
    ['a server of another CA of that name', 'other-server', { authority: ca }, false],
    ['both where both are given', 'other-server', { authority: ca + pem('other-ca.crt') }, true],
    ['a server of an intermediate CA that alone is given', 'issuing-server', { authority: pem('issuing.crt') }, true],
    ['a server of an intermediate CA that it does not show', 'issuing-server', { authority: ca }, false],
    ['the same with both given', 'issuing-server', { authority: ca + pem('issuing.crt') }, true],
    ['a certificate of another address', 'elsewhere-server', { authority: ca }, false],
    ['a certificate that has its name only as common name', 'no-names', { authority: ca }, false],
    ['a certificate for clients', 'client', { authority: ca }, false],
    ['a server that the machine does not know', 'server', 'machine', false],
    ['anybody, if so wished', 'other-server', 'nobody', true],
    ['anybody, also without names', 'no-names', 'nobody', true],
  ])('%s', async (_, name, trust, isFine) => {
    const result = await httpsGet(await serve(name), { ...limits, trust });
    if (isFine) expect(result).toEqual(hello);
    else expect(result).toMatchObject({ fault: 'untrusted' });
  });

  it('an address of IPv6, by its address and not by its name', async () => {
    const trust = { authority: ca };
    expect(await httpsGet(await serve('server', undefined, '::1'), { ...limits, trust })).toEqual(hello);
    const elsewhere = await httpsGet(await serve('elsewhere-server', undefined, '::1'), { ...limits, trust });
    expect(elsewhere).toMatchObject({
      fault: 'untrusted',
      reason: expect.stringContaining('ERR_TLS_CERT_ALTNAME_INVALID'),
    });
  });

  it('a name', async () => {
    const { port } = new URL(await serve('server'));
    expect(await httpsGet(`https://localhost:${port}/`, { ...limits, trust: { authority: ca } })).toEqual(hello);
  });

  it('a server that this machine trusts, by the file that OpenSSL is told of', async () => {
    const url = await serve('server');
    const program = `import { httpsGet } from '${new URL('./https-get.ts', import.meta.url)}';
      console.log(JSON.stringify(await httpsGet('${url}', { trust: 'machine', timeoutMs: 5000, maximumBytes: 1000 })));`;
    const environment = { ...process.env, SSL_CERT_FILE: fileURLToPath(new URL('ca.crt', folder)), SSL_CERT_DIR: '' };
    const run = promisify(execFile);
    const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program], { env: environment });
    expect(JSON.parse(stdout)).toEqual(hello);
  });

  it('before it sends anything', async () => {
    let requests = 0;
    const url = await serve('other-server', (_, response) => {
      requests += 1;
      response.end();
    });
    await httpsGet(url, { ...limits, trust: { authority: ca } });
    expect(requests).toBe(0);
  });
});

describe('httpsGet', () => {
  const trust = { authority: ca };

  it('says which path it wants, and nothing about itself but its name', async () => {
    const seen: unknown[] = [];
    const url = await serve('server', (request, response) => {
      seen.push(request.method, request.url, request.headers);
      response.end('hello');
    });
    expect(await httpsGet(`${url}/api/v1?x=y`, { ...limits, trust })).toEqual(hello);
    const { port } = new URL(url);
    const headers = {
      accept: 'application/json',
      'user-agent': 'groundplane',
      host: `127.0.0.1:${port}`,
      connection: 'close',
    };
    expect(seen).toEqual(['GET', '/api/v1?x=y', headers]);
  });

  it.each([
    [403, 'no'],
    [500, ''],
    [204, ''],
  ])('takes status %i for an answer', async (status, text) => {
    const url = await serve('server', (_, response) => response.writeHead(status).end(text));
    expect(await httpsGet(url, { ...limits, trust })).toEqual({ status, text });
  });

  it('follows no redirect', async () => {
    let reached = false;
    const target = await serve('server', (_, response) => {
      reached = true;
      response.end();
    });
    const url = await serve('server', (_, response) => response.writeHead(302, { Location: target }).end());
    expect(await httpsGet(url, { ...limits, trust })).toEqual({ status: 302, text: '', location: target });
    expect(reached).toBe(false);
  });

  it('reads characters that are split between packets', async () => {
    const url = await serve('server', async (_, response) => {
      const bytes = Buffer.from('Ω≈ç√');
      for (const byte of bytes) {
        response.write(Buffer.from([byte]));
        await delay(1);
      }
      response.end();
    });
    expect(await httpsGet(url, { ...limits, trust })).toEqual({ status: 200, text: 'Ω≈ç√' });
  });

  it('takes a body of the allowed size and not a byte more', async () => {
    const url = await serve('server', (request, response) => response.end('x'.repeat(Number(request.url?.slice(1)))));
    expect(await httpsGet(`${url}/1000`, { trust, timeoutMs: 5000, maximumBytes: 1000 })).toMatchObject({
      status: 200,
    });
    expect(await httpsGet(`${url}/1001`, { trust, timeoutMs: 5000, maximumBytes: 1000 })).toEqual({
      fault: 'too-large',
      reason: 'the answer is larger than 1000 bytes',
    });
  });

  it('stops reading what is too large', async () => {
    let sent = 0;
    const url = await serve('server', async (_, response) => {
      while (!response.destroyed && sent < 200) {
        response.write(Buffer.alloc(1_000_000));
        sent += 1;
        await delay(1);
      }
      response.end();
    });
    expect(await httpsGet(url, { ...limits, trust })).toMatchObject({ fault: 'too-large' });
    expect(sent).toBeLessThan(200);
  });

  it.each<[string, Handler]>([
    ['says nothing', () => {}],
    ['stops after the head', (_, response) => void response.writeHead(200).flushHeaders()],
    [
      'sends a byte now and then',
      async (_, response) => {
        while (!response.destroyed) {
          response.write('x');
          await delay(20);
        }
      },
    ],
  ])('gives up on a server that %s', async (_, handler) => {
    const url = await serve('server', handler);
    expect(await httpsGet(url, { ...limits, trust, timeoutMs: 200 })).toEqual({
      fault: 'timeout',
      reason: 'no complete answer came within 200 ms',
    });
  });

  it('gives up on a server that does not even shake hands', async () => {
    const port = await listen(createSocketServer(() => {}));
    const result = await httpsGet(`https://127.0.0.1:${port}`, { ...limits, trust, timeoutMs: 200 });
    expect(result).toMatchObject({ fault: 'timeout' });
  });

  it.each<[string, Handler]>([
    [
      'with a length',
      (_, response) => {
        response.writeHead(200, { 'Content-Length': '100' });
        response.write('half', () => response.destroy());
      },
    ],
    ['in chunks', (_, response) => void response.write('half', () => response.destroy())],
  ])('notices half an answer, %s', async (_, handler) => {
    expect(await httpsGet(await serve('server', handler), { ...limits, trust })).toEqual({
      fault: 'cut-short',
      reason: 'the connection ended before the answer did',
    });
  });

  it('tells what listens there if it is no HTTPS server', async () => {
    const plain = await listen(createPlainServer((_, response) => response.end()));
    expect(await httpsGet(`https://127.0.0.1:${plain}`, { ...limits, trust })).toEqual({
      fault: 'foreign',
      reason: 'what listens there does not speak TLS as it should: wrong version number',
    });
    expect(await httpsGet('https://127.0.0.1:1/', { ...limits, trust })).toEqual({
      fault: 'unreachable',
      reason: expect.stringContaining('ECONNREFUSED'),
    });
    expect(await httpsGet('https://nobody.invalid/', { ...limits, trust })).toMatchObject({ fault: 'unreachable' });
  });

  /** An HTTPS server that says this when the head of a request has come, without regard to HTTP. */
  const saying = async (text: string, more: object = {}) => {
    const server = createServer({ cert: pem('server.crt'), key: pem('server.key'), ...more });
    server.removeAllListeners('secureConnection');
    server.on('secureConnection', (socket) => {
      socket.on('error', () => {});
      socket.once('data', () => socket.write(text));
    });
    return `https://127.0.0.1:${await listen(server)}`;
  };
  const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' };
  const upgrade = 'Upgrade: websocket\r\nConnection: Upgrade\r\n';

  it.each<[string, string, object, string]>([
    [
      'changes to another protocol',
      `HTTP/1.1 101 Switching\r\n${upgrade}\r\n`,
      {},
      'another protocol: HTTP status 101',
    ],
    ['has only information', 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(100), {}, 'it answers 103 again and again'],
    ['has a large head', `HTTP/1.1 200 OK\r\nA: ${'x'.repeat(200_000)}\r\n\r\n`, {}, 'Header overflow'],
    ['is of another kind', 'SSH-2.0-OpenSSH\r\n', {}, 'does not speak HTTP'],
    ['is too old', '', old, 'tlsv1 alert protocol version'],
  ])('tells a server that %s', async (_, text, more, says) => {
    const result = await httpsGet(await saying(text, more), { ...limits, trust: 'nobody', timeoutMs: 2000 });
    expect(result).toMatchObject({ fault: 'foreign', reason: expect.stringContaining(says) });
    expect(JSON.stringify(result)).not.toMatch(/\\[nu]/);
  });

  it.each([
    ['of another protocol', `HTTP/1.1 200 OK\r\n${upgrade}\r\n`],
    ['without length', 'HTTP/1.1 200 OK\r\n\r\nhalf'],
  ])('takes its own end for none of an answer %s', async (_, text) => {
    const result = await httpsGet(await saying(text), { ...limits, trust: 'nobody', timeoutMs: 500 });
    expect(result).toMatchObject({ fault: 'timeout' });
  });

  it('connects to no other port than the one that was given', async () => {
    const result = await httpsGet('https://127.0.0.1:0/', { ...limits, trust });
    expect(result).toEqual({ fault: 'unreachable', reason: 'nothing can listen on port 0' });
  });

  it('tells a time in whole milliseconds', async () => {
    const url = await serve('server', () => {});
    const result = await httpsGet(url, { ...limits, trust, timeoutMs: 99.9992550000006 });
    expect(result).toEqual({ fault: 'timeout', reason: 'no complete answer came within 100 ms' });
  });

  it('ends when it is told to', async () => {
    const url = await serve('server', () => {});
    const abort = new AbortController();
    const result = httpsGet(url, { ...limits, trust, signal: abort.signal });
    setTimeout(() => abort.abort(new Error('told to')), 50);
    await expect(result).rejects.toThrow('told to');
    await expect(httpsGet(url, { ...limits, trust, signal: abort.signal })).rejects.toThrow('told to');
  });

  it('does not speak without TLS', async () => {
    await expect(httpsGet('http://127.0.0.1/', { ...limits, trust: 'nobody' })).rejects.toThrow(TypeError);
  });
});

describe('through a proxy', () => {
  const trust = { authority: ca };

  /** An HTTP proxy that connects to wherever it is asked to, if asked by one whom it knows. */
  async function proxy(requests: string[]): Promise<string> {
    const server = createPlainServer();
    server.on('connect', (request, socket) => {
      requests.push(`${request.url} ${request.headers['proxy-authorization'] ?? ''}`);
      if (request.headers['proxy-authorization'] === undefined)
        return socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
      const { hostname, port } = new URL(`http://${request.url}`);
      const outward = connect(Number(port), hostname, () => {
        socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
        outward.pipe(socket).pipe(outward);
      });
      for (const one of [socket, outward]) one.on('error', () => {});
      return undefined;
    });
    return `127.0.0.1:${await listen(server)}`;
  }

  it('the server itself is verified', async () => {
    const requests: string[] = [];
    const address = await proxy(requests);
    const through = { ...limits, trust, proxy: `http://us%40er:pass@${address}` };
    const url = await serve('server');
    expect(await httpsGet(url, through)).toEqual(hello);
    expect(await httpsGet(await serve('other-server'), through)).toMatchObject({ fault: 'untrusted' });
    expect(await httpsGet(await serve('elsewhere-server'), through)).toMatchObject({ fault: 'untrusted' });
    expect(requests[0]).toBe(`${new URL(url).host} Basic ${Buffer.from('us@er:pass').toString('base64')}`);
  });

  it('a proxy that refuses, or is none, is told from the server', async () => {
    const address = await proxy([]);
    const url = await serve('server');
    expect(await httpsGet(url, { ...limits, trust, proxy: `http://${address}` })).toMatchObject({
      fault: 'unreachable',
      reason: expect.stringContaining(`the proxy ${address} refuses the connection: HTTP status 407`),
    });
    expect(await httpsGet(url, { ...limits, trust, proxy: 'http://127.0.0.1:1' })).toMatchObject({
      fault: 'unreachable',
      reason: expect.stringContaining('the proxy 127.0.0.1:1 cannot be used'),
    });
    expect(await httpsGet(url, { ...limits, trust, proxy: 'ftp://127.0.0.1:1' })).toMatchObject({
      fault: 'unreachable',
      reason: expect.stringContaining('no URL of scheme http, https or socks5'),
    });
  });

  it('of SOCKS, which finds the address of a name', async () => {
    const seen: string[] = [];
    const port = await listen(socksServer(seen, { user: 'us@er:pass', host: '127.0.0.1' }));
    const through = { ...limits, trust, proxy: `socks5://us%40er:pass@127.0.0.1:${port}` };
    const url = await serve('server');
    expect(await httpsGet(url, through)).toEqual(hello);
    const named = url.replace('127.0.0.1', 'localhost');
    expect(await httpsGet(named, { ...through, proxy: through.proxy.replace('socks5', 'socks5h') })).toEqual(hello);
    expect(await httpsGet(await serve('other-server'), through)).toMatchObject({ fault: 'untrusted' });
    expect(seen.slice(0, 2)).toEqual([new URL(url).host, new URL(named).host]);
  });

  it('of SOCKS that refuses, is none, or is silent, is told from the server', async () => {
    const wanted = `127.0.0.1:${await listen(socksServer([], { user: 'a:b', host: '127.0.0.1' }))}`;
    const silent = `127.0.0.1:${await listen(createSocketServer())}`;
    const plain = `127.0.0.1:${await listen(createPlainServer((_, response) => response.end()))}`;
    const url = await serve('server');
    for (const address of [wanted, '127.0.0.1:1', plain]) {
      expect(await httpsGet(url, { ...limits, trust, proxy: `socks5://${address}`, timeoutMs: 3000 })).toMatchObject({
        fault: 'unreachable',
        reason: expect.stringContaining(`the proxy ${address} cannot be used: `),
      });
    }
    expect(await httpsGet(url, { ...limits, trust, proxy: `socks5://${silent}`, timeoutMs: 200 })).toEqual({
      fault: 'timeout',
      reason: 'no complete answer came within 200 ms',
    });
  });
});

it.each([
  ['of that CA', true],
  ['whoever answers', false],
])('asks a server with a key as weak as Kubernetes takes it: %s', async (_, isKnown) => {
  const { cert, server } = weakServer((_request, response) => response.end('hello'));
  const port = await listen(server);
  const trust = isKnown ? { authority: cert } : 'nobody';
  expect(await httpsGet(`https://127.0.0.1:${port}`, { ...limits, trust })).toEqual(hello);
});
