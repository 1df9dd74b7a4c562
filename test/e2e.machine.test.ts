import {
  type BootstrapTool,
  bootstrapCluster,
  type Cluster,
  createMachine,
  initConfigPath,
  type Machine,
  succeeding,
} from '@groundplane/testbed';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ClusterObjects, clusterObjects } from './cluster-objects.ts';
import { documentedDifferences } from './documented-object-differences.ts';
import { runSuite, type SuiteResult } from './e2e-suite.ts';
import { suiteTests } from './e2e-suite-tests.ts';
import { judgeDifferences, objectDifferences } from './object-differences.ts';

/** What is compared of a cluster. */
interface Portrait {
  readonly cluster: Cluster;
  readonly objects: ClusterObjects;
  readonly suite: readonly SuiteResult[];
}

/** Two clusters of one topology, made in the same run: the real kubeadm's, which is gone when ours is made, so that each has the host for itself. */
let theirs: Portrait;
let ours: Portrait;
const machines: Machine[] = [];

beforeAll(async () => {
  theirs = await portrait('kubeadm');
  await deleteMachines();
  ours = await portrait('groundplane');
}, 600_000);
afterAll(deleteMachines, 120_000);

async function portrait(tool: BootstrapTool): Promise<Portrait> {
  const controlPlane = await createMachine({ name: `e2e-${tool}-1` });
  const worker = await createMachine({ name: `e2e-${tool}-2` });
  machines.push(controlPlane, worker);
  const cluster = await bootstrapCluster({ tool, controlPlane, workers: [worker], initArguments: ['--upload-certs'] });
  // The last of what comes up by itself.
  for (const { name } of [controlPlane, worker]) {
    await cluster.kubectl(['wait', '-n', 'kube-node-lease', '--for=create', '--timeout=60s', `lease/${name}`]);
  }
  return { cluster, objects: await clusterObjects(cluster), suite: await runSuite(controlPlane) };
}

async function deleteMachines(): Promise<void> {
  for (const machine of machines.splice(0)) await machine.delete();
}

async function kubeadm(...args: readonly string[]): Promise<string> {
  return (await succeeding(ours.cluster.controlPlane, ['kubeadm', ...args])).stdout;
}

describe('a cluster made by Groundplane beside one made by kubeadm', () => {
  it('has every pod Ready in at most half of the time, from the start of init on', () => {
    const [their, our] = [theirs.cluster.seconds, ours.cluster.seconds];
    const seconds = `kubeadm ${JSON.stringify(their)}, Groundplane ${JSON.stringify(our)}`;
    process.stdout.write(`seconds from the start of init: ${seconds}\n`);
    expect(our.ready, seconds).toBeLessThanOrEqual(their.ready / 2);
  });

  it('has the same objects, field by field, but for documented differences', () => {
    expect(theirs.objects.size).toBeGreaterThan(250);
    const differences = objectDifferences(ours.objects, theirs.objects);
    const { undocumented, unmet } = judgeDifferences(differences, documentedDifferences);
    expect(undocumented).toEqual([]);
    expect(unmet).toEqual([]);
  });

  it('is read by the real kubeadm: token list', async () => {
    const tokens = (await kubeadm('token', 'list')).split('\n').map((line) => line.split(/\s{2,}/));
    const { joinArguments } = ours.cluster;
    const token = joinArguments[joinArguments.indexOf('--token') + 1];
    const row = tokens.find(([name]) => name === token);
    expect(row?.[3]).toBe('authentication,signing');
    expect(row?.at(-1)?.trim()).toBe('system:bootstrappers:kubeadm:default-node-token');
    expect(tokens.filter(([, , , usages]) => usages === '<none>')).toHaveLength(1);
  });

  it('is read by the real kubeadm: upgrade plan', async () => {
    const plan = await kubeadm('upgrade', 'plan', 'v1.37.2');
    expect(plan).toContain('[upgrade/versions] Cluster version: 1.37.2\n');
    expect(plan).toContain('[upgrade/versions] Target version: v1.37.2\n');
  });

  it('is read by the real kubeadm: certs check-expiration', async () => {
    const { stdout, stderr } = await succeeding(ours.cluster.controlPlane, ['kubeadm', 'certs', 'check-expiration']);
    // What it says when it cannot read the cluster and takes its defaults.
    expect(stdout + stderr).not.toMatch(/falling back|Error reading/i);
    expect(stdout).toContain('Reading configuration from the "kubeadm-config" ConfigMap');
    expect(stdout.match(/ {2,}no\s*$/gm)).toHaveLength(11 + 3);
  });

  it('is read by the real kubeadm: init phase upload-config all changes nothing', async () => {
    const versions = () =>
      ours.cluster.kubectl([
        ...['get', 'configmaps,roles.rbac.authorization.k8s.io,rolebindings.rbac.authorization.k8s.io'],
        ...[
          '-n',
          'kube-system',
          '-o',
          'jsonpath={range .items[*]}{.kind}/{.metadata.name} {.metadata.resourceVersion}{"\\n"}{end}',
        ],
      ]);
    const before = await versions();
    expect(before).toMatch(/^ConfigMap\/kubeadm-config \d+$/m);
    expect(before).toMatch(/^ConfigMap\/kubelet-config \d+$/m);
    await kubeadm('init', 'phase', 'upload-config', 'all', '--config', initConfigPath);
    expect(await versions()).toEqual(before);
  });

  it('passes and skips the same tests of the Kubernetes project’s suite for kubeadm', () => {
    expect(theirs.suite).toEqual(suiteTests);
    expect(ours.suite).toEqual(theirs.suite);
  });
});
