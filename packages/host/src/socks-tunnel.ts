import { connect, type Socket } from 'node:net';
import { SocksClient } from 'socks';
import { connectionReason } from './connection-reason.ts';

/** Registered with IANA. */
const defaultPort = 1080;

/**
 * Has a SOCKS proxy connect us to a server (RFC 1928, RFC 1929). It is the proxy that finds the address of a name, as it is for Go
 * programs.
 *
 * @param proxy URL of scheme socks5 or socks5h, with `user:password@` if it asks for it
 * @param options.target whose host and port are wanted
 * @returns the connection, on which the server itself is spoken to
 */
export async function socksTunnel(
  proxy: URL,
  options: { readonly target: URL; readonly signal: AbortSignal },
): Promise<Socket> {
  const { target, signal } = options;
  signal.throwIfAborted();
  const bare = (url: URL) => url.hostname.replace(/^\[|\]$/g, '');
  const at = { host: bare(proxy), port: Number(proxy.port || defaultPort) };
  const user = {
    userId: decodeURIComponent(proxy.username),
    password: decodeURIComponent(proxy.password),
  };
  // One of our own, so that it can be ended at any time.
  const socket = connect(at);
  const abort = (): void => void socket.destroy(signal.reason instanceof Error ? signal.reason : new Error('aborted'));
  signal.addEventListener('abort', abort);
  try {
    await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject));
    await SocksClient.createConnection({
      command: 'connect',
      destination: { host: bare(target), port: Number(target.port || 443) },
      proxy: { ...at, type: 5, ...(proxy.username === '' ? {} : user) },
      existing_socket: socket,
    });
    return socket;
  } catch (thrown) {
    socket.destroy();
    throw new Error(`the proxy ${proxy.host} cannot be used: ${connectionReason(thrown)}`);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
