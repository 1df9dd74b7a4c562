import { type Machine, succeeding } from '@groundplane/testbed';

/** From a point in time on, what is written on a machine can be searched. */
export interface SecretSearch {
  /** Paths of files, written since then in whatever file system, that hold one of the secrets. */
  filesWith(secrets: readonly string[]): Promise<readonly string[]>;
}

const [marker, wanted] = ['/dev/shm/search-from', '/dev/shm/secrets'];
const script = `find / \\( -path /proc -o -path /sys -o -path /dev \\) -prune -o -type f -cnewer ${marker} -print0 | xargs -0 grep -laF -f ${wanted}`;

export async function searchFromNowOn(machine: Machine): Promise<SecretSearch> {
  await machine.writeFile(marker, '');
  return {
    async filesWith(secrets) {
      await machine.writeFile(wanted, `${secrets.join('\n')}\n`);
      const { stdout } = await machine.exec(['sh', '-c', script], { timeoutMs: 60_000 });
      await succeeding(machine, ['rm', wanted]);
      const paths = stdout.split('\n').filter((line) => line !== '');
      return paths.sort();
    },
  };
}
