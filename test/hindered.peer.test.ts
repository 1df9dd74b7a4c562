import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hostPhases } from './file-phases.ts';
import { type InstalledPrograms, installPrograms } from './installed-programs.ts';
import { caseFolder, onSandboxNode } from './sandbox-node.ts';

/**
 * Runs of init on a file system that is full, read-only or broken from some write on. Runs follow each other on the node that the ones
 * before left half-made, with room for one file more each time, until one gets to its end.
 */

const everyWrite = process.env.GROUNDPLANE_TEST_FULL === '1';
/** Files of certificates, kubeconfigs and static pods. */
const files = 31;
const configuration = `apiVersion: kubeadm.k8s.io/v1beta4
kind: InitConfiguration
localAPIEndpoint: { advertiseAddress: 192.0.2.10 }
nodeRegistration: { criSocket: unix:///run/containerd/containerd.sock }
---
apiVersion: kubeadm.k8s.io/v1beta4
kind: ClusterConfiguration
kubernetesVersion: v1.37.2
encryptionAlgorithm: ECDSA-P256
`;

interface Run {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Path → SHA-256 of all that is below /etc/kubernetes after it. */
  readonly files: ReadonlyMap<string, string>;
}

interface Hindrance {
  readonly name: string;
  /** Shell commands that make what is there at first. */
  readonly there?: string;
  /** Shell commands for a hindrance that stays until it is ended, so that there is one run under it. */
  readonly before?: readonly string[];
  /** Shell commands before each hindered run; `$room` is what there is room for. */
  readonly set?: string;
  /** What `$room` begins with, and how it grows from run to run. */
  readonly room?: { readonly from: number; readonly step: number };
  /** What a hindered run is run by. */
  readonly by?: readonly string[];
  /** Shell commands that end the hindrance, before the last run. */
  readonly end?: string;
  /** What cannot be written. @default a file or a folder of Kubernetes */
  readonly what?: RegExp;
  /** What the error names, and what is to be done. */
  readonly reason: RegExp;
  readonly remedy: RegExp;
  /** Hindered runs that there are at least. */
  readonly runs: number;
}

/** A system call that fails; `when` is strace's. */
const failing = (calls: string, error: string, when: string): readonly string[] => [
  ...['strace', '-qq', '-o', '/dev/null'],
  ...['-e', `inject=${calls}:error=${error}:when=${when}`],
];

const full = { reason: /as the file system is full \(ENOSPC\)/, remedy: /Make room; .*df -h .*df -i / };
const readOnly = { reason: /as the file system is read-only \(EROFS\)/, remedy: /Mount it writable; .*findmnt -T / };
const faulty = { reason: /as the disk reports a fault \(EIO\)/, remedy: /dmesg/ };

const everyFile = { from: 2, step: everyWrite ? 1 : 7 };
const atLeast = everyWrite ? files : 4;
/** Every run writes this many files before one fails. */
const done = everyWrite ? 1 : 7;

/** So that nothing but files is given to the disk, each twice: before its rename, and its name after it. Once more the lock. */
const folders = {
  there:
    'mkdir -p /etc/kubernetes/pki/etcd /etc/kubernetes/manifests && mkdir -m 700 /var/lib/etcd && touch /srv/state/journal.jsonl',
};

const lock = { what: /^error: Cannot write the lock \/srv\/state\/lock as / };

const hindrances: readonly Hindrance[] = [
  {
    name: 'a file system without inodes',
    set: 'mount -o remount,nr_inodes=$room /etc/kubernetes',
    room: everyFile,
    end: 'mount -o remount,nr_inodes=0 /etc/kubernetes',
    ...full,
    runs: atLeast,
  },
  {
    name: 'a file system without blocks',
    set: 'mount -o remount,nr_blocks=$room /etc/kubernetes',
    room: { ...everyFile, from: 1 },
    end: 'mount -o remount,nr_blocks=0 /etc/kubernetes',
    ...full,
    runs: everyWrite ? files - 1 : 4,
  },
  {
    name: 'a file system without inodes that does not tell what is free',
    set: 'mount -o remount,nr_inodes=$room /etc/kubernetes',
    room: everyFile,
    by: failing('statfs', 'ENOSYS', '1+'),
    end: 'mount -o remount,nr_inodes=0 /etc/kubernetes',
    ...full,
    runs: atLeast,
  },
  {
    name: 'a file system without blocks that does not tell what is free',
    set: 'mount -o remount,nr_blocks=$room /etc/kubernetes',
    room: { ...everyFile, from: 1 },
    by: failing('statfs', 'ENOSYS', '1+'),
    end: 'mount -o remount,nr_blocks=0 /etc/kubernetes',
    ...full,
    runs: everyWrite ? files - 1 : 4,
  },
  {
    name: 'a file system that becomes read-only before a rename',
    by: failing('rename,renameat,renameat2', 'EROFS', String(done + 1)),
    ...readOnly,
    runs: everyWrite ? files - 1 : 4,
  },
  {
    name: 'a quota that is used up before a rename',
    by: failing('rename,renameat,renameat2', 'EDQUOT', String(done + 1)),
    reason: /as the disk quota is used up \(EDQUOT\)/,
    remedy: /raise the quota of /,
    runs: everyWrite ? files - 1 : 4,
  },
  {
    name: 'a disk that does not keep what it is given',
    ...folders,
    by: failing('fsync', 'EIO', String(2 + 2 * done)),
    ...faulty,
    runs: everyWrite ? files - 1 : 4,
  },
  {
    name: 'a disk that does not keep the names it is given',
    ...folders,
    by: failing('fsync', 'EIO', String(1 + 2 * done)),
    ...faulty,
    runs: everyWrite ? files - 1 : 4,
  },
  {
    name: 'a file system that is read-only',
    before: ['mount -o remount,ro /etc/kubernetes'],
    end: 'mount -o remount,rw /etc/kubernetes',
    ...readOnly,
    runs: 1,
  },
  {
    name: 'a folder for the data of etcd that cannot be made, as all is read-only',
    before: ['mount -o remount,ro /var/lib'],
    end: 'mount -o remount,rw /var/lib',
    ...readOnly,
    runs: 1,
  },
  {
    name: 'a folder for the data of etcd that cannot be made, as all is full',
    before: ['mount -o remount,nr_inodes=1 /var/lib'],
    end: 'mount -o remount,nr_inodes=0 /var/lib',
    ...full,
    runs: 1,
  },
  {
    name: 'a lock that cannot be written, as its file system is read-only',
    before: ['mount -o remount,ro /srv/state'],
    end: 'mount -o remount,rw /srv/state',
    ...lock,
    ...readOnly,
    runs: 1,
  },
  {
    name: 'a lock that cannot be written, as its file system is full',
    before: ['mount -o remount,nr_inodes=1 /srv/state'],
    end: 'mount -o remount,nr_inodes=0 /srv/state',
    ...lock,
    ...full,
    runs: 1,
  },
];

let programs: InstalledPrograms;
beforeAll(async () => {
  programs = await installPrograms();
});
afterAll(() => programs?.remove());

describe.each(hindrances)('$name', (hindrance) => {
  let hindered: readonly Run[];
  let last: Run;
  beforeAll(() => {
    const runs = runsUnder(hindrance);
    hindered = runs.slice(0, -1);
    last = runs.at(-1) as Run;
  }, 600_000);

  test('ends runs with what is wrong, why, and what to do', () => {
    expect(hindered.length).toBeGreaterThanOrEqual(hindrance.runs);
    for (const { code, stderr } of hindered) {
      expect(code, stderr).toBe(4);
      const [error = '', remedy = '', ...rest] = stderr.trimEnd().split('\n');
      expect(error).toMatch(
        hindrance.what ?? /^error: Cannot (write|make the directory) \/(etc\/kubernetes|var\/lib\/etcd)\S* as /,
      );
      expect(error).toMatch(hindrance.reason);
      expect(remedy).toMatch(hindrance.remedy);
      expect(rest).toEqual([]);
    }
  });

  test('is not in the way of the run after it, which changes nothing that was made', () => {
    expect(last.code, last.stderr).toBe(0);
    expect(last.files.size).toBe(files);
    // What is there under its name is, at any time, what is there at the end: keys and certificates are random.
    for (const run of hindered) {
      for (const [path, digest] of run.files) expect([path, digest]).toEqual([path, last.files.get(path)]);
    }
    const counts = hindered.map((run) => run.files.size);
    expect(counts).toEqual(counts.toSorted((a, b) => a - b));
    expect(new Set(counts).size).toBeGreaterThanOrEqual(Math.min(hindrance.runs, files - 3));
  });
});

test('a journal that finds no room is warned of once, and keeps no part of a line', () => {
  const { outputs } = onSandboxNode({
    files: { 'config.yaml': configuration },
    environment: { GROUNDPLANE_STATE_DIR: '/srv/state' },
    // A page for the lock, and one for lines of the journal.
    prepare: ['mkdir /srv/state', 'mount -t tmpfs -o nr_blocks=2 none /srv/state'],
    steps: [
      ['sh', '-c', '"$@" 2>&1', 'sh', ...initCommand()],
      ['cat', '/srv/state/journal.jsonl'],
    ],
  });
  const [said = '', journal = ''] = outputs;
  const warnings = said.split('\n').filter((line) => line.startsWith('warning '));
  expect(warnings).toHaveLength(1);
  expect(warnings[0]).toContain('Cannot append to /srv/state/journal.jsonl as the file system is full (ENOSPC)');
  const lines = journal.trimEnd().split('\n');
  expect(lines.length).toBeGreaterThan(5);
  for (const line of lines) expect(JSON.parse(line)).toHaveProperty('artifact');
});

const initCommand = () => [
  ...[programs.groundplane, 'init', '--skip-phases', hostPhases.join()],
  ...['--config', `${caseFolder}/config.yaml`],
];

/** All runs under a hindrance, and the one after it. */
function runsUnder({
  there = ':',
  before = [],
  set = ':',
  room = { from: 0, step: 0 },
  by = [],
  end = ':',
}: Hindrance): readonly Run[] {
  const init = initCommand();
  const single = before.length > 0;
  const script = `
run() {
  code=0
  "$@" >/tmp-run/stdout 2>/tmp-run/stderr || code=$?
  (cd /etc/kubernetes; find . -type f -exec sha256sum {} +) >/tmp-run/files
  echo "$code $(base64 -w0 /tmp-run/stdout | sed 's/^$/=/') $(base64 -w0 /tmp-run/stderr | sed 's/^$/=/') $(base64 -w0 /tmp-run/files | sed 's/^$/=/')"
}
room=${room.from}
for round in $(seq ${single ? 1 : 100}); do
  ${set}
  run ${[...by, ...init].join(' ')}
  [ $code != 0 ] || exit 0
  room=$((room + ${room.step}))
done
${end}
run ${init.join(' ')}
`;
  const { outputs } = onSandboxNode({
    files: { 'config.yaml': configuration },
    environment: { GROUNDPLANE_STATE_DIR: '/srv/state' },
    prepare: [
      'mkdir /etc/kubernetes /srv/run /srv/state',
      'mount -t tmpfs -o mode=755 none /etc/kubernetes',
      'mount -t tmpfs none /srv/state',
      there,
      ...before,
    ],
    steps: [['bash', '-c', script.replaceAll('/tmp-run', '/srv/run')]],
    timeoutMs: 580_000,
  });
  const text = (word = '') => Buffer.from(word, 'base64').toString();
  return (outputs[0] ?? '')
    .trimEnd()
    .split('\n')
    .map((line) => {
      const [code, stdout, stderr, listed] = line.split(' ');
      const entries = text(listed)
        .trimEnd()
        .split('\n')
        .filter((entry) => entry !== '')
        .map((entry): [string, string] => [entry.slice(66), entry.slice(0, 64)]);
      return { code: Number(code), stdout: text(stdout), stderr: text(stderr), files: new Map(entries) };
    });
}
