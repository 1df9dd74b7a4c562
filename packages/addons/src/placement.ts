/** Namespace of both addons. */
export const kubeSystem = 'kube-system';

/** Both addons are programs for Linux. */
export function linuxNodes(): Record<string, string> {
  return { 'kubernetes.io/os': 'linux' };
}
