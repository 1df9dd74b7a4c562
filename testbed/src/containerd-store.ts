import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { cacheDirectory } from './cache-directory.ts';
import { ensureComponents } from './components.ts';
import { withExclusiveLock } from './exclusive-lock.ts';
import { ensureImages } from './images.ts';
import { type Report, withProgress } from './progress.ts';
import { mustRun, runCommand } from './run-command.ts';

/**
 * Makes a /var/lib/containerd into which the images of one Kubernetes version are
 * imported, unless the cache has it, and returns its folder.
 */
export async function ensureContainerdStore(version: string, report: Report): Promise<string> {
  const archives = (await ensureImages(version, report)).map((image) => image.path);
  const containerd = (await ensureComponents({ groups: ['containerd'] }, report)).get('containerd') ?? '';
  const inputs = JSON.stringify([containerd, archives]);
  const digest = createHash('sha256').update(inputs).digest('hex').slice(0, 16);
  const parent = join(cacheDirectory(), 'containerd');
  const store = join(parent, `${version}-${digest}`);
  const make = async () => {
    if (existsSync(store)) return;
    mkdirSync(parent, { recursive: true });
    for (const name of readdirSync(parent)) {
      if (name.startsWith('.')) rmSync(join(parent, name), { recursive: true, force: true });
    }
    const unfinished = join(parent, `.unfinished-${process.pid}`);
    const title = `importing the images of Kubernetes ${version}`;
    await withProgress(title, report, () => importInto(unfinished, containerd, archives));
    renameSync(unfinished, store);
  };
  if (!existsSync(store)) {
    const waiting = (holder: string) => report(`waiting for ${holder}, which imports images`);
    await withExclusiveLock(join(cacheDirectory(), 'containerd.lock'), make, waiting);
  }
  return store;
}

/** Runs a containerd on the host, in a mount namespace of its own and without CRI, just for the import. */
async function importInto(root: string, programs: string, archives: readonly string[]): Promise<void> {
  mkdirSync(root, { recursive: true });
  // A socket's path is short, so the state lies apart.
  const state = mkdtempSync(join(tmpdir(), 'containerd-'));
  const socket = join(state, 'containerd.sock');
  const configuration = join(state, 'config.toml');
  const plugins = ['io.containerd.grpc.v1.cri', 'io.containerd.cri.v1.images', 'io.containerd.cri.v1.runtime'];
  const lines = [
    'version = 3',
    `root = ${JSON.stringify(root)}`,
    `state = ${JSON.stringify(state)}`,
    `disabled_plugins = ${JSON.stringify(plugins)}`,
    '[grpc]',
    `  address = ${JSON.stringify(socket)}`,
    '[ttrpc]',
    `  address = ${JSON.stringify(`${socket}.ttrpc`)}`,
    '',
  ];
  writeFileSync(configuration, lines.join('\n'));
  const log = openSync(join(state, 'log'), 'w');
  // The kernel ends it when we die. (`unshare --fork` would keep SIGTERM from it.)
  const wrapper = ['--mount', '--propagation', 'private', 'setpriv', '--pdeathsig', 'KILL'];
  const daemon = spawn('unshare', [...wrapper, join(programs, 'containerd'), '--config', configuration], {
    stdio: ['ignore', log, log],
  });
  const ended = new Promise<void>((resolve) => daemon.once('close', () => resolve()));
  const ctr = [join(programs, 'ctr'), '--address', socket, '--namespace', 'k8s.io'];
  try {
    for (let tries = 0; (await runCommand([...ctr, 'version'])).code !== 0; tries++) {
      if (tries > 100)
        throw new Error(`cannot import images: containerd does not answer; its log is ${join(state, 'log')}`);
      await sleep(100);
    }
    for (const archive of archives) await mustRun([...ctr, 'images', 'import', archive]);
  } finally {
    daemon.kill('SIGTERM');
    const patience = setTimeout(() => daemon.kill('SIGKILL'), 10_000);
    await ended;
    clearTimeout(patience);
    closeSync(log);
  }
  rmSync(state, { recursive: true, force: true });
}

/**
 * Gives a machine a store of its own in an instant. Layers and blobs are never
 * written to, so they are hard links; the databases are copies.
 */
export async function cloneContainerdStore(store: string, target: string): Promise<void> {
  await mustRun(['cp', '--archive', '--link', store, target]);
  for (const entry of readdirSync(target, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.endsWith('.db')) continue;
    // Not those inside of an image.
    if (entry.parentPath.includes('/snapshots/')) continue;
    const file = join(entry.parentPath, entry.name);
    copyFileSync(file, `${file}.copy`);
    renameSync(`${file}.copy`, file);
  }
}
