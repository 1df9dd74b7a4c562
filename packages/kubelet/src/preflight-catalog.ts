import type { Severity } from '@groundplane/errors';

/** Commands that run checks: `control-plane-join` is what `join --control-plane` adds to what every `join` looks at. */
export type PreflightCommand = 'init' | 'control-plane-join' | 'join' | 'upgrade' | 'reset';

export interface PreflightCatalogRow {
  /** kubeadm's name; a `*` at the end stands for a path (each slash a dash), a port, a service or a program. */
  readonly name: string;
  readonly severities: readonly Severity[];
  readonly usedBy: readonly PreflightCommand[];
}

const error: readonly Severity[] = ['error'];
const warning: readonly Severity[] = ['warning'];
const both: readonly Severity[] = ['error', 'warning'];

const controlPlane = ['init', 'control-plane-join'] as const;
const node = ['init', 'join'] as const;
const upgrade = ['upgrade'] as const;

/** Every check that kubeadm 1.37 has, and NetworkOverlap, which is ours (kubeadm, preflight/checks.go and phases/upgrade). */
export const preflightCatalog: readonly PreflightCatalogRow[] = [
  { name: 'IsPrivilegedUser', severities: error, usedBy: ['init', 'join', 'upgrade', 'reset'] },
  { name: 'NumCPU', severities: error, usedBy: controlPlane },
  { name: 'Mem', severities: error, usedBy: controlPlane },
  { name: 'KubernetesVersion', severities: warning, usedBy: controlPlane },
  { name: 'Firewalld', severities: warning, usedBy: controlPlane },
  { name: 'Port-*', severities: error, usedBy: controlPlane },
  { name: 'FileAvailable--etc-kubernetes-manifests-*', severities: error, usedBy: controlPlane },
  { name: 'HTTPProxy', severities: warning, usedBy: [...controlPlane, 'join'] },
  { name: 'HTTPProxyCIDR', severities: warning, usedBy: controlPlane },
  { name: 'CRI', severities: error, usedBy: node },
  { name: 'ContainerRuntimeVersion', severities: both, usedBy: [...node, 'upgrade'] },
  { name: 'Swap', severities: warning, usedBy: node },
  { name: 'FileExisting-*', severities: error, usedBy: node },
  { name: 'SystemVerification', severities: both, usedBy: [...node, 'upgrade'] },
  { name: 'Hostname', severities: warning, usedBy: node },
  { name: 'KubeletVersion', severities: error, usedBy: node },
  { name: 'Service-*', severities: warning, usedBy: node },
  { name: 'Port-10250', severities: error, usedBy: node },
  { name: 'FileContent--proc-sys-net-ipv4-ip_forward', severities: error, usedBy: node },
  { name: 'FileContent--proc-sys-net-ipv6-conf-default-forwarding', severities: error, usedBy: node },
  { name: 'ExternalEtcdVersion', severities: error, usedBy: ['init'] },
  { name: 'DirAvailable-*', severities: error, usedBy: controlPlane },
  { name: 'ExternalEtcdClientCertificates', severities: error, usedBy: controlPlane },
  { name: 'NetworkOverlap', severities: warning, usedBy: ['init'] },
  { name: 'ImagePull', severities: error, usedBy: [...controlPlane, 'upgrade'] },
  { name: 'FileAvailable--etc-kubernetes-kubelet.conf', severities: error, usedBy: ['join'] },
  { name: 'FileAvailable--etc-kubernetes-bootstrap-kubelet.conf', severities: error, usedBy: ['join'] },
  { name: 'FileAvailable-*', severities: error, usedBy: ['join'] },
  { name: 'CreateJob', severities: error, usedBy: upgrade },
  { name: 'ControlPlaneNodesReady', severities: error, usedBy: upgrade },
  { name: 'StaticPodManifest', severities: error, usedBy: upgrade },
  { name: 'CoreDNSUnsupportedPlugins', severities: error, usedBy: upgrade },
  { name: 'CoreDNSMigration', severities: error, usedBy: upgrade },
];

/** The row of a check, by its name in any case; the most exact one where several fit. */
export function preflightCatalogRow(name: string): PreflightCatalogRow | undefined {
  const wanted = name.toLowerCase();
  const stem = (row: PreflightCatalogRow) => row.name.toLowerCase().replace(/\*$/, '');
  return (
    preflightCatalog.find((row) => row.name.toLowerCase() === wanted) ??
    preflightCatalog
      .filter((row) => row.name.endsWith('*') && wanted.startsWith(stem(row)) && wanted !== stem(row))
      .toSorted((one, other) => other.name.length - one.name.length)[0]
  );
}
