import type { Services } from '@groundplane/phases';
import { hostError } from './error-codes.ts';
import type { Programs } from './programs.ts';
import { parseSystemdStatus } from './systemd-status.ts';

const properties = 'LoadState,ActiveState,UnitFileState,MainPID,ExecMainStartTimestamp,ExecMainStartTimestampMonotonic';
/** Times with microseconds in UTC; systemd before 247 does not know the option. */
const preciseTimes = '--timestamp=us+utc';
/** Starting a unit may take as long as its TimeoutStartSec. */
const changeTimeoutMs = 120_000;

/** Services through systemctl and journalctl. */
export function systemd(programs: Programs): Services {
  const variables = { LC_ALL: 'C', SYSTEMD_COLORS: '0', SYSTEMD_PAGER: '' };
  const run = (program: string, args: readonly string[], timeoutMs?: number) =>
    programs.run(program, args, { variables, ...(timeoutMs === undefined ? {} : { timeoutMs }) });
  const change = async (verb: string, unit: string, args: readonly string[]): Promise<void> => {
    const { code, stderr } = await run('systemctl', args, changeTimeoutMs);
    if (code === 0) return;
    throw hostError(
      'HOST_SERVICE_FAILED',
      `Cannot ${verb} the service ${unit} as systemctl failed with exit code ${code}: ${stderr.trim()}`,
      {
        hint: `look at it with: systemctl status ${unit}; journalctl -xeu ${unit}`,
        details: { unit, code },
      },
    );
  };
  return {
    async status(unit) {
      let shown = await run('systemctl', ['show', unit, `--property=${properties}`, preciseTimes]);
      if (shown.code !== 0) shown = await run('systemctl', ['show', unit, `--property=${properties}`]);
      // In a chroot systemctl ignores what it is told, prints nothing and is content: nobody starts services there.
      if (shown.code === 0 && shown.stdout === '') {
        return { exists: false, enabled: false, active: false, initSystem: 'none' };
      }
      if (shown.code === 0) return parseSystemdStatus(shown.stdout, { nowMs: Date.now(), monotonicUs: monotonicUs() });
      // Without a running systemd, as in a container: unit files can be asked for all the same.
      const enabled = await run('systemctl', ['is-enabled', unit]);
      return {
        exists: /^[a-z-]+\n/.test(enabled.stdout) && !enabled.stdout.startsWith('not-found'),
        enabled: enabled.code === 0,
        active: false,
        initSystem: 'systemd',
      };
    },
    async restart(unit) {
      // To read all unit files again takes longer than most of what else is done, and is mostly not needed.
      const shown = await run('systemctl', ['show', unit, '--property=LoadState,NeedDaemonReload']);
      const isCurrent = /^LoadState=loaded$/m.test(shown.stdout) && /^NeedDaemonReload=no$/m.test(shown.stdout);
      if (!isCurrent) await change('restart', unit, ['daemon-reload']);
      await change('restart', unit, ['restart', unit]);
    },
    stop: (unit) => change('stop', unit, ['stop', unit]),
    async log(unit, lines) {
      const { code, stdout } = await run('journalctl', [
        '--unit',
        unit,
        '--lines',
        String(lines),
        '--no-pager',
        '--quiet',
        '--output',
        'cat',
      ]);
      return code === 0 ? stdout.split('\n').filter((line) => line !== '') : [];
    },
  };
}

/** systemd's monotonic times are of CLOCK_MONOTONIC, which is what hrtime reads on Linux. */
function monotonicUs(): number {
  return Number(process.hrtime.bigint() / 1000n);
}
