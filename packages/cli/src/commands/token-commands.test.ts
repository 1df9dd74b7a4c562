import { tokenFlags } from '@groundplane/config';
import { expect, it } from 'vitest';
import { flagRow } from './source-flags.ts';
import { tokenCommands } from './token-commands.ts';

it('gives all commands the flags of their parent', () => {
  for (const { path, flags, kind } of tokenCommands(tokenFlags.map(flagRow))) {
    const names = flags.map(({ name }) => name);
    expect(names, path.join(' ')).toEqual(expect.arrayContaining(['dry-run', 'kubeconfig']));
    expect(names.includes('output'), path.join(' ')).toBe(kind === 'run');
  }
});

it('shows defaults as kubeadm does', () => {
  const create = tokenCommands(tokenFlags.map(flagRow)).find(({ path }) => path.at(-1) === 'create');
  expect(create?.flags.find(({ name }) => name === 'usages')?.default).toBe('[signing,authentication]');
});
