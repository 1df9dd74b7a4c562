import type { Services } from '@groundplane/phases';
import { openrc } from './openrc.ts';
import type { Programs } from './programs.ts';
import type { RootDirectory } from './root-directory.ts';
import { systemd } from './systemd.ts';

/** Which programs must all be in PATH for an init system to be used; the first row that matches is it (kubeadm, initsystem_unix.go). */
const initSystems = [
  { programs: ['systemctl'], make: systemd },
  { programs: ['openrc', 'rc-service', 'rc-update'], make: openrc },
] as const;

/** The init system of a node; `undefined` where it has none that we know. */
export async function detectInitSystem(programs: Programs, root: RootDirectory): Promise<Services | undefined> {
  for (const { programs: names, make } of initSystems) {
    const found = await Promise.all(names.map((name) => programs.find(name)));
    if (found.every((path) => path !== undefined)) return make(programs, root);
  }
  return undefined;
}
