import type { Event } from '@groundplane/phases';
import { describe, expect, it } from 'vitest';
import { kubeadmPrefix, kubeadmRenderer } from './kubeadm-lines.ts';

const artifact = (
  phase: string,
  id: string,
  location: string,
  action: 'created' | 'kept' | 'replaced' = 'created',
): Event => ({
  type: 'artifact',
  phase,
  artifact: id,
  location,
  action,
});

const rendered = (...events: readonly Event[]) => {
  const render = kubeadmRenderer();
  return events.flatMap(render).map(({ stream, text }) => (stream === 'stdout' ? text : `stderr: ${text}`));
};

const pki = '/etc/kubernetes/pki';

describe('kubeadmRenderer', () => {
  it.each<readonly [string, readonly Event[], readonly string[]]>([
    [
      'new certificates, the folder once',
      [
        artifact('certs/ca', 'pki/ca.key', `${pki}/ca.key`),
        artifact('certs/ca', 'pki/ca.crt', `${pki}/ca.crt`),
        artifact('certs/etcd-server', 'pki/etcd/server.crt', `${pki}/etcd/server.crt`),
      ],
      [
        '[certs] Using certificateDir folder "/etc/kubernetes/pki"',
        '[certs] Generating "ca" certificate and key',
        '[certs] Generating "etcd/server" certificate and key',
      ],
    ],
    [
      'the folder also where the first certificate is in a sub-folder',
      [artifact('certs/etcd-ca', 'pki/etcd/ca.crt', '/srv/pki/etcd/ca.crt')],
      ['[certs] Using certificateDir folder "/srv/pki"', '[certs] Generating "etcd/ca" certificate and key'],
    ],
    [
      'certificates that are kept',
      [
        artifact('certs/ca', 'pki/ca.key', `${pki}/ca.key`, 'kept'),
        artifact('certs/ca', 'pki/ca.crt', `${pki}/ca.crt`, 'kept'),
        artifact('certs/front-proxy-ca', 'pki/front-proxy-ca.crt', `${pki}/front-proxy-ca.crt`, 'kept'),
        artifact('certs/apiserver', 'pki/apiserver.crt', `${pki}/apiserver.crt`, 'kept'),
      ],
      [
        '[certs] Using certificateDir folder "/etc/kubernetes/pki"',
        '[certs] Using existing ca certificate authority',
        '[certs] Using existing front-proxy-ca keyless certificate authority',
        '[certs] Using existing apiserver certificate and key on disk',
      ],
    ],
    [
      'service account keys',
      [artifact('certs/sa', 'pki/sa.key', `${pki}/sa.key`), artifact('certs/sa', 'pki/sa.pub', `${pki}/sa.pub`)],
      ['[certs] Using certificateDir folder "/etc/kubernetes/pki"', '[certs] Generating "sa" key and public key'],
    ],
    [
      'kubeconfig files',
      [
        artifact('kubeconfig/admin', 'admin.conf', '/etc/kubernetes/admin.conf'),
        artifact('kubeconfig/kubelet', 'kubelet.conf', '/etc/kubernetes/kubelet.conf', 'kept'),
      ],
      [
        '[kubeconfig] Using kubeconfig folder "/etc/kubernetes"',
        '[kubeconfig] Writing "admin.conf" kubeconfig file',
        '[kubeconfig] Using existing kubeconfig file: "/etc/kubernetes/kubelet.conf"',
      ],
    ],
    [
      'static pods',
      [
        artifact('etcd/local', 'manifests/etcd.yaml', '/etc/kubernetes/manifests/etcd.yaml'),
        artifact(
          'control-plane/apiserver',
          'manifests/kube-apiserver.yaml',
          '/etc/kubernetes/manifests/kube-apiserver.yaml',
        ),
      ],
      [
        '[etcd] Creating static Pod manifest for local etcd in "/etc/kubernetes/manifests"',
        '[control-plane] Using manifest folder "/etc/kubernetes/manifests"',
        '[control-plane] Creating static Pod manifest for "kube-apiserver"',
      ],
    ],
    [
      "the kubelet's files",
      [
        artifact('kubelet-start', 'kubelet/kubeadm-flags.env', '/var/lib/kubelet/kubeadm-flags.env'),
        artifact('kubelet-start', 'kubelet/config.yaml', '/var/lib/kubelet/config.yaml', 'replaced'),
      ],
      [
        '[kubelet-start] Writing kubelet environment file with flags to file "/var/lib/kubelet/kubeadm-flags.env"',
        '[kubelet-start] Writing kubelet configuration to file "/var/lib/kubelet/config.yaml"',
      ],
    ],
    [
      'ConfigMaps',
      [
        artifact('upload-config/kubeadm', 'object/kubeadm-config', 'ConfigMap kube-system/kubeadm-config'),
        artifact('upload-config/kubelet', 'object/kubelet-config', 'ConfigMap kube-system/kubelet-config'),
      ],
      [
        '[upload-config] Storing the configuration used in ConfigMap "kubeadm-config" in the "kube-system" Namespace',
        '[kubelet] Creating a ConfigMap "kubelet-config" in namespace kube-system with the configuration for the kubelets in the cluster',
      ],
    ],
    [
      'addons, whatever had to be done',
      [
        artifact('addon/kube-proxy', 'object/configmap/kube-proxy', 'ConfigMap kube-system/kube-proxy'),
        artifact('addon/kube-proxy', 'object/daemonset/kube-proxy', 'DaemonSet kube-system/kube-proxy'),
        artifact('addon/coredns', 'object/deployment/coredns', 'Deployment kube-system/coredns', 'kept'),
      ],
      ['[addons] Applied essential addon: kube-proxy', '[addons] Applied essential addon: CoreDNS'],
    ],
    [
      'a preflight warning, on stderr',
      [
        {
          type: 'finding',
          phase: 'preflight',
          finding: { code: 'PREFLIGHT_SWAP', severity: 'warning', artifact: 'Swap', message: 'swap is on' },
        },
      ],
      ['stderr: \t[WARNING Swap]: swap is on'],
    ],
    [
      'preflight and progress',
      [
        { type: 'phase-started', phase: 'preflight', summary: 'Run pre-flight checks' },
        { type: 'progress', phase: 'kubelet-start', message: 'Starting the kubelet' },
      ],
      ['[preflight] Running pre-flight checks', '[kubelet-start] Starting the kubelet'],
    ],
    [
      'health',
      [
        { type: 'phase-started', phase: 'wait-control-plane', summary: 'Wait for the control plane to start' },
        { type: 'progress', phase: 'wait-control-plane', message: 'kubelet is healthy after 1.0 s' },
        {
          type: 'waiting',
          phase: 'wait-control-plane',
          subject: 'kube-apiserver at https://192.0.2.1:6443/livez',
          reason: 'connection refused',
          elapsedMs: 2000,
          timeoutMs: 240_000,
        },
        { type: 'progress', phase: 'wait-control-plane', message: 'kube-apiserver is healthy after 3.0 s' },
      ],
      [
        '[wait-control-plane] Waiting for the kubelet to boot up the control plane as static Pods from directory "/etc/kubernetes/manifests"',
        '[kubelet-check] The kubelet is healthy after 1.0 s',
        '[control-plane-check] Waiting for kube-apiserver at https://192.0.2.1:6443/livez (2.0 s of 4 min 00 s): connection refused',
        '[control-plane-check] kube-apiserver is healthy after 3.0 s',
      ],
    ],
    [
      'what is shared with those who join',
      [
        { type: 'phase-started', phase: 'upload-certs', summary: '' },
        { type: 'result', phase: 'upload-certs', name: 'certificateKey', value: 'abab', secret: true },
        { type: 'phase-finished', phase: 'upload-certs', decision: 'act', durationMs: 1 },
        { type: 'phase-started', phase: 'bootstrap-token', summary: '' },
        { type: 'result', phase: 'bootstrap-token', name: 'bootstrapToken', value: 'a.b', secret: true },
      ],
      [
        '[upload-certs] Storing the certificates in Secret "kubeadm-certs" in the "kube-system" Namespace',
        '[upload-certs] Using certificate key:',
        'abab',
        '[bootstrap-token] Configuring bootstrap tokens, cluster-info ConfigMap, RBAC Roles',
        '[bootstrap-token] Using token: a.b',
      ],
    ],
    [
      'certificates that are shared without showing the key',
      [{ type: 'phase-finished', phase: 'upload-certs', decision: 'act', durationMs: 1 }],
      ['[upload-certs] Storing the certificates in Secret "kubeadm-certs" in the "kube-system" Namespace'],
    ],
    [
      'certificates that are not shared',
      [{ type: 'phase-finished', phase: 'upload-certs', decision: 'inapplicable', durationMs: 0 }],
      ['[upload-certs] Skipping phase. Please see --upload-certs'],
    ],
    [
      'a worker that joins',
      [
        artifact('kubelet-start', 'bootstrap-kubelet.conf', '/etc/kubernetes/bootstrap-kubelet.conf'),
        {
          type: 'progress',
          phase: 'kubelet-wait-bootstrap',
          message: 'Waiting for the kubelet to perform the TLS Bootstrap',
        },
        { type: 'progress', phase: 'kubelet-wait-bootstrap', message: 'kubelet is healthy after 1.0 s' },
      ],
      [
        '[kubelet-start] Waiting for the kubelet to perform the TLS Bootstrap',
        '[kubelet-check] The kubelet is healthy after 1.0 s',
      ],
    ],
    [
      'what reset removes',
      [
        { type: 'progress', phase: 'cleanup-node', message: 'Stopping the kubelet' },
        { ...artifact('cleanup-node', 'admin.conf', '/etc/kubernetes/admin.conf'), action: 'removed' } as Event,
      ],
      ['[reset] Stopping the kubelet', '[reset] Removed /etc/kubernetes/admin.conf'],
    ],
    ['an artifact that kubeadm has no line for', [artifact('etcd/local', 'etcd-data', '/var/lib/etcd')], []],
  ])('%s', (_, events, lines) => {
    expect(rendered(...events)).toEqual(lines);
  });

  it('leaves the folder out where a phase runs on its own, as its parent is silent then', () => {
    const event = artifact('certs/ca', 'pki/ca.crt', `${pki}/ca.crt`);
    expect(kubeadmRenderer('certs/ca')(event)).toHaveLength(1);
    expect(kubeadmRenderer('certs/all')(event)).toHaveLength(2);
  });

  it.each([
    ['certs/ca', 'certs'],
    ['upload-config/kubelet', 'kubelet'],
    ['upload-config/kubeadm', 'upload-config'],
    ['addon/coredns', 'addons'],
    ['preflight', 'preflight'],
  ])('the prefix of %s is [%s]', (phase, prefix) => {
    expect(kubeadmPrefix(phase)).toBe(prefix);
  });
});
