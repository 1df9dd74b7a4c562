import type { Services } from '@groundplane/phases';
import { findProgram } from './find-program.ts';
import { openrc } from './openrc.ts';
import type { Environment } from './run-program.ts';
import { systemd } from './systemd.ts';

/** Which programs must all be in PATH for an init system to be used; the first row that matches is it (kubeadm, initsystem_unix.go). */
const initSystems = [
  { programs: ['systemctl'], make: systemd },
  { programs: ['openrc', 'rc-service', 'rc-update'], make: openrc },
] as const;

/** The init system of this machine; `undefined` where it has none that we know. */
export async function detectInitSystem(environment: Environment): Promise<Services | undefined> {
  for (const { programs, make } of initSystems) {
    const found = await Promise.all(programs.map((program) => findProgram(program, environment)));
    if (found.every((path) => path !== undefined)) return make(environment);
  }
  return undefined;
}
