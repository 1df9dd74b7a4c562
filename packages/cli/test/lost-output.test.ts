import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { lineTypes } from './output-validator.ts';

// Each starts a few processes.
vi.setConfig({ testTimeout: 60_000 });

const bin = fileURLToPath(new URL('../dist/bin', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'groundplane-output-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** Runs a line of bash in which `groundplane` and `kubeadm` are the programs; `status` is what the last one ended with. */
function shell(line: string, folder = mkdtempSync(join(scratch, 'case-'))) {
  const programs = ['groundplane', 'kubeadm'].map(
    (name) => `${name}() { "${process.execPath}" "${bin}/${name}.js" "$@"; }`,
  );
  const { stdout, stderr } = spawnSync('bash', ['-c', `${programs.join('\n')}\n${line}`], {
    encoding: 'utf8',
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, GROUNDPLANE_STATE_DIR: folder },
  });
  return { stdout, stderr };
}

describe('a reader that has gone', () => {
  it.each([
    'groundplane config print init-defaults',
    'kubeadm config print init-defaults',
    'groundplane phases describe -o json',
    'groundplane phases list -o jsonl',
    'groundplane schemas run',
    'groundplane --help',
  ])('ends a command by SIGPIPE, without a word: %s', (command) => {
    expect(shell(`${command} | true; echo "\${PIPESTATUS[0]}"`)).toEqual({ stdout: '141\n', stderr: '' });
  });

  // Where the host is busy, the run may be over before its reader has gone.
  it.each(['groundplane', 'kubeadm'])(
    'ends a run of %s between two writes, and the next one goes on',
    { retry: 4 },
    (program) => {
      const folder = mkdtempSync(join(scratch, 'run-'));
      mkdirSync(join(folder, 'node'));
      const run = `${program} init phase certs all --kubernetes-version=v1.37.2 --apiserver-advertise-address=192.0.2.10 --rootfs=node`;
      const stopped = shell(`${run} -o jsonl | (read -r; echo read); echo "\${PIPESTATUS[0]}"`, folder);
      expect(stopped.stdout).toBe('read\n141\n');
      expect(stopped.stderr).toMatch(/^error: Cannot run certs\/\S+ as the run was told to stop\n/);
      expect(stopped.stderr).toContain('nobody reads its output any more; what was done stays');
      const pki = join(folder, 'node/etc/kubernetes/pki');
      const made = existsSync(pki) ? readdirSync(pki) : [];
      // Whole pairs, and no unfinished file.
      const names = new Set(made.map((name) => name.replace(/\.(crt|key)$/, '')));
      expect(made).toEqual([...names].flatMap((name) => [`${name}.crt`, `${name}.key`]));
      expect(made).not.toContain('sa.key');
      const finished = shell(`${run} -o jsonl`, folder);
      expect(finished.stderr).toBe('');
      expect(lineTypes(finished.stdout).at(-1)).toBe('workflow-finished');
    },
  );
});

describe('an output that takes no more', () => {
  it.each([
    ['groundplane', 4],
    ['kubeadm', 1],
  ])('is an error of %s, without a stack: code %i', (program, code) => {
    const { stdout, stderr } = shell(`${program} config print init-defaults >/dev/full; echo $?  >&2`);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/^error: Cannot write all of the output as stdout takes no more: ENOSPC/);
    expect(stderr).not.toMatch(/^ +at /m);
    expect(stderr).toMatch(new RegExp(`^${code}\\n$`, 'm'));
  });

  it('does not stop a run', () => {
    const folder = mkdtempSync(join(scratch, 'full-'));
    mkdirSync(join(folder, 'node'));
    const run =
      'init phase certs all --kubernetes-version=v1.37.2 --apiserver-advertise-address=192.0.2.10 --rootfs=node';
    expect(shell(`groundplane ${run} >/dev/full 2>/dev/full; echo $?`, folder).stdout).toBe('4\n');
    expect(readdirSync(join(folder, 'node/etc/kubernetes/pki'))).toContain('sa.key');
  });

  it('is nothing to a command where it is stderr alone', () => {
    expect(shell('groundplane bogus 2>/dev/full; echo $?').stdout).toBe('2\n');
    expect(shell('groundplane bogus 2>&-; echo $?').stdout).toBe('2\n');
    expect(shell('groundplane version >&- 2>&-; echo $? >result; cat result').stdout).toBe('0\n');
  });
});
