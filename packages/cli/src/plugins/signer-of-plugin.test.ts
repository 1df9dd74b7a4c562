import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { InstalledPlugin } from './installed-plugins.ts';
import { signerOfPlugin } from './signer-of-plugin.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'groundplane-signers-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function plugin(name: string, source: string, pjson: object = { groundplane: { plugin: './p.mjs' } }): InstalledPlugin {
  const root = join(folder, name);
  mkdirSync(root, { recursive: true });
  writeFileSync(join(root, 'package.json'), JSON.stringify({ name, version: '1.2.3', ...pjson }));
  writeFileSync(join(root, 'p.mjs'), source);
  return { name, root, type: 'link' };
}

const withSigners = (...names: readonly string[]) =>
  `export default { interfaceVersion: 1, name: 'own', signers: { ${names.map((name) => `${name}: ({ wrong }) => { if (wrong) throw new Error("'wrong' is " + wrong); return { sign: async () => '${name}' }; }`).join(', ')} } };`;

test('by its own name, the name of the plugin, or that of the package', async () => {
  const installed = [
    plugin('pkg', withSigners('vault')),
    plugin('other', 'export default { interfaceVersion: 1, name: "x" };'),
  ];
  for (const name of ['vault', 'own', 'pkg']) {
    const signer = await signerOfPlugin(name, {}, installed);
    const [key] = await Promise.all(signer.issue([{ name: 'sa', algorithm: 'ECDSA-P256' }]));
    expect(key?.key).toMatch(/PRIVATE KEY/);
  }
});

test.each<[string, Record<string, unknown>, string | undefined]>([
  ['a password', { password: 'x' }, 'password'],
  ['a token of one of several', { authorities: [{ url: 'u' }, { apiToken: 'x' }] }, 'authorities.1.apiToken'],
  ['a key', { auth: { private_key: 'x' } }, 'auth.private_key'],
  ['the file of one', { passwordFile: '/etc/x', tokenPath: '/etc/y', secretName: 'z' }, undefined],
  ['none', { url: 'u', password: '', keys: { token: 1 } }, undefined],
])('with parameters that are secrets by their names: %s', async (_, parameters, name) => {
  const made = signerOfPlugin('vault', parameters, [plugin('pkg', withSigners('vault'))]);
  if (name === undefined) expect(await made).toMatchObject({ name: 'vault' });
  else {
    const error = await made.catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'CLI_SIGNER_PARAMETERS', hint: expect.stringContaining(`${name}File`) });
    expect((error as Error).message).toMatch(new RegExp(`: ${name.replaceAll('.', '\\.')}$`));
  }
});

describe('is refused', () => {
  test.each<[string, string, () => readonly InstalledPlugin[], object]>([
    [
      'where no plugin has it',
      'none',
      () => [plugin('pkg', withSigners('vault'))],
      { code: 'CLI_SIGNER_UNKNOWN', message: expect.stringMatching(/: vault$/) },
    ],
    [
      'where there is no plugin',
      'none',
      () => [],
      { code: 'CLI_SIGNER_UNKNOWN', message: expect.stringMatching(/: none$/) },
    ],
    [
      'where two plugins have one of that name',
      'vault',
      () => [plugin('a', withSigners('vault')), plugin('b', withSigners('vault'))],
      { code: 'CLI_SIGNER_UNKNOWN', message: expect.stringMatching(/several: vault of a, vault of b$/) },
    ],
    [
      'by the name of a plugin that has two',
      'pkg',
      () => [plugin('pkg', withSigners('one', 'two'))],
      { code: 'CLI_SIGNER_UNKNOWN' },
    ],
    [
      'of a plugin that cannot be loaded',
      'x',
      () => [plugin('pkg', 'import "./none.mjs";')],
      {
        code: 'CLI_PLUGIN_UNUSABLE',
        message: expect.stringContaining("Cannot use the plugin 'pkg' as it cannot be loaded"),
      },
    ],
    [
      'of one that is outside of its folder',
      'x',
      () => [plugin('pkg', '', { groundplane: { plugin: '../x.mjs' } })],
      { code: 'CLI_PLUGIN_UNUSABLE', message: expect.stringContaining('outside of it: ../x.mjs') },
    ],
    [
      'of one whose module is no path',
      'x',
      () => [plugin('pkg', '', { groundplane: { plugin: 1 } })],
      { code: 'CLI_PLUGIN_UNUSABLE' },
    ],
    [
      'of one that is not there any more',
      'x',
      () => [{ name: 'gone', root: join(folder, 'gone'), type: 'user' }],
      {
        code: 'CLI_PLUGIN_UNUSABLE',
        message: expect.stringContaining("Cannot use the plugin 'gone' as its package.json cannot be read"),
      },
    ],
  ])('%s', async (_, name, installed, error) => {
    await expect(signerOfPlugin(name, {}, installed())).rejects.toMatchObject(error);
  });

  test('for its parameters, in the words of the plugin', async () => {
    await expect(signerOfPlugin('vault', { wrong: 'so' }, [plugin('pkg', withSigners('vault'))])).rejects.toMatchObject(
      {
        code: 'CLI_SIGNER_PARAMETERS',
        message: "Cannot use the signer 'vault' of pkg as 'wrong' is so",
      },
    );
  });
});

test.each([
  [{ password: 'x' }, 'password'],
  [{ auth: 'x' }, 'auth'],
  [{ pin: '1234' }, 'pin'],
  [{ authorization: 'Bearer x' }, 'authorization'],
  [{ clientSecretValue: 'x' }, 'clientSecretValue'],
  [{ a: { tokens: ['x'] } }, 'a.tokens.0'],
  [{ url: 'https://u:pw@ca.example.com' }, 'url'],
])('a parameter that is a secret is refused: %j', async (parameters, name) => {
  await expect(signerOfPlugin('vault', parameters, [plugin('pkg', withSigners('vault'))])).rejects.toMatchObject({
    code: 'CLI_SIGNER_PARAMETERS',
    message: expect.stringMatching(new RegExp(`: ${name}$`)),
  });
});

test.each([{ passwordFile: '/x' }, { tokenUrl: 'https://x' }, { secretName: 'x' }, { author: 'x' }, { keyRef: 'x' }])(
  'a parameter that names where one is, is not: %j',
  async (parameters) => {
    await expect(signerOfPlugin('vault', parameters, [plugin('pkg', withSigners('vault'))])).resolves.toBeDefined();
  },
);

test('a plugin that has commands and nothing else stands in nobody’s way', async () => {
  const installed = [plugin('commands', '', {}), plugin('pkg', withSigners('vault'))];
  await expect(signerOfPlugin('vault', {}, installed)).resolves.toBeDefined();
});
