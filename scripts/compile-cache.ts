import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** A configuration that needs nothing of the host, for the runs that warm the cache. */
const configuration = (certificatesDir: string) => `apiVersion: kubeadm.k8s.io/v1beta4
kind: ClusterConfiguration
kubernetesVersion: v1.37.2
certificatesDir: ${certificatesDir}
---
apiVersion: kubeadm.k8s.io/v1beta4
kind: InitConfiguration
localAPIEndpoint: {advertiseAddress: 192.0.2.10}
nodeRegistration: {name: node, criSocket: 'unix:///run/containerd/containerd.sock'}
`;

/**
 * Fills `lib/compile-cache` of an unpacked archive, which its launchers point Node.js to: the code of the program as V8 has compiled it, so
 * that it need not be compiled at every start. What runs here is stored with its functions; the other files with their top level.
 *
 * @param stage folder of the unpacked archive
 * @throws Error if the program does not run
 */
export function warmCompileCache(stage: string): void {
  const scratch = mkdtempSync(join(tmpdir(), 'groundplane-warm-'));
  try {
    const config = join(scratch, 'init.yaml');
    writeFileSync(config, configuration(join(scratch, 'pki')));
    const env = { ...process.env, GROUNDPLANE_STATE_DIR: join(scratch, 'state') };
    const run = (program: string, args: readonly string[]) => {
      const { status, stderr } = spawnSync(join(stage, 'bin', program), args, { env, encoding: 'utf8' });
      if (status !== 0)
        throw new Error(
          `cannot warm the compile cache: ${program} ${args.join(' ')} ended with code ${status}: ${stderr}`,
        );
    };
    run('groundplane', ['init', 'phase', 'certs', 'all', '--config', config]);
    run('groundplane', ['init', 'phase', 'control-plane', 'all', '--config', config, '--dry-run']);
    run('kubeadm', ['init', 'phase', 'control-plane', 'all', '--config', config, '--print-manifest']);
    run('kubeadm', ['config', 'validate', '--config', config]);
    run('kubeadm', ['config', 'images', 'list', '--config', config]);
    run('groundplane', ['version']);
    run('kubeadm', ['version']);
    const chunks = join(stage, 'lib/cli/dist/chunks');
    const imports = readdirSync(chunks)
      .filter((name) => name.endsWith('.js'))
      .map((name) => pathToFileURL(join(chunks, name)).href);
    const script = `for (const url of ${JSON.stringify(imports)}) await import(url);`;
    const cache = { NODE_COMPILE_CACHE: join(stage, 'lib/compile-cache'), NODE_COMPILE_CACHE_PORTABLE: '1' };
    spawnSync(join(stage, 'lib/node'), ['--input-type=module', '-e', script], { env: { ...env, ...cache } });
    offerToRoot(cache.NODE_COMPILE_CACHE);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Node.js keeps one folder for each user id, named after it at its end; the program is root's. */
function offerToRoot(directory: string): void {
  for (const name of readdirSync(directory)) {
    const roots = name.replace(/-\d+$/, '-0');
    if (roots !== name) renameSync(join(directory, name), join(directory, roots));
  }
}
