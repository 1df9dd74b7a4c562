import { readdir } from './file-calls.ts';
import { readWhole } from './read-whole.ts';
import { machineRoot, type RootDirectory } from './root-directory.ts';

const gzipMagic = [0x1f, 0x8b] as const;

/**
 * Text of a file that the kernel makes, such as those of /proc and /sys; a compressed one (/proc/config.gz) is unpacked.
 * `undefined` where the kernel does not show it to us.
 */
export async function readKernelFile(path: string): Promise<string | undefined> {
  let bytes: Uint8Array;
  try {
    ({ bytes } = await readWhole(path));
  } catch {
    return undefined;
  }
  if (bytes[0] !== gzipMagic[0] || bytes[1] !== gzipMagic[1]) return new TextDecoder().decode(bytes);
  const { gunzipSync } = await import('node:zlib');
  return gunzipSync(bytes).toString('utf8');
}

/** Where the kernel shows its files. */
const kernelFileSystems = ['/proc', '/sys'] as const;

/**
 * How {@link readKernelFile} reads in another root. A root in which /proc or /sys is not mounted is not asked for it: the kernel is the
 * one of this machine, and says the same here.
 */
export function kernelFilesOf(root: RootDirectory): (path: string) => Promise<string | undefined> {
  if (root === machineRoot) return readKernelFile;
  return async (path) => {
    const fileSystem = kernelFileSystems.find((mountPoint) => path.startsWith(`${mountPoint}/`));
    if (fileSystem !== undefined && !(await isMounted(root, fileSystem))) return readKernelFile(path);
    return root.locate(path).then(readKernelFile, () => undefined);
  };
}

async function isMounted(root: RootDirectory, mountPoint: string): Promise<boolean> {
  return root
    .locate(mountPoint)
    .then((place) => readdir(place))
    .then(
      (names) => names.length > 0,
      () => false,
    );
}
