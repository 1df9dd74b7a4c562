import { isGroundplaneError } from '@groundplane/errors';
import { describe, expect, it } from 'vitest';
import { argumentCases } from '../../test/argument-cases.ts';
import { kubeadmTable } from '../../test/argument-table.ts';
import { normalizeArguments } from './normalize-arguments.ts';

describe('normalizeArguments', () => {
  it.each(argumentCases.map((row) => [row.name, row] as const))('%s', (_, { line, accepted, rejected, complains }) => {
    if (rejected !== undefined) {
      const thrown = catchError(() => normalizeArguments(line, kubeadmTable));
      expect(thrown).toMatchObject({ kind: 'usage', message: rejected });
      expect(isGroundplaneError(thrown)).toBe(true);
      return;
    }
    const found = normalizeArguments(line, kubeadmTable);
    expect(found.command.path.join(' ')).toBe(accepted?.command);
    expect(found.flags).toEqual(accepted?.flags ?? {});
    expect(found.words).toEqual(accepted?.words ?? []);
    expect(found.help).toBe(accepted?.help ?? false);
    if (complains !== undefined) expect(found).toMatchObject({ notices: [complains], unknownTopic: true });
  });

  it('has at least 40 lines', () => {
    expect(argumentCases.length).toBeGreaterThan(40);
    expect(new Set(argumentCases.map((row) => row.name)).size).toBe(argumentCases.length);
  });

  it.each([
    ['false becomes the --no- form', ['init', '--dry-run=F'], ['init', '--no-dry-run']],
    ['persistent flags move behind the command', ['-v', '5', 'init'], ['init', '--v=5']],
    [
      'a repeated list becomes one record',
      ['init', '--skip-phases', 'a,b', '--skip-phases="c,d"'],
      ['init', '--skip-phases=a,b,"c,d"'],
    ],
    ['a list of one empty text is not the empty list', ['init', '--skip-phases=""'], ['init', '--skip-phases=""']],
    ['aliases become names', ['init', 'phase', 'uploadconfig', 'all'], ['init', 'phase', 'upload-config', 'all']],
    ['other arguments stand behind --', ['join', 'a:1', '--dry-run'], ['join', '--dry-run', '--', 'a:1']],
    ['help alone is left of a request for help', ['init', '--dry-run', '-h'], ['init', '--help']],
  ])('canonical form: %s', (_, line, argv) => {
    expect(normalizeArguments(line, kubeadmTable).argv).toEqual(argv);
  });

  it('leaves its input alone', () => {
    const line = Object.freeze(['--v', '5', 'init', '--skip-phases', 'a']);
    normalizeArguments(line, kubeadmTable);
    expect(line).toEqual(['--v', '5', 'init', '--skip-phases', 'a']);
  });

  it('passes the arguments of a plugin on as they are', () => {
    const table = {
      ...kubeadmTable,
      commands: [
        ...kubeadmTable.commands,
        { path: ['mesh', 'install'], summary: '', flags: [], kind: 'run', foreign: true } as const,
      ],
    };
    // The plugin's topic is no command of its own, as in oclif.
    expect(() => normalizeArguments(['mesh'], kubeadmTable)).toThrow('unknown command');
    const topic = { path: ['mesh'], summary: '', flags: [], kind: 'group' } as const;
    const { argv } = normalizeArguments(['mesh', 'install', '--flag=false', 'x'], {
      ...table,
      commands: [...table.commands, topic],
    });
    expect(argv).toEqual(['mesh', 'install', '--flag=false', 'x']);
    const all = { ...table, commands: [...table.commands, topic] };
    const asksForHelp = (...words: readonly string[]) => normalizeArguments(['mesh', 'install', ...words], all).help;
    expect([asksForHelp('x', '--help'), asksForHelp('-h')]).toEqual([true, true]);
    expect([asksForHelp('x'), asksForHelp('--', '--help')]).toEqual([false, false]);
  });

  it('says what deprecated flags are replaced by', () => {
    const line = ['init', 'phase', 'control-plane', 'apiserver', '--apiserver-extra-args=a=b'];
    expect(normalizeArguments(line, kubeadmTable).notices).toEqual([
      expect.stringMatching(/^Flag --apiserver-extra-args has been deprecated, use /),
    ]);
  });

  it('says which flags have no effect yet, unless they are switched off', () => {
    const row = { name: 'later', type: 'bool', summary: '', withoutEffect: true } as const;
    const table = { ...kubeadmTable, persistent: [row] };
    expect(normalizeArguments(['version', '--later'], table).notices).toEqual([
      'Flag --later has no effect in this release',
    ]);
    expect(normalizeArguments(['version', '--later=false'], table).notices).toEqual([]);
  });

  it.each([
    ['--certificate-kye', 'Did you mean --certificate-key?'],
    ['--zzz', 'See the flags of the command with --help'],
    ['-Z', 'See the flags of the command with --help'],
    ['--certificate-key', 'See the flags of the command with --help'],
    ['---', 'See the flags of the command with --help'],
  ])('says how to mend %s', (word, hint) => {
    expect(catchError(() => normalizeArguments(['init', word], kubeadmTable))).toMatchObject({ hint });
  });

  it.each([
    ['init', 'It looks like a token: give it with --token'],
    ['join', undefined],
    ['reset', "Run 'kubeadm reset --help' for usage"],
  ])('knows a token that is given to %s without a flag', (command, hint) => {
    const given = () => normalizeArguments([command, 'abcdef.0123456789abcdef'], kubeadmTable);
    if (hint === undefined) expect(given().words).toHaveLength(1);
    else expect(catchError(given)).toMatchObject({ hint });
  });

  it('suggests commands that are spelt alike', () => {
    expect(catchError(() => normalizeArguments(['verison'], kubeadmTable))).toMatchObject({
      hint: 'Did you mean version?',
    });
  });
});

function catchError(action: () => unknown): unknown {
  try {
    action();
  } catch (thrown) {
    return thrown;
  }
  throw new TypeError('Nothing was thrown');
}
