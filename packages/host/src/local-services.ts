import type { Services } from '@groundplane/phases';
import { hostError } from './error-codes.ts';
import { detectInitSystem } from './init-system.ts';
import type { Programs } from './programs.ts';
import { machineRoot, type RootDirectory } from './root-directory.ts';

/**
 * The services of a node's init system, which is looked for at the first call.
 *
 * @throws GroundplaneError HOST_NO_INIT_SYSTEM (restart and stop only), HOST_SERVICE_FAILED
 */
export function localServices(programs: Programs, root: RootDirectory = machineRoot): Services {
  let detected: Promise<Services | undefined> | undefined;
  const initSystem = (): Promise<Services | undefined> => {
    detected ??= detectInitSystem(programs, root);
    return detected;
  };
  const required = async (verb: string, unit: string): Promise<Services> => {
    const found = await initSystem();
    if (found !== undefined) return found;
    throw hostError(
      'HOST_NO_INIT_SYSTEM',
      `Cannot ${verb} the service ${unit} as this machine has no supported init system: neither systemctl nor openrc is in PATH`,
      { hint: `${verb} ${unit} by the means of this machine, then run the command again`, details: { unit } },
    );
  };
  return {
    async status(unit) {
      const found = await initSystem();
      return found === undefined
        ? { exists: false, enabled: false, active: false, initSystem: 'none' }
        : found.status(unit);
    },
    restart: async (unit) => (await required('restart', unit)).restart(unit),
    stop: async (unit) => (await required('stop', unit)).stop(unit),
    log: async (unit, lines) => (await initSystem())?.log(unit, lines) ?? [],
  };
}
