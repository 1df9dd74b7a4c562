import type { Pod } from '@groundplane/manifest';
import { describe, expect, it } from 'vitest';
import { factsOf } from '../test/golden-configurations.ts';
import { impossiblePods } from '../test/impossible-pods.ts';
import { type ControlPlaneComponent, type ControlPlaneFacts, controlPlaneComponents } from './control-plane-facts.ts';
import { judgePodFields } from './judge-pod-fields.ts';
import { podContradictions } from './pod-contradictions.ts';
import { renderStaticPod } from './render-static-pod.ts';
import { verifyStaticPod } from './verify-static-pod.ts';

const facts: ControlPlaneFacts = {
  ...factsOf({ name: 'verify', cluster: {} }),
  networking: { serviceSubnet: '10.96.0.0/12', podSubnet: '10.244.0.0/16', dnsDomain: 'cluster.local' },
};

/** A rendered pod after a change, without our rendering's help in the judgement. */
function foreign(component: ControlPlaneComponent, change: (pod: Pod) => void): string[] {
  const pod = structuredClone(renderStaticPod(component, facts));
  change(pod);
  return verifyStaticPod(component, pod, facts).map(({ code, severity, message }) => {
    const flag = /--([a-z-]+)/.exec(message)?.[1];
    return `${severity} ${code.replace('CONTROLPLANE_', '')}${flag === undefined ? '' : ` ${flag}`}`;
  });
}

function setFlag(name: string, value: string | undefined): (pod: Pod) => void {
  return (pod) => {
    const container = pod.spec.containers[0];
    const rest = container?.command?.filter((word) => !word.startsWith(`--${name}=`)) ?? [];
    if (container !== undefined) container.command = value === undefined ? rest : [...rest, `--${name}=${value}`];
  };
}

/** The pod with another host path, or another kind of volume, under the name of one of ours. */
function setVolume(name: string, source: object): (pod: Pod) => void {
  return (pod) => {
    pod.spec.volumes = pod.spec.volumes?.map((volume) => (volume.name === name ? { name, ...source } : volume)) ?? [];
  };
}

/** One more volume and its mount. */
function addVolume(source: object, mount: { mountPath: string; subPath?: string }): (pod: Pod) => void {
  return (pod) => {
    pod.spec.volumes?.push({ name: 'more', ...source });
    pod.spec.containers[0]?.volumeMounts?.push({ name: 'more', ...mount });
  };
}

/** All of the changes, one after the other. */
function all(...changes: readonly ((pod: Pod) => void)[]): (pod: Pod) => void {
  return (pod) => {
    for (const change of changes) change(pod);
  };
}

const certificateFlags = [
  'client-ca-file',
  'etcd-cafile',
  'etcd-certfile',
  'etcd-keyfile',
  'kubelet-client-certificate',
  'kubelet-client-key',
  'proxy-client-cert-file',
  'proxy-client-key-file',
  'requestheader-client-ca-file',
  'service-account-key-file',
  'service-account-signing-key-file',
  'tls-cert-file',
  'tls-private-key-file',
];

const aPod = { apiVersion: 'v1', kind: 'Pod', metadata: {} };

describe('verifyStaticPod()', () => {
  it.each([
    ['null', null],
    ['text', 'kind: Pod'],
    ['another kind', { apiVersion: 'apps/v1', kind: 'Deployment', metadata: {}, spec: {} }],
    ['no containers', { apiVersion: 'v1', kind: 'Pod', metadata: {}, spec: {} }],
    ['no metadata', { ...aPod, metadata: null }],
    ['a container without an image', { ...aPod, spec: { containers: [{ name: 'etcd', command: ['etcd'] }] } }],
    ['mounts that are none', { ...aPod, spec: { containers: [{ image: 'etcd', volumeMounts: [{ name: 'x' }] }] } }],
  ])('refuses what is no pod: %s', (_, value) => {
    expect(verifyStaticPod('etcd', value, facts)).toMatchObject([
      { code: 'CONTROLPLANE_MANIFEST_NOT_A_POD', severity: 'error', artifact: 'etcd.yaml' },
    ]);
  });

  it.each(impossiblePods.map((row) => [row.name, row] as const))('refuses %s by its field', (_, { change, path }) => {
    const pod = structuredClone(renderStaticPod('kube-scheduler', facts));
    change(pod);
    const fields = verifyStaticPod('kube-scheduler', pod, facts).filter(({ code }) => code.endsWith('_FIELD'));
    expect(fields).toMatchObject([{ severity: 'error', artifact: 'kube-scheduler.yaml' }]);
    expect(fields[0]?.message).toContain(`: ${path} must `);
  });

  it.each(controlPlaneComponents)('finds no fault in the fields of %s as rendered', (component) => {
    const pod = renderStaticPod(component, facts);
    expect([judgePodFields(pod), podContradictions(pod)]).toEqual([{ problems: [], unknown: [] }, []]);
  });

  it('tells of a field that there is not', () => {
    const pod = {
      ...renderStaticPod('etcd', facts),
      spec: { ...renderStaticPod('etcd', facts).spec, hostNetwrk: true },
    };
    expect(verifyStaticPod('etcd', pod, facts)).toMatchObject([
      {
        code: 'CONTROLPLANE_MANIFEST_FIELD_UNKNOWN',
        severity: 'warning',
        message: expect.stringContaining('spec.hostNetwrk'),
      },
    ]);
  });

  it('does not hold a field against the pod that the configuration asks for', () => {
    const asked = { ...facts, certificatesDir: '/etc/x/../pki' };
    const found = verifyStaticPod('etcd', renderStaticPod('etcd', asked), asked).map(({ code, severity }) => [
      code,
      severity,
    ]);
    expect(found).toContainEqual(['CONTROLPLANE_MANIFEST_FIELD', 'warning']);
    expect(found.filter(([, severity]) => severity === 'error')).toEqual([]);
  });

  it.each<[string, ControlPlaneComponent, (pod: Pod) => void, string[]]>([
    ['nothing changed', 'kube-apiserver', () => {}, []],
    [
      'fields that are null',
      'kube-scheduler',
      (pod) => {
        Object.assign(pod.metadata, { annotations: null });
        Object.assign(pod.spec.containers[0] ?? {}, { args: null });
      },
      [],
    ],
    ['other name', 'etcd', (pod) => Object.assign(pod.metadata, { name: 'etcd-0' }), ['error MANIFEST_NAME']],
    ['other namespace', 'etcd', (pod) => Object.assign(pod.metadata, { namespace: 'etcd' }), ['error MANIFEST_NAME']],
    ['own network', 'etcd', (pod) => Object.assign(pod.spec, { hostNetwork: false }), ['error MANIFEST_HOST_NETWORK']],
    [
      'no labels',
      'kube-scheduler',
      (pod) => Object.assign(pod.metadata, { labels: {} }),
      ['warning MANIFEST_LABEL', 'warning MANIFEST_LABEL'],
    ],
    ['no annotation', 'etcd', (pod) => Object.assign(pod.metadata, { annotations: {} }), ['warning MANIFEST_LABEL']],
    [
      'other program',
      'kube-scheduler',
      (pod) => Object.assign(pod.spec.containers[0] ?? {}, { command: ['sleep'] }),
      ['error CONTAINER_MISSING'],
    ],
    [
      'program by path, flags as arguments',
      'kube-scheduler',
      (pod) => {
        const container = pod.spec.containers[0];
        Object.assign(container ?? {}, { command: ['/usr/bin/kube-scheduler'], args: container?.command?.slice(1) });
      },
      [],
    ],
    [
      'flags in two words',
      'kube-apiserver',
      (pod) => {
        const container = pod.spec.containers[0];
        Object.assign(container ?? {}, {
          command: container?.command?.flatMap((word) => word.split(/=(.*)/s).slice(0, 2)),
        });
      },
      [],
    ],
    [
      'a sidecar first',
      'kube-scheduler',
      (pod) => pod.spec.containers.unshift({ name: 'log', image: 'log' }),
      ['warning CONTAINER_FOREIGN'],
    ],
    ['no client CA', 'kube-apiserver', setFlag('client-ca-file', undefined), ['error FLAG_MISSING client-ca-file']],
    ['no store', 'kube-apiserver', setFlag('etcd-servers', ''), ['error FLAG_MISSING etcd-servers']],
    [
      'no signing key',
      'kube-apiserver',
      setFlag('service-account-signing-key-file', undefined),
      ['error FLAG_MISSING service-account-signing-key-file'],
    ],
    ['other port', 'kube-apiserver', setFlag('secure-port', '443'), ['error FLAG_VALUE secure-port']],
    ['default port', 'kube-apiserver', setFlag('secure-port', undefined), []],
    [
      'other service range',
      'kube-apiserver',
      setFlag('service-cluster-ip-range', '10.0.0.0/16'),
      ['error FLAG_VALUE service-cluster-ip-range'],
    ],
    ['no RBAC', 'kube-apiserver', setFlag('authorization-mode', 'Node'), ['error FLAG_VALUE authorization-mode']],
    [
      'everything is allowed besides',
      'kube-apiserver',
      setFlag('authorization-mode', 'Node,RBAC,AlwaysAllow'),
      ['warning AUTHORIZATION_OPEN authorization-mode', 'error PROBE_REFUSED authorization-mode'],
    ],
    [
      'everything is allowed, and no probe asks',
      'kube-apiserver',
      all(setFlag('authorization-mode', 'Node,RBAC,AlwaysAllow'), (pod) => {
        Object.assign(pod.spec.containers[0] ?? {}, { startupProbe: undefined, livenessProbe: undefined });
      }),
      ['warning AUTHORIZATION_OPEN authorization-mode'],
    ],
    [
      'no anonymous requests',
      'kube-apiserver',
      setFlag('anonymous-auth', 'false'),
      ['error PROBE_REFUSED anonymous-auth'],
    ],
    [
      'no anonymous requests, and probes with a token',
      'kube-apiserver',
      all(setFlag('anonymous-auth', 'false'), (pod) => {
        for (const probe of ['startupProbe', 'livenessProbe'] as const) {
          const httpHeaders = [{ name: 'Authorization', value: 'Bearer x' }];
          Object.assign(pod.spec.containers[0]?.[probe]?.httpGet ?? {}, { httpHeaders });
        }
      }),
      [],
    ],
    [
      'modes in a file',
      'kube-apiserver',
      all(setFlag('authorization-mode', undefined), setFlag('authorization-config', '/etc/kubernetes/pki/authz.yaml')),
      ['warning AUTHORIZATION_UNJUDGED authorization-config'],
    ],
    [
      'modes in a file too',
      'kube-apiserver',
      setFlag('authorization-config', '/etc/kubernetes/pki/authz.yaml'),
      ['error FLAG_CONFLICT authorization-mode', 'warning AUTHORIZATION_UNJUDGED authorization-config'],
    ],
    [
      'NodeRestriction off',
      'kube-apiserver',
      setFlag('disable-admission-plugins', 'A,NodeRestriction'),
      ['error FLAG_CONFLICT disable-admission-plugins'],
    ],
    ['a flag of old', 'kube-apiserver', setFlag('insecure-port', '0'), ['error FLAG_UNKNOWN insecure-port']],
    ['a port of old', 'kube-controller-manager', setFlag('port', '0'), ['error FLAG_UNKNOWN port']],
    ['an address of old', 'kube-scheduler', setFlag('address', '127.0.0.1'), ['error FLAG_UNKNOWN address']],
    [
      'another key for tokens',
      'kube-apiserver',
      all(
        setFlag('service-account-signing-key-file', '/etc/kubernetes/pki/my.key'),
        setFlag('service-account-key-file', '/etc/kubernetes/pki/my.pub'),
      ),
      ['warning FILE_OTHER service-account-signing-key-file', 'warning FILE_OTHER service-account-key-file'],
    ],
    [
      'a further key for tokens',
      'kube-apiserver',
      (pod) => pod.spec.containers[0]?.command?.push('--service-account-key-file=/etc/kubernetes/pki/old.pub'),
      [],
    ],
    [
      'processes of the host',
      'etcd',
      (pod) => Object.assign(pod.spec, { hostPID: true }),
      ['warning MANIFEST_PRIVILEGE'],
    ],
    ['memory of the host', 'etcd', (pod) => Object.assign(pod.spec, { hostIPC: true }), ['warning MANIFEST_PRIVILEGE']],
    [
      'privileged',
      'kube-scheduler',
      (pod) => Object.assign(pod.spec.containers[0] ?? {}, { securityContext: { privileged: true } }),
      ['warning MANIFEST_PRIVILEGE'],
    ],
    [
      'capabilities',
      'kube-scheduler',
      (pod) =>
        Object.assign(pod.spec.containers[0] ?? {}, { securityContext: { capabilities: { add: ['SYS_ADMIN'] } } }),
      ['warning MANIFEST_PRIVILEGE'],
    ],
    [
      'an init container that is privileged',
      'kube-apiserver',
      (pod) =>
        Object.assign(pod.spec, {
          initContainers: [{ name: 'first', image: 'first', securityContext: { privileged: true } }],
        }),
      ['warning CONTAINER_FOREIGN', 'warning MANIFEST_PRIVILEGE'],
    ],
    ['more modes', 'kube-apiserver', setFlag('authorization-mode', 'Node,RBAC,Webhook'), []],
    [
      'always allow by default',
      'kube-apiserver',
      setFlag('authorization-mode', undefined),
      ['error FLAG_MISSING authorization-mode'],
    ],
    [
      'no privileged pods',
      'kube-apiserver',
      setFlag('allow-privileged', undefined),
      ['error FLAG_VALUE allow-privileged'],
    ],
    [
      'no node restriction',
      'kube-apiserver',
      setFlag('enable-admission-plugins', 'A,B'),
      ['warning FLAG_VALUE enable-admission-plugins'],
    ],
    [
      'file outside of the mounts',
      'kube-apiserver',
      setFlag('client-ca-file', '/opt/ca.crt'),
      ['error FILE_NOT_MOUNTED client-ca-file'],
    ],
    [
      'another file inside of them',
      'kube-apiserver',
      setFlag('client-ca-file', '/etc/kubernetes/pki/my.crt'),
      ['warning FILE_OTHER client-ca-file'],
    ],
    [
      'certificates from another folder of the host',
      'kube-apiserver',
      setVolume('k8s-certs', { hostPath: { path: '/nonexist' } }),
      certificateFlags.map((flag) => `error FILE_ELSEWHERE ${flag}`),
    ],
    [
      'certificates from no folder of the host',
      'kube-apiserver',
      setVolume('k8s-certs', { hostPath: {} }),
      ['error MANIFEST_FIELD', ...certificateFlags.map((flag) => `error FILE_NOT_MOUNTED ${flag}`)],
    ],
    [
      "one's own folder over those of etcd",
      'kube-apiserver',
      addVolume({ hostPath: { path: '/opt' } }, { mountPath: '/etc/kubernetes/pki/etcd/' }),
      ['error FILE_ELSEWHERE etcd-cafile'],
    ],
    [
      'an empty folder over those of etcd',
      'kube-apiserver',
      addVolume({ emptyDir: {} }, { mountPath: '/etc/kubernetes/pki/etcd' }),
      ['error FILE_NOT_MOUNTED etcd-cafile'],
    ],
    [
      'a file of ours from another folder, under another path',
      'kube-apiserver',
      all(
        addVolume({ hostPath: { path: '/nonexist' } }, { mountPath: '/certs' }),
        setFlag('client-ca-file', '/certs/ca.crt'),
      ),
      ['error FILE_ELSEWHERE client-ca-file'],
    ],
    [
      'a file of ours, under another path',
      'kube-apiserver',
      all(
        addVolume({ hostPath: { path: '/etc/kubernetes/pki/' } }, { mountPath: '/certs' }),
        setFlag('client-ca-file', '/certs/ca.crt'),
      ),
      [],
    ],
    [
      'a file of ours, by a path below the volume',
      'kube-apiserver',
      all(
        addVolume({ hostPath: { path: '/etc/kubernetes' } }, { mountPath: '/certs', subPath: 'pki' }),
        setFlag('client-ca-file', '/certs/ca.crt'),
      ),
      [],
    ],
    [
      "a file of one's own from elsewhere",
      'kube-apiserver',
      all(
        addVolume({ hostPath: { path: '/opt' } }, { mountPath: '/own' }),
        setFlag('client-ca-file', '/own/clients.crt'),
      ),
      ['warning FILE_OTHER client-ca-file'],
    ],
    [
      'a kubeconfig from elsewhere',
      'kube-scheduler',
      setVolume('kubeconfig', { hostPath: { path: '/nonexist.conf' } }),
      ['authentication-kubeconfig', 'authorization-kubeconfig', 'kubeconfig'].map(
        (flag) => `error FILE_ELSEWHERE ${flag}`,
      ),
    ],
    [
      'data elsewhere',
      'etcd',
      setVolume('etcd-data', { hostPath: { path: '/tmp/data' } }),
      ['error FILE_ELSEWHERE data-dir'],
    ],
    [
      'other version',
      'kube-apiserver',
      (pod) => Object.assign(pod.spec.containers[0] ?? {}, { image: 'r:5000/a:v1.30.0' }),
      ['warning IMAGE_VERSION'],
    ],
    [
      'image by digest',
      'kube-apiserver',
      (pod) => Object.assign(pod.spec.containers[0] ?? {}, { image: `r:5000/a@sha256:${'0'.repeat(64)}` }),
      [],
    ],
    [
      'no signer',
      'kube-controller-manager',
      setFlag('cluster-signing-key-file', ''),
      ['error FLAG_MISSING cluster-signing-key-file'],
    ],
    ['no token signer', 'kube-controller-manager', setFlag('controllers', '*'), ['error FLAG_VALUE controllers']],
    [
      'no pod range',
      'kube-controller-manager',
      setFlag('cluster-cidr', undefined),
      ['error FLAG_MISSING cluster-cidr'],
    ],
    [
      'no pod ranges for nodes',
      'kube-controller-manager',
      setFlag('allocate-node-cidrs', 'false'),
      ['error FLAG_VALUE allocate-node-cidrs'],
    ],
    [
      'no loopback listener',
      'etcd',
      setFlag('listen-client-urls', 'https://192.0.2.10:2379'),
      ['error FLAG_VALUE listen-client-urls'],
    ],
    [
      'other peer URL',
      'etcd',
      setFlag('initial-advertise-peer-urls', 'https://192.0.2.99:2380'),
      ['error FLAG_VALUE initial-advertise-peer-urls', 'error FLAG_CONFLICT initial-cluster'],
    ],
    ['open to all', 'etcd', setFlag('client-cert-auth', undefined), ['error FLAG_MISSING client-cert-auth']],
    [
      'another member in the initial cluster',
      'etcd',
      setFlag('initial-cluster', 'other=https://192.0.2.10:2380'),
      ['error FLAG_CONFLICT initial-cluster'],
    ],
    [
      'its member at another URL in the initial cluster',
      'etcd',
      setFlag('initial-cluster', `${facts.nodeName}=https://192.0.2.99:2380`),
      ['error FLAG_CONFLICT initial-cluster'],
    ],
    ['no initial cluster', 'etcd', setFlag('initial-cluster', undefined), []],
    [
      'further members in the initial cluster',
      'etcd',
      setFlag('initial-cluster', `b=https://192.0.2.99:2380,${facts.nodeName}=https://${facts.advertiseAddress}:2380`),
      [],
    ],
    [
      'an etcd at another port',
      'kube-apiserver',
      setFlag('etcd-servers', 'https://127.0.0.1:2400'),
      ['error FLAG_CONFLICT etcd-servers'],
    ],
    [
      'an etcd without TLS',
      'kube-apiserver',
      setFlag('etcd-servers', `https://b.example.com:2379,http://${facts.advertiseAddress}:2379`),
      ['error FLAG_CONFLICT etcd-servers'],
    ],
    ['an etcd that is no URL', 'kube-apiserver', setFlag('etcd-servers', 'etcd'), ['error FLAG_CONFLICT etcd-servers']],
    ['the local etcd by name', 'kube-apiserver', setFlag('etcd-servers', 'https://localhost:2379'), []],
    [
      'the local etcd and others',
      'kube-apiserver',
      setFlag('etcd-servers', `https://${facts.advertiseAddress}:2379,https://b.example.com:2379`),
      [],
    ],
    [
      'another advertise address',
      'kube-apiserver',
      setFlag('advertise-address', '192.0.2.99'),
      ['warning FLAG_VALUE advertise-address'],
    ],
    ['other data', 'etcd', setFlag('data-dir', '/var/lib/etcd/x'), ['warning FLAG_VALUE data-dir']],
  ])('judges a foreign manifest: %s', (_, component, change, expected) => {
    expect(foreign(component, change)).toEqual(expected);
  });

  it.each([
    ['the same', '/other/pki', 'warning'],
    ['yet another', '/nonexist', 'error'],
  ])('warns of a folder in place of ours that extraVolumes ask for: %s', (_, path, severity) => {
    const k8sCerts = { name: 'k8s-certs', mountPath: '/etc/kubernetes/pki' };
    const asked = { ...facts, apiServer: { extraVolumes: [{ ...k8sCerts, hostPath: '/other/pki' }] } };
    const pod = structuredClone(renderStaticPod('kube-apiserver', asked));
    setVolume('k8s-certs', { hostPath: { path } })(pod);
    const findings = verifyStaticPod('kube-apiserver', pod, asked);
    expect(findings).toHaveLength(certificateFlags.length);
    expect(new Set(findings.map((finding) => finding.severity))).toEqual(new Set([severity]));
  });

  it('tells of extraArgs by which the API server refuses its own probes, and holds nothing else of them against a pod', () => {
    const extraArgs = [
      { name: 'anonymous-auth', value: 'false' },
      { name: 'client-ca-file', value: '/etc/kubernetes/pki/my.crt' },
    ];
    const asked = { ...facts, apiServer: { extraArgs } };
    const findings = verifyStaticPod('kube-apiserver', renderStaticPod('kube-apiserver', asked), asked);
    expect(findings.map(({ code, severity }) => `${severity} ${code}`)).toEqual(['warning CONTROLPLANE_PROBE_REFUSED']);
  });

  it('does not ask an external CA cluster for signing files', () => {
    const external = { ...facts, hasCAKey: false };
    const pod = renderStaticPod('kube-controller-manager', external);
    expect(pod.spec.containers[0]?.command).toContain('--cluster-signing-cert-file=');
    expect(pod.spec.containers[0]?.command).toContain('--cluster-signing-key-file=');
    expect(verifyStaticPod('kube-controller-manager', pod, external)).toEqual([]);
  });

  it('does not ask for client files of an external etcd', () => {
    const external = { ...facts, etcd: { external: { endpoints: ['http://e:2379'] } } };
    const pod = renderStaticPod('kube-apiserver', external);
    expect(verifyStaticPod('kube-apiserver', pod, external)).toEqual([]);
  });

  it('says what is wrong, why and what is there', () => {
    const [finding] = verifyStaticPod(
      'kube-apiserver',
      { ...renderStaticPod('kube-apiserver', { ...facts, bindPort: 443 }) },
      facts,
    );
    expect(finding?.message).toBe(
      'Cannot rely on the static pod of kube-apiserver as --secure-port must be 6443 because every kubeconfig file of this node names that port: 443',
    );
  });
});
