import { createServer as createPlainServer } from 'node:http';
import { answering, imitatedServer, listen, sayingServer } from './imitated-server.ts';

/** One that is no API server, whether it is asked with a token or with a discovery file. */
export interface StrangeServer {
  readonly attack: string;
  readonly server: () => Promise<string>;
  readonly code: string;
  /** Part of the message. */
  readonly says: string;
}

const upgrade = 'Upgrade: websocket\r\nConnection: Upgrade\r\n\r\n';
const tooOld = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' };
const endless = `8000\r\n${' '.repeat(0x8000)}\r\n`;

/** Each is refused within a few attempts: no waiting makes an API server of it. */
export const strangeServers: readonly StrangeServer[] = [
  {
    attack: 'a server that changes to another protocol',
    server: () => sayingServer(`HTTP/1.1 101 Switching\r\n${upgrade}`),
    code: 'DISCOVERY_ANSWER_INVALID',
    says: 'it changes to another protocol: HTTP status 101',
  },
  {
    attack: 'a server that gives information without end',
    server: () => sayingServer('HTTP/1.1 103 Early Hints\r\n\r\n', { repeated: true }),
    code: 'DISCOVERY_ANSWER_INVALID',
    says: 'it answers 103 again and again',
  },
  {
    attack: 'a server whose answer has no end',
    server: () => sayingServer(`HTTP/1.1 200 OK\r\n\r\n${endless}`, { repeated: true }),
    code: 'DISCOVERY_ANSWER_INVALID',
    says: 'larger than 2097152 bytes',
  },
  {
    attack: 'a server with a head that is too large',
    server: () => sayingServer(`HTTP/1.1 200 OK\r\nA: ${'x'.repeat(200_000)}\r\n\r\n`),
    code: 'DISCOVERY_ANSWER_INVALID',
    says: 'Header overflow',
  },
  {
    attack: 'a server of another protocol over TLS',
    server: () => sayingServer('220 mail.example.com ESMTP\r\n'),
    code: 'DISCOVERY_ANSWER_INVALID',
    says: 'Expected HTTP/',
  },
  {
    attack: 'a server without TLS',
    server: () => listen(createPlainServer((_, response) => response.end())),
    code: 'DISCOVERY_ANSWER_INVALID',
    says: 'wrong version number',
  },
  {
    attack: 'a server whose TLS is too old',
    server: () => sayingServer('', { tls: tooOld }),
    code: 'DISCOVERY_ANSWER_INVALID',
    says: 'alert protocol version',
  },
  {
    attack: 'a server that answers with a page of its own',
    server: () => imitatedServer((_, response) => response.end('<html>hello</html>')),
    code: 'DISCOVERY_ANSWER_INVALID',
    says: 'it is no JSON',
  },
  {
    attack: 'a redirect to another server',
    server: () => answering(307, { Location: 'https://evil.example.com/' }),
    code: 'DISCOVERY_REDIRECTED',
    says: 'the server redirects, with status 307, to "https://evil.example.com/"',
  },
  { attack: 'a refusal that is meant', server: () => answering(418), code: 'DISCOVERY_REFUSED', says: '418' },
  { attack: 'a method that is not allowed', server: () => answering(405), code: 'DISCOVERY_REFUSED', says: '405' },
];
