import { execFile } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { hostState, testbedIdentity } from '@groundplane/testbed';
import { afterAll, describe, expect, it } from 'vitest';

const run = promisify(execFile);
const root = fileURLToPath(new URL('..', import.meta.url));

/** The README's first command, in a fresh clone. Caches outside the checkout are as they are on this host. */
describe('./dev up in a fresh clone', () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'groundplane-clone-')));
  const clone = join(folder, 'groundplane');
  const { GROUNDPLANE_TESTBED: _, GROUNDPLANE_ARCHIVE: __, ...env } = process.env;
  const dev = (...args: string[]) =>
    run('./dev', args, { cwd: clone, env, timeout: 30 * 60_000, maxBuffer: 64 * 2 ** 20 });

  afterAll(async () => {
    await dev('down').catch(() => {});
    rmSync(folder, { recursive: true, force: true });
  });

  it('ends with a control plane and a worker whose pods reach each other, and ./dev down leaves nothing of it', async () => {
    await run('git', ['clone', '--quiet', root, clone]);
    const identity = testbedIdentity(clone, '');
    const before = await hostState(identity);

    const up = await dev('up');
    expect(up.stdout).toMatch(/^control-plane-1 +Ready +control-plane +\S+ +v1\.37\.2 /m);
    expect(up.stdout).toMatch(/^worker-1 +Ready +<none> +\S+ +v1\.37\.2 /m);
    for (const component of ['etcd', 'kube-apiserver', 'kube-controller-manager', 'kube-scheduler']) {
      expect(up.stdout).toMatch(new RegExp(`^kube-system +${component}-control-plane-1 +1/1 +Running `, 'm'));
    }
    for (const node of ['control-plane-1', 'worker-1']) {
      for (const addon of ['coredns', 'kube-proxy']) {
        expect(up.stdout).toMatch(new RegExp(`^kube-system +${addon}-\\S+ +1/1 +Running .* ${node} `, 'm'));
      }
    }
    expect(up.stdout).toMatch(/^control-plane-1 -> worker-1: answered by pod service-check-worker-1$/m);
    expect(up.stdout).toMatch(/^worker-1 -> control-plane-1: answered by pod service-check-control-plane-1$/m);
    const kubectl = [
      'machine',
      'exec',
      'control-plane-1',
      '--',
      'kubectl',
      '--kubeconfig',
      '/etc/kubernetes/admin.conf',
    ];
    const logs = await dev(...kubectl, 'logs', '-n', 'kube-system', 'etcd-control-plane-1');
    expect(logs.stdout).toContain('ready to serve client requests');

    const again = await dev('up');
    const summaries = again.stdout.match(/^Phases: .*$/gm);
    expect(summaries).toHaveLength(2);
    for (const summary of summaries ?? []) expect(summary).not.toContain('created');

    await dev('down');
    expect(await hostState(identity)).toEqual(before);
    const status = await run('git', ['status', '--porcelain'], { cwd: clone });
    expect(status.stdout).toBe('');
  });
});
