import type { Finding } from '@groundplane/errors';
import type { Host } from '@groundplane/phases';
import { expect, it } from 'vitest';
import { foreseenChecks, surveyedChecks } from './machine-checks.ts';

const finding = (artifact: string, message: string): Finding => ({
  code: 'PREFLIGHT_X',
  severity: 'error',
  artifact,
  message,
});

/** A host as one user sees it. */
const hostOf = (uid: number) => ({ facts: { uid: () => uid } }) as unknown as Host;

const denied = [
  finding('CRI', 'could not connect to the container runtime: connect EACCES /run/containerd/containerd.sock'),
  finding('DirAvailable--var-lib-etcd', 'Cannot list /var/lib/etcd as permission is denied (EACCES)'),
  finding('Program', 'cannot execute: permission denied'),
];
const found = [finding('NumCPU', 'the number of available CPUs 1 is less than the required 2')];

it('root is told what the checks say', async () => {
  const ignored: (readonly string[])[] = [];
  const findings = await foreseenChecks(hostOf(0), async (names) => {
    ignored.push(names);
    return [...denied, ...found];
  });
  expect(ignored).toEqual([[]]);
  expect(findings).toEqual([...denied, ...found]);
});

it('to others, what they may not see does not speak against the machine; the rest does', async () => {
  const ignored: (readonly string[])[] = [];
  const findings = await foreseenChecks(hostOf(1000), async (names) => {
    ignored.push(names);
    return [
      { ...finding('IsPrivilegedUser', 'user is not running as root'), severity: 'warning' },
      ...denied,
      ...found,
    ];
  });
  expect(ignored).toEqual([['isprivilegeduser']]);
  expect(findings.map(({ artifact, severity, message }) => `${severity} ${artifact}: ${message}`)).toEqual([
    'warning IsPrivilegedUser: the run itself needs root',
    ...denied.map(({ artifact, message }) => `warning ${artifact}: not known without root: ${message}`),
    ...found.map(({ artifact, message }) => `error ${artifact}: ${message}`),
  ]);
});

it('to others who verify it, that is what could not be looked at', async () => {
  const privilege = finding('IsPrivilegedUser', 'user is not running as root');
  const ask = (uid: number) =>
    surveyedChecks({ host: hostOf(uid), phase: 'preflight' }, async () => [privilege, ...denied, ...found]);
  expect(await ask(0)).toEqual({ findings: [privilege, ...denied, ...found], unseen: [] });
  expect(await ask(1000)).toEqual({
    findings: found,
    unseen: [
      { artifact: 'preflight', location: 'IsPrivilegedUser', reason: 'the run itself needs root' },
      ...denied.map(({ artifact, message }) => ({
        artifact: 'preflight',
        location: artifact,
        reason: `not known without root: ${message}`,
      })),
    ],
  });
});

it.each([0, 1000])('what nobody gets to look at is not known to user %i', async (uid) => {
  const barred = finding('DirAvailable--etc-kubernetes-manifests', 'Cannot list it as … (EIO)');
  const reason = `not known: ${barred.message}`;
  const check = async () => [barred, ...found];
  expect(await surveyedChecks({ host: hostOf(uid), phase: 'preflight' }, check)).toEqual({
    findings: found,
    unseen: [{ artifact: 'preflight', location: barred.artifact, reason }],
  });
  expect(await foreseenChecks(hostOf(uid), check)).toEqual([
    { ...barred, severity: 'warning', message: reason },
    ...found,
  ]);
});
