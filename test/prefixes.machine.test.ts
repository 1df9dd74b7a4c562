import {
  createMachine,
  installGroundplane,
  kubectlOutput,
  type Machine,
  prepareInit,
  succeeding,
  waitUntilReady,
} from '@groundplane/testbed';
import { afterEach, expect, it } from 'vitest';
import { filePhases } from './file-phases.ts';

/** One tool starts the kubelet and goes on for some phases, the other one does the rest of init. */

type Tool = 'kubeadm' | 'groundplane';

/** The phases from the start of the kubelet on that both have, in an order that both agree with. */
const clusterPhases = [
  'kubelet-start',
  'wait-control-plane',
  'upload-config/kubeadm',
  'upload-config/kubelet',
  'upload-certs',
  'mark-control-plane',
  'bootstrap-token',
  'kubelet-finalize',
  'addon/kube-proxy',
  'addon/coredns',
  'show-join-command',
];
const phases = ['preflight', ...filePhases, ...clusterPhases];

/** kubeadm shows no join command in a run that is told to leave these out. */
const neededToShow = ['upload-certs', 'bootstrap-token'];

const rows = clusterPhases.slice(0, -1).map((last, index) => ({
  last,
  first: (index % 2 === 0 ? 'groundplane' : 'kubeadm') as Tool,
  second: (index % 2 === 0 ? 'kubeadm' : 'groundplane') as Tool,
}));
const sample = rows.filter(({ last }) => last === 'mark-control-plane');

const machines: Machine[] = [];
afterEach(async () => {
  for (const machine of machines.splice(0)) await machine.delete();
}, 120_000);

it.each(process.env.GROUNDPLANE_TEST_FULL === '1' ? rows : sample)(
  'up to $last by $first, the rest by $second: Ready',
  async ({ last, first, second }) => {
    const machine = await createMachine({ name: 'prefix' });
    machines.push(machine);
    await installGroundplane(machine);
    const args = await prepareInit(machine);
    const cut = phases.indexOf(last) + 1;
    const run = (tool: Tool, skipped: readonly string[]) =>
      succeeding(machine, [tool, 'init', ...args, '--skip-phases', skipped.join()], { timeoutMs: 300_000 });
    await run(first, phases.slice(cut));
    const before = await keysOf(machine);
    expect(before.split('\n').length).toBeGreaterThan(8);
    const done = phases.slice(0, cut);
    const refusesToShow = second === 'kubeadm' && done.some((phase) => neededToShow.includes(phase));
    const { stdout } = await run(second, refusesToShow ? [...done, 'show-join-command'] : done);
    if (!refusesToShow) expect(stdout).toMatch(/ join \S+:6443 --token /);
    await waitUntilReady(machine);
    expect(await keysOf(machine)).toBe(before);
    const taints = await kubectlOutput(machine, ['get', 'node', machine.name, '-o', 'jsonpath={.spec.taints[*].key}']);
    expect(taints).toBe('node-role.kubernetes.io/control-plane');
  },
);

/** Digests of all keys. */
async function keysOf(machine: Machine): Promise<string> {
  const script = 'find /etc/kubernetes/pki -name "*.key" | sort | xargs sha256sum';
  return (await succeeding(machine, ['sh', '-c', script])).stdout.trim();
}
