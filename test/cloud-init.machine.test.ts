import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  collected,
  ensureComponents,
  findMachine,
  hostKubeletSettings,
  kubeadmConfiguration,
  kubectlOutput,
  type Machine,
  succeeding,
  waitUntilReady,
} from '@groundplane/testbed';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { bootWithUserData, type CloudInitStatus, createCloudMachine } from './cloud-machine.ts';
import { type ClusterApiCluster, clusterApiCluster, portraitOf } from './cluster-api-cluster.ts';

interface UserData {
  readonly write_files: readonly {
    readonly path: string;
    readonly content: string;
    readonly owner: string;
    readonly permissions: string;
  }[];
  readonly runcmd: readonly (string | readonly string[])[];
}

/** What preflight checks must be told on this host. */
const { ignorePreflightErrors } = hostKubeletSettings();

const machines: Machine[] = [];
const onMachine = (machine: Machine) => void machines.push(machine);

async function deleteMachines(): Promise<void> {
  for (const machine of machines.splice(0)) await machine.delete();
}

/** Paths at which the machine has anything else than the user data says, for `path owner mode` and for contents. */
async function differingFiles(machine: Machine, userData: UserData): Promise<readonly string[]> {
  const paths = userData.write_files.map(({ path }) => path);
  const stats = (await collected(machine, ['stat', '--format=%n %U:%G 0%a', ...paths])).trim().split('\n');
  const differing = userData.write_files.map(async ({ path, owner, permissions, content }, index) => {
    const isSame = stats[index] === `${path} ${owner} ${permissions}` && (await machine.readFile(path)) === content;
    return isSame ? [] : [path];
  });
  return (await Promise.all(differing)).flat();
}

/** Names of the checks that were warned of while the machine was made a node. */
async function warnedChecks(machine: Machine): Promise<readonly string[]> {
  const log = await collected(machine, ['cat', '/var/log/cloud-init-output.log']);
  return [...log.matchAll(/\[WARNING ([^\]]*)\]/g)].map(([, check = '']) => check);
}

/** cloud-init's own opinion of the user data. */
async function checkSchema(machine: Machine, userData: string): Promise<string> {
  await machine.writeFile('/root/user-data', userData, 0o600);
  const { stdout } = await succeeding(machine, ['cloud-init', 'schema', '--config-file=/root/user-data']);
  return stdout.trim();
}

describe('user data of the example', () => {
  let first: UserData;
  let statuses: readonly CloudInitStatus[];
  let token: string;

  beforeAll(async () => {
    const one = await createCloudMachine('cloud-1');
    onMachine(one);
    const other = await createCloudMachine('cloud-2');
    onMachine(other);
    const folder = mkdtempSync(join(tmpdir(), 'groundplane-cloud-init-'));
    try {
      const config = join(folder, 'cluster.yaml');
      const nodes = ['InitConfiguration', 'JoinConfiguration'].map((kind) =>
        JSON.stringify({
          apiVersion: 'kubeadm.k8s.io/v1beta4',
          kind,
          nodeRegistration: { ignorePreflightErrors },
        }),
      );
      writeFileSync(config, [kubeadmConfiguration(), ...nodes].join('\n---\n'));
      const program = join(import.meta.dirname, '../examples/cloud-init/src/main.ts');
      const node = [`--name=${one.name}`, `--address=${one.address}`];
      execFileSync(process.execPath, [program, `--config=${config}`, ...node, `--output=${folder}`]);
      const texts = ['control-plane', 'worker'].map((name) => readFileSync(join(folder, `${name}.yaml`), 'utf8'));
      const [initText = '', joinText = ''] = texts;
      first = parse(initText) as UserData;
      token = /token: (\S+)/.exec(joinText)?.[1] ?? '';
      expect(await checkSchema(one, initText)).toBe('Valid schema /root/user-data');
      expect(await checkSchema(one, joinText)).toBe('Valid schema /root/user-data');
      // Both at once: the worker waits for the API server.
      statuses = await Promise.all([bootWithUserData(one, initText), bootWithUserData(other, joinText)]);
      await waitUntilReady(one, [other]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
  afterAll(deleteMachines);

  it('is carried out without a warning, but for those about this host', async () => {
    expect(statuses.map(({ errors, recoverable_errors }) => ({ errors, recoverable_errors }))).toEqual([
      { errors: [], recoverable_errors: {} },
      { errors: [], recoverable_errors: {} },
    ]);
    for (const machine of machines)
      expect(ignorePreflightErrors).toEqual(expect.arrayContaining([...(await warnedChecks(machine))]));
  });

  it('brings files that init keeps as they are, but for what it turns to the kubelet’s own certificate', async () => {
    expect(first.write_files.length).toBeGreaterThan(30);
    expect(await differingFiles(findMachine('cloud-1'), first)).toEqual(['/etc/kubernetes/kubelet.conf']);
  });

  it('leaves no token in a log', async () => {
    const logs = await collected(findMachine('cloud-1'), ['cat', '/var/log/cloud-init-output.log']);
    expect(logs).toContain('Your Kubernetes control-plane has initialized successfully!');
    expect(token).toMatch(/^[a-z0-9]{6}\.[a-z0-9]{16}$/);
    expect(logs).not.toContain(token.split('.')[1]);
  });
});

describe('user data of Cluster API, with Groundplane as kubeadm', () => {
  let cluster: ClusterApiCluster;
  beforeAll(async () => {
    await ensureComponents({ groups: ['cluster-api'] });
    cluster = await clusterApiCluster({ prefix: 'capi', kubeadm: 'groundplane', onMachine });
  });
  afterAll(deleteMachines);

  it('calls kubeadm as it always does', () => {
    const { controlPlane, worker } = cluster.userData;
    const calls = [controlPlane, worker].map(({ runcmd }) =>
      runcmd.filter((command) => command.startsWith('kubeadm ')),
    );
    expect(calls).toEqual([
      [
        'kubeadm init --config /run/kubeadm/kubeadm.yaml  && echo success > /run/cluster-api/bootstrap-success.complete',
      ],
      [
        'kubeadm join --config /run/kubeadm/kubeadm-join-config.yaml --v 2 && echo success > /run/cluster-api/bootstrap-success.complete',
      ],
    ]);
  });

  it('ends with the sentinel file and with what comes after it', async () => {
    for (const machine of machines) {
      expect(await machine.readFile('/run/after-kubeadm')).toBe('success\n');
      expect(await machine.readFile('/run/before-kubeadm')).toBe(`${machine.name}\n`);
    }
  });

  it('is carried out without a warning, but for those about this host', async () => {
    for (const machine of machines)
      expect(ignorePreflightErrors).toEqual(expect.arrayContaining([...(await warnedChecks(machine))]));
  });

  it('brings authorities that init keeps', async () => {
    const { controlPlane, userData } = cluster;
    const brought = userData.controlPlane.write_files.filter(({ path }) => path.startsWith('/etc/kubernetes/pki/'));
    expect(brought).toHaveLength(8);
    for (const { path, content, permissions } of brought) {
      expect([path, await controlPlane.readFile(path)]).toEqual([path, content]);
      expect((await collected(controlPlane, ['stat', '--format=0%a', path])).trim()).toBe(permissions);
    }
  });

  it('makes nodes as Cluster API expects them', async () => {
    const text = await kubectlOutput(cluster.controlPlane, ['get', 'nodes', '-o', 'json']);
    const { items } = JSON.parse(text) as {
      items: readonly { metadata: { name: string }; spec: { taints: object[] } }[];
    };
    expect(items.map(({ metadata }) => metadata.name).sort()).toEqual(['capi-1', 'capi-2']);
    expect(items.find(({ metadata }) => metadata.name === 'capi-2')?.spec.taints).toContainEqual({
      key: 'node.cluster.x-k8s.io/uninitialized',
      effect: 'NoSchedule',
    });
  });

  it.runIf(process.env.GROUNDPLANE_TEST_FULL === '1')('makes the same nodes as the real kubeadm', async () => {
    const ours = await portraitOf(cluster);
    expect(ours.controlPlane).toContain('==> /etc/kubernetes/manifests/kube-apiserver.yaml <==');
    expect(ours.worker).toContain('==> /var/lib/kubelet/config.yaml <==');
    expect(ours.nodes).toHaveLength(2);
    expect(ours.configuration).toHaveLength(2);
    await deleteMachines();
    const theirs = await clusterApiCluster({ prefix: 'capi', kubeadm: 'kubeadm', onMachine });
    expect(ours).toEqual(await portraitOf(theirs));
  });
});
