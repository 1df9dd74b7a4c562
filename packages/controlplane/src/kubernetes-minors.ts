/** What belongs to one minor version of Kubernetes. */
export interface KubernetesMinor {
  /** For instance `1.37`. */
  readonly minor: string;
  /** The newest patch release known to this version of the package. */
  readonly newestPatch: string;
  readonly etcdTag: string;
  readonly coreDNSTag: string;
  readonly pauseTag: string;
}

/**
 * The supported versions of the control plane, newest first. Tags as kubeadm v1.37 uses them for both: its etcd table
 * ends with 1.36 and later versions take the last row (app/constants/constants.go).
 */
export const kubernetesMinors: readonly [KubernetesMinor, ...KubernetesMinor[]] = [
  { minor: '1.37', newestPatch: 'v1.37.2', etcdTag: '3.7.0-0', coreDNSTag: 'v1.14.6', pauseTag: '3.10.2' },
  { minor: '1.36', newestPatch: 'v1.36.3', etcdTag: '3.7.0-0', coreDNSTag: 'v1.14.6', pauseTag: '3.10.2' },
];

/**
 * The row of a Kubernetes version; the nearest one for a version that the table does not list, as kubeadm does.
 *
 * @param version for instance `v1.37.2`, with or without `v`
 */
export function kubernetesMinor(version: string): KubernetesMinor {
  const wanted = minorNumber(version);
  const [newest] = kubernetesMinors;
  if (Number.isNaN(wanted)) return newest;
  return kubernetesMinors.reduce((best, row) =>
    Math.abs(minorNumber(row.minor) - wanted) < Math.abs(minorNumber(best.minor) - wanted) ? row : best,
  );
}

function minorNumber(version: string): number {
  return Number(/^v?1\.(\d+)/.exec(version)?.[1] ?? Number.NaN);
}
