import { describe, expect, it } from 'vitest';
import { decideEtcdReset, type EtcdFacts, etcdDataDirectoryOf } from './etcd-reset.ts';

const facts: EtcdFacts = {
  manifest: { dataDirectory: '/data/etcd' },
  foreignEtcdRuns: false,
  otherControlPlanes: [],
  force: false,
  found: { holdsData: true },
  kept: ['/etc/kubernetes', '/etc/kubernetes/pki', '/etc/kubernetes/pki/etcd', '/var/lib/kubelet'],
};

const rows: readonly {
  readonly name: string;
  readonly facts: Partial<EtcdFacts>;
  readonly directory: string;
  readonly left?: RegExp;
  readonly warning?: RegExp;
}[] = [
  { name: 'by the manifest', facts: {}, directory: '/data/etcd' },
  {
    name: "the cluster's word before the manifest",
    facts: { stored: { isExternal: false, dataDirectory: '/stored/etcd' } },
    directory: '/stored/etcd',
  },
  { name: 'the default without manifest', facts: { manifest: 'absent' }, directory: '/var/lib/etcd' },
  {
    name: 'never the data beside an external etcd',
    facts: { stored: { isExternal: true }, manifest: 'absent' },
    directory: '/var/lib/etcd',
    left: /external etcd/,
    warning: /^The data in \/var\/lib\/etcd is left as it is: the cluster uses an external etcd$/,
  },
  {
    name: 'not by a manifest that does not say',
    facts: { manifest: 'unusable' },
    directory: '/var/lib/etcd',
    left: /manifest of etcd/,
    warning: /manifest of etcd/,
  },
  {
    name: 'by the cluster where the manifest does not say',
    facts: { manifest: 'unusable', stored: { isExternal: false, dataDirectory: '/stored/etcd' } },
    directory: '/stored/etcd',
  },
  {
    name: 'not the default while another etcd runs',
    facts: { manifest: 'absent', foreignEtcdRuns: true },
    directory: '/var/lib/etcd',
    left: /that Kubernetes did not start/,
    warning: /that Kubernetes did not start/,
  },
  {
    name: 'nothing said where nothing is',
    facts: { manifest: 'absent', foreignEtcdRuns: true, found: { holdsData: false } },
    directory: '/var/lib/etcd',
    left: /that Kubernetes did not start/,
  },
  {
    name: 'no directory of the system',
    facts: { manifest: { dataDirectory: '/var/lib' } },
    directory: '/var/lib',
    left: /directory of the system/,
    warning: /directory of the system/,
  },
  {
    name: 'no link to a directory of the system',
    facts: { found: { holdsData: true, realPath: '/' } },
    directory: '/data/etcd',
    left: /directory of the system/,
    warning: /directory of the system/,
  },
  ...['/etc/kubernetes', '/etc/kubernetes/', '/etc/kubernetes/pki', '/etc/kubernetes/pki/etcd', '/var/lib/kubelet'].map(
    (directory) => ({
      name: `no other folder of Kubernetes: ${directory}`,
      facts: { manifest: { dataDirectory: directory } },
      directory,
      left: /in it$/,
      warning: /in it$/,
    }),
  ),
  {
    name: 'no link to another folder of Kubernetes',
    facts: { found: { holdsData: true, realPath: '/etc/kubernetes' } },
    directory: '/data/etcd',
    left: /in it$/,
    warning: /in it$/,
  },
  {
    name: 'not even by force',
    facts: { force: true, otherControlPlanes: ['cp2'], manifest: { dataDirectory: '/etc/kubernetes' } },
    directory: '/etc/kubernetes',
    left: /in it$/,
    warning: /in it$/,
  },
  {
    name: 'a folder beside the others of Kubernetes',
    facts: { manifest: { dataDirectory: '/etc/kubernetes/etcd-data' } },
    directory: '/etc/kubernetes/etcd-data',
  },
  {
    name: 'not that of a member of several',
    facts: { otherControlPlanes: ['cp2', 'cp3'] },
    directory: '/data/etcd',
    left: /may still be a member of the cluster of cp2, cp3/,
    warning: /may still be a member/,
  },
  {
    name: 'not even said in silence when it is gone already',
    facts: { otherControlPlanes: ['cp2'], found: { holdsData: false } },
    directory: '/data/etcd',
    left: /may still be a member/,
    warning: /may still be a member/,
  },
  {
    name: 'that of a member of several by force',
    facts: { otherControlPlanes: ['cp2'], force: true },
    directory: '/data/etcd',
    warning: /stays listed in the cluster of cp2/,
  },
];

describe('decideEtcdReset', () => {
  it.each(rows)('$name', ({ facts: more, directory, left, warning }) => {
    const decided = decideEtcdReset({ ...facts, ...more });
    expect(decided.dataDirectory).toBe(directory);
    expect(decided.leftBecause === undefined).toBe(left === undefined);
    if (left !== undefined) expect(decided.leftBecause).toMatch(left);
    expect(decided.warnings.length).toBe(warning === undefined ? 0 : 1);
    if (warning !== undefined) expect(decided.warnings[0]?.message).toMatch(warning);
    expect(etcdDataDirectoryOf({ ...facts, ...more })).toBe(directory);
  });

  it.each(['/', '/var/lib', '/etc/kubernetes', '/var/lib/kubelet'])(
    'does not advise to empty %s by hand',
    (directory) => {
      const { warnings } = decideEtcdReset({ ...facts, manifest: { dataDirectory: directory } });
      expect(warnings.map(({ hint }) => hint)).toEqual([expect.stringMatching(/\/member$/)]);
    },
  );

  it('tells the command that takes the member out', () => {
    const { warnings } = decideEtcdReset({ ...facts, otherControlPlanes: ['cp2'] });
    expect(warnings[0]?.hint).toContain('kubectl -n kube-system exec etcd-cp2 -- etcdctl ');
    expect(warnings[0]?.hint).toContain('member remove ID');
  });
});
