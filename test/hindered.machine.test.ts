import {
  type CommandResult,
  collected,
  createMachine,
  initConfigPath,
  installGroundplane,
  kubeadmConfiguration,
  type Machine,
  prepareInit,
  waitUntilReady,
} from '@groundplane/testbed';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { credentials, lasting } from './node-snapshot.ts';

/** One node whose file systems are full or read-only in turn; each test goes on with what the one before left. */

const data = '/srv/etcd';
const configuration = kubeadmConfiguration().replace(
  'networking:',
  `etcd: { local: { dataDir: ${data}/data } }
networking:`,
);
const timeouts = `apiVersion: kubeadm.k8s.io/v1beta4
kind: InitConfiguration
timeouts: { controlPlaneComponentHealthCheck: 30s }
---
`;

let machine: Machine;
let init: readonly string[];
let keys: ReadonlyMap<string, string>;

/** Ends a hindrance even where the run does not say what is expected. */
async function hindered(set: string, end: string, work: () => Promise<void>): Promise<void> {
  await shell(set);
  try {
    await work();
  } finally {
    await shell(end);
  }
}

const shell = (script: string) => collected(machine, ['sh', '-c', script]);
const run = (): Promise<CommandResult> => machine.exec(init, { timeoutMs: 300_000 });

/** An error, its remedy, and nothing else; the node keeps its keys. */
async function fails(error: RegExp, remedy: RegExp): Promise<void> {
  const { code, stderr, stdout } = await run();
  expect(code, stdout + stderr).toBe(4);
  const [said = '', ...hints] = stderr.slice(stderr.indexOf('error: ')).trimEnd().split('\n');
  expect(said).toMatch(error);
  expect(hints.join('\n')).toMatch(remedy);
  expect(stderr).not.toMatch(/^\s+at /m);
  const now = await credentials(machine);
  keys ??= now;
  expect(now).toEqual(keys);
  expect(await shell('find /etc/kubernetes /var/lib/kubelet -name ".*.groundplane-*"')).toBe('');
}

beforeAll(async () => {
  machine = await createMachine({ name: 'hindered-1' });
  await installGroundplane(machine);
  init = ['groundplane', 'init', ...(await prepareInit(machine))];
  await machine.writeFile(initConfigPath, timeouts + configuration);
  await shell(`mkdir -p ${data} /var/lib/kubelet /etc/kubernetes
mount -t tmpfs -o mode=755 none ${data}
mount -t tmpfs -o mode=755 none /var/lib/kubelet
mount --bind /etc/kubernetes /etc/kubernetes`);
});
afterAll(() => machine?.delete());

const full = /as the file system is full \(ENOSPC\)$/;
const fullRemedy = /Make room; see what is taken: df -h \S+; df -i \S+$/;
const readOnly = /as the file system is read-only \(EROFS\)$/;
const readOnlyRemedy = /Mount it writable; see how it is mounted: findmnt -T \S+$/;

it('no room for the files of the kubelet ends init with the file that it could not write', async () => {
  // The folder itself, and then one file more each time.
  for (const inodes of [1, 2, 3]) {
    await hindered(
      `mount -o remount,nr_inodes=${inodes} /var/lib/kubelet`,
      'mount -o remount,nr_inodes=1000000 /var/lib/kubelet',
      () => fails(new RegExp(`^error: Cannot write /var/lib/kubelet/\\S+ ${full.source}`), fullRemedy),
    );
    expect(Number(await shell('find /var/lib/kubelet -type f | wc -l'))).toBe(inodes - 1);
  }
});

it('a read-only folder of the kubelet does so too', async () => {
  await hindered('mount -o remount,ro /var/lib/kubelet', 'mount -o remount,rw /var/lib/kubelet', () =>
    fails(new RegExp(`^error: Cannot write /var/lib/kubelet/\\S+ ${readOnly.source}`), readOnlyRemedy),
  );
});

it('no room for the data of etcd ends init with what is not healthy, and what etcd says', async () => {
  await hindered(`mount -o remount,size=8m ${data}`, `mount -o remount,size=2g ${data}`, () =>
    fails(/^error: Cannot go on as kube-apiserver at \S+ was not there within \d+ s: /, /no space left on device/),
  );
  // It waits longer each time before it starts etcd again, and begins anew when it is started itself.
  await shell('systemctl restart kubelet');
});

it('a read-only /etc/kubernetes ends init where it has to change a file, and not before', async () => {
  await hindered('mount -o remount,ro,bind /etc/kubernetes', 'mount -o remount,rw,bind /etc/kubernetes', () =>
    fails(new RegExp(`^error: Cannot write /etc/kubernetes/kubelet.conf ${readOnly.source}`), readOnlyRemedy),
  );
});

it('without hindrances the next run makes a healthy node of it, with the keys of the first', async () => {
  const { code, stdout, stderr } = await run();
  expect(code, stdout + stderr).toBe(0);
  await waitUntilReady(machine);
  const finished = await credentials(machine);
  for (const [path, hash] of lasting(keys)) expect(finished.get(path), path).toBe(hash);
  const { state } = JSON.parse(await collected(machine, ['groundplane', 'status', '-o', 'json']));
  expect(state).toBe('complete');
});
