/** Servers that pose as the API server of a cluster, over real TLS, and what they say. None of it is made by the code under test. */
import { createHash, createHmac, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo, Server, Socket } from 'node:net';

const folder = new URL('../packages/discovery/testdata/', import.meta.url);

/** Text of a file that its make.sh made. */
export const pem = (name: string) => readFileSync(new URL(name, folder), 'utf8');
/** The CA of the cluster. */
export const ca = pem('ca.crt');
/** One of the same name. */
export const otherCa = pem('other-ca.crt');

export const token = 'abcdef.0123456789abcdef';
/** One that the attacker made, or got from somebody. */
export const otherToken = 'xyzxyz.fedcba9876543210';

const servers: Server[] = [];
const sockets = new Set<Socket>();

/** Ends all servers, whatever they are doing. */
export async function closeServers(): Promise<void> {
  for (const socket of sockets) socket.destroy();
  sockets.clear();
  await Promise.all(servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve))));
}

/** Listens on a port of its own; `host:port`. */
export async function listen(server: Server): Promise<string> {
  servers.push(server);
  server.on('connection', (socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A server with a certificate of the folder; `swap` has it show another one from the second connection on. */
export function imitatedServer(handler: RequestListener, { name = 'server', swap = '' } = {}): Promise<string> {
  const identity = (one: string) => ({ cert: pem(`${one}.crt`), key: pem(`${one}.key`) });
  const server = createServer(identity(name), (request, response) => {
    if (swap !== '') server.setSecureContext(identity(swap));
    handler(request, response);
  });
  return listen(server);
}

/** One that has nothing but this status for an answer. */
export const answering = (status: number, headers = {}) =>
  imitatedServer((_, response) => response.writeHead(status, headers).end());

/** One that says this when the head of a request has come, without regard to HTTP; `repeated` has it go on without end. */
export function sayingServer(text: string, { repeated = false, tls = {} } = {}): Promise<string> {
  const server = createServer({ cert: pem('server.crt'), key: pem('server.key'), ...tls });
  server.removeAllListeners('secureConnection');
  server.on('secureConnection', (socket) => {
    const say = (): void => {
      while (!socket.destroyed && socket.write(text) && repeated);
    };
    socket.on('error', () => {});
    socket.once('data', say);
    if (repeated) socket.on('drain', say);
  });
  return listen(server);
}

/** HS256 by node:crypto, so that the signatures of these servers are not ours. */
function sign(kubeconfig: string, by: string): string {
  const [kid = '', secret = ''] = by.split('.');
  const header = Buffer.from(JSON.stringify({ alg: 'HS256', kid })).toString('base64url');
  const payload = Buffer.from(kubeconfig).toString('base64url');
  return `${header}..${createHmac('sha256', secret).update(`${header}.${payload}`).digest('base64url')}`;
}

/** The text that kubeadm writes. */
export function kubeconfigOf(
  authority: string,
  { server = 'https://lb.example.com:6443', users = 'null' } = {},
): string {
  const data = Buffer.from(authority).toString('base64');
  return [
    'apiVersion: v1',
    'clusters:',
    '- cluster:',
    `    certificate-authority-data: ${data}`,
    `    server: ${server}`,
    '  name: ""',
    'contexts: null',
    'current-context: ""',
    'kind: Config',
    `users: ${users}`,
    '',
  ].join('\n');
}

export const good = kubeconfigOf(ca);

/** The answer of an API server, with signatures of these tokens over this text. */
export function clusterInfo(kubeconfig: string, signers: readonly string[] = [token], signed = kubeconfig): string {
  const signatures = signers.map((one) => [`jws-kubeconfig-${one.slice(0, 6)}`, sign(signed, one)]);
  const data = { kubeconfig, ...Object.fromEntries(signatures) };
  return JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'cluster-info' }, data });
}

/** Says the same to all. */
export const answer =
  (text: string): RequestListener =>
  (_, response) =>
    response.setHeader('Content-Type', 'application/json').end(text);

/** As `openssl x509 -pubkey | openssl pkey -pubin -outform der | openssl dgst -sha256` has it. */
export function pinOf(name: string): string {
  const key = new X509Certificate(pem(`${name}.crt`)).publicKey.export({ type: 'spki', format: 'der' });
  return `sha256:${createHash('sha256').update(key).digest('hex')}`;
}
