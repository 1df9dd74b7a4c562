import { parentOf } from './parent-of.ts';
import type { Files } from './ports.ts';
import type { World } from './world.ts';

/**
 * The world in which a file is not simply absent where a part of its path is no directory: it could not be written either, and what was
 * to be there is somewhere else. Each directory is looked at once.
 */
export function withObstacles(world: World): World {
  const known = new Map<string, Promise<string | undefined>>();
  const { files } = world.ports.host;
  const obstacleIn = (directory: string): Promise<string | undefined> => {
    const found = known.get(directory) ?? lookUp(directory, files, obstacleIn);
    known.set(directory, found);
    return found;
  };
  return {
    ...world,
    async load(artifact, connect) {
      const loaded = await world.load(artifact, connect);
      const location = world.locate(artifact);
      if (loaded.state !== 'absent' || (location.kind !== 'file' && location.kind !== 'directory')) return loaded;
      const obstacle = await obstacleIn(parentOf(location.path));
      if (obstacle === undefined) return loaded;
      const reason = `Cannot look at ${location.path} as ${obstacle} is not a directory (ENOTDIR)`;
      return { state: 'unknown', reason, hint: `See what is in the way: namei -l ${location.path}`, barred: true };
    },
  };
}

/** The part of a path that is there and no directory; where that cannot be found out, whoever needs it is told by another question. */
async function lookUp(
  directory: string,
  files: Pick<Files, 'status'>,
  obstacleIn: (directory: string) => Promise<string | undefined>,
): Promise<string | undefined> {
  if (directory === '/') return undefined;
  const status = await files.status(directory).catch(() => undefined);
  if (status === undefined) return obstacleIn(parentOf(directory));
  return status.kind === 'directory' ? undefined : directory;
}
