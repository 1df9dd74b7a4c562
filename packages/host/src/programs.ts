import { constants } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { access, stat } from './file-calls.ts';
import { machineRoot, type RootDirectory } from './root-directory.ts';
import { type Environment, type ProgramResult, runProgram } from './run-program.ts';

/** The programs of a node. */
export interface Programs {
  /**
   * Path of the first executable file of that name in PATH, as programs of the node see it. Relative entries of PATH are passed
   * over, as Go's exec.LookPath refuses them; a name with a slash is looked at as it is.
   */
  find(name: string): Promise<string | undefined>;
  /** Runs a program as {@link runProgram} does, with more variables than the environment has. */
  run(
    program: string,
    args: readonly string[],
    options?: { readonly variables?: Environment; readonly timeoutMs?: number },
  ): Promise<ProgramResult>;
}

/** Where chroot(8) is, whatever PATH the node is to have. */
const systemPath = '/usr/sbin:/usr/bin:/sbin:/bin';

/**
 * @param environment variables that programs are run with; PATH says where they are
 * @param root programs are run by chroot(8) inside another root, which needs its privilege
 */
export function programsOf(environment: Environment, root: RootDirectory = machineRoot): Programs {
  const find = (name: string) => findIn(root, name, environment.PATH);
  return {
    find,
    async run(program, args, { variables, timeoutMs } = {}) {
      const options = {
        environment: { ...environment, ...variables },
        ...(timeoutMs === undefined ? {} : { timeoutMs }),
      };
      if (root === machineRoot) return runProgram(program, args, options);
      const chroot = (await findIn(machineRoot, 'chroot', `${process.env.PATH ?? ''}:${systemPath}`)) ?? 'chroot';
      return runProgram(chroot, [root.path, program, ...args], options);
    },
  };
}

async function findIn(root: RootDirectory, name: string, path = ''): Promise<string | undefined> {
  if (name.includes('/')) return isAbsolute(name) && (await isExecutableFile(root, name)) ? name : undefined;
  for (const directory of path.split(':')) {
    if (!isAbsolute(directory)) continue;
    const candidate = join(directory, name);
    if (await isExecutableFile(root, candidate)) return candidate;
  }
  return undefined;
}

async function isExecutableFile(root: RootDirectory, path: string): Promise<boolean> {
  try {
    const place = await root.locate(path);
    await access(place, constants.X_OK);
    return (await stat(place)).isFile();
  } catch {
    return false;
  }
}
