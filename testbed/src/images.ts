import { createHash } from 'node:crypto';
import {
  createReadStream,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { cacheDirectory } from './cache-directory.ts';
import { defaultKubernetesVersion } from './component-table.ts';
import { ensureComponents } from './components.ts';
import { copyDebianPrograms } from './debian-programs.ts';
import { ensureDebianRoot } from './debian-root.ts';
import { withExclusiveLock } from './exclusive-lock.ts';
import { type Image, imagesFor } from './image-table.ts';
import { imageDocuments } from './oci-layout.ts';
import { type Report, reportToStderr, withProgress } from './progress.ts';
import { mustRun } from './run-command.ts';

/** Changed whenever the same programs would give another image. */
const imageFormat = 2;

/** An image as a file: an OCI layout in a tar. */
export interface ImageArchive {
  readonly name: string;
  readonly path: string;
}

/**
 * Makes the image archives of one Kubernetes version, unless the cache has them,
 * and returns them in the order of the image table.
 *
 * @throws Error when a component cannot be built, or the Debian root not made.
 */
export async function ensureImages(
  version: string = defaultKubernetesVersion,
  report: Report = reportToStderr,
): Promise<readonly ImageArchive[]> {
  const images = imagesFor(version);
  const components = await ensureComponents({ groups: [...new Set(images.map((image) => image.group))] }, report);
  const debian = await ensureDebianRoot(report);
  const parent = join(cacheDirectory(), 'images');
  const archives = images.map((image) => {
    const inputs = [imageFormat, image, components.get(image.group), image.debianPrograms ? debian : ''];
    const digest = createHash('sha256').update(JSON.stringify(inputs)).digest('hex').slice(0, 16);
    return { image, name: image.name, path: join(parent, `${image.component}-${digest}.tar`) };
  });
  const make = async () => {
    mkdirSync(parent, { recursive: true });
    for (const name of readdirSync(parent)) {
      if (name.startsWith('.')) rmSync(join(parent, name), { recursive: true, force: true });
    }
    for (const { image, path } of archives) {
      if (existsSync(path)) continue;
      const binary = join(components.get(image.group) ?? '', image.component);
      await withProgress(`making image ${image.name}`, report, () => makeImage(image, binary, debian, path));
    }
  };
  if (archives.some(({ path }) => !existsSync(path))) {
    const waiting = (holder: string) => report(`waiting for ${holder}, which makes images`);
    await withExclusiveLock(join(cacheDirectory(), 'images.lock'), make, waiting);
  }
  return archives.map(({ name, path }) => ({ name, path }));
}

async function makeImage(image: Image, binary: string, debian: string, archive: string): Promise<void> {
  const work = mkdtempSync(join(dirname(archive), '.unfinished-'));
  const content = join(work, 'content');
  const layout = join(work, 'layout');
  const blobs = join(layout, 'blobs', 'sha256');
  mkdirSync(dirname(join(content, image.path)), { recursive: true });
  mkdirSync(blobs, { recursive: true });
  mkdirSync(join(content, 'tmp'), { mode: 0o1777 });
  // No copy: the cache's programs are never written to.
  linkSync(binary, join(content, image.path));
  if (image.debianPrograms) await copyDebianPrograms(debian, image.debianPrograms, content);

  const layerFile = join(work, 'layer.tar');
  await packTar(content, layerFile);
  const digest = await sha256OfFile(layerFile);
  const { config, manifest, index } = imageDocuments(
    image.name,
    { digest: `sha256:${digest}`, size: statSync(layerFile).size },
    image.isEntrypoint ? [image.path] : [],
  );
  renameSync(layerFile, join(blobs, digest));
  for (const blob of [config, manifest])
    writeFileSync(join(blobs, blob.descriptor.digest.slice('sha256:'.length)), blob.content);
  writeFileSync(join(layout, 'oci-layout'), JSON.stringify({ imageLayoutVersion: '1.0.0' }));
  writeFileSync(join(layout, 'index.json'), index);
  await packTar(layout, join(work, 'image.tar'));
  renameSync(join(work, 'image.tar'), archive);
  rmSync(work, { recursive: true });
}

/** Packs a folder so that the same content gives the same bytes. */
async function packTar(folder: string, archive: string): Promise<void> {
  const reproducible = ['--sort=name', '--mtime=@0', '--owner=0', '--group=0', '--numeric-owner', '--format=gnu'];
  await mustRun(['tar', ...reproducible, '--hard-dereference', '-cf', archive, '-C', folder, '.']);
}

function sha256OfFile(file: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const hash = createHash('sha256');
    createReadStream(file, { highWaterMark: 1 << 20 })
      .on('data', (piece) => hash.update(piece))
      .on('error', reject)
      .on('end', () => resolve(hash.digest('hex')));
  });
}
