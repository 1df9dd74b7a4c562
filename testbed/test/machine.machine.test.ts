import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createMachine,
  deleteAllMachines,
  findMachine,
  type HostState,
  hostState,
  type Machine,
} from '../src/index.ts';

describe('machines', () => {
  const names = ['testbed-a', 'testbed-b'];
  const scratch = mkdtempSync(join(tmpdir(), 'testbed-test-'));
  let before: HostState;
  let a: Machine;
  let b: Machine;

  beforeAll(async () => {
    // A set of machines of the test's own; what a killed run left of it goes first.
    process.env.GROUNDPLANE_TESTBED = 'testbed-tests';
    await deleteAllMachines();
    before = await hostState();
    a = await createMachine({ name: names[0] ?? '' });
    b = await createMachine({ name: names[1] ?? '', cni: false });
  }, 900_000);

  afterAll(async () => {
    await deleteAllMachines();
    rmSync(scratch, { recursive: true, force: true });
  }, 60_000);

  it('boots to running, with containerd and the images in it', async () => {
    const state = await a.exec(['systemctl', 'is-system-running']);
    expect(state).toMatchObject({ code: 0, stdout: 'running\n' });
    const images = await a.exec(['crictl', 'images']);
    expect(images.stdout).toContain('registry.k8s.io/kube-apiserver');
    expect((await a.exec(['kubeadm', 'version', '-o', 'short'])).stdout).toBe('v1.37.2\n');
  });

  it('passes input, output, environment and exit code', async () => {
    const script = 'read line; echo "$line $WORD"; echo bad >&2; exit 7';
    const result = await a.exec(['sh', '-c', script], { input: 'good\n', env: { WORD: 'word' } });
    expect(result).toEqual({ code: 7, stdout: 'good word\n', stderr: 'bad\n' });
  });

  it('ends a command in the machine when its time is over', async () => {
    expect((await a.exec(['sleep', '4321'], { timeoutMs: 500 })).code).toBe(124);
    expect((await a.exec(['pgrep', '-f', 'sleep 4321'])).code).toBe(1);
  });

  it('copies files and folders both ways, with their modes', async () => {
    mkdirSync(join(scratch, 'folder'));
    writeFileSync(join(scratch, 'folder', 'file'), 'content');
    chmodSync(join(scratch, 'folder', 'file'), 0o640);
    await a.copyIn(join(scratch, 'folder'), '/var/tmp/new/place');
    await a.copyOut('/var/tmp/new/place', join(scratch, 'back'));
    expect(readFileSync(join(scratch, 'back', 'file'), 'utf8')).toBe('content');
    expect(statSync(join(scratch, 'back', 'file')).mode & 0o777).toBe(0o640);
    await expect(a.copyOut('/does/not/exist', scratch)).rejects.toThrow(/cannot copy testbed-a:\/does\/not\/exist/);
  });

  it('writes and reads files', async () => {
    await a.writeFile('/etc/made/secret', 'ä\n', 0o600);
    expect(await a.readFile('/etc/made/secret')).toBe('ä\n');
    expect((await a.exec(['stat', '-c', '%a %U', '/etc/made/secret'])).stdout).toBe('600 root\n');
    await expect(a.readFile('/does/not/exist')).rejects.toThrow(/cannot read testbed-a:\/does\/not\/exist/);
  });

  it('connects machines by name, with no way out', async () => {
    expect((await a.exec(['ping', '-c', '1', '-W', '2', b.name])).code).toBe(0);
    expect((await b.exec(['ping', '-c', '1', '-W', '2', a.address])).code).toBe(0);
    expect((await a.exec(['ping', '-c', '1', '-W', '1', '192.0.2.2'])).code).not.toBe(0);
    await b.setCable(false);
    expect((await a.exec(['ping', '-c', '1', '-W', '1', b.name])).code).not.toBe(0);
    await b.setCable(true);
    expect((await a.exec(['ping', '-c', '1', '-W', '5', b.name])).code).toBe(0);
  });

  it('keeps its disk when it is stopped and started', async () => {
    await b.writeFile('/root/kept', 'kept');
    await b.stop();
    expect(await findMachine(b.name).state()).toBe('stopped');
    await b.start();
    expect(await b.state()).toBe('running');
    expect(await b.readFile('/root/kept')).toBe('kept');
  });

  it('refuses a name that is taken, and leaves that machine alone', async () => {
    await expect(createMachine({ name: a.name })).rejects.toThrow(/there is one of that name/);
    expect(await a.state()).toBe('running');
  });

  it('leaves nothing behind', async () => {
    const during = await hostState();
    expect(during.mounts.length).toBeGreaterThan(before.mounts.length);
    expect(during.processes.length).toBeGreaterThan(before.processes.length);
    await a.delete();
    await b.delete();
    expect(await hostState()).toEqual(before);
  });
});
