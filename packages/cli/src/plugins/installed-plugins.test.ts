import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { installedPlugins } from './installed-plugins.ts';
import { pluginsDirectory } from './plugins-directory.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'groundplane-plugins-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const registered = (text: string) => {
  writeFileSync(join(folder, 'package.json'), text);
  return installedPlugins(folder);
};

test('none where nothing was ever installed', () => {
  expect(installedPlugins(join(folder, 'none'))).toEqual({ plugins: [] });
  expect(installedPlugins(undefined)).toEqual(installedPlugins());
  writeFileSync(join(folder, 'file'), '');
  expect(installedPlugins(join(folder, 'file'))).toEqual({ plugins: [] });
});

test('those that npm installed, and those of other folders', () => {
  const plugins = [
    { name: '@x/a', type: 'user', tag: 'latest' },
    { name: 'b', type: 'link', root: '/srv/b' },
    'c',
    { name: 'd', type: 'link', root: 'relative' },
    { type: 'user' },
    null,
  ];
  expect(registered(JSON.stringify({ oclif: { plugins } }))).toEqual({
    plugins: [
      { name: '@x/a', type: 'user', root: join(folder, 'node_modules/@x/a') },
      { name: 'b', type: 'link', root: '/srv/b' },
      { name: 'c', type: 'user', root: join(folder, 'node_modules/c') },
      { name: 'd', type: 'user', root: join(folder, 'node_modules/d') },
    ],
  });
});

test.each(['{}', '{"oclif":{}}', '{"oclif":{"plugins":{}}}'])('%s registers none', (text) => {
  expect(registered(text)).toEqual({ plugins: [] });
});

test('a registry that cannot be read is a problem, and no exception', () => {
  expect(registered('{')).toMatchObject({
    plugins: [],
    problem: expect.stringContaining(join(folder, 'package.json')),
  });
  rmSync(join(folder, 'package.json'));
  mkdirSync(join(folder, 'package.json'));
  expect(installedPlugins(folder)).toMatchObject({ plugins: [], problem: expect.stringContaining('EISDIR') });
});

test.each([
  ['root, whatever its HOME', 0, { HOME: '/tmp/x' }, '/var/lib/groundplane/plugins'],
  ['a user', 1000, { HOME: '/home/u' }, '/home/u/.local/share/groundplane/plugins'],
  ['a user who keeps data elsewhere', 1000, { HOME: '/home/u', XDG_DATA_HOME: '/data' }, '/data/groundplane/plugins'],
  ['a user without a home', 1000, {}, undefined],
  ['a state folder of its own', 0, { GROUNDPLANE_STATE_DIR: '/state' }, '/state/plugins'],
])('the folder of %s', (_, uid, environment, expected) => {
  expect(pluginsDirectory({ uid, environment })).toBe(expected);
});
