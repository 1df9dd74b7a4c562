import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { localFiles } from '../src/local-files.ts';
import { openRootDirectory } from '../src/root-directory.ts';
import { makeRandomTree } from './random-tree.ts';

let directory: string;

beforeAll(() => {
  directory = realpathSync(mkdtempSync(join(tmpdir(), 'groundplane-chroot-')));
  mkdirSync(join(directory, 'outside'));
  writeFileSync(join(directory, 'outside/secret'), 'OUTSIDE\n');
});

afterAll(() => {
  rmSync(directory, { recursive: true });
});

/** A root with a shell in it, which says what the kernel finds after chroot(2). */
function rootWithShell(name: string): string {
  const root = join(directory, name);
  mkdirSync(root);
  const { stdout } = spawnSync('ldd', ['/bin/sh'], { encoding: 'utf8' });
  const libraries = Array.from(stdout.matchAll(/(\/\S+) \(0x/g), (match) => match[1] ?? '');
  expect(spawnSync('cp', ['--parents', '-L', '/bin/sh', ...libraries, root]).status).toBe(0);
  return root;
}

const look = `while IFS= read -r path; do
  if [ -L "$path" ]; then link=link; else link=plain; fi
  if [ -d "$path" ]; then echo "$link directory"
  elif [ -f "$path" ]; then IFS= read -r text < "$path"; echo "$link file $text"
  else echo "$link nothing"; fi
done`;

/** What is at each path for a process whose root it is. */
function seenByKernel(root: string, paths: readonly string[]): readonly string[] {
  const input = paths.map((path) => `${path}\n`).join('');
  const { status, stdout, stderr } = spawnSync('chroot', [root, '/bin/sh', '-c', look], { encoding: 'utf8', input });
  expect(status, stderr).toBe(0);
  return stdout.trimEnd().split('\n');
}

async function seenByUs(root: string, paths: readonly string[]): Promise<readonly string[]> {
  const files = localFiles(await openRootDirectory(root));
  const refused = () => undefined;
  return Promise.all(
    paths.map(async (path) => {
      const self = await files.status(path, { followLinks: false }).catch(refused);
      const status = await files.status(path).catch(refused);
      const text = status?.kind === 'file' ? ` ${Buffer.from((await files.read(path))?.bytes ?? '')}`.trimEnd() : '';
      return `${self?.kind === 'symlink' ? 'link' : 'plain'} ${status?.kind ?? 'nothing'}${text}`;
    }),
  );
}

test.each(Array.from({ length: 12 }, (_, seed) => seed))('random tree %i is what the kernel sees', async (seed) => {
  const root = rootWithShell(`tree-${seed}`);
  const { paths } = makeRandomTree(root, join(directory, 'outside/secret'), seed + 1000);
  const expected = seenByKernel(root, paths);
  expect(new Set(expected).size).toBeGreaterThan(2);
  expect(await seenByUs(root, paths)).toEqual(expected);
});

test.each(Array.from({ length: 6 }, (_, seed) => seed))(
  'random tree %i has what we write where the kernel looks',
  async (seed) => {
    const root = rootWithShell(`write-${seed}`);
    const { paths } = makeRandomTree(root, join(directory, 'outside/secret'), seed + 2000);
    const files = localFiles(await openRootDirectory(root));
    let written = 0;
    for (const [index, path] of paths.entries()) {
      const text = `written ${index}`;
      const ended = await files.write(path, new TextEncoder().encode(text), { mode: 0o644 }).then(
        () => true,
        () => false,
      );
      if (!ended) continue;
      written += 1;
      expect(seenByKernel(root, [path])[0]).toMatch(new RegExp(` file ${text}$`));
    }
    expect(written).toBeGreaterThan(0);
    expect(spawnSync('cat', [join(directory, 'outside/secret')], { encoding: 'utf8' }).stdout).toBe('OUTSIDE\n');
  },
);
