import {
  askServicesAcrossNodes,
  type CommandResult,
  collected,
  createMachine,
  freshJoinArguments,
  installGroundplane,
  joinArgumentsHere,
  joinArgumentsIn,
  kubectlOutput,
  type Machine,
  prepareInit,
  succeeding,
  waitUntilReady,
} from '@groundplane/testbed';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/** What the second of two commands on a node says while it waits for the first. */
const waitsFor = (command: string, pid: string) =>
  `Waiting for another command on this node: groundplane ${command} (process ${pid})`;

/** Of a run that changed nothing: effects that only look or print count as done. */
const keptAll = /^Phases: \d+ kept(?:, \d+ (?:not needed|done))*$/m;

/** Holds a command still for so long when it has put its first file in place. */
const heldUp = [
  'strace',
  '-f',
  '-qq',
  '-o',
  '/root/strace.out',
  '-e',
  'inject=rename,renameat2:delay_exit=10000000:when=1',
];

/**
 * Starts a command on a machine, and a second time once the first holds the node's lock.
 *
 * @returns what became of both, and the process id of the first
 */
async function twice(
  machine: Machine,
  argv: readonly string[],
  wrapper: readonly string[] = [],
): Promise<readonly [CommandResult, CommandResult, string]> {
  // The shell becomes the command itself, so the id that it notes is the command's.
  const noted = [...wrapper, 'sh', '-c', 'echo $$ >/root/first.pid; exec "$@"', 'sh', ...argv];
  const first = machine.exec(noted, { timeoutMs: 240_000 });
  const atWork = 'until [ -e /run/groundplane/lock ]; do sleep 0.05; done; exec "$@"';
  const second = await machine.exec(['sh', '-c', atWork, 'sh', ...argv], { timeoutMs: 240_000 });
  return [await first, second, (await machine.readFile('/root/first.pid')).trim()];
}

/** One cluster of ours that grows, step by step: each test goes on where the one before ended. */
describe('a cluster of Groundplane with workers of both tools', () => {
  let controlPlane: Machine;
  let byKubeadm: Machine;
  let byGroundplane: Machine;
  let joinArguments: readonly string[];

  beforeAll(async () => {
    controlPlane = await createMachine({ name: 'mixed-1' });
    byKubeadm = await createMachine({ name: 'mixed-2' });
    byGroundplane = await createMachine({ name: 'mixed-3' });
    await installGroundplane(controlPlane);
    await installGroundplane(byGroundplane);
  });
  afterAll(async () => {
    for (const machine of [controlPlane, byKubeadm, byGroundplane]) await machine?.delete();
  });

  it('is made by the first of two init, and the second says whom it waits for and changes nothing', async () => {
    const [first, second, pid] = await twice(controlPlane, [
      'groundplane',
      'init',
      ...(await prepareInit(controlPlane)),
    ]);
    expect(first.code, first.stdout + first.stderr).toBe(0);
    joinArguments = joinArgumentsIn(first.stdout);
    expect(second.stdout + second.stderr).toContain(waitsFor('init', pid));
    expect(second.code, second.stdout + second.stderr).toBe(0);
    expect(second.stdout).toMatch(keptAll);
  });

  it('is joined by the real kubeadm with the command that init printed', async () => {
    await collected(byKubeadm, ['kubeadm', 'join', ...joinArgumentsHere(joinArguments)]);
    await waitUntilReady(controlPlane, [byKubeadm]);
  });

  it('is joined by the first of two join, and the second says whom it waits for and changes nothing', async () => {
    const join = ['groundplane', 'join', ...(await freshJoinArguments(controlPlane))];
    const [first, second, pid] = await twice(byGroundplane, join, heldUp);
    expect(first.code, first.stdout + first.stderr).toBe(0);
    expect(second.stdout + second.stderr).toContain(waitsFor('join', pid));
    expect(second.code, second.stdout + second.stderr).toBe(0);
    expect(second.stdout).toMatch(keptAll);
    await waitUntilReady(controlPlane, [byKubeadm, byGroundplane]);
  });

  it('has three finished nodes, whoever made them', async () => {
    await installGroundplane(byKubeadm);
    for (const [machine, role, origin] of [
      [controlPlane, 'control-plane', 'ours'],
      [byKubeadm, 'worker', 'unknown'],
      [byGroundplane, 'worker', 'ours'],
    ] as const) {
      const { stdout } = await succeeding(machine, ['groundplane', 'status', '--exit-code', '-o', 'json']);
      const status = JSON.parse(stdout);
      const artifacts = status.phases.flatMap((phase: { readonly artifacts: readonly unknown[] }) => phase.artifacts);
      const authority = artifacts.find(
        ({ location }: Record<string, unknown>) => location === '/etc/kubernetes/pki/ca.crt',
      );
      expect([status.role, status.state, authority.origin]).toEqual([role, 'complete', origin]);
    }
    const { stdout } = await succeeding(controlPlane, ['groundplane', 'journal', '-o', 'json']);
    const entries: readonly Record<string, string>[] = JSON.parse(stdout).entries;
    // The tokens of init and of the command above: by their names, and with nothing by which they could be guessed.
    const tokens = entries.filter(({ location = '' }) => location.startsWith('Secret kube-system/bootstrap-token-'));
    expect(tokens.map(({ workflow, action }) => `${workflow} ${action}`)).toEqual(['init created', 'token created']);
    expect(tokens.filter((entry) => 'digest' in entry)).toEqual([]);
  });

  it('has pods that reach Services on other nodes by name', async () => {
    const nodes = [controlPlane, byKubeadm, byGroundplane].map(({ name }) => name);
    const answers = await askServicesAcrossNodes(controlPlane, nodes);
    expect(answers).toHaveLength(6);
    for (const { toNode, answeredBy } of answers) expect(answeredBy).toBe(`service-check-${toNode}`);
  });

  it('gives both workers the same Node', async () => {
    const nodes = await Promise.all(
      [byKubeadm, byGroundplane].map(async ({ name }) => {
        const node = JSON.parse(await kubectlOutput(controlPlane, ['get', 'node', name, '-o', 'json']));
        const { labels, annotations } = node.metadata;
        const text = JSON.stringify({ labels, annotations, taints: node.spec.taints });
        return text.replaceAll(name, '<worker>');
      }),
    );
    expect(nodes[1]).toBe(nodes[0]);
  });
});
