import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { normalizeArguments } from '../src/index.ts';
import { type ArgumentCase, argumentCases } from './argument-cases.ts';
import { kubeadmTable } from './argument-table.ts';

const kubeadm = process.env.GROUNDPLANE_KUBEADM;
const folder = mkdtempSync(join(tmpdir(), 'groundplane-arguments-'));
afterAll(() => rmSync(folder, { recursive: true }));

/**
 * The words that the real program gets. Whatever it thinks of a line, it must not act: `--help` stands directly after the
 * command, where the flags behind it are still read, but nothing is run.
 */
function peerLine({ line, accepted, rejected, harmless }: ArgumentCase): readonly string[] {
  if (harmless === true) return line;
  const command = accepted?.command.split(' ') ?? [];
  const last = rejected === undefined ? (command.at(-1) ?? '') : commandOf(line);
  const at = line.lastIndexOf(last);
  return at < 0 ? [...line, '--help'] : line.toSpliced(at + 1, 0, '--help');
}

/** The last word before the first flag. */
function commandOf(line: readonly string[]): string {
  const first = line.findIndex((word) => word.startsWith('-'));
  return line[(first < 0 ? line.length : first) - 1] ?? '';
}

describe('the real kubeadm', () => {
  it.each(argumentCases.map((row) => [row.name, row] as const))('%s', (_, row) => {
    const words = peerLine(row);
    const { status, stdout, stderr } = spawnSync(kubeadm ?? '', words, {
      encoding: 'utf8',
      env: { PATH: '/usr/bin:/bin', HOME: folder, KUBEADM_INIT_DRYRUN_DIR: folder },
      timeout: 10_000,
    });
    if (row.rejected !== undefined) {
      expect(stderr.split('\n')[0]).toBe(`error: ${row.rejected}`);
      expect(status).toBe(1);
      return;
    }
    if (row.complains !== undefined) {
      expect({ status, stdout, first: stderr.split('\n')[0] }).toEqual({ status: 0, stdout: '', first: row.complains });
      return;
    }
    // Values that the command itself refuses are no matter of the arguments.
    const refusedByCommand = /^error: invalid output format/.test(stderr);
    expect(refusedByCommand ? '' : stderr).not.toMatch(/^error:/m);
    if (!refusedByCommand) expect(status).toBe(0);
    if (row.prints !== undefined) expect(stdout).toMatch(row.prints);
    // The command that was found is the one whose help is shown.
    if (row.prints === undefined && !refusedByCommand) {
      expect(stdout).toContain(
        `Usage:\n  ${['kubeadm', ...(row.accepted?.command ?? '').split(' ')].join(' ').trim()} `,
      );
    }
  });

  it.each([
    ['one element', ['--component-configs', 'KubeletConfiguration'], ['KubeletConfiguration']],
    [
      'repeated and joined',
      [
        '--component-configs=KubeletConfiguration,KubeProxyConfiguration',
        '--component-configs',
        'KubeletConfiguration',
      ],
      ['KubeletConfiguration', 'KubeProxyConfiguration', 'KubeletConfiguration'],
    ],
    [
      'quoted',
      ['--component-configs="KubeletConfiguration","KubeProxyConfiguration"'],
      ['KubeletConfiguration', 'KubeProxyConfiguration'],
    ],
    ['empty', ['--component-configs='], []],
  ])('lists as it reads them: %s', (_, words, kinds) => {
    const line = ['config', 'print', 'init-defaults', ...words];
    const printed = spawnSync(kubeadm ?? '', line, { encoding: 'utf8' });
    const printedKinds = [...printed.stdout.matchAll(/^kind: (Kube\w+)$/gm)].map((match) => match[1]);
    const group = (path: readonly string[]) => ({ path, summary: '', flags: [], kind: 'group' }) as const;
    const table = {
      ...kubeadmTable,
      commands: [
        group(['config']),
        group(['config', 'print']),
        {
          path: ['config', 'print', 'init-defaults'],
          summary: '',
          kind: 'run',
          flags: [{ name: 'component-configs', type: 'strings', summary: '' }],
        } as const,
      ],
    };
    const { flags } = normalizeArguments(line, table);
    expect(flags['component-configs']).toEqual(kinds);
    expect(new Set(printedKinds)).toEqual(new Set(kinds));
  });

  it.each(['init phase', 'init phase certs', 'init phase uploadconfig', 'join phase', 'reset phase', 'token'])(
    'a parent prints help and fails: %s',
    (words) => {
      const line = words.split(' ');
      const { status, stdout, stderr } = spawnSync(kubeadm ?? '', line, { encoding: 'utf8' });
      expect({ status, stderr: /subcommand is required/.test(stderr), help: /^Usage:/m.test(stdout) }).toEqual({
        status: 1,
        stderr: true,
        help: true,
      });
      expect(normalizeArguments(line, kubeadmTable)).toMatchObject({ command: { kind: 'group' }, help: false });
    },
  );
});
