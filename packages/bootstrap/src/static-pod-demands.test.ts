import { controlPlaneComponents, flagValues } from '@groundplane/controlplane';
import type { Container, Pod } from '@groundplane/manifest';
import type { Demand } from '@groundplane/phases';
import { beforeAll, describe, expect, test } from 'vitest';
import { initContext } from '../test/init-world.ts';
import type { InitContext } from './init-context.ts';
import { patchedStaticPod, staticPodFindings } from './patched-documents.ts';
import { staticPodDemands } from './static-pod-demands.ts';

let config: InitContext;
beforeAll(async () => {
  config = await initContext({ cluster: 'networking: {podSubnet: 10.244.0.0/16}\n' });
});

function withContainer(pod: Pod, change: (container: Container) => Container): Pod {
  return { ...pod, spec: { ...pod.spec, containers: pod.spec.containers.map(change) } };
}

/** The pod with another value of a flag, or without it. */
function withFlag(pod: Pod, name: string, value?: string): Pod {
  return withContainer(pod, (container) => ({
    ...container,
    command: [
      ...(container.command ?? []).filter((word) => !word.startsWith(`--${name}=`)),
      ...(value === undefined ? [] : [`--${name}=${value}`]),
    ],
  }));
}

/** What is to be otherwise, by code; flags are told by the demand. */
const changes: Readonly<Record<string, (pod: Pod) => unknown>> = {
  CONTROLPLANE_MANIFEST_NOT_A_POD: (pod) => ({ ...pod, kind: 'Deployment' }),
  CONTROLPLANE_MANIFEST_FIELD: (pod) => ({ ...pod, spec: { ...pod.spec, restartPolicy: 'Sometimes' } }),
  CONTROLPLANE_MANIFEST_FIELD_UNKNOWN: (pod) => ({ ...pod, spec: { ...pod.spec, hostNetwrk: true } }),
  CONTROLPLANE_MANIFEST_NAME: (pod) => ({ ...pod, metadata: { ...pod.metadata, name: 'other' } }),
  CONTROLPLANE_MANIFEST_HOST_NETWORK: (pod) => ({ ...pod, spec: { ...pod.spec, hostNetwork: false } }),
  CONTROLPLANE_MANIFEST_LABEL: (pod) => ({ ...pod, metadata: { ...pod.metadata, labels: {}, annotations: {} } }),
  CONTROLPLANE_CONTAINER_MISSING: (pod) => withContainer(pod, (container) => ({ ...container, command: ['sleep'] })),
  CONTROLPLANE_FILE_NOT_MOUNTED: (pod) => ({ ...pod, spec: { ...pod.spec, volumes: [] } }),
  CONTROLPLANE_FILE_ELSEWHERE: (pod) => ({
    ...pod,
    spec: {
      ...pod.spec,
      volumes: pod.spec.volumes?.map(({ name }) => ({ name, hostPath: { path: '/nonexist' } })),
    },
  }),
  CONTROLPLANE_FILE_OTHER: (pod) => {
    // Some containers see single files; this one the whole host.
    const whole = { ...pod.spec, volumes: [...(pod.spec.volumes ?? []), { name: 'host', hostPath: { path: '/' } }] };
    return withContainer({ ...pod, spec: whole }, (container) => ({
      ...container,
      command: container.command?.map((word) => word.replace(/\.(crt|key|conf)$/, '-other.$1')) ?? [],
      volumeMounts: [...(container.volumeMounts ?? []), { name: 'host', mountPath: '/' }],
    }));
  },
  CONTROLPLANE_CONTAINER_FOREIGN: (pod) => ({
    ...pod,
    spec: { ...pod.spec, initContainers: [{ name: 'first', image: 'first' }] },
  }),
  CONTROLPLANE_AUTHORIZATION_OPEN: (pod) => withFlag(pod, 'authorization-mode', 'Node,RBAC,AlwaysAllow'),
  CONTROLPLANE_AUTHORIZATION_UNJUDGED: (pod) => withFlag(pod, 'authorization-config', '/etc/kubernetes/pki/a.yaml'),
  CONTROLPLANE_PROBE_REFUSED: (pod) => withFlag(pod, 'anonymous-auth', 'false'),
  CONTROLPLANE_FLAG_UNKNOWN: (pod) => withFlag(pod, 'port', '0'),
  CONTROLPLANE_IMAGE_VERSION: (pod) =>
    withContainer(pod, (container) => ({ ...container, image: container.image.replace(/:[^:]*$/, ':v0.0.1') })),
};

/** The same, of demands that share a code. */
const changesByText: readonly (readonly [RegExp, (pod: Pod) => unknown])[] = [
  [/hostPID/, (pod) => ({ ...pod, spec: { ...pod.spec, hostPID: true } })],
  [
    /privileged or/,
    (pod) => withContainer(pod, (container) => Object.assign({}, container, { securityContext: { privileged: true } })),
  ],
  [/authorization-config and not both/, (pod) => withFlag(pod, 'authorization-config', '/etc/kubernetes/pki/a.yaml')],
  [/--initial-cluster, if/, (pod) => withFlag(pod, 'initial-cluster', 'other=https://192.0.2.1:2380')],
  [/--etcd-servers that are/, (pod) => withFlag(pod, 'etcd-servers', 'https://127.0.0.1:2400')],
  [/disable-admission-plugins/, (pod) => withFlag(pod, 'disable-admission-plugins', 'NodeRestriction')],
];

function violated({ code = '', flag, text }: Demand, pod: Pod): unknown {
  const byText = changesByText.find(([pattern]) => pattern.test(text))?.[1];
  if (byText !== undefined && flag === undefined) return byText(pod);
  if (flag === undefined) return changes[code]?.(pod);
  const isMissing = flag.value === undefined && flag.holds === undefined;
  return withFlag(pod, flag.name, isMissing ? undefined : 'something-else');
}

describe.each(controlPlaneComponents)('%s', (component) => {
  const findings = (pod: unknown) => staticPodFindings(component, pod as Pod, { context: config, hasCAKey: true });
  const coded = () => staticPodDemands(component, config).filter(({ code }) => code !== undefined);

  test('the document that is told has no finding, and the values that are told', () => {
    const [made] = staticPodDemands(component, config);
    expect(made?.document).toEqual(JSON.parse(JSON.stringify(patchedStaticPod(component, config, true))));
    expect(findings(made?.document)).toEqual([]);
    const values = flagValues(patchedStaticPod(component, config, true).spec.containers[0] as Container);
    for (const { flag } of coded()) {
      if (flag?.value !== undefined) expect(values.get(flag.name), flag.name).toContain(flag.value);
    }
  });

  test('each demand, missed alone, is what verify says', () => {
    const pod = patchedStaticPod(component, config, true);
    for (const demand of coded()) {
      const changed = violated(demand, pod);
      expect(changed, `nothing misses '${demand.text}'`).toBeDefined();
      const found = findings(changed).filter(
        ({ message }) => demand.flag === undefined || message.includes(`--${demand.flag.name}`),
      );
      const said = found.map(({ code, severity }) => `${code} ${severity}`);
      expect(said, demand.text).toContain(`${demand.code} ${demand.severity}`);
    }
  });

  test('there is a demand for every flag that is looked at', () => {
    const pod = patchedStaticPod(component, config, true);
    const bare = withContainer(pod, (container) => ({ ...container, command: [component] }));
    const flags = findings(bare).flatMap(({ message }) => /--([a-z-]+)/.exec(message)?.[1] ?? []);
    const told = coded().flatMap(({ flag }) => flag?.name ?? []);
    expect(flags.length).toBeGreaterThan(0);
    expect(flags.filter((flag) => !told.includes(flag))).toEqual([]);
  });
});

test('what extraArgs ask for is told in place of what is demanded otherwise', async () => {
  const other = await initContext({ cluster: 'apiServer: {extraArgs: [{name: secure-port, value: "7443"}]}\n' });
  const port = staticPodDemands('kube-apiserver', other).find(({ flag }) => flag?.name === 'secure-port');
  expect(port?.flag).toEqual({ name: 'secure-port', value: '7443' });
  expect(port?.text).toContain('extraArgs');
});
