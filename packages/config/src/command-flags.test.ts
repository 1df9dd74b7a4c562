import { describe, expect, it } from 'vitest';
import { clusterConfiguration } from './cluster-configuration-schema.ts';
import { commandsOfFlag, detectsCriSocket, discovers, flagsOfCommand } from './command-flags.ts';
import { decodeDocument } from './decode-document.ts';
import type { Flag } from './flag.ts';
import { initCommands } from './init-command-table.ts';
import { initConfiguration } from './init-configuration-schema.ts';
import { initFlags } from './init-flag-table.ts';
import { joinCommands } from './join-command-table.ts';
import { joinConfiguration } from './join-configuration-schema.ts';
import { joinFlags } from './join-flag-table.ts';
import { resetCommands } from './reset-command-table.ts';
import { resetConfiguration } from './reset-configuration-schema.ts';
import { resetFlags } from './reset-flag-table.ts';

const schemas = {
  init: initConfiguration,
  cluster: clusterConfiguration,
  join: joinConfiguration,
  reset: resetConfiguration,
} as const;

/** What the documents are when parts that need not be there are there, but empty. */
const defaults = {
  init: decodeDocument(initConfiguration, undefined).value,
  cluster: decodeDocument(clusterConfiguration, undefined).value,
  join: decodeDocument(joinConfiguration, { discovery: { bootstrapToken: {}, file: {} }, controlPlane: {} }).value,
  reset: decodeDocument(resetConfiguration, undefined).value,
} as const;

describe.each([
  ['init', initFlags, initCommands],
  ['join', joinFlags, joinCommands],
  ['reset', resetFlags, resetCommands],
] as const)('%s', (_name, flags, commands) => {
  it('names every flag once, in order', () => {
    const names = flags.map((flag) => flag.name);
    expect(names).toEqual([...new Set(names)].toSorted());
  });

  it.each(flags.filter(({ target }) => target?.document !== 'run' && target !== undefined))(
    'aims --$name at a field that its document has',
    ({ target }) => {
      const schema = schemas[(target?.document ?? '') as keyof typeof schemas];
      const keys = (target?.path ?? '').replaceAll(/\[\d+\]/g, '.0').split('.');
      const nested = keys.reduceRight<unknown>(
        (value, key) => (key === '0' ? [value] : { [key]: value }),
        Symbol('a value of no type'),
      );
      const { problems, unknownFields } = decodeDocument(schema as never, nested);
      expect(unknownFields).toEqual([]);
      expect(problems.map((problem) => problem.path)).toEqual([target?.path]);
    },
  );

  it('shows the defaults that the configuration has', () => {
    for (const { target, default: shown } of flags) {
      if (target === undefined || target.document === 'run') continue;
      const keys = target.path.replaceAll(/\[(\d+)\]/g, '.$1').split('.');
      let value: unknown = defaults[target.document];
      for (const key of keys) value = (value as Record<string, unknown> | undefined)?.[key];
      const isEmpty = !value || (typeof value === 'object' && Object.keys(value).length === 0);
      expect([target.path, shown]).toEqual([target.path, isEmpty ? undefined : value]);
    }
  });

  it('lists only known flags, and gives each to some command', () => {
    const known = flags.map((flag) => flag.name).toSorted();
    expect([...new Set(commands.flatMap((row) => row.flags))].toSorted()).toEqual(known);
  });

  it('finds the flags of each command', () => {
    const found = commands.map(({ command }) => flagsOfCommand(command).map(({ name }) => name));
    expect(found).toEqual(commands.map((row) => row.flags));
  });
});

it('looks for the CRI socket only where a flag can name it', () => {
  expect(detectsCriSocket('init phase kubelet-start')).toBe(true);
  expect(detectsCriSocket('init phase certs ca')).toBe(false);
  expect(detectsCriSocket('join')).toBe(true);
  expect(detectsCriSocket('reset phase preflight')).toBe(false);
});

it('asks the cluster who it is only where a flag can say how', () => {
  expect(joinCommands.filter(({ command, group }) => !group && !discovers(command)).map((row) => row.command)).toEqual([
    'join phase control-plane-prepare control-plane',
    'join phase etcd-join',
    'join phase kubelet-wait-bootstrap',
    'join phase control-plane-join all',
    'join phase control-plane-join mark-control-plane',
    'join phase wait-control-plane',
  ]);
});

it('knows which commands take a flag', () => {
  expect(commandsOfFlag('force')).toEqual(['reset', 'reset phase preflight']);
});

it.each(['init phase nothing', 'nothing', 'join phase'])(
  'refuses commands that do not exist or take flags: %s',
  (command) => {
    const flags = (): readonly Flag[] => flagsOfCommand(command);
    if (command === 'join phase') expect(flags()).toEqual([]);
    else expect(flags).toThrow(TypeError);
  },
);
