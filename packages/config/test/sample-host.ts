import {
  type FlagValues,
  type HostFacts,
  type ResolvedConfiguration,
  readInitConfiguration,
  resolveInitConfiguration,
} from '../src/index.ts';

/** An ordinary host with one interface. */
export const sampleHost: HostFacts = {
  hostName: 'node-a',
  addresses: { ipv4: ['192.0.2.10'], ipv6: ['2001:db8::10'], loopback: ['127.0.0.1', '::1'] },
  criSockets: [],
};

export const sampleToken = 'abcdef.0123456789abcdef';

/** Reads and resolves on {@link sampleHost}. */
export function resolveSample(text: string | undefined, flags: FlagValues = {}): ResolvedConfiguration {
  return resolveInitConfiguration(readInitConfiguration(text, { flags }), sampleHost, {
    randomToken: () => sampleToken,
  });
}

/** A ClusterConfiguration document with a few lines of its own. */
export function clusterDocument(...lines: readonly string[]): string {
  return [
    'apiVersion: kubeadm.k8s.io/v1beta4',
    'kind: ClusterConfiguration',
    'kubernetesVersion: v1.37.2',
    ...lines,
    '',
  ].join('\n');
}

/** An InitConfiguration document with a few lines of its own. */
export function initDocument(...lines: readonly string[]): string {
  return ['apiVersion: kubeadm.k8s.io/v1beta4', 'kind: InitConfiguration', ...lines, ''].join('\n');
}
