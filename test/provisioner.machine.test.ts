/** The provisioner of examples/provisioner on machines that it is given. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  addresses,
  createMachine,
  hostKubeletSettings,
  kubectlOutput,
  type Machine,
  waitUntilReady,
} from '@groundplane/testbed';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  type ApiObject,
  type ClusterSpecification,
  folderStore,
  provision,
} from '../examples/provisioner/src/index.ts';

const example = fileURLToPath(new URL('../examples/provisioner', import.meta.url));
/** The oldest Node.js that the packages run on, and where it goes. */
const oldestNode = fileURLToPath(new URL('../node_modules/oldest-node/bin/node', import.meta.url));
const node = '/usr/local/bin/node';
const container = { name: 'pause', image: 'registry.k8s.io/pause:3.10.2' };
const labels = { app: 'node-agent' };

/** Whatever a provisioner wants on each node: a pod that does nothing. */
const addon: ApiObject = {
  apiVersion: 'apps/v1',
  kind: 'DaemonSet',
  metadata: { name: 'node-agent', namespace: 'kube-system' },
  spec: {
    selector: { matchLabels: labels },
    template: {
      metadata: { labels },
      spec: { containers: [container], tolerations: [{ operator: 'Exists' }] },
    },
  },
};

let scratch: string;
let controlPlane: Machine;
let worker: Machine;
let provisionOnce: () => Promise<readonly string[]>;

beforeAll(async () => {
  scratch = mkdtempSync(join(tmpdir(), 'groundplane-provisioner-'));
  execFileSync('pnpm', ['run', 'bundle'], { cwd: example, stdio: ['ignore', 'pipe', 'pipe'] });
  [controlPlane, worker] = await Promise.all([
    createMachine({ name: 'provisioner-1' }),
    createMachine({ name: 'provisioner-2' }),
  ]);
  const { kubeletConfiguration, ignorePreflightErrors } = hostKubeletSettings();
  const cluster: ClusterSpecification = {
    kubernetesVersion: `v${controlPlane.kubernetesVersion}`,
    podSubnet: addresses.allPods,
    controlPlane: { name: controlPlane.name, address: controlPlane.address },
    workers: [{ name: worker.name, address: worker.address }],
    addons: [addon],
    kubelet: kubeletConfiguration,
    ignorePreflightErrors,
  };
  for (const machine of [controlPlane, worker]) await machine.copyIn(realpathSync(oldestNode), node);
  provisionOnce = async () => {
    const done: string[] = [];
    await provision({
      cluster,
      store: folderStore(join(scratch, 'store')),
      machines: { [controlPlane.name]: controlPlane, [worker.name]: worker },
      nodeup: readFileSync(join(example, 'dist/nodeup.mjs')),
      node,
      report: (task) => void done.push(task),
    });
    return done;
  };
});
afterAll(async () => {
  await Promise.all([controlPlane?.delete(), worker?.delete()]);
  rmSync(scratch, { recursive: true, force: true });
});

const digests = async (machine: Machine) =>
  (
    await machine.exec([
      'sh',
      '-c',
      'find /etc/kubernetes /var/lib/kubelet/config.yaml -type f -exec sha256sum {} + | sort',
    ])
  ).stdout;

it('makes a cluster with its own certificates and its own addon, of which both nodes are Ready', async () => {
  const done = await provisionOnce();
  expect(done.toSorted()).toEqual(
    [
      'certificates',
      'control plane',
      `machine ${controlPlane.name}`,
      `machine ${worker.name}`,
      'plan',
      `worker ${worker.name}`,
    ].toSorted(),
  );
  await waitUntilReady(controlPlane, [worker]);
  await kubectlOutput(controlPlane, [
    'rollout',
    'status',
    '-n',
    'kube-system',
    '--timeout=60s',
    'daemonset/node-agent',
  ]);
  const nodes = JSON.parse(await kubectlOutput(controlPlane, ['get', 'nodes', '-o', 'json']));
  expect(nodes.items.map(({ metadata }: { metadata: { name: string } }) => metadata.name).sort()).toEqual([
    controlPlane.name,
    worker.name,
  ]);
  const issuer = await controlPlane.exec([
    'openssl',
    'x509',
    '-noout',
    '-issuer',
    '-in',
    '/etc/kubernetes/pki/apiserver.crt',
  ]);
  expect(issuer.stdout).toContain('provisioner cluster CA');
  const keys = await controlPlane.exec(['find', '/etc/kubernetes/pki', '-name', '*ca.key']);
  expect(keys.stdout).toBe('/etc/kubernetes/pki/ca.key\n');
});

it('changes nothing when it is run again', async () => {
  const before = await Promise.all([controlPlane, worker].map(digests));
  await provisionOnce();
  expect(await Promise.all([controlPlane, worker].map(digests))).toEqual(before);
});
