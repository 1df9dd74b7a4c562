import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fakeClock } from '../test/fake-clock.ts';
import { testdata } from '../test/testdata.ts';
import { clusterInfo } from './cluster-info.ts';
import { detachedSignature } from './detached-jws.ts';
import type { HttpsGetOptions, HttpsResult } from './discovery-ports.ts';
import { pinsOf } from './public-key-pins.ts';
import { discoverByToken } from './token-discovery.ts';

// What happens over real TLS is in test/discovery-attacks.test.ts; here are the decisions between one answer and the next.

const endpoint = '192.0.2.10:6443';
const text = 'abcdef.0123456789abcdef';
const token = { id: 'abcdef', secret: '0123456789abcdef' };
const ca = testdata('ca.crt');
const [pin = ''] = await pinsOf(ca);
const server = 'https://lb.example.com:6443';
const kubeconfig = clusterInfo({ server, certificateAuthority: ca }).data?.kubeconfig ?? '';
const signature = await detachedSignature(kubeconfig, token);
const signed = { kubeconfig, 'jws-kubeconfig-abcdef': signature };

function configMap(data: object): HttpsResult {
  return { status: 200, text: JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', data }) };
}

/** Answers with these, one after the other and the last for ever. */
function scripted(...answers: readonly HttpsResult[]) {
  const requests: (HttpsGetOptions & { url: string })[] = [];
  const fetch = async (url: string, options: HttpsGetOptions): Promise<HttpsResult> => {
    requests.push({ url, ...options });
    const answer = answers[Math.min(requests.length, answers.length) - 1];
    if (answer === undefined) throw new Error('no answer');
    return answer;
  };
  return { fetch, requests };
}

const source = { token: text, apiServerEndpoint: endpoint, caCertHashes: [pin], unsafeSkipCAVerification: false };

describe('discoverByToken', () => {
  it('asks twice, first without knowing whom, then the one that the pinned CA stands for', async () => {
    const { fetch, requests } = scripted(configMap(signed));
    const clock = fakeClock();
    expect(await discoverByToken(source, { fetch, clock, timeoutMs: 300_000 })).toEqual({
      server,
      certificateAuthority: ca,
    });
    expect(requests.map(({ url, trust }) => ({ url, trust }))).toEqual([
      { url: `https://${endpoint}/api/v1/namespaces/kube-public/configmaps/cluster-info`, trust: 'nobody' },
      { url: `https://${endpoint}/api/v1/namespaces/kube-public/configmaps/cluster-info`, trust: { authority: ca } },
    ]);
    expect(clock.pauses).toEqual([]);
  });

  it('a pin counts also where it is said that none is needed', async () => {
    const { fetch } = scripted(configMap(signed));
    const careless = { ...source, caCertHashes: [`sha256:${'0'.repeat(64)}`], unsafeSkipCAVerification: true };
    const found = discoverByToken(careless, { fetch, clock: fakeClock(), timeoutMs: 300_000 });
    await expect(found).rejects.toMatchObject({ code: 'DISCOVERY_PIN_MISMATCH' });
  });

  it('asks once where nothing is pinned', async () => {
    const { fetch, requests } = scripted(configMap(signed));
    await discoverByToken(
      { ...source, caCertHashes: [], unsafeSkipCAVerification: true },
      { fetch, clock: fakeClock(), timeoutMs: 300_000 },
    );
    expect(requests).toHaveLength(1);
  });

  it('of a bundle trusts the pinned certificate alone until the server has proved itself, and keeps the whole', async () => {
    const bundle = testdata('other-ca.crt') + ca;
    const content = clusterInfo({ server, certificateAuthority: bundle }).data?.kubeconfig ?? '';
    const answer = configMap({ kubeconfig: content, 'jws-kubeconfig-abcdef': await detachedSignature(content, token) });
    const { fetch, requests } = scripted(answer);
    const found = await discoverByToken(source, { fetch, clock: fakeClock(), timeoutMs: 300_000 });
    expect(requests[1]?.trust).toEqual({ authority: ca });
    expect(found.certificateAuthority).toBe(bundle);
  });

  it('waits through all that a cluster in the making answers', async () => {
    const { fetch, requests } = scripted(
      { fault: 'unreachable', reason: 'no connection' },
      { fault: 'timeout', reason: 'no answer' },
      { fault: 'cut-short', reason: 'half an answer' },
      { status: 503, text: '' },
      { status: 403, text: '' },
      { status: 401, text: '' },
      { status: 404, text: '' },
      configMap({ kubeconfig }),
      configMap({ kubeconfig, 'jws-kubeconfig-others': 'x..y' }),
      configMap(signed),
      { fault: 'unreachable', reason: 'no connection' },
      configMap(signed),
    );
    const reasons: string[] = [];
    await discoverByToken(source, {
      fetch,
      clock: fakeClock(),
      timeoutMs: 300_000,
      onProgress: ({ reason }) => void reasons.push(reason),
    });
    expect(requests).toHaveLength(13);
    expect(reasons).toEqual([
      expect.stringContaining('no connection'),
      expect.stringContaining('no answer'),
      expect.stringContaining('half an answer'),
      expect.stringContaining('503'),
      expect.stringContaining('strangers read it yet'),
      expect.stringContaining('anonymous authentication is off'),
      expect.stringContaining('not there yet'),
      expect.stringContaining('no token has signed it'),
      expect.stringContaining('only other tokens have signed it, 1 of them'),
      expect.stringContaining('no connection'),
    ]);
  });

  it('begins again where cluster-info changed between the two requests', async () => {
    const other = clusterInfo({ server: 'https://192.0.2.99:6443', certificateAuthority: ca }).data?.kubeconfig ?? '';
    const newer = configMap({ kubeconfig: other, 'jws-kubeconfig-abcdef': await detachedSignature(other, token) });
    const { fetch } = scripted(configMap(signed), newer);
    const found = await discoverByToken(source, { fetch, clock: fakeClock(), timeoutMs: 300_000 });
    expect(found.server).toBe('https://192.0.2.99:6443');
  });

  it.each<[string, HttpsResult, string]>([
    ['another page', { status: 200, text: '<html></html>' }, 'DISCOVERY_ANSWER_INVALID'],
    ['another object', { status: 200, text: '{"kind":"Status"}' }, 'DISCOVERY_ANSWER_INVALID'],
    ['data that are no texts', configMap({ kubeconfig: 1 }), 'DISCOVERY_ANSWER_INVALID'],
    ['no kubeconfig', configMap({ 'jws-kubeconfig-abcdef': signature }), 'DISCOVERY_ANSWER_INVALID'],
    ['a null', { status: 200, text: 'null' }, 'DISCOVERY_ANSWER_INVALID'],
    ['too much', { fault: 'too-large', reason: 'too large' }, 'DISCOVERY_ANSWER_INVALID'],
    ['a redirect', { status: 301, text: '', location: 'https://evil.example.com/' }, 'DISCOVERY_REDIRECTED'],
    ['an empty signature', configMap({ kubeconfig, 'jws-kubeconfig-abcdef': '' }), 'DISCOVERY_UNSIGNED'],
    ['a wrong signature', configMap({ ...signed, kubeconfig: `${kubeconfig} ` }), 'DISCOVERY_SIGNATURE_INVALID'],
  ])('%s', async (_, answer, code) => {
    const { fetch } = scripted(answer);
    const found = discoverByToken(source, { fetch, clock: fakeClock(), timeoutMs: 60_000 });
    await expect(found).rejects.toMatchObject({ code });
    await expect(found).rejects.not.toMatchObject({ message: expect.stringContaining(token.secret) });
  });

  it.each([
    ['a token that is none', { token: 'abc' }, 'DISCOVERY_TOKEN_INVALID'],
    ['a pin that is none', { caCertHashes: ['abc'] }, 'DISCOVERY_PIN_INVALID'],
    ['no pin, and no word that none is needed', { caCertHashes: [] }, 'DISCOVERY_PIN_MISSING'],
    ['an endpoint without port', { apiServerEndpoint: '192.0.2.10' }, 'DISCOVERY_ENDPOINT_INVALID'],
    ['an endpoint with a blank', { apiServerEndpoint: ' 192.0.2.10:6443' }, 'DISCOVERY_ENDPOINT_INVALID'],
    ['an endpoint with a path', { apiServerEndpoint: '192.0.2.10:6443/x:1' }, 'DISCOVERY_ENDPOINT_INVALID'],
    ['an endpoint with a user', { apiServerEndpoint: 'a:b@192.0.2.10:6443' }, 'DISCOVERY_ENDPOINT_INVALID'],
  ])('asks nobody with %s', async (_, change, code) => {
    const { fetch, requests } = scripted(configMap(signed));
    const options = { fetch, clock: fakeClock(), timeoutMs: 60_000 };
    await expect(discoverByToken({ ...source, ...change }, options)).rejects.toMatchObject({ code, kind: 'usage' });
    expect(requests).toEqual([]);
  });
});

describe('the case pin-is-over-the-public-key', () => {
  const folder = new URL('../../../test/cases/pin-is-over-the-public-key/', import.meta.url);
  const read = (name: string) => readFileSync(new URL(name, folder), 'utf8');
  const theirs = 'sha256:d6d55d061c1af36ad52a372ed7a2c7548e9219e5a738aa245ab4a1a1f84db088';

  it.each<[string, string, readonly string[], string | undefined]>([
    ['step 2: a bundle', 'bundle.crt', [theirs], undefined],
    ['step 3: one of two pins', 'ca.crt', [`sha256:${'0'.repeat(64)}`, theirs], undefined],
    ['step 4: upper-case digits', 'ca.crt', [`sha256:${theirs.slice(7).toUpperCase()}`], undefined],
    ['step 5: no prefix', 'ca.crt', [theirs.slice(7)], 'DISCOVERY_PIN_INVALID'],
    ['step 6: 31 bytes', 'ca.crt', [theirs.slice(0, -2)], 'DISCOVERY_PIN_INVALID'],
    ['a CA issued again', 'ca-reissued.crt', [theirs], undefined],
    ['another CA', 'corp-root.crt', [theirs], 'DISCOVERY_PIN_MISMATCH'],
  ])('%s', async (_, name, caCertHashes, code) => {
    const certificateAuthority = read(name);
    const content = clusterInfo({ server, certificateAuthority }).data?.kubeconfig ?? '';
    const { fetch } = scripted(
      configMap({ kubeconfig: content, 'jws-kubeconfig-abcdef': await detachedSignature(content, token) }),
    );
    const found = discoverByToken({ ...source, caCertHashes }, { fetch, clock: fakeClock(), timeoutMs: 60_000 });
    if (code === undefined) expect(await found).toEqual({ server, certificateAuthority });
    else await expect(found).rejects.toMatchObject({ code });
  });
});

it('whoever alters a byte on the way, or several, gets nothing but a refusal', async () => {
  const honest = Buffer.from(JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', data: signed }));
  const edits = fc.array(fc.record({ at: fc.nat(honest.length - 1), byte: fc.nat(255) }), {
    minLength: 1,
    maxLength: 3,
  });
  let refused = 0;
  await fc.assert(
    fc.asyncProperty(edits, fc.boolean(), async (list, isCut) => {
      const bytes = Buffer.from(honest);
      for (const { at, byte } of list) bytes[at] = byte;
      const whole = isCut ? bytes.subarray(0, list[0]?.at) : bytes;
      const { fetch } = scripted({ status: 200, text: whole.toString('utf8') });
      const found = discoverByToken(source, { fetch, clock: fakeClock(), timeoutMs: 1000 });
      const outcome = await found.catch((error: { readonly code: string }) => error.code);
      // What is outside the signed text, such as the version of the object, may be altered; it says nothing.
      if (typeof outcome === 'string') refused += 1;
      else expect(outcome).toEqual({ server, certificateAuthority: ca });
    }),
    { numRuns: 500 },
  );
  expect(refused).toBeGreaterThan(450);
});
