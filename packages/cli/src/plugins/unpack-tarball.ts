import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, lstat, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { messageOf } from '@groundplane/errors';
import { cliError } from '../error-codes.ts';
import { isRecord } from './check-plugin.ts';
import { packageOf } from './load-plugins.ts';

export interface UnpackedPlugin {
  /** Name of its package. */
  readonly name: string;
  /** Where it is until it is kept or dropped. */
  readonly root: string;
  /** True if all that it depends on is in it, so that nothing else has to be fetched. */
  readonly isWhole: boolean;
  /**
   * Puts it in place, instead of an earlier one, which comes back if it is not taken.
   *
   * @param take is told its folder
   */
  keep(take: (folder: string) => Promise<void>): Promise<void>;
  drop(): Promise<void>;
}

/** Folder for what is unpacked, below that of the plugins. */
export function unpackedFolder(directory: string): string {
  return join(directory, 'unpacked');
}

/**
 * Unpacks a tarball as `npm pack` makes it.
 *
 * @throws GroundplaneError CLI_PLUGIN_NOT_DONE, CLI_PLUGIN_UNUSABLE
 */
export async function unpackTarball(path: string, directory: string): Promise<UnpackedPlugin> {
  const folder = unpackedFolder(directory);
  const root = join(folder, `.new-${process.pid}`);
  await removeLeftovers(folder);
  await mkdir(root, { recursive: true, mode: 0o755 });
  const drop = () => rm(root, { recursive: true, force: true });
  try {
    await promisify(execFile)('tar', ['-xzf', path, '--strip-components=1', '--no-same-owner', '-C', root]).catch(
      (cause) => {
        throw cliError('CLI_PLUGIN_NOT_DONE', `Cannot unpack ${path} as tar says: ${tellingLine(messageOf(cause))}`, {
          cause,
        });
      },
    );
    await close(root, path);
    const { name, dependencies, oclif } = await packageOf(path, root);
    if (typeof name !== 'string' || !/^(@[a-z0-9._-]+\/)?[a-z0-9_-][a-z0-9._-]*$/.test(name))
      throw cliError('CLI_PLUGIN_NOT_DONE', `Cannot install ${path} as its package.json has no usable name`);
    if (!isRecord(oclif))
      throw cliError('CLI_PLUGIN_NOT_DONE', `Cannot install ${path} as its package.json has no section 'oclif'`, {
        hint: 'A plugin without commands has an empty one: "oclif": {}',
      });
    const needs = isRecord(dependencies) ? Object.keys(dependencies) : [];
    return {
      name,
      root,
      isWhole: needs.every((need) => existsSync(join(root, 'node_modules', need))),
      async keep(take) {
        const place = join(folder, name.replaceAll('/', '+'));
        const earlier = join(folder, `.earlier-${process.pid}`);
        await rm(earlier, { recursive: true, force: true });
        const hadEarlier = existsSync(place);
        if (hadEarlier) await rename(place, earlier);
        try {
          await rename(root, place);
          await take(place);
        } catch (error) {
          await rm(place, { recursive: true, force: true });
          if (hadEarlier) await rename(earlier, place);
          throw error;
        }
        await rm(earlier, { recursive: true, force: true });
      },
      drop,
    };
  } catch (error) {
    await drop();
    throw error;
  }
}

/** What an install left that was cut off; whoever installs holds the lock. */
async function removeLeftovers(folder: string): Promise<void> {
  const names = existsSync(folder) ? await readdir(folder) : [];
  for (const name of names.filter((one) => /^\.(?:new|earlier)-\d+$/.test(one)))
    await rm(join(folder, name), { recursive: true, force: true });
}

/** The modes are those of whoever packed it; nobody else is to write here. */
async function close(folder: string, tarball: string): Promise<void> {
  const { mode } = await lstat(folder);
  await chmod(folder, mode & 0o755);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const own = join(folder, entry.name);
    if (entry.isDirectory()) await close(own, tarball);
    else if (entry.isFile()) await chmod(own, (await lstat(own)).mode & 0o755);
    else if (!entry.isSymbolicLink())
      throw cliError('CLI_PLUGIN_NOT_DONE', `Cannot install ${tarball} as something in it is no file: ${entry.name}`);
  }
}

/** Not how it ends, nor what tar has made good itself. */
function tellingLine(text: string): string {
  const lines = text.trim().split('\n');
  const said = lines.filter(
    (line) => line.startsWith('tar: ') && !/: (?:Removing leading|Exiting with failure)/.test(line),
  );
  return said[0]?.slice('tar: '.length) ?? lines.at(-1) ?? '';
}
