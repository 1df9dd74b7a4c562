import type { Services } from '@groundplane/phases';
import { hostError } from './error-codes.ts';
import { readText } from './file-calls.ts';
import { processStartMs } from './process-identity.ts';
import type { Programs } from './programs.ts';
import { machineRoot, type RootDirectory } from './root-directory.ts';

const changeTimeoutMs = 120_000;

/** Services through rc-service and rc-update. OpenRC keeps no log of them. */
export function openrc(programs: Programs, root: RootDirectory = machineRoot): Services {
  const variables = { LC_ALL: 'C' };
  const change = async (verb: string, unit: string): Promise<void> => {
    const { code, stdout, stderr } = await programs.run('rc-service', [unit, verb], {
      variables,
      timeoutMs: changeTimeoutMs,
    });
    if (code === 0) return;
    throw hostError(
      'HOST_SERVICE_FAILED',
      `Cannot ${verb} the service ${unit} as rc-service failed with exit code ${code}: ${`${stdout}${stderr}`.trim()}`,
      { hint: `look at it with: rc-service ${unit} status`, details: { unit, code } },
    );
  };
  return {
    async status(unit) {
      const shown = await programs.run('rc-service', [unit, 'status'], { variables });
      const text = `${shown.stdout}${shown.stderr}`;
      const exists = !text.includes('does not exist');
      const active = exists && !text.includes('stopped');
      const runlevel = await programs.run('rc-update', ['show', 'default'], { variables });
      const startedMs = active ? await startOf(unit, root) : undefined;
      return {
        exists,
        enabled: listsService(runlevel.stdout, unit),
        active,
        initSystem: 'openrc',
        ...(startedMs === undefined ? {} : { startedMs }),
      };
    },
    restart: (unit) => change('restart', unit),
    stop: (unit) => change('stop', unit),
    log: async () => [],
  };
}

/** True if `rc-update show RUNLEVEL` lists this service: `   kubelet | default`. */
export function listsService(text: string, unit: string): boolean {
  return text.split('\n').some((line) => line.split('|')[0]?.trim() === unit);
}

/** OpenRC remembers per daemon of a service where its process id is: a line `pidfile=PATH`. */
async function startOf(unit: string, root: RootDirectory): Promise<number | undefined> {
  try {
    const daemon = await readText(await root.locate(`/run/openrc/daemons/${unit}/001`));
    const pidFile = /^pidfile=(.+)$/m.exec(daemon)?.[1];
    if (pidFile === undefined) return undefined;
    return await processStartMs(Number((await readText(await root.locate(pidFile))).trim()));
  } catch {
    return undefined;
  }
}
