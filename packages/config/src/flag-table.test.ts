import { describe, expect, it } from 'vitest';
import { clusterConfiguration } from './cluster-configuration-schema.ts';
import { decodeDocument } from './decode-document.ts';
import { initFlags, isAllowedWithConfig, mixedFlags } from './flag-table.ts';
import { commandsOfFlag, detectsCriSocket, flagsOfCommand, initCommands } from './init-command-table.ts';
import { initConfiguration } from './init-configuration-schema.ts';

describe('mixedFlags', () => {
  it.each([
    ['no --config', ['node-name', 'patches'], []],
    [
      'flags that are allowed',
      ['config', 'dry-run', 'node-name', 'skip-phases', 'skip-token-print', 'v', 'rootfs'],
      [],
    ],
    ['flags that are not', ['service-cidr', 'config', 'node-name', 'token'], ['service-cidr', 'token']],
    ['--patches and --certificate-key', ['config', 'patches', 'certificate-key'], ['certificate-key', 'patches']],
  ])('%s', (_name, given, expected) => {
    expect(mixedFlags(given)).toEqual(expected);
  });
});

describe('the flag table', () => {
  it('names every flag once', () => {
    expect(new Set(initFlags.map((flag) => flag.name)).size).toBe(initFlags.length);
  });

  it.each(initFlags.filter((flag) => flag.target?.document !== 'run' && flag.target !== undefined))(
    'aims --$name at a field that its document has',
    ({ target }) => {
      const schema = target?.document === 'init' ? initConfiguration : clusterConfiguration;
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
    const defaults = {
      init: decodeDocument(initConfiguration, undefined).value,
      cluster: decodeDocument(clusterConfiguration, undefined).value,
    };
    for (const { target, default: shown } of initFlags) {
      if (target === undefined || target.document === 'run') continue;
      const keys = target.path.replaceAll(/\[(\d+)\]/g, '.$1').split('.');
      let value: unknown = defaults[target.document];
      for (const key of keys) value = (value as Record<string, unknown> | undefined)?.[key];
      const isEmpty =
        value === undefined || value === '' || (typeof value === 'object' && Object.keys(value ?? {}).length === 0);
      expect([target.path, shown]).toEqual([target.path, isEmpty ? undefined : value]);
    }
  });
});

describe('the command table', () => {
  it('lists only known flags', () => {
    const known = new Set<string>(initFlags.map((flag) => flag.name));
    const unknown = initCommands.flatMap((row) => row.flags.filter((name) => !known.has(name)));
    expect(unknown).toEqual([]);
  });

  it('gives every flag to some command', () => {
    expect(initFlags.filter((flag) => commandsOfFlag(flag.name).length === 0)).toEqual([]);
  });

  it('looks for the CRI socket only where a flag can name it', () => {
    expect(detectsCriSocket('init phase kubelet-start')).toBe(true);
    expect(detectsCriSocket('init phase certs ca')).toBe(false);
  });

  it('refuses commands that do not exist', () => {
    expect(() => flagsOfCommand('init phase nothing')).toThrow(TypeError);
  });
});

it('takes every --skip flag beside --config', () => {
  expect(isAllowedWithConfig('skip-anything')).toBe(true);
  expect(isAllowedWithConfig('control-plane-endpoint')).toBe(false);
});
