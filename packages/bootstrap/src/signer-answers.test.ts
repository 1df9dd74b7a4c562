import type { Signer, SigningRequest } from '@groundplane/phases';
import { beforeAll, expect, test } from 'vitest';
import { run } from '../test/init-run.ts';
import { initContext, initWorld } from '../test/init-world.ts';
import { type InitContext, webCryptoSigner } from './index.ts';

type Wanted = NonNullable<SigningRequest['certificate']>;
type Answer = (
  signer: Signer,
  request: SigningRequest,
  wanted: Wanted,
) => ReturnType<Signer['issue']>[number] | undefined;

const day = 86_400_000;
const later = (date: Date, days: number) => new Date(date.getTime() + days * day);

/** Answers with a certificate of a request that says something else. */
const instead =
  (change: (wanted: Wanted) => Partial<Wanted>): Answer =>
  (signer, request, wanted) =>
    signer.issue([{ ...request, certificate: { ...wanted, ...change(wanted) } }])[0];

const otherKey: Answer = async (signer, { name, algorithm, certificate }) => {
  const [one, other] = await Promise.all(
    signer.issue([1, 2].map(() => ({ name, algorithm, certificate }) as SigningRequest)),
  );
  return { ...one, key: other?.key ?? '' };
};

const answers: readonly (readonly [string, Answer, string])[] = [
  ['for another key', otherKey, 'PKI_KEY_MISMATCH'],
  ['without its names', instead(() => ({ dnsNames: [], ipAddresses: [] })), 'PKI_SAN_MISSING'],
  ['for another usage', instead(() => ({ usages: ['clientAuth'] })), 'PKI_USAGE_MISSING'],
  [
    'that has expired',
    instead(({ notBefore }) => ({ notBefore: later(notBefore, -9), notAfter: later(notBefore, -2) })),
    'PKI_CERTIFICATE_EXPIRED',
  ],
  ['that a CA of its own signed', instead(() => ({ issuer: 'self' })), 'PKI_CERTIFICATE_UNTRUSTED'],
];

let config: InitContext;
beforeAll(async () => {
  config = await initContext();
});

function worldWith(answer: Answer) {
  const ports = initWorld();
  const own = webCryptoSigner();
  const signer: Signer = {
    ...own,
    name: 'far',
    issue: (requests) =>
      requests.map((request) => {
        const { certificate } = request;
        const isMeant = request.name === 'apiserver' && certificate !== undefined;
        return (isMeant ? answer(own, request, certificate) : own.issue([request])[0]) as ReturnType<
          Signer['issue']
        >[number];
      }),
  };
  return { ...ports, signer };
}

test.each(answers)('a certificate %s is refused before anything of its phase is written', async (_, answer, code) => {
  const ports = worldWith(answer);
  const { error } = await run(ports, config, { only: ['certs'] });
  expect(error).toMatchObject({
    code: 'PHASES_SIGNER_ANSWER',
    findings: expect.arrayContaining([expect.objectContaining({ code })]),
  });
  const { message } = error as Error;
  expect(message).toContain("the answer of the signer 'far'");
  expect(message).toContain('/etc/kubernetes/pki/apiserver.crt');
  expect(message).toMatch(/; what is asked: [A-Z]/);
  expect(message).not.toContain('PRIVATE KEY');
  expect(ports.memory.text('/etc/kubernetes/pki/ca.crt')).toBeDefined();
  for (const suffix of ['crt', 'key'])
    expect(ports.memory.text(`/etc/kubernetes/pki/apiserver.${suffix}`)).toBeUndefined();
  // Nothing stands in the way of the next run.
  expect((await run({ ...ports, signer: webCryptoSigner() }, config, { only: ['certs'] })).error).toBeUndefined();
});

test('one that outlives its CA is taken, as Kubernetes takes it', async () => {
  const ports = worldWith(instead(({ notAfter }) => ({ notAfter: later(notAfter, 365 * 20) })));
  expect((await run(ports, config, { only: ['certs'] })).error).toBeUndefined();
});
