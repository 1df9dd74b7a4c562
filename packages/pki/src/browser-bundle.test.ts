import { builtinModules } from 'node:module';
import { fileURLToPath } from 'node:url';
import { createContext, runInContext } from 'node:vm';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { usualFacts } from '../test/testdata.ts';

const entry = fileURLToPath(new URL('./index.ts', import.meta.url));

async function bundle() {
  const { outputFiles, metafile } = await build({
    entryPoints: [entry],
    bundle: true,
    platform: 'browser',
    format: 'iife',
    globalName: 'pki',
    write: false,
    metafile: true,
    logLevel: 'silent',
  });
  return { text: outputFiles[0]?.text ?? '', metafile };
}

/** What a browser offers and this package needs; no `process`, `Buffer` or `require`. */
function browser() {
  return createContext({
    crypto,
    atob,
    btoa,
    TextEncoder,
    TextDecoder,
    BigUint64Array,
    Uint8Array,
    ArrayBuffer,
    console,
  });
}

test('the bundle for browsers holds no Node.js module and leaves nothing to be loaded', async () => {
  const { text, metafile } = await bundle();
  expect(Object.values(metafile.outputs).flatMap(({ imports }) => imports)).toEqual([]);
  const builtIn = new Set(builtinModules.flatMap((name) => [name, `node:${name}`]));
  const imported = Object.values(metafile.inputs).flatMap(({ imports }) => imports.map(({ path }) => path));
  expect(imported.filter((path) => builtIn.has(path))).toEqual([]);
  expect(text).not.toMatch(/["']node:|\brequire\(["']/);
});

test('the bundle issues and judges certificates where there is no Node.js', async () => {
  const { text } = await bundle();
  const context = browser();
  runInContext('globalThis.self = globalThis', context);
  runInContext(text, context);
  // The X.509 library comes with this polyfill; that it is absent shows that the library was not started yet.
  expect(runInContext('Reflect.getMetadata', context)).toBeUndefined();
  const script = `(async () => {
    const facts = ${JSON.stringify(usualFacts)};
    const now = new Date();
    const tasks = pki.certificateTable.map((row) => ({
      name: row.name,
      issuer: row.issuer,
      request: pki.certificateRequest(row, facts, { now, validityPeriods: pki.defaultValidityPeriods, keyAlgorithm: 'ECDSA-P256' }),
    }));
    const issued = await pki.localSigner()(tasks);
    const findings = await pki.verifyCertificate({
      artifact: 'apiserver', now, ...issued[1], issuerCertificates: issued[0].certificate,
      expected: pki.expectationOf(pki.certificateRow('apiserver'), facts),
    });
    return JSON.stringify({ count: issued.length, findings });
  })()`;
  expect(JSON.parse(await runInContext(script, context))).toEqual({ count: 10, findings: [] });
});
