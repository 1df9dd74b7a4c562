import { addonFindingCodes } from '@groundplane/addons';
import { staticPodFindingCodes } from '@groundplane/controlplane';
import { kubeconfigFindingCodes } from '@groundplane/kubeconfig';
import {
  imagePullChecks,
  initPreflightChecks,
  joinPreflightChecks,
  kubeletConfigRequirements,
} from '@groundplane/kubelet';
import {
  type AnyPhase,
  type ArtifactUse,
  artifactsOf,
  type ClusterObject,
  type Demand,
  engineFindings,
  formatLocation,
  type JsonValue,
  verifyWorkflow,
  type WorkflowDescription,
} from '@groundplane/phases';
import { pkiFindingCodes } from '@groundplane/pki';
import { beforeAll, describe, expect, test } from 'vitest';
import { run } from '../test/init-run.ts';
import { initContext, initWorld } from '../test/init-world.ts';
import { describeBootstrap, describedInit, describedJoin, describedReset } from './describe-bootstrap.ts';
import { bootstrapErrorCodes, bootstrapFindingCodes } from './error-codes.ts';
import { initWorkflow } from './init-workflow.ts';
import { joinWorkflow } from './join-workflow.ts';
import { kubeletExpectations } from './kubelet-files.ts';
import { kubeletConfigFindings } from './patched-documents.ts';
import { resetWorkflow } from './reset-workflow.ts';

const known = new Set<string>([
  ...[pkiFindingCodes, kubeconfigFindingCodes, staticPodFindingCodes, addonFindingCodes].flatMap((codes) =>
    Object.keys(codes),
  ),
  ...Object.keys(bootstrapFindingCodes),
  ...Object.keys(bootstrapErrorCodes),
  ...Object.values(engineFindings),
  ...[...initPreflightChecks, ...imagePullChecks, ...joinPreflightChecks].map(({ code }) => code),
  'KUBELET_CONFIG_UNEXPECTED',
]);

const externalEtcd = `apiVersion: kubeadm.k8s.io/v1beta4
kind: ClusterConfiguration
etcd: {external: {endpoints: [https://192.0.2.50:2379], caFile: /e/ca.crt, certFile: /e/c.crt, keyFile: /e/c.key}}
---
apiVersion: kubeadm.k8s.io/v1beta4
kind: InitConfiguration
localAPIEndpoint: {advertiseAddress: 192.0.2.10}
nodeRegistration: {name: node-a}
`;

interface Row {
  readonly name: string;
  readonly phases: readonly AnyPhase<never>[];
  readonly describe: () => Promise<WorkflowDescription>;
  /** Phase → the artifacts of its declaration with what it demands itself. */
  readonly own: () => Promise<readonly (readonly [string, Readonly<Record<string, readonly Demand[] | undefined>>])[]>;
}

function rowOf<C>(name: string, phases: readonly AnyPhase<C>[], context: () => Promise<C>, configText?: string): Row {
  return {
    name,
    phases,
    describe: () => describeBootstrap({ workflow: name.split(' ')[0], configText }),
    async own() {
      const config = await context();
      const asked = phases.filter((phase) => phase.inapplicable(config) === undefined);
      return Promise.all(asked.map(async (phase) => [phase.name, await phase.demands(config)] as const));
    },
  };
}

const rows: readonly Row[] = [
  rowOf('init', initWorkflow.phases, () => describedInit()),
  rowOf(
    'init with external etcd',
    initWorkflow.phases,
    () => describedInit({ configText: externalEtcd }),
    externalEtcd,
  ),
  rowOf('join', joinWorkflow.phases, () => describedJoin()),
  rowOf('reset', resetWorkflow.phases, () => describedReset()),
];

describe.each(rows)('$name', ({ phases, describe: described, own }) => {
  test('every artifact that is written or amended has a demand of its phase', async () => {
    const without = (await own()).flatMap(([name, demands]) => {
      const phase = phases.find((one) => one.name === name);
      const keys = Object.keys({ ...phase?.writes, ...phase?.amends });
      return keys.filter((key) => (demands[key] ?? []).length === 0).map((key) => `${name}: ${key}`);
    });
    expect(without).toEqual([]);
  });

  test('an effect that writes nothing says what it asks of the world, unless it only tells or waits', async () => {
    const { phases: all } = await described();
    const silent = all.filter(
      ({ kind, inapplicable, writes, amends, removes, conditions }) =>
        kind === 'effect' &&
        inapplicable === undefined &&
        conditions.length === 0 &&
        [...writes, ...amends, ...removes].length === 0,
    );
    expect(
      silent.map(({ phase }) => phase).filter((phase) => !['show-join-command', 'addon/service-rules'].includes(phase)),
    ).toEqual([]);
  });

  test('codes are published ones, and go with a severity', async () => {
    for (const { demands, place } of await everyDemand(described)) {
      for (const { code, severity, text } of demands) {
        expect(code === undefined, `${place}: ${text}`).toBe(severity === undefined);
        if (code !== undefined) expect(known, `${place}: ${text}`).toContain(code);
        expect(text, place).not.toMatch(/\.$|undefined|\[object/);
      }
    }
  });

  test('ids that demands name are artifacts of the workflow', async () => {
    const ids = new Set(phases.flatMap((phase) => artifactsOf(phase).map(({ id }) => id)));
    for (const { demands } of await everyDemand(described)) {
      for (const { certificate, key, kubeconfig } of demands) {
        const named = [certificate?.issuer, key?.matches, kubeconfig?.authority, kubeconfig?.certificate.issuer];
        for (const id of named) if (typeof id === 'string') expect(ids).toContain(id);
      }
    }
  });

  test('no secret is told', async () => {
    const text = JSON.stringify(await described());
    expect(text).not.toMatch(/PRIVATE KEY-----|token-secret":|[a-z0-9]{6}\.[a-z0-9]{16}/);
  });
});

async function everyDemand(
  described: Row['describe'],
): Promise<readonly { place: string; demands: readonly Demand[] }[]> {
  const { phases } = await described();
  return phases.flatMap((phase) => [
    ...uses(phase).map(({ place, demands }) => ({ place: `${phase.phase} ${place}`, demands })),
    { place: phase.phase, demands: phase.conditions },
  ]);
}

function uses({ reads, writes, amends, removes }: WorkflowDescription['phases'][number]): readonly ArtifactUse[] {
  return [...reads, ...writes, ...amends, ...removes];
}

describe('objects of a finished cluster', () => {
  const ports = initWorld();
  let description: WorkflowDescription;
  let config: Awaited<ReturnType<typeof initContext>>;
  beforeAll(async () => {
    config = await initContext();
    const { error } = await run(ports, config);
    expect(error).toBeUndefined();
    const { describeWorkflow } = await import('@groundplane/phases');
    description = await describeWorkflow(initWorkflow, { layout: initWorkflow.layout(config), config });
  });

  const findingsOf = async (phase: string) => {
    const verdicts = await verifyWorkflow({ workflow: initWorkflow, config, ports, selection: { only: [phase] } });
    const verdict = verdicts.find((one) => one.phase === phase);
    return (verdict?.findings ?? []).map(({ code, severity }) => `${code} ${severity}`);
  };

  test('each of them that is told differs if one of its values does, and is what was made', async () => {
    let count = 0;
    for (const { phase, writes } of description.phases) {
      for (const { location, place, demands } of writes) {
        for (const { document, code, severity } of demands) {
          if (location.kind !== 'object' || document === undefined || code === undefined) continue;
          const live = ports.memory.object(location.reference);
          expect(live, place).toMatchObject(document as object);
          const other = changed(live as ClusterObject, document);
          // Of a service account nothing is asked but that it is there.
          if (other === undefined) continue;
          ports.memory.putObject(other);
          expect(await findingsOf(phase), place).toContain(`${code} ${severity}`);
          ports.memory.putObject(live as ClusterObject);
          expect(await findingsOf(phase), place).not.toContain(`${code} ${severity}`);
          count += 1;
        }
      }
    }
    expect(count).toBeGreaterThan(25);
  });
});

/** The object with another value at the last leaf of what is demanded. */
function changed(live: ClusterObject, document: JsonValue): ClusterObject | undefined {
  const path: string[] = [];
  const identity = ['apiVersion', 'kind', 'metadata'];
  let node: unknown = Object.fromEntries(
    Object.entries(document as object).filter(([field]) => !identity.includes(field)),
  );
  if (Object.keys(node as object).length === 0) return undefined;
  while (typeof node === 'object' && node !== null && Object.keys(node).length > 0) {
    const field = Object.keys(node).at(-1) as string;
    path.push(field);
    node = (node as Readonly<Record<string, unknown>>)[field];
  }
  const copy = structuredClone(live) as unknown as Record<string, unknown>;
  let at: Record<string, unknown> = copy;
  for (const field of path.slice(0, -1)) at = at[field] as Record<string, unknown>;
  at[path.at(-1) as string] =
    typeof node === 'number' ? node + 1 : typeof node === 'boolean' ? !node : 'something else';
  return copy as unknown as ClusterObject;
}

test('each field of the configuration of the kubelet that is demanded is looked at', async () => {
  const config = await describedInit();
  const { phases } = await describeBootstrap();
  const demands =
    phases.find(({ phase }) => phase === 'kubelet-start')?.writes.find(({ id }) => id === 'kubelet/config.yaml')
      ?.demands ?? [];
  const document = demands.find((demand) => demand.document !== undefined)?.document as Readonly<
    Record<string, unknown>
  >;
  const expectations = kubeletExpectations(config);
  const said = (whole: Readonly<Record<string, unknown>>) =>
    kubeletConfigFindings(whole, { context: config, expectations });
  expect(said(document)).toEqual([]);
  const fields = demands.flatMap(({ field, severity }) => (field === undefined ? [] : [{ ...field, severity }]));
  expect(fields.map(({ path }) => path)).toEqual(kubeletConfigRequirements(expectations).map(({ path }) => path));
  for (const { path, severity } of fields) {
    const copy = structuredClone(document) as Record<string, unknown>;
    const names = path.split('.');
    let at = copy;
    for (const name of names.slice(0, -1)) at = at[name] as Record<string, unknown>;
    at[names.at(-1) as string] = 'something else';
    expect(said(copy)).toEqual([
      expect.objectContaining({ code: 'KUBELET_CONFIG_UNEXPECTED', severity, artifact: `config.yaml#${path}` }),
    ]);
  }
});

test('the health of the kubelet is expected where the configuration has it', async () => {
  const cluster = 'apiVersion: kubeadm.k8s.io/v1beta4\nkind: ClusterConfiguration\nkubernetesVersion: v1.37.2\n';
  const kubelet = (text: string) =>
    `${cluster}---\napiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\n${text}`;
  for (const [text, port] of [
    ['healthzPort: 10348\n', 10348],
    ['healthzPort: 0\n', 0],
    ['', 10248],
  ] as const) {
    const { phases } = await describeBootstrap({ configText: kubelet(text) });
    const config = phases.flatMap(({ writes }) => writes).find(({ id }) => id === 'kubelet/config.yaml');
    expect(config?.demands).toContainEqual(expect.objectContaining({ field: { path: 'healthzPort', value: port } }));
  }
});

test('places are those of the configuration', async () => {
  const configText = `${externalEtcd.replace('etcd:', 'certificatesDir: /srv/pki\netcd:')}`;
  const { phases } = await describeBootstrap({ configText });
  const places = phases.flatMap((phase) => phase.writes.map(({ location }) => formatLocation(location)));
  expect(places).toContain('/srv/pki/apiserver.crt');
  expect(places.filter((place) => place.startsWith('/etc/kubernetes/pki'))).toEqual([]);
  expect(phases.find(({ phase }) => phase === 'certs/etcd-ca')).toMatchObject({ inapplicable: 'etcd is external' });
});
