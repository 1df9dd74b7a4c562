import { createPrivateKey, createPublicKey, X509Certificate } from 'node:crypto';
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clusterDocument, initDocument } from './bad-input-row.ts';
import { byteMutation, mutationsOf } from './mutate-bytes.ts';
import { bombMutation, fieldMutation } from './mutate-document.ts';
import { pemMutation } from './mutate-pem.ts';
import {
  copyOf,
  emptyRoot,
  forbidden,
  kubeadmRefusal,
  mutationFolder,
  type Outcome,
  outcomeOf,
  templateRoot,
  textOf,
  validateRefusal,
} from './mutated-node.ts';
import { inPrivateTrees } from './private-trees.ts';
import { secretsBelow } from './secrets-below.ts';
import { treePicture } from './tree-picture.ts';

/** The same inputs each time, so that a failure comes again; another seed finds other faults. */
const seed = Number(process.env.GROUNDPLANE_TEST_SEED ?? 20_261_130);
const times = process.env.GROUNDPLANE_TEST_FULL === '1' ? 10 : 1;
/** Milliseconds in which each input must be dealt with. */
const limit = 10_000;

const configuration = `${initDocument}---\n${clusterDocument}`;
const file = (name: string) => readFileSync(new URL(`../packages/config/test/fixtures/${name}`, import.meta.url));
/** Valid files to start from. */
const documents: Readonly<Record<string, Uint8Array>> = {
  'a small one': Buffer.from(configuration),
  'one with every field': Buffer.from(
    file('full-input.yaml')
      .toString()
      .replace(/encryptionAlgorithm: .*/, 'encryptionAlgorithm: ECDSA-P256')
      .replace(/^patches:.*\n/m, ''),
  ),
};
const pemFiles = [
  'ca.crt',
  'ca.key',
  'apiserver.crt',
  'apiserver.key',
  'etcd/ca.crt',
  'etcd/ca.key',
  'etcd/server.crt',
  'front-proxy-ca.crt',
  'sa.key',
  'sa.pub',
];
const kubeconfigs = ['admin.conf', 'super-admin.conf', 'kubelet.conf', 'controller-manager.conf', 'scheduler.conf'];

/** Of the bootstrap tokens and the certificate key in the second one. */
const tokens = ['7890abcdef012345', '0123456789abcdef', '000102030405060708'];

let template: string;
let secrets: readonly string[];
beforeAll(() => {
  template = templateRoot(configuration);
  secrets = [...secretsBelow(template), ...tokens];
});
afterAll(() => rmSync(mutationFolder, { recursive: true, force: true }));

interface Attempt extends Outcome {
  readonly root: string;
}

/** Runs on a root and holds the outcome to what is asked of each: in time, in words, without secrets, and without a trace. */
async function attempt(bytes: Uint8Array, root: string): Promise<Attempt> {
  const before = treePicture(root);
  const outcome = await outcomeOf(bytes, root);
  const { error, milliseconds } = outcome;
  expect(milliseconds).toBeLessThan(limit);
  if (error !== undefined) {
    expect(treePicture(root)).toEqual(before);
    const text = textOf(error);
    expect(text).not.toMatch(forbidden);
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
    expect(text.length).toBeLessThan(20_000);
  }
  return { ...outcome, root };
}

const documentMutation = mutationsOf(
  fc.oneof(
    { weight: 4, arbitrary: byteMutation },
    { weight: 6, arbitrary: fieldMutation },
    { weight: 1, arbitrary: bombMutation },
  ),
);
const fileMutation = mutationsOf(
  fc.oneof({ weight: 3, arbitrary: byteMutation }, { weight: 5, arbitrary: pemMutation }),
);
const settings = (runs: number): fc.Parameters<unknown> => ({ seed, numRuns: runs * times });

describe(`mutations of valid input (seed ${seed})`, () => {
  it(
    'of configurations are used as kubeadm uses them, or refused',
    async () => {
      const name = fc.constantFrom(...Object.keys(documents));
      await fc.assert(
        fc.asyncProperty(name, documentMutation, async (start, { apply }) => {
          const bytes = apply(documents[start] ?? new Uint8Array());
          const root = emptyRoot();
          const { error, warnings } = await attempt(bytes, root);
          if (error === undefined && !warnings.some((code) => strictly.has(code))) {
            expect(await validateRefusal(bytes), 'accepted').toBeUndefined();
          }
          rmSync(root, { recursive: true });
        }),
        settings(160),
      );
    },
    600_000 * times,
  );

  it(
    'of PEM files are kept if they are good, or refused',
    async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom(...pemFiles),
          fc.constantFrom(undefined, ...pemFiles),
          fileMutation,
          async (name, source, { apply }) => {
            const root = copyOf(template);
            const pki = join(root, 'etc/kubernetes/pki');
            // Every fourth or so is a good block in the wrong file.
            const bytes = apply(
              readFileSync(join(pki, source !== undefined && source.length % 3 === 0 ? source : name)),
            );
            await keptOrRefused(root, join(pki, name), bytes);
            if (existsSync(root)) rmSync(root, { recursive: true });
          },
        ),
        settings(100),
      );
    },
    600_000 * times,
  );

  it(
    'of kubeconfigs are kept if they are good, or refused',
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.constantFrom(...kubeconfigs), documentMutation, async (name, { apply }) => {
          const root = copyOf(template);
          const path = join(root, 'etc/kubernetes', name);
          await keptOrRefused(root, path, apply(readFileSync(path)));
          rmSync(root, { recursive: true });
        }),
        settings(60),
      );
    },
    600_000 * times,
  );
});

/** A few of them as people meet them: as processes, under both names. */
describe(`mutations of valid input, by the programs themselves (seed ${seed})`, () => {
  const kinds = {
    configuration: { file: 'config.yaml', phases: 'certs', mutation: documentMutation },
    certificate: { file: 'tree/pki/apiserver.crt', phases: 'certs', mutation: fileMutation },
    key: { file: 'tree/pki/ca.key', phases: 'certs', mutation: fileMutation },
    kubeconfig: { file: 'tree/admin.conf', phases: 'kubeconfig', mutation: documentMutation },
  } as const;
  const samples = Object.entries(kinds).flatMap(([kind, { mutation, ...row }], index) =>
    fc
      .sample(mutation, { seed: seed + index, numRuns: 3 * times })
      .map((one) => [kind, one.name, { ...row, ...one }] as const),
  );

  it.each(samples)(
    '%s: %s',
    async (_, name, { file: path, phases, apply }) => {
      const folder = emptyRoot();
      cpSync(join(template, 'etc/kubernetes'), join(folder, 'tree'), { recursive: true, preserveTimestamps: true });
      writeFileSync(join(folder, 'config.yaml'), configuration);
      writeFileSync(join(folder, path), apply(readFileSync(join(folder, path))));
      const args = ['init', 'phase', phases, 'all', '--config', join(folder, 'config.yaml')];
      const runs = (['groundplane', 'kubeadm'] as const).map((program) => ({ program, args }));
      const prepare = 'cp -a tree/. /etc/kubernetes/';
      for (const result of await inPrivateTrees({ folder, prepare, runs, timeout: 30 })) {
        const text = `${name}\n${result.stdout}${result.stderr}`;
        expect(result.hung, text).toBe(false);
        expect(text).not.toMatch(forbidden);
        expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
        expect([0, 1, 2, 3, 4], text).toContain(result.code);
        if (result.code !== 0) expect(result.changes, text).toEqual([]);
      }
    },
    90_000,
  );
});

/** Warnings about what `config validate` refuses and `init` only remarks on. */
const strictly: ReadonlySet<string> = new Set(['CONFIG_FIELD_UNKNOWN', 'CONFIG_DOCUMENT_IGNORED']);

/** Puts a changed file into a root: a run either keeps it as it is, and then it is a good one, or refuses it. */
async function keptOrRefused(root: string, path: string, bytes: Uint8Array): Promise<void> {
  writeFileSync(path, bytes);
  const { error } = await attempt(Buffer.from(configuration), root);
  expect(readFileSync(path).equals(bytes), 'the file is as it was').toBe(true);
  if (error !== undefined) return;
  expect(await kubeadmRefusal(root, configuration), 'accepted').toBeUndefined();
  expectPairs(join(root, 'etc/kubernetes/pki'));
}

/** By another implementation: each certificate belongs to its key and is signed by its CA. */
function expectPairs(pki: string): void {
  // OpenSSL reads less of what may stand around a block, and before it, than Go does.
  const read = (name: string) =>
    /-----BEGIN (?:CERTIFICATE|(?:RSA |EC )?PRIVATE KEY|PUBLIC KEY)-----\n[^-]*-----END [^-]+-----/.exec(
      readFileSync(join(pki, name), 'utf8'),
    )?.[0] ?? '';
  const pairs = [
    ['ca', 'ca'],
    ['apiserver', 'ca'],
    ['etcd/ca', 'etcd/ca'],
    ['etcd/server', 'etcd/ca'],
    ['front-proxy-ca', 'front-proxy-ca'],
  ] as const;
  for (const [name, issuer] of pairs) {
    const certificate = new X509Certificate(read(`${name}.crt`));
    expect(certificate.checkPrivateKey(createPrivateKey(read(`${name}.key`))), `${name} is a pair`).toBe(true);
    const authority = new X509Certificate(read(`${issuer}.crt`));
    if (name !== issuer) expect(certificate.verify(authority.publicKey), `${name} is signed by ${issuer}`).toBe(true);
  }
  const publicKey = createPublicKey(createPrivateKey(read('sa.key')));
  expect(createPublicKey(read('sa.pub')).equals(publicKey), 'sa is a pair').toBe(true);
}
