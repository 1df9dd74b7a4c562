import type { CommandRow } from '../arguments/flag-row.ts';
import { outputFlag } from './output-flags.ts';

/** Commands about plugins: packages that add signers, phases and commands. */
export const pluginCommands: readonly CommandRow[] = [
  { path: ['plugins'], summary: 'Manage plugins, which add signers, phases and commands', flags: [], kind: 'group' },
  {
    path: ['plugins', 'install'],
    summary: 'Install a plugin from a tarball on this machine, or with npm by its name or URL',
    argument: { usage: 'PLUGIN', maximum: 1 },
    flags: [outputFlag],
    kind: 'run',
  },
  {
    path: ['plugins', 'link'],
    summary: 'Use a plugin from the folder that it is in, as it is there',
    argument: { usage: '[PATH]', maximum: 1 },
    flags: [outputFlag],
    kind: 'run',
  },
  {
    path: ['plugins', 'list'],
    summary: 'List the plugins and what they add, or what is wrong with them',
    flags: [outputFlag],
    kind: 'run',
  },
  {
    path: ['plugins', 'uninstall'],
    summary: 'Take a plugin out; what its phases made stays where it is',
    argument: { usage: 'NAME', maximum: 1 },
    flags: [outputFlag],
    kind: 'run',
  },
];
