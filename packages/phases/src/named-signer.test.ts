import { expect, test } from 'vitest';
import { plan, run, textFile, tiny, workflowOf } from '../test/tiny-workflow.ts';
import { optional, parseJournal, type Signer, type SigningRequest } from './index.ts';
import { memoryPorts } from './testing/index.ts';

const leaf = textFile('leaf');
const leafKey = textFile('leaf.key', { secret: true, mode: 0o600 });
const account = textFile('account.key', { secret: true, mode: 0o600 });
const root = textFile('root');
const rootKey = textFile('root.key', { secret: true, mode: 0o600 });

type Wanted = NonNullable<SigningRequest['certificate']>;
const wanted: Wanted = {
  ...{ commonName: 'leaf', organizations: [], dnsNames: ['a'], ipAddresses: [], usages: ['serverAuth'], isCA: false },
  ...{ notBefore: new Date(0), notAfter: new Date(1e12), issuer: { certificate: 'ca', keyPlace: '/ca.key' } },
};
const algorithm = 'RSA-2048';

const leafPhase = tiny.definePhase({
  name: 'leaf',
  summary: 'Make the leaf',
  writes: { leafKey, leaf },
  render: ({ issue, outputs }) =>
    issue({ name: 'leaf', algorithm, certificate: wanted }, ({ key, certificate = '' }) =>
      outputs({ leafKey: key, leaf: certificate }),
    ),
  verify: () => [],
});

const accountPhase = tiny.definePhase({
  name: 'account',
  summary: 'Make a key',
  writes: { account },
  render: ({ issue, outputs }) => issue({ name: 'account', algorithm }, ({ key }) => outputs({ account: key })),
  verify: () => [],
});

const rootPhase = tiny.definePhase({
  name: 'root',
  summary: 'Make the root',
  writes: { rootKey: optional(rootKey), root },
  render: ({ issue, outputs }) =>
    issue(
      { name: 'root', algorithm, certificate: { ...wanted, isCA: true, issuer: 'self' } },
      ({ key, certificate = '' }) => outputs({ rootKey: key, root: certificate }),
    ),
  verify: () => [],
});

const workflow = workflowOf(leafPhase, accountPhase);

/** One that signs all but roots. */
function signerCalled(name: string | undefined): Signer {
  return {
    ...(name === undefined ? {} : { name }),
    canIssue: ({ certificate }) => certificate?.issuer !== 'self' && certificate?.commonName !== 'unknown',
    issue: (requests) =>
      requests.map(async ({ name: of }) => ({ key: `key of ${of}`, certificate: `certificate of ${of}` })),
  };
}

test.each([['theirs'], [undefined]])('a plan names who would be asked for a certificate: %s', async (name) => {
  const { phases } = await plan(workflow, { ...memoryPorts({}), signer: signerCalled(name) });
  expect(phases.map(({ phase, signer }) => [phase, signer])).toEqual([
    ['leaf', name],
    ['account', undefined],
  ]);
});

test.each([['theirs'], [undefined]])('the journal names who certified what, and nobody for keys: %s', async (name) => {
  const ports = memoryPorts({});
  const { error } = await run(workflow, { ...ports, signer: signerCalled(name) }, { journal: '/journal' });
  expect(error).toBeUndefined();
  const entries = parseJournal(ports.memory.text('/journal') ?? '');
  expect(entries.map(({ artifact, signer }) => [artifact, signer])).toEqual([
    ['leaf.key', undefined],
    ['leaf', name],
    ['account.key', undefined],
  ]);
});

test('of a root that a signer does not make the certificate alone is awaited', async () => {
  const { phases } = await plan(workflowOf(rootPhase), { ...memoryPorts({}), signer: signerCalled('theirs') });
  expect(phases[0]).toMatchObject({
    decision: 'external',
    findings: [
      {
        message: "root is missing and the signer 'theirs' makes no CA: wanted CN=leaf; serverAuth; SANs a",
        hint: 'Put the certificate of the CA that it signs with at /etc/tiny/root; the key stays where it is',
      },
    ],
  });
});

test('what a signer does not sign is said to be so', async () => {
  const signer = { ...signerCalled('theirs'), canIssue: () => false };
  const { phases } = await plan(workflowOf(leafPhase), { ...memoryPorts({}), signer });
  expect(phases[0]).toMatchObject({
    decision: 'external',
    findings: [
      { message: "leaf is missing and the signer 'theirs' does not sign it: wanted CN=leaf; serverAuth; SANs a" },
    ],
  });
});
