import { type Container, type FieldProblem, type Pod, quantityAtMost, type Volume } from '@groundplane/manifest';

type Loose = Readonly<Record<string, unknown>>;
type Place = readonly [path: string, container: Container & Loose];

const handlers = ['exec', 'httpGet', 'tcpSocket', 'grpc'];
/** Kinds of volumes that need objects of the API, which no static pod gets. */
const volumesOfObjects = [
  ...['configMap', 'secret', 'csi', 'glusterfs', 'persistentVolumeClaim', 'ephemeral', 'azureFile'],
];
const ownObjects = ['secret', 'configMap', 'serviceAccountToken', 'clusterTrustBundle', 'podCertificate'];

/** What the fields of a pod have to be to each other for a kubelet to take it (k8s.io/kubernetes, pkg/apis/core/validation; pkg/api/pod, HasAPIObjectReference). */
const contradictions: readonly ((pod: Pod) => readonly FieldProblem[])[] = [
  ({ spec }) => (spec.containers.length === 0 ? [{ path: 'spec.containers', must: 'have a container' }] : []),
  (pod) =>
    placesOf(pod).flatMap(([path, { name, image }]) => [
      ...needed(`${path}.name`, name),
      ...needed(`${path}.image`, image),
    ]),
  (pod) => twice(placesOf(pod).map(([path, { name }]) => [`${path}.name`, name])),
  ({ spec: { volumes = [] } }) => [
    ...volumes.flatMap(({ name }, index) => needed(`spec.volumes[${index}].name`, name)),
    ...twice(volumes.map(({ name }, index) => [`spec.volumes[${index}].name`, name])),
  ],
  ({ spec: { volumes = [] } }) => volumes.flatMap((volume, index) => sourceProblems(volume, `spec.volumes[${index}]`)),
  (pod) => placesOf(pod).flatMap((place) => mountProblems(place, pod.spec.volumes ?? [])),
  (pod) => placesOf(pod).flatMap(probeProblems),
  (pod) => placesOf(pod).flatMap((place) => portProblems(place, pod.spec.hostNetwork === true)),
  (pod) => placesOf(pod).flatMap(resourceProblems),
  (pod) => placesOf(pod).flatMap(([path, container]) => environmentProblems(path, container)),
  ({ spec }) => {
    const { serviceAccountName, resourceClaims } = spec as unknown as Loose;
    return [
      ...(set(serviceAccountName) ? [objectOf('spec.serviceAccountName', serviceAccountName)] : []),
      ...(Array.isArray(resourceClaims) && resourceClaims.length > 0 ? [objectOf('spec.resourceClaims')] : []),
    ];
  },
];

/** @param pod with fields of the right types */
export function podContradictions(pod: Pod): readonly FieldProblem[] {
  return contradictions.flatMap((find) => find(pod));
}

function placesOf({ spec: { containers, initContainers = [] } }: Pod): readonly Place[] {
  return [
    ...containers.map((one, index): Place => [`spec.containers[${index}]`, one as Place[1]]),
    ...initContainers.map((one, index): Place => [`spec.initContainers[${index}]`, one as Place[1]]),
  ];
}

function set(value: unknown): boolean {
  return value !== undefined && value !== '';
}

function needed(path: string, value: unknown): readonly FieldProblem[] {
  return set(value) ? [] : [{ path, must: 'be there and not empty' }];
}

function objectOf(path: string, value?: unknown): FieldProblem {
  const must = 'not be there: a static pod gets no objects of the API';
  return value === undefined ? { path, must } : { path, must, value };
}

function twice(names: readonly (readonly [path: string, name: unknown])[]): readonly FieldProblem[] {
  return names
    .filter(([, name], index) => set(name) && names.findIndex(([, other]) => other === name) < index)
    .map(([path, value]) => ({ path, must: 'not be there twice', value }));
}

function sourceProblems(volume: Volume, path: string): readonly FieldProblem[] {
  const { name: _, ...sources } = volume as Volume & Loose;
  const kinds = Object.keys(sources).filter((kind) => sources[kind] !== undefined);
  if (kinds.length > 1) return [{ path, must: 'be of one kind', value: kinds.join(', ') }];
  const { hostPath, projected } = sources as { hostPath?: Loose; projected?: Loose };
  const parts = (projected?.sources ?? []) as readonly Loose[];
  return [
    ...kinds.filter((kind) => volumesOfObjects.includes(kind)).map((kind) => objectOf(`${path}.${kind}`)),
    ...parts.flatMap((part, index) =>
      ownObjects.filter((kind) => kind in part).map((kind) => objectOf(`${path}.projected.sources[${index}].${kind}`)),
    ),
    ...(hostPath === undefined ? [] : needed(`${path}.hostPath.path`, hostPath.path)),
  ];
}

function mountProblems([path, { volumeMounts = [] }]: Place, volumes: readonly Volume[]): readonly FieldProblem[] {
  const at = (index: number) => `${path}.volumeMounts[${index}]`;
  return [
    ...volumeMounts.flatMap(({ name, mountPath }, index) => [
      ...(volumes.some((volume) => volume.name === name)
        ? []
        : [{ path: `${at(index)}.name`, must: 'be the name of a volume of the pod', value: name }]),
      ...needed(`${at(index)}.mountPath`, mountPath),
    ]),
    ...twice(volumeMounts.map(({ mountPath }, index) => [`${at(index)}.mountPath`, mountPath])),
  ];
}

function probeProblems([path, container]: Place): readonly FieldProblem[] {
  return ['livenessProbe', 'readinessProbe', 'startupProbe'].flatMap((name) => {
    const probe = container[name] as Loose | undefined;
    if (probe === undefined) return [];
    const given = handlers.filter((handler) => probe[handler] !== undefined);
    const {
      httpGet,
      tcpSocket,
      grpc,
      successThreshold = 0,
    } = probe as Record<string, Loose> & { successThreshold?: number };
    const ports = Object.entries({ httpGet, tcpSocket, grpc }).filter(([, action]) => action !== undefined);
    return [
      ...(given.length === 1
        ? []
        : [{ path: `${path}.${name}`, must: `have one of ${handlers.join(', ')}`, value: given.join(', ') || 'none' }]),
      ...ports.flatMap(([kind, action]) => (action?.port ? [] : needed(`${path}.${name}.${kind}.port`, undefined))),
      ...(name !== 'readinessProbe' && successThreshold > 1
        ? [{ path: `${path}.${name}.successThreshold`, must: 'be 1', value: successThreshold }]
        : []),
    ];
  });
}

function portProblems([path, { ports = [] }]: Place, hostNetwork: boolean): readonly FieldProblem[] {
  const given = ports as unknown as readonly (Loose & {
    readonly containerPort?: number;
    readonly hostPort?: number;
  })[];
  const names = given.map(({ name }, index): readonly [string, unknown] => [`${path}.ports[${index}].name`, name]);
  return [
    ...given.flatMap(({ containerPort }, index) =>
      needed(`${path}.ports[${index}].containerPort`, containerPort || undefined),
    ),
    ...twice(names),
    ...given.flatMap(({ containerPort, hostPort = 0 }, index) =>
      hostNetwork && hostPort !== 0 && hostPort !== containerPort
        ? [
            {
              path: `${path}.ports[${index}].hostPort`,
              must: `be its containerPort ${containerPort} on the network of the host`,
              value: hostPort,
            },
          ]
        : [],
    ),
  ];
}

function resourceProblems([path, { resources }]: Place): readonly FieldProblem[] {
  const { requests = {}, limits = {} } = resources ?? {};
  return Object.entries(requests).flatMap(([name, request]) => {
    const limit = limits[name];
    if (limit === undefined || quantityAtMost(String(request), String(limit))) return [];
    return [{ path: `${path}.resources.requests.${name}`, must: `be at most its limit ${limit}`, value: request }];
  });
}

function environmentProblems(path: string, container: Container & Loose): readonly FieldProblem[] {
  const from = (container.envFrom ?? []) as readonly Loose[];
  return [
    ...from.map((_, index) => objectOf(`${path}.envFrom[${index}]`)),
    ...(container.env ?? []).flatMap(({ name, value, valueFrom = {} }, index) => [
      ...needed(`${path}.env[${index}].name`, name),
      ...(set(value) && Object.keys(valueFrom).length > 0
        ? [{ path: `${path}.env[${index}]`, must: 'have a value or a valueFrom, not both', value: name }]
        : []),
      ...['secretKeyRef', 'configMapKeyRef']
        .filter((kind) => kind in valueFrom)
        .map((kind) => objectOf(`${path}.env[${index}].valueFrom.${kind}`)),
    ]),
  ];
}
