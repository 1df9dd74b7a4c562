import { expect, test } from 'vitest';
import { kubeletUnitFindings } from './kubelet-unit.ts';

const running = { exists: true, enabled: true, active: true, initSystem: 'systemd', startedMs: 2000.5 } as const;

test.each([
  { what: 'a kubelet that is younger than its files', status: running, youngestFileMs: 2000.4, found: [] },
  {
    what: 'a kubelet whose start time nobody knows',
    status: { ...running, startedMs: undefined },
    youngestFileMs: 1,
    found: [],
  },
  {
    what: 'a kubelet that is older than its files by a fraction of a millisecond',
    status: running,
    youngestFileMs: 2000.6,
    found: [['BOOTSTRAP_KUBELET_NOT_RUNNING', 'error', 'the kubelet was started before its files were last changed']],
  },
  {
    what: 'a kubelet that does not run',
    status: { ...running, active: false },
    youngestFileMs: 1,
    found: [['BOOTSTRAP_KUBELET_NOT_RUNNING', 'error', 'the service kubelet does not run']],
  },
  {
    what: 'a machine without the service',
    status: { ...running, exists: false, active: false },
    youngestFileMs: 1,
    found: [['BOOTSTRAP_KUBELET_NOT_RUNNING', 'error', 'there is no service kubelet']],
  },
  {
    what: 'a machine without an init system',
    status: { ...running, initSystem: 'none', active: false },
    youngestFileMs: 1,
    found: [['BOOTSTRAP_KUBELET_UNMANAGED', 'warning', expect.stringContaining('no supported init system detected')]],
  },
] as const)('$what', ({ status: { startedMs, ...rest }, youngestFileMs, found }) => {
  const status = { ...rest, ...(startedMs === undefined ? {} : { startedMs }) };
  const findings = kubeletUnitFindings({ status, youngestFileMs });
  expect(findings.map(({ code, severity, message }) => [code, severity, message])).toEqual(found);
});
