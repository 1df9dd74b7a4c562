import { readFileSync } from 'node:fs';
import type { AnyPhase } from '@groundplane/phases';
import { expect, test } from 'vitest';
import { initContext } from '../test/init-world.ts';
import { openssl } from '../test/openssl.ts';
import type { InitContext } from './init-context.ts';
import { serviceAccountDemands } from './service-account-demands.ts';
import { serviceAccountPhase } from './service-account-phase.ts';

const pem = (name: string) => readFileSync(new URL(`../../pki/testdata/${name}`, import.meta.url), 'utf8');
const phase: AnyPhase<InitContext> = serviceAccountPhase;

/** By what kube-apiserver 1.37 does: it signs tokens with keys of 1024 bits, and of 1023 bits none. */
test.each([
  ['rsa-512.key', ['BOOTSTRAP_KEY_WEAK error']],
  ['rsa-1024.key', ['BOOTSTRAP_KEY_WEAK warning']],
  ['rsa-pkcs1.key', []],
  ['p521-sec1.key', []],
  ['ed25519.key', ['BOOTSTRAP_KEY_UNFIT error']],
])('a pair of %s', async (name, expected) => {
  const config = await initContext();
  const key = pem(name);
  const outputs = { key, publicKey: openssl(['pkey', '-pubout'], key) };
  const findings = await phase.verify({ config, now: new Date(0), inputs: {}, outputs }, {} as never);
  const said = findings.map(({ code, severity }) => `${code} ${severity}`);
  expect(said).toEqual(expected);
  const told = Object.values(serviceAccountDemands(config)).flat();
  expect(told.map(({ code, severity }) => `${code} ${severity}`)).toEqual(expect.arrayContaining(said));
});
