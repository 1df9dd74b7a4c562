import type { Finding, Severity } from '@groundplane/errors';
import { isMapping, type KubeletConfigDocument } from './kubelet-config-file.ts';

/** What later phases rely on in the kubelet's configuration of this node. */
export interface KubeletExpectations {
  readonly containerRuntimeEndpoint: string;
  /** Folder of the static pod manifests. @default /etc/kubernetes/manifests */
  readonly staticPodPath?: string;
  /** CA that the API server's client certificate is signed by. @default /etc/kubernetes/pki/ca.crt */
  readonly clientCAFile?: string;
  readonly clusterDNS?: readonly string[];
  readonly clusterDomain?: string;
  /** Where the wait for the control plane asks for the kubelet's health. @default 127.0.0.1 and 10248 */
  readonly healthzBindAddress?: string;
  readonly healthzPort?: number;
}

interface Expectation {
  readonly path: string;
  readonly severity: Severity;
  readonly expected: (expectations: KubeletExpectations) => unknown;
  /** What goes wrong otherwise. */
  readonly consequence: string;
}

const expectationTable: readonly Expectation[] = [
  {
    path: 'apiVersion',
    severity: 'error',
    expected: () => 'kubelet.config.k8s.io/v1beta1',
    consequence: 'the kubelet cannot read it',
  },
  {
    path: 'kind',
    severity: 'error',
    expected: () => 'KubeletConfiguration',
    consequence: 'the kubelet cannot read it',
  },
  {
    path: 'staticPodPath',
    severity: 'error',
    expected: ({ staticPodPath = '/etc/kubernetes/manifests' }) => staticPodPath,
    consequence: 'the kubelet does not start the control plane',
  },
  {
    path: 'containerRuntimeEndpoint',
    severity: 'error',
    expected: ({ containerRuntimeEndpoint }) => containerRuntimeEndpoint,
    consequence: 'the kubelet does not reach the container runtime',
  },
  {
    path: 'authentication.x509.clientCAFile',
    severity: 'error',
    expected: ({ clientCAFile = '/etc/kubernetes/pki/ca.crt' }) => clientCAFile,
    consequence: 'the kubelet refuses the API server, so logs and exec fail',
  },
  {
    path: 'rotateCertificates',
    severity: 'error',
    expected: () => true,
    consequence: 'the client certificate of the kubelet expires',
  },
  {
    path: 'healthzBindAddress',
    severity: 'warning',
    expected: ({ healthzBindAddress = '127.0.0.1' }) => healthzBindAddress,
    consequence: 'its health is not found where it is asked for',
  },
  {
    path: 'healthzPort',
    severity: 'warning',
    expected: ({ healthzPort = 10248 }) => healthzPort,
    consequence: 'its health is not found where it is asked for',
  },
  {
    path: 'clusterDNS',
    severity: 'warning',
    expected: ({ clusterDNS }) => clusterDNS,
    consequence: 'pods ask another DNS server than the one of the cluster',
  },
  {
    path: 'clusterDomain',
    severity: 'warning',
    expected: ({ clusterDomain }) => clusterDomain,
    consequence: 'pods look for Services in another domain',
  },
  {
    path: 'authentication.anonymous.enabled',
    severity: 'warning',
    expected: () => false,
    consequence: 'anybody who reaches the kubelet can use its API',
  },
  {
    path: 'authorization.mode',
    severity: 'warning',
    expected: () => 'Webhook',
    consequence: 'every authenticated client may use the API of the kubelet',
  },
];

/** A field that later phases rely on, and its value. */
export interface KubeletConfigRequirement {
  /** `authentication.x509.clientCAFile` */
  readonly path: string;
  readonly severity: Severity;
  readonly value: unknown;
  /** What goes wrong otherwise. */
  readonly consequence: string;
}

/** What a node's kubelet configuration is held to. */
export function kubeletConfigRequirements(expectations: KubeletExpectations): readonly KubeletConfigRequirement[] {
  return expectationTable
    .map(({ expected, ...row }) => ({ ...row, value: expected(expectations) }))
    .filter(({ value }) => value !== undefined);
}

/**
 * Holds a node's kubelet configuration (config.yaml) to what later phases rely on.
 *
 * @returns a finding for each field that differs; the artifact is `config.yaml#<field path>`
 */
export function verifyKubeletConfig(
  configuration: KubeletConfigDocument,
  expectations: KubeletExpectations,
): readonly Finding[] {
  return kubeletConfigRequirements(expectations).flatMap(
    ({ path, severity, value, consequence }): readonly Finding[] => {
      const actual = valueAt(configuration, path);
      if (JSON.stringify(value) === JSON.stringify(actual)) return [];
      const shown = actual === undefined ? 'it is not set' : JSON.stringify(actual);
      return [
        {
          code: 'KUBELET_CONFIG_UNEXPECTED',
          severity,
          artifact: `config.yaml#${path}`,
          message: `The kubelet's ${path} must be ${JSON.stringify(value)}, otherwise ${consequence}: ${shown}`,
          hint: 'Correct the KubeletConfiguration and run the phase kubelet-start',
        },
      ];
    },
  );
}

function valueAt(document: unknown, path: string): unknown {
  let value = document;
  for (const key of path.split('.')) value = isMapping(value) ? value[key] : undefined;
  return value;
}
