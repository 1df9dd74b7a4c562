import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { localServices } from './local-services.ts';
import { listsService } from './openrc.ts';
import { programsOf } from './programs.ts';

// What a real init system does is tested on machines. Here are the choice between them and the commands that are run.

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'groundplane-services-'));
});

afterEach(() => {
  rmSync(directory, { recursive: true });
});

/** A program in PATH that notes how it was called and then runs the script. */
function program(name: string, script = ''): void {
  const path = join(directory, name);
  writeFileSync(path, `#!/bin/sh\necho "${name} $*" >> ${directory}/calls\n${script}\n`);
  chmodSync(path, 0o755);
}

const services = () => localServices(programsOf({ PATH: directory }));
const calls = (): readonly string[] => readFileSync(join(directory, 'calls'), 'utf8').trim().split('\n');

describe('the choice', () => {
  it.each([
    {
      name: 'systemd where systemctl is',
      programs: ['systemctl', 'openrc', 'rc-service', 'rc-update'],
      expected: 'systemd',
    },
    { name: 'OpenRC where its programs are', programs: ['openrc', 'rc-service', 'rc-update'], expected: 'openrc' },
    { name: 'none where one of them is missing', programs: ['openrc', 'rc-service'], expected: 'none' },
    { name: 'none', programs: [], expected: 'none' },
  ])('is $name', async ({ programs, expected }) => {
    for (const name of programs) program(name, 'echo LoadState=loaded');
    expect((await services().status('kubelet')).initSystem).toBe(expected);
  });
});

describe('without init system', () => {
  it('says so when a service is to be changed', async () => {
    await expect(services().restart('kubelet')).rejects.toMatchObject({
      code: 'HOST_NO_INIT_SYSTEM',
      message: expect.stringContaining('kubelet'),
    });
    await expect(services().stop('kubelet')).rejects.toMatchObject({ code: 'HOST_NO_INIT_SYSTEM' });
    expect(await services().log('kubelet', 5)).toEqual([]);
  });
});

describe('systemd', () => {
  it.each([
    ['changed', 'LoadState=loaded\\nNeedDaemonReload=yes', true],
    ['not known yet', 'LoadState=not-found\\nNeedDaemonReload=no', true],
    ['current', 'LoadState=loaded\\nNeedDaemonReload=no', false],
  ])('reads unit files that are %s before it restarts a unit', async (_, shown, reads) => {
    program('systemctl', `[ "$1" = show ] && printf '${shown}\\n'; exit 0`);
    await services().restart('kubelet');
    await services().stop('kubelet');
    expect(calls()).toEqual([
      'systemctl show kubelet --property=LoadState,NeedDaemonReload',
      ...(reads ? ['systemctl daemon-reload'] : []),
      'systemctl restart kubelet',
      'systemctl stop kubelet',
    ]);
  });

  it('tells what systemctl says when it fails', async () => {
    program('systemctl', 'echo "Unit kubelet.service not found." >&2; exit 5');
    await expect(services().stop('kubelet')).rejects.toMatchObject({
      code: 'HOST_SERVICE_FAILED',
      message: 'Cannot stop the service kubelet as systemctl failed with exit code 5: Unit kubelet.service not found.',
    });
  });

  it('asks for unit files where systemd does not run', async () => {
    program('systemctl', '[ "$1" = is-enabled ] && echo disabled; exit 1');
    expect(await services().status('kubelet')).toEqual({
      exists: true,
      enabled: false,
      active: false,
      initSystem: 'systemd',
    });
  });

  it('starts nothing in a chroot, where systemctl ignores what it is told', async () => {
    program('systemctl', 'echo "Running in chroot, ignoring command $1" >&2');
    expect(await services().status('kubelet')).toEqual({
      exists: false,
      enabled: false,
      active: false,
      initSystem: 'none',
    });
  });

  it('does without precise times where systemctl does not know them', async () => {
    program('systemctl', 'case "$*" in *--timestamp*) exit 1;; esac; echo LoadState=loaded; echo ActiveState=active');
    expect(await services().status('kubelet')).toMatchObject({ exists: true, active: true });
  });

  it('reads the last lines of the journal', async () => {
    program('systemctl');
    program('journalctl', 'echo one; echo two');
    expect(await services().log('kubelet', 2)).toEqual(['one', 'two']);
    expect(calls()).toEqual(['journalctl --unit kubelet --lines 2 --no-pager --quiet --output cat']);
  });
});

describe('OpenRC', () => {
  it.each([
    {
      name: 'started and enabled',
      status: ' * status: started',
      runlevel: '       kubelet | default',
      expected: { exists: true, enabled: true, active: true },
    },
    {
      name: 'crashed',
      status: ' * status: crashed',
      runlevel: '',
      expected: { exists: true, enabled: false, active: true },
    },
    {
      name: 'stopped',
      status: ' * status: stopped',
      runlevel: '  kubelet-exporter | default',
      expected: { exists: true, enabled: false, active: false },
    },
    {
      name: 'unknown',
      status: " * rc-service: service `kubelet' does not exist",
      runlevel: '',
      expected: { exists: false, enabled: false, active: false },
    },
  ])('tells a service that is $name', async ({ status, runlevel, expected }) => {
    program('openrc');
    program('rc-service', `/bin/cat >&2 <<'END'\n${status}\nEND\nexit 3`);
    program('rc-update', `/bin/cat <<'END'\n${runlevel}\nEND`);
    expect(await services().status('kubelet')).toEqual({
      ...expected,
      initSystem: 'openrc',
    });
  });

  it('restarts through rc-service', async () => {
    for (const name of ['openrc', 'rc-service', 'rc-update']) program(name);
    await services().restart('kubelet');
    expect(calls()).toEqual(['rc-service kubelet restart']);
  });

  it('takes a service for enabled only if its whole name is listed', () => {
    expect(listsService(' kubelet-exporter | default\n', 'kubelet')).toBe(false);
    expect(listsService('   kubelet | default\n', 'kubelet')).toBe(true);
  });
});
