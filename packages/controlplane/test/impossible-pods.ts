import type { Container, Pod } from '@groundplane/manifest';

/** A change of a static pod for which no kubelet takes it. */
export interface ImpossiblePod {
  readonly name: string;
  readonly change: (pod: Pod) => void;
  /** The field that is to be named. */
  readonly path: string;
  /** Whether the API server takes such pods: they fail at the kubelet, with the image or for being static. */
  readonly byKubelet?: true;
}

const first = 'spec.containers[0]';

/** Sets a field by its path below an object; lists are given whole. */
function put(at: (pod: Pod) => object | undefined, field: string, value: unknown): (pod: Pod) => void {
  return (pod) => {
    Object.assign(at(pod) ?? {}, { [field]: value });
  };
}

const inSpec = (field: string, value: unknown) => put((pod) => pod.spec, field, value);
const inContainer = (field: string, value: unknown) => put((pod) => pod.spec.containers[0], field, value);
const inProbe = (field: string, value: unknown) => put((pod) => pod.spec.containers[0]?.livenessProbe, field, value);
const inRequest = (field: string, value: unknown) =>
  put((pod) => pod.spec.containers[0]?.livenessProbe?.httpGet, field, value);
const inVolume = (field: string, value: unknown) => put((pod) => pod.spec.volumes?.[0], field, value);
const inHostPath = (field: string, value: unknown) => put((pod) => pod.spec.volumes?.[0]?.hostPath, field, value);
const inMount = (field: string, value: unknown) =>
  put((pod) => pod.spec.containers[0]?.volumeMounts?.[0], field, value);
const ofContainer = (change: (container: Container) => void) => (pod: Pod) => {
  if (pod.spec.containers[0] !== undefined) change(pod.spec.containers[0]);
};

type Row = readonly [name: string, change: (pod: Pod) => void, path: string, byKubelet?: true];

const types: readonly Row[] = [
  [
    'a request of resources in words',
    inContainer('resources', { requests: { cpu: 'lots' } }),
    `${first}.resources.requests.cpu`,
  ],
  ['a threshold in words', inProbe('failureThreshold', 'eight'), `${first}.livenessProbe.failureThreshold`],
  ['half a second', inProbe('periodSeconds', 0.5), `${first}.livenessProbe.periodSeconds`],
  ['a time beyond 32 bits', inProbe('timeoutSeconds', 2 ** 31), `${first}.livenessProbe.timeoutSeconds`],
  ['an image that is a number', inContainer('image', 5), `${first}.image`],
  ['a command that is no list', inContainer('command', 'etcd'), `${first}.command`],
  ['words that are numbers', inContainer('command', ['etcd', 2379]), `${first}.command[1]`],
  ['the network of the host in quotes', inSpec('hostNetwork', 'true'), 'spec.hostNetwork'],
  ['a priority in words', inSpec('priority', 'high'), 'spec.priority'],
  ['volumes that are a mapping', inSpec('volumes', {}), 'spec.volumes'],
  ['a label that is a number', put((pod) => pod.metadata, 'labels', { tier: 1 }), 'metadata.labels.tier'],
  ['an annotation that is a boolean', put((pod) => pod.metadata, 'annotations', { x: true }), 'metadata.annotations.x'],
  ['a user that is a name', inSpec('securityContext', { runAsUser: 'root' }), 'spec.securityContext.runAsUser'],
  ['a variable that is a number', inContainer('env', [{ name: 'X', value: 1 }]), `${first}.env[0].value`],
  ['an affinity that is a list', inSpec('affinity', []), 'spec.affinity'],
  ['tolerations of no list', inSpec('tolerations', 'all'), 'spec.tolerations'],
];

const values: readonly Row[] = [
  ['no image', inContainer('image', ''), `${first}.image`],
  ['an image in upper case', inContainer('image', 'registry.k8s.io/ETCD:3.7.0'), `${first}.image`, true],
  ['an image of two tags', inContainer('image', 'etcd:3:7'), `${first}.image`, true],
  ['a pull policy of its own', inContainer('imagePullPolicy', 'Sometimes'), `${first}.imagePullPolicy`],
  ['a restart policy of its own', inSpec('restartPolicy', 'Sometimes'), 'spec.restartPolicy'],
  ['a DNS policy of its own', inSpec('dnsPolicy', 'Host'), 'spec.dnsPolicy'],
  ['a port that there is not', inContainer('ports', [{ containerPort: 99_999 }]), `${first}.ports[0].containerPort`],
  ['no port', inContainer('ports', [{ name: 'x' }]), `${first}.ports[0].containerPort`],
  ['another protocol', inContainer('ports', [{ containerPort: 1, protocol: 'ICMP' }]), `${first}.ports[0].protocol`],
  [
    'a long name of a port',
    inContainer('ports', [{ containerPort: 1, name: 'a-very-long-name' }]),
    `${first}.ports[0].name`,
  ],
  ['a host path of another type', inHostPath('type', 'Banana'), 'spec.volumes[0].hostPath.type'],
  ['a host path that leads upwards', inHostPath('path', '/etc/../root'), 'spec.volumes[0].hostPath.path'],
  ['a probe of a port that there is not', inRequest('port', 70_000), `${first}.livenessProbe.httpGet.port`],
  ['a probe with another scheme', inRequest('scheme', 'FTP'), `${first}.livenessProbe.httpGet.scheme`],
  ['a negative delay', inProbe('initialDelaySeconds', -1), `${first}.livenessProbe.initialDelaySeconds`],
  ['a name of a container with a dot', inContainer('name', 'a.b'), `${first}.name`],
  ['a name of a volume in upper case', inVolume('name', 'Certs'), 'spec.volumes[0].name'],
  ['a mount that leads upwards', inMount('subPath', '../x'), `${first}.volumeMounts[0].subPath`],
  ['another kind of propagation', inMount('mountPropagation', 'Both'), `${first}.volumeMounts[0].mountPropagation`],
  [
    'a toleration of another effect',
    inSpec('tolerations', [{ operator: 'Exists', effect: 'Never' }]),
    'spec.tolerations[0].effect',
  ],
  [
    'another seccomp profile',
    inSpec('securityContext', { seccompProfile: { type: 'None' } }),
    'spec.securityContext.seccompProfile.type',
  ],
  ['a label with a blank', put((pod) => pod.metadata, 'labels', { tier: 'control plane' }), 'metadata.labels'],
];

const contradictions: readonly Row[] = [
  ['no container', inSpec('containers', []), 'spec.containers'],
  ['no name of a container', inContainer('name', ''), `${first}.name`],
  [
    'a container twice',
    ({ spec }) => spec.containers.push(...structuredClone(spec.containers)),
    'spec.containers[1].name',
  ],
  ['a volume twice', ({ spec }) => spec.volumes?.push(...structuredClone(spec.volumes)), 'spec.volumes[1].name'],
  ['a volume of two kinds', inVolume('emptyDir', {}), 'spec.volumes[0]'],
  ['a host path of nothing', inHostPath('path', ''), 'spec.volumes[0].hostPath.path'],
  [
    'a volume of a Secret',
    ({ spec }) => spec.volumes?.push({ name: 's', secret: { secretName: 's' } } as never),
    'spec.volumes[1].secret',
    true,
  ],
  ['a mount of no volume', inMount('name', 'gone'), `${first}.volumeMounts[0].name`],
  ['a mount nowhere', inMount('mountPath', ''), `${first}.volumeMounts[0].mountPath`],
  [
    'two mounts at one place',
    ofContainer(({ volumeMounts }) => volumeMounts?.push(...structuredClone(volumeMounts))),
    `${first}.volumeMounts[1].mountPath`,
  ],
  ['a probe of nothing', inContainer('livenessProbe', { periodSeconds: 5 }), `${first}.livenessProbe`],
  ['a probe of two kinds', inProbe('exec', { command: ['true'] }), `${first}.livenessProbe`],
  ['a liveness probe that succeeds twice', inProbe('successThreshold', 2), `${first}.livenessProbe.successThreshold`],
  ['another port on the host', inContainer('ports', [{ containerPort: 1, hostPort: 2 }]), `${first}.ports[0].hostPort`],
  [
    'more requested than the limit',
    inContainer('resources', { requests: { cpu: '1500m' }, limits: { cpu: '1' } }),
    `${first}.resources.requests.cpu`,
  ],
  ['a variable without a name', inContainer('env', [{ name: '', value: 'x' }]), `${first}.env[0].name`],
  [
    'a variable of a Secret',
    inContainer('env', [{ name: 'X', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } }]),
    `${first}.env[0].valueFrom.secretKeyRef`,
    true,
  ],
  ['variables of a ConfigMap', inContainer('envFrom', [{ configMapRef: { name: 'c' } }]), `${first}.envFrom[0]`, true],
  ['a service account', inSpec('serviceAccountName', 'default'), 'spec.serviceAccountName', true],
];

export const impossiblePods: readonly ImpossiblePod[] = [...types, ...values, ...contradictions].map(
  ([name, change, path, byKubelet]) => ({ name, change, path, ...(byKubelet === undefined ? {} : { byKubelet }) }),
);
