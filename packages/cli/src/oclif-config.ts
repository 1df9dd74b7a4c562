import { Config, type Interfaces } from '@oclif/core';
import type { Release } from './release.ts';

/** oclif's configuration, with the name that the program was called by. */
export async function oclifConfig(
  program: string,
  { root, pjson }: Pick<Release, 'root' | 'pjson'>,
): Promise<Interfaces.Config> {
  // In development oclif looks for TypeScript sources and more plugins; whoever has NODE_ENV set means other programs.
  delete process.env.NODE_ENV;
  return Config.load({ root, pjson: { ...pjson, oclif: { ...pjson.oclif, bin: program } } });
}
