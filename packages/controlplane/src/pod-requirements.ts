import type { Pod } from '@groundplane/manifest';

/** What is asked of a static pod besides its flags and files. All of it is legal for the kubelet, so it is only told. */
export interface PodRequirement {
  readonly code: 'CONTROLPLANE_CONTAINER_FOREIGN' | 'CONTROLPLANE_MANIFEST_PRIVILEGE';
  /** The requirement as a sentence. */
  readonly demand: string;
  /** What is otherwise, after "as"; `own` is the name of the container that runs the component. */
  readonly problems: (spec: Pod['spec'], own: string) => readonly string[];
}

const sharedNamespaces = ['hostPID', 'hostIPC'];

export const podRequirements: readonly PodRequirement[] = [
  {
    code: 'CONTROLPLANE_CONTAINER_FOREIGN',
    demand:
      'No other container, and no init container, is in it: what runs there is on the network of the host, next to the keys of the cluster, and is not looked at',
    problems: ({ containers, initContainers = [] }, own) => [
      ...containers.filter(({ name }) => name !== own).map(({ name }) => `another container is in it: ${name}`),
      ...initContainers.map(({ name }) => `an init container is in it: ${name}`),
    ],
  },
  {
    code: 'CONTROLPLANE_MANIFEST_PRIVILEGE',
    demand: 'It shares neither processes (hostPID) nor shared memory (hostIPC) of the host',
    problems: (spec) =>
      sharedNamespaces
        .filter((field) => (spec as unknown as Readonly<Record<string, unknown>>)[field] === true)
        .map((field) => `no component needs ${field}: true`),
  },
  {
    code: 'CONTROLPLANE_MANIFEST_PRIVILEGE',
    demand: 'None of its containers is privileged or gets further capabilities',
    problems: ({ containers, initContainers = [] }) =>
      [...containers, ...initContainers].flatMap((container) =>
        privilegesOf(container).map((privilege) => `the container ${container.name} ${privilege}`),
      ),
  },
];

function privilegesOf({ securityContext }: { readonly securityContext?: unknown }): readonly string[] {
  const { privileged, capabilities } = (securityContext ?? {}) as Readonly<Record<string, unknown>>;
  const { add = [] } = (capabilities ?? {}) as { readonly add?: unknown };
  return [
    ...(privileged === true ? ['is privileged, which no component needs'] : []),
    ...(Array.isArray(add) && add.length > 0 ? [`gets capabilities that no component needs, ${add.join(', ')}`] : []),
  ];
}
