import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { documentErrors } from './output-validator.ts';
import { type CallOptions, programIn } from './program-call.ts';

/** What belongs to root, or to nobody who asks. */
let closed: string;
let home: string;
beforeEach(() => {
  closed = mkdtempSync(join(tmpdir(), 'groundplane-closed-'));
  home = mkdtempSync(join(tmpdir(), 'groundplane-user-'));
  chmodSync(closed, 0o755);
  chmodSync(home, 0o755);
});
afterEach(() => {
  for (const folder of [closed, home]) rmSync(folder, { recursive: true });
});

const program = programIn(() => home);
const ordinaryUser =
  'if (process.getuid() === 0) { process.setgroups([]); process.setgid(65534); process.setuid(65534); }';
const call = (words: readonly string[], options: CallOptions = {}) =>
  program('groundplane', words, { preload: ordinaryUser, ...options });

function file(name: string, text: string, mode = 0o644): string {
  const path = join(closed, name);
  writeFileSync(path, text);
  chmodSync(path, mode);
  return path;
}

describe('journal', () => {
  it.each([
    ['a journal of root', () => file('journal.jsonl', '', 0o600)],
    ['a folder that nobody may enter', () => chmodSync(closed, 0)],
  ])('cannot be told, for a reason that is no mistake of the command line: %s', (_, close) => {
    close();
    const { status, stdout } = call(['journal', '-o', 'json'], { env: { GROUNDPLANE_STATE_DIR: closed } });
    chmodSync(closed, 0o755);
    expect(documentErrors(['error'], stdout)).toEqual([]);
    expect(JSON.parse(stdout).error).toMatchObject({
      code: 'CLI_JOURNAL_UNREADABLE',
      kind: 'unavailable',
      message: expect.stringContaining(`Cannot read ${join(closed, 'journal.jsonl')} as permission is denied`),
      hint: expect.stringMatching(/root/),
    });
    expect(status).toBe(4);
  });
});

describe('a root directory that nobody may enter', () => {
  it.each(['plan init', 'verify', 'verify --workflow=join', 'plan reset'])(
    'is shown as unknown, and why: %s',
    (line) => {
      chmodSync(closed, 0);
      const { stdout, stderr } = call([...line.split(' '), `--rootfs=${closed}`, '-o', 'json']);
      chmodSync(closed, 0o755);
      const { phases, error } = JSON.parse(stdout);
      expect(phases?.length, stderr).toBeGreaterThan(2);
      expect(JSON.stringify(phases)).toContain('permission is denied (EACCES)');
      expect(error?.kind ?? 'unavailable').not.toBe('internal');
    },
  );
});

describe('files that the configuration names', () => {
  const commands = ['plan init', 'verify', 'init --dry-run', 'phases describe'];
  const initWith = (patches: string) =>
    file(
      'init.yaml',
      `apiVersion: kubeadm.k8s.io/v1beta4\nkind: InitConfiguration\npatches: {directory: ${patches}}\n---\napiVersion: kubeadm.k8s.io/v1beta4\nkind: ClusterConfiguration\nkubernetesVersion: v1.37.2\n`,
    );

  it.each(
    commands.flatMap((command) => [
      [command, 'a folder of patches', 0, 0o644],
      [command, 'a patch', 0o755, 0],
    ]) as [string, string, number, number][],
  )('%s names what it may not read: %s', (command, _, folderMode, fileMode) => {
    const patches = join(closed, 'patches');
    mkdirSync(patches);
    file('patches/kube-apiserver.yaml', 'metadata: {labels: {a: b}}\n', fileMode);
    chmodSync(patches, folderMode);
    const { status, stdout } = call([...command.split(' '), `--config=${initWith(patches)}`, '-o', 'json']);
    chmodSync(patches, 0o755);
    expect(JSON.parse(stdout).error).toMatchObject({
      code: 'BOOTSTRAP_PATCHES_UNREADABLE',
      kind: 'usage',
      message: expect.stringContaining(`Cannot read patches from ${patches}`),
      hint: expect.stringMatching(/as root.*leave the folder out/),
    });
    expect(status).toBe(2);
  });

  it('plan join says why it needs the file of the discovery', () => {
    const kubeconfig = file('kubeconfig', '', 0);
    const config = file(
      'join.yaml',
      `apiVersion: kubeadm.k8s.io/v1beta4\nkind: JoinConfiguration\ndiscovery: {file: {kubeConfigPath: ${kubeconfig}}}\n`,
    );
    const { status, stdout } = call(['plan', 'join', `--config=${config}`, '-o', 'json']);
    expect(JSON.parse(stdout).error).toMatchObject({
      code: 'BOOTSTRAP_DISCOVERY_UNREADABLE',
      kind: 'unavailable',
      message: expect.stringContaining(`Cannot read ${kubeconfig} as permission is denied`),
      hint: expect.stringMatching(/where the cluster is.*as root/),
    });
    expect(status).toBe(4);
  });
});
