import { createServer as createSocketServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import {
  answer,
  answering,
  ca,
  clusterInfo,
  good,
  imitatedServer,
  kubeconfigOf,
  listen,
  otherCa,
  otherToken,
  pinOf,
  token,
} from './imitated-server.ts';
import { strangeServers } from './strange-server-rows.ts';

/** One server, and what it is refused for. */
export interface DiscoveryAttack {
  readonly attack: string;
  readonly server: () => Promise<string>;
  /** Pins that the node is given; that of the CA of the cluster unless told otherwise. */
  readonly pins?: readonly string[];
  /** How long a request may take. @default 300 */
  readonly requestMs?: number;
  readonly code: string;
  /** Part of the message. */
  readonly says: string;
  /** True where the real kubeadm lets this server in. */
  readonly passesKubeadm?: true;
}

const credentials = `\n- name: admin\n  user:\n    token: ${otherToken}`;

export const discoveryAttacks: readonly DiscoveryAttack[] = [
  ...strangeServers.map((row) => ({ ...row, requestMs: 5000 })),
  ...[204, 206].map((status) => ({
    attack: `an answer of status ${status}`,
    server: () => answering(status),
    code: 'DISCOVERY_REFUSED',
    says: `HTTP status ${status}`,
  })),
  {
    attack: 'an API server that takes no requests of strangers',
    server: () => answering(401),
    code: 'DISCOVERY_REFUSED',
    says: 'its anonymous authentication is off: HTTP status 401',
  },
  {
    attack: 'cluster-info that would have a password sent',
    server: () => imitatedServer(answer(clusterInfo(kubeconfigOf(ca, { server: 'https://u:p@lb.example.com' })))),
    code: 'DISCOVERY_CLUSTER_INFO_INVALID',
    says: "no https URL of a host and a port: 'https://…@lb.example.com'",
    passesKubeadm: true,
  },
  {
    attack: 'an address of port 0',
    server: async () => '127.0.0.1:0',
    code: 'DISCOVERY_ENDPOINT_INVALID',
    says: 'a port above 0',
  },
  {
    attack: 'an impostor with a CA of its own, which knows the token',
    server: () => imitatedServer(answer(clusterInfo(kubeconfigOf(otherCa))), { name: 'other-server' }),
    code: 'DISCOVERY_PIN_MISMATCH',
    says: pinOf('other-ca'),
  },
  {
    attack: 'an impostor that shows the pinned CA beside its own',
    server: () => imitatedServer(answer(clusterInfo(kubeconfigOf(ca + otherCa))), { name: 'other-server' }),
    code: 'DISCOVERY_UNTRUSTED',
    says: 'certificate is not trusted',
    passesKubeadm: true,
  },
  {
    attack: 'an impostor that passes on the true cluster-info, but has no key of the cluster',
    server: () => imitatedServer(answer(clusterInfo(good)), { name: 'other-server' }),
    code: 'DISCOVERY_UNTRUSTED',
    says: 'certificate is not trusted',
  },
  {
    attack: 'the true server, and an impostor in its place at the second request',
    server: () => imitatedServer(answer(clusterInfo(good)), { swap: 'other-server' }),
    code: 'DISCOVERY_UNTRUSTED',
    says: 'certificate is not trusted',
  },
  {
    attack: 'an impostor with the client certificate of a node',
    server: () => imitatedServer(answer(clusterInfo(good)), { name: 'client' }),
    code: 'DISCOVERY_UNTRUSTED',
    says: 'certificate is not trusted',
  },
  {
    attack: 'an impostor with a certificate of the cluster for another address',
    server: () => imitatedServer(answer(clusterInfo(good)), { name: 'elsewhere-server' }),
    code: 'DISCOVERY_UNTRUSTED',
    says: 'ERR_TLS_CERT_ALTNAME_INVALID',
  },
  {
    attack: 'cluster-info that is another one over verified TLS',
    server: () => {
      let requests = 0;
      const second = clusterInfo(kubeconfigOf(ca, { server: 'https://evil.example.com:6443' }));
      return imitatedServer((_, response) => response.end((requests++ & 1) === 0 ? clusterInfo(good) : second));
    },
    code: 'DISCOVERY_CLUSTER_INFO_CHANGED',
    says: 'differs from the one that came first',
  },
  {
    attack: 'cluster-info signed by another token',
    server: () => imitatedServer(answer(clusterInfo(good, [otherToken]))),
    code: 'DISCOVERY_UNSIGNED',
    says: 'only other tokens have signed it, 1 of them',
  },
  {
    attack: 'the signature of another token under the name of ours',
    server: () => imitatedServer(answer(clusterInfo(good, [`abcdef.${otherToken.slice(7)}`]))),
    code: 'DISCOVERY_SIGNATURE_INVALID',
    says: 'the token has another secret there, or the content was altered',
  },
  {
    attack: 'a true signature over altered bytes',
    server: () => {
      const altered = kubeconfigOf(ca, { server: 'https://evil.example.com:6443' });
      return imitatedServer(answer(clusterInfo(altered, [token], good)));
    },
    code: 'DISCOVERY_SIGNATURE_INVALID',
    says: 'signature of token abcdef',
  },
  {
    attack: 'the pin of another CA',
    server: () => imitatedServer(answer(clusterInfo(good))),
    pins: [pinOf('other-ca')],
    code: 'DISCOVERY_PIN_MISMATCH',
    says: pinOf('ca'),
  },
  {
    attack: 'a token that has expired, so that the signer took its signature away',
    server: () => imitatedServer(answer(clusterInfo(good, []))),
    code: 'DISCOVERY_UNSIGNED',
    says: 'no token has signed it',
  },
  {
    attack: 'a token without the usage signing, beside one with it',
    server: () => imitatedServer(answer(clusterInfo(good, [otherToken]))),
    code: 'DISCOVERY_UNSIGNED',
    says: 'lacks the usage signing',
  },
  {
    attack: 'cluster-info that carries credentials',
    server: () => imitatedServer(answer(clusterInfo(kubeconfigOf(ca, { users: credentials })))),
    code: 'DISCOVERY_CREDENTIALS_INSIDE',
    says: "carries credentials, which everybody can read: user 'admin'",
    passesKubeadm: true,
  },
  {
    attack: 'cluster-info that would have the token sent without TLS',
    server: () => imitatedServer(answer(clusterInfo(kubeconfigOf(ca, { server: 'http://lb.example.com:8080' })))),
    code: 'DISCOVERY_CLUSTER_INFO_INVALID',
    says: 'no https URL',
  },
  {
    attack: 'a server that never answers',
    server: () => imitatedServer(() => {}),
    code: 'DISCOVERY_UNREACHABLE',
    says: 'no complete answer came within 300 ms',
  },
  {
    attack: 'a server that does not even shake hands',
    server: () => listen(createSocketServer()),
    code: 'DISCOVERY_UNREACHABLE',
    says: 'no complete answer came within 300 ms',
  },
  {
    attack: 'a server that answers a byte at a time',
    server: () =>
      imitatedServer(async (_, response) => {
        for (const byte of clusterInfo(good)) {
          if (response.destroyed) return;
          response.write(byte);
          await delay(5);
        }
        response.end();
      }),
    code: 'DISCOVERY_UNREACHABLE',
    says: 'no complete answer came within 300 ms',
  },
  {
    attack: 'a server that answers with 10 MB',
    server: () => imitatedServer(answer(clusterInfo(`${good}${'# '.repeat(5_000_000)}`))),
    requestMs: 5000,
    code: 'DISCOVERY_ANSWER_INVALID',
    says: 'larger than 2097152 bytes',
  },
  {
    attack: 'a server that answers with half of it',
    server: () =>
      imitatedServer((_, response) => {
        const text = clusterInfo(good);
        response.writeHead(200, { 'Content-Length': text.length });
        response.write(text.slice(0, text.length / 2), () => response.destroy());
      }),
    code: 'DISCOVERY_UNREACHABLE',
    says: 'the connection ended before the answer did',
  },
  {
    attack: 'a redirect to another server',
    server: async () => {
      const target = await imitatedServer(answer(clusterInfo(good)));
      return imitatedServer((request, response) => {
        response.writeHead(307, { Location: `https://${target}${request.url}` }).end();
      });
    },
    code: 'DISCOVERY_REDIRECTED',
    says: 'the server redirects, with status 307, to "https://127.0.0.1:',
    passesKubeadm: true,
  },
  {
    attack: 'a redirect with a text that would play with the terminal',
    server: () => imitatedServer((_, response) => response.writeHead(302, { Location: '/\x9b31m' }).end()),
    code: 'DISCOVERY_REDIRECTED',
    says: 'with status 302',
  },
  {
    attack: 'a server that is no API server',
    server: () => imitatedServer((_, response) => response.end('<html>hello</html>')),
    code: 'DISCOVERY_ANSWER_INVALID',
    says: 'it is no JSON',
  },
  {
    attack: 'nobody there',
    server: async () => '127.0.0.1:1',
    code: 'DISCOVERY_UNREACHABLE',
    says: 'ECONNREFUSED',
  },
];
