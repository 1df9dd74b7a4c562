/** A joining node over real TLS, against servers that are not what they should be: what each one is refused for. */
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { kubernetesClusters } from '../packages/cluster/dist/index.js';
import {
  type Discovered,
  type DiscoverOptions,
  type DiscoveryProgress,
  discover,
} from '../packages/discovery/dist/index.js';
import { httpsGet } from '../packages/host/dist/index.js';
import { discoveryAttacks } from './discovery-attack-rows.ts';
import {
  answer,
  answering,
  ca,
  closeServers,
  clusterInfo,
  good,
  imitatedServer,
  kubeconfigOf,
  pem,
  pinOf,
  token,
} from './imitated-server.ts';
import { strangeServers } from './strange-server-rows.ts';

afterEach(closeServers);

/** Time passes faster while nothing happens: a pause takes a fiftieth, so that waiting to the end takes a moment. */
function hastyClock() {
  const start = performance.now();
  let skipped = 0;
  return {
    now: () => new Date(),
    monotonicMs: () => performance.now() - start + skipped,
    sleep: async (ms: number) => {
      await delay(ms / 50);
      skipped += ms;
    },
  };
}

interface Attempt {
  readonly pins?: readonly string[];
  readonly onProgress?: (progress: DiscoveryProgress) => void;
  /** Of a single request; kubeadm's is 10 s. */
  readonly requestMs?: number;
  readonly timeoutMs?: number;
}

function join(
  endpoint: string,
  { pins = [pinOf('ca')], requestMs = 300, timeoutMs = 20_000, onProgress }: Attempt = {},
) {
  const nothing: DiscoverOptions['connect'] = () => Promise.reject(new Error('no file is involved'));
  return discover({
    discovery: {
      bootstrapToken: {
        token,
        apiServerEndpoint: endpoint,
        caCertHashes: pins,
        unsafeSkipCAVerification: pins.length === 0,
      },
      tlsBootstrapToken: token,
    },
    timeoutMs,
    clock: hastyClock(),
    fetch: (url, options) => httpsGet(url, { ...options, timeoutMs: Math.min(options.timeoutMs, requestMs) }),
    readFile: async () => undefined,
    connect: nothing,
    onProgress,
  });
}

/** What is refused, and what is told about it. */
async function refusal(attempt: Promise<Discovered>): Promise<{ readonly code: string; readonly message: string }> {
  try {
    await attempt;
  } catch (thrown) {
    expect(JSON.stringify({ ...(thrown as object), text: String(thrown) })).not.toContain(token.slice(7));
    return thrown as { readonly code: string; readonly message: string };
  }
  throw new Error('it was let in');
}

describe('the true API server', () => {
  it('is found, by two requests and without a pause', async () => {
    const paths: (string | undefined)[] = [];
    const waits: DiscoveryProgress[] = [];
    const endpoint = await imitatedServer((request, response) => {
      paths.push(request.url);
      response.end(clusterInfo(good));
    });
    const found = await join(endpoint, { onProgress: (one) => waits.push(one) });
    expect(found).toMatchObject({
      server: 'https://lb.example.com:6443',
      certificateAuthority: ca,
      findings: [],
      report: { method: 'token', source: endpoint, anchor: 'pin', authorities: [{ pin: pinOf('ca') }] },
    });
    expect(found.kubeconfig).toContain(`token: ${token}`);
    expect(paths).toEqual(Array.from({ length: 2 }, () => '/api/v1/namespaces/kube-public/configmaps/cluster-info'));
    expect(waits).toEqual([]);
  });

  it('is found where only a token is given, with a warning', async () => {
    const found = await join(await imitatedServer(answer(clusterInfo(good))), { pins: [] });
    expect(found.report.anchor).toBe('token');
    expect(found.findings).toMatchObject([{ code: 'DISCOVERY_CA_NOT_PINNED', severity: 'warning' }]);
  });

  it('is found as soon as its signer has signed, which is awaited', async () => {
    let requests = 0;
    const reasons: string[] = [];
    const endpoint = await imitatedServer((_, response) => {
      requests += 1;
      response.end(requests < 4 ? clusterInfo(good, []) : clusterInfo(good));
    });
    await join(endpoint, { onProgress: ({ reason }) => reasons.push(reason) });
    expect(requests).toBe(5);
    expect(reasons).toHaveLength(3);
    expect(new Set(reasons)).toEqual(new Set([expect.stringContaining('no token has signed it')]));
  });

  it('is found behind a certificate of a CA that the pinned one has signed', async () => {
    const endpoint = await imitatedServer(answer(clusterInfo(kubeconfigOf(pem('issuing.crt') + ca))), {
      name: 'issuing-server',
    });
    expect((await join(endpoint)).certificateAuthority).toBe(pem('issuing.crt') + ca);
  });
});

/** What a cluster in the making looks like, too, is waited for to the end. */
const awaited = ['DISCOVERY_UNREACHABLE', 'DISCOVERY_UNSIGNED'];
const aDay = 24 * 3600 * 1000;

describe('is refused', () => {
  it.each(discoveryAttacks)('$attack', async ({ server, pins, requestMs, code, says }) => {
    const timeoutMs = awaited.includes(code) ? 6000 : aDay;
    const limits = { timeoutMs, ...(pins && { pins }), ...(requestMs && { requestMs }) };
    const error = await refusal(join(await server(), limits));
    expect(error).toMatchObject({ code, message: expect.stringContaining(says) });
    expect(error.message).not.toMatch(/[\x00-\x1f\x7f-\x9f]/);
  });
});

describe('with a discovery file', () => {
  const fileFor = (endpoint: string) =>
    kubeconfigOf(ca, { server: `https://${endpoint}` })
      .replace('name: ""', 'name: k')
      .replace('contexts: null', 'contexts: [{name: c, context: {cluster: k, user: u}}]')
      .replace('current-context: ""', 'current-context: c')
      .replace('users: null', `users: [{name: u, user: {token: ${token}}}]`);
  const joinBy = (kubeConfigPath: string, text?: string, requestMs = 10_000) => {
    const clock = hastyClock();
    return discover({
      discovery: { file: { kubeConfigPath }, tlsBootstrapToken: '' },
      timeoutMs: aDay,
      clock,
      fetch: httpsGet,
      readFile: async () => text,
      connect: (options) => {
        const timeoutMs = Math.min(options.timeoutMs, requestMs);
        return kubernetesClusters({ clock, environment: {} }).connect({ ...options, timeoutMs });
      },
    });
  };

  it('the true API server is found', async () => {
    const endpoint = await imitatedServer(answer(clusterInfo(kubeconfigOf(ca), [])));
    expect(await joinBy('/d.conf', fileFor(endpoint))).toMatchObject({
      server: `https://${endpoint}`,
      certificateAuthority: ca,
      findings: [{ code: 'DISCOVERY_SERVER_DIFFERS' }],
    });
  });

  it('an impostor with another CA does not get to see the token', async () => {
    const requests: unknown[] = [];
    const endpoint = await imitatedServer((request) => void requests.push(request.headers), { name: 'other-server' });
    expect(await refusal(joinBy('/d.conf', fileFor(endpoint)))).toMatchObject({ code: 'DISCOVERY_UNTRUSTED' });
    expect(requests).toEqual([]);
  });

  it.each([
    ...strangeServers,
    ...[204, 206].map((status) => ({
      attack: `an answer of status ${status}`,
      server: () => answering(status),
      code: 'DISCOVERY_ANSWER_INVALID',
      says: `${status}`,
    })),
  ])('$attack is refused', async ({ server, code, says }) => {
    const error = await refusal(joinBy('/d.conf', fileFor(await server())));
    expect(error).toMatchObject({ code, message: expect.stringContaining(says.replace('it is no JSON', 'no JSON')) });
    expect(error.message).not.toMatch(/[\x00-\x1f\x7f-\x9f]|\\u/);
    expect(JSON.stringify(error)).not.toContain('crictl');
  });

  it.each([
    ['that is not there', ['/nonexistent/plugin'], 10_000, 'DISCOVERY_FILE_INVALID', 'ENOENT'],
    ['that fails', ['false'], 10_000, 'DISCOVERY_CREDENTIALS_FAILED', 'without a word'],
    ['that does not end', ['sleep', '600'], 100, 'DISCOVERY_CREDENTIALS_FAILED', 'nothing came within 100 ms'],
  ] as const)('a program %s is refused', async (_, [command, ...args], timeoutMs, code, says) => {
    const exec = JSON.stringify({
      apiVersion: 'client.authentication.k8s.io/v1',
      command,
      args,
      interactiveMode: 'Never',
    });
    const text = fileFor('127.0.0.1:1').replace(`token: ${token}`, `exec: ${exec}`);
    expect(await refusal(joinBy('/d.conf', text, timeoutMs))).toMatchObject({
      code,
      message: expect.stringContaining(says),
    });
  });

  it('a URL is asked only where the machine trusts the server', async () => {
    const endpoint = await imitatedServer(answer(fileFor('127.0.0.1:1')));
    expect(await refusal(joinBy(`https://${endpoint}/d.conf`))).toMatchObject({ code: 'DISCOVERY_UNTRUSTED' });
  });
});
