import type { HostPathType, Volume, VolumeMount } from '@groundplane/manifest';
import { compareText } from './command-arguments.ts';
import type { ControlPlaneComponent, ControlPlaneFacts, ExternalEtcdFacts } from './control-plane-facts.ts';
import { directoryOf } from './host-path.ts';

/** A host path and where the container sees it. */
interface HostPathMount {
  readonly name: string;
  readonly hostPath: string;
  readonly mountPath: string;
  readonly readOnly: boolean;
  readonly type: HostPathType;
}

const caDirectory = '/etc/ssl/certs';

/** Folders that links in /etc/ssl/certs may lead to; each is mounted where the host has it. */
export const optionalCADirectories = [
  '/etc/pki/ca-trust',
  '/etc/pki/tls/certs',
  '/etc/ca-certificates',
  '/usr/share/ca-certificates',
  '/usr/local/share/ca-certificates',
] as const;

const mountsOf: Readonly<Record<ControlPlaneComponent, (facts: ControlPlaneFacts) => readonly HostPathMount[]>> = {
  etcd: ({ etcd, certificatesDir }) => [
    { ...sameInside('etcd-data', etcd.local?.dataDir ?? ''), readOnly: false },
    { ...sameInside('etcd-certs', `${certificatesDir}/etcd`), readOnly: false },
  ],
  'kube-apiserver': (facts) => [...certificateMounts(facts), ...externalEtcdMounts(facts)],
  'kube-controller-manager': (facts) => [
    ...certificateMounts(facts),
    { ...sameInside('kubeconfig', '/etc/kubernetes/controller-manager.conf'), type: 'FileOrCreate' },
  ],
  'kube-scheduler': () => [{ ...sameInside('kubeconfig', '/etc/kubernetes/scheduler.conf'), type: 'FileOrCreate' }],
};

const settingsOf = {
  etcd: () => undefined,
  'kube-apiserver': (facts: ControlPlaneFacts) => facts.apiServer,
  'kube-controller-manager': (facts: ControlPlaneFacts) => facts.controllerManager,
  'kube-scheduler': (facts: ControlPlaneFacts) => facts.scheduler,
} as const;

/**
 * The host paths of a component and their mounts. A volume of the user's replaces ours of the same name. Sorted by name;
 * only etcd's mounts keep their order. Source: kubeadm's phases/controlplane/volumes.go.
 */
export function hostPathVolumes(
  component: ControlPlaneComponent,
  facts: ControlPlaneFacts,
): { readonly volumes: Volume[]; readonly volumeMounts: VolumeMount[] } {
  const extra = (settingsOf[component](facts)?.extraVolumes ?? []).map(
    ({ name, hostPath, mountPath, readOnly = false, pathType = '' }): HostPathMount => {
      return { name, hostPath, mountPath, readOnly, type: pathType as HostPathType };
    },
  );
  const byName = new Map([...mountsOf[component](facts), ...extra].map((mount) => [mount.name, mount]));
  const inOrder = [...byName.values()];
  const sorted = inOrder.toSorted((left, right) => compareText(left.name, right.name));
  return {
    volumes: sorted.map(({ name, hostPath, type }) => ({ name, hostPath: { path: hostPath, type } })),
    volumeMounts: (component === 'etcd' ? inOrder : sorted).map(({ name, mountPath, readOnly }) => ({
      name,
      mountPath,
      ...(readOnly ? { readOnly } : {}),
    })),
  };
}

function sameInside(name: string, path: string): HostPathMount {
  return { name, hostPath: path, mountPath: path, readOnly: true, type: 'DirectoryOrCreate' };
}

function certificateMounts({ certificatesDir, presentCADirectories }: ControlPlaneFacts): HostPathMount[] {
  const optional = optionalCADirectories.filter((directory) => presentCADirectories.includes(directory));
  return [
    sameInside('k8s-certs', certificatesDir),
    sameInside('ca-certs', caDirectory),
    ...optional.map((directory) => sameInside(directory.slice(1).replaceAll('/', '-'), directory)),
  ];
}

function externalEtcdMounts({ etcd, certificatesDir }: ControlPlaneFacts): HostPathMount[] {
  if (etcd.external === undefined) return [];
  const covered = [caDirectory, ...optionalCADirectories, certificatesDir];
  return outermostDirectories(etcd.external, covered).map((path, index) => sameInside(`etcd-certs-${index}`, path));
}

/**
 * The folders of the external etcd's files that no other mount covers, nested ones left out. Folders are compared as
 * texts, as kubeadm does: `/etc/kubernetes/pki2` counts as covered by `/etc/kubernetes/pki`.
 */
function outermostDirectories(external: ExternalEtcdFacts, covered: readonly string[]): string[] {
  const directories = [external.caFile, external.certFile, external.keyFile]
    .map((file = '') => directoryOf(file))
    .filter((directory) => directory !== '.' && !covered.some((prefix) => directory.startsWith(prefix)));
  const outermost = directories.filter(
    (directory) => !directories.some((other) => other !== directory && directory.startsWith(other)),
  );
  return [...new Set(outermost)].sort(compareText);
}
