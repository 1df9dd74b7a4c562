import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Makes an archive, as `docker save` would, of an image that holds the program `pause` and nothing else. */
export function pauseImage(program: string, name: string, directory: string): string {
  const root = join(directory, 'pause');
  mkdirSync(root, { recursive: true });
  copyFileSync(program, join(root, 'pause-program'));
  chmodSync(join(root, 'pause-program'), 0o755);
  const layer = join(directory, 'layer.tar');
  execFileSync('tar', ['-cf', layer, '-C', root, 'pause-program']);
  const diffId = `sha256:${createHash('sha256').update(readFileSync(layer)).digest('hex')}`;
  const write = (file: string, value: unknown) => writeFileSync(join(directory, file), JSON.stringify(value));
  write('config.json', {
    architecture: 'amd64',
    os: 'linux',
    config: { Entrypoint: ['/pause-program'] },
    rootfs: { type: 'layers', diff_ids: [diffId] },
  });
  write('manifest.json', [{ Config: 'config.json', RepoTags: [name], Layers: ['layer.tar'] }]);
  const archive = join(directory, 'pause.tar');
  execFileSync('tar', ['-cf', archive, '-C', directory, 'manifest.json', 'config.json', 'layer.tar']);
  return archive;
}
