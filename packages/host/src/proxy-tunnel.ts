import type { Socket } from 'node:net';
import { connectionReason } from './connection-reason.ts';

/**
 * Has a proxy connect us to a server (RFC 9110 9.3.6; for SOCKS RFC 1928).
 *
 * @param proxy `http://host:port`, `https://host:port` or `socks5://host:port`, with `user:password@` if it asks for it
 * @param options.target whose host and port are wanted
 * @returns the connection, on which the server itself is spoken to
 */
export async function tunnelThrough(
  proxy: string,
  options: { readonly target: URL; readonly signal: AbortSignal },
): Promise<Socket> {
  const { target, signal } = options;
  const url = new URL(proxy);
  if (url.protocol === 'socks5:' || url.protocol === 'socks5h:') {
    // Loads more than the rest of this package.
    const { socksTunnel } = await import('./socks-tunnel.ts');
    return socksTunnel(url, options);
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new Error(`the proxy is no URL of scheme http, https or socks5: ${url.protocol}//${url.host}`);
  const { request } = url.protocol === 'https:' ? await import('node:https') : await import('node:http');
  const path = `${target.hostname}:${target.port || '443'}`;
  const user = url.username === '' ? '' : `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  return new Promise((resolve, reject) => {
    const headers = {
      Host: path,
      ...(user === '' ? {} : { 'Proxy-Authorization': `Basic ${Buffer.from(user).toString('base64')}` }),
    };
    request(url.origin, { method: 'CONNECT', path, headers, agent: false, signal })
      .on('connect', (response, socket) => {
        if (response.statusCode === 200) return resolve(socket);
        socket.destroy();
        return reject(new Error(`the proxy ${url.host} refuses the connection: HTTP status ${response.statusCode}`));
      })
      .on('error', (error) => reject(new Error(`the proxy ${url.host} cannot be used: ${connectionReason(error)}`)))
      .on('close', () =>
        reject(new Error(`the proxy ${url.host} cannot be used: the connection ended without an answer`)),
      )
      .end();
  });
}
