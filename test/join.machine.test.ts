import {
  bootstrapCluster,
  type Cluster,
  collected,
  createMachine,
  installGroundplane,
  joinArgumentsHere,
  kubectlOutput,
  type Machine,
  succeeding,
  waitUntilRuntimeAnswers,
} from '@groundplane/testbed';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const bootstrapFile = '/etc/kubernetes/bootstrap-kubelet.conf';

let cluster: Cluster;
let join: readonly string[];

beforeAll(async () => {
  const controlPlane = await createMachine({ name: 'join-1' });
  cluster = await bootstrapCluster({ controlPlane, tool: 'kubeadm' });
  join = ['join', ...joinArgumentsHere(cluster.joinArguments)];
});
afterAll(() => cluster?.controlPlane.delete());

/** A machine with our program, whose container runtime answers. */
async function machineNamed(name: string): Promise<Machine> {
  const machine = await createMachine({ name });
  await installGroundplane(machine);
  await waitUntilRuntimeAnswers(machine);
  return machine;
}

async function becomesReady({ name }: Machine): Promise<void> {
  await kubectlOutput(cluster.controlPlane, ['wait', '--for=create', '--timeout=60s', `node/${name}`]);
  await kubectlOutput(cluster.controlPlane, ['wait', '--for=condition=Ready', '--timeout=90s', `node/${name}`]);
}

/** Everything that a joined node has of its cluster: `path mode owner`, and the texts in which only the node's name may differ. */
async function nodeFiles(machine: Machine): Promise<{ readonly tree: string; readonly texts: string }> {
  const folders = '/etc/kubernetes /var/lib/kubelet/*.yaml /var/lib/kubelet/*.env';
  const tree = await collected(machine, ['sh', '-c', `find ${folders} -exec stat -c '%n %a %U' {} + | sort`]);
  const texts = await collected(machine, [
    'sh',
    '-c',
    'cat /var/lib/kubelet/*.yaml /var/lib/kubelet/*.env /etc/kubernetes/pki/ca.crt /etc/kubernetes/kubelet.conf',
  ]);
  return { tree, texts: texts.replaceAll(machine.name, '<name>') };
}

/** What a second run must leave: contents and times of files, and the process of the kubelet. */
async function untouched(machine: Machine): Promise<string> {
  const files =
    'find /etc/kubernetes /var/lib/kubelet -maxdepth 2 -type f \\( -path "/etc/*" -o -name "*.yaml" -o -name "*.env" \\)';
  const kubelet = 'systemctl show kubelet --property=ExecMainStartTimestampMonotonic --property=NRestarts';
  return collected(machine, ['sh', '-c', `${files} -exec stat -c '%n %a %y' {} + | sort; ${kubelet}`]);
}

describe('a worker in a cluster of kubeadm', () => {
  let ours: Machine;
  let theirs: Machine;
  beforeAll(async () => {
    ours = await machineNamed('join-2');
    theirs = await machineNamed('join-3');
  });
  afterAll(async () => {
    await ours?.delete();
    await theirs?.delete();
  });

  it('becomes Ready, with the same files as one that kubeadm joins', async () => {
    const { stdout } = await succeeding(ours, ['groundplane', ...join]);
    expect(stdout).toContain('This node has joined the cluster');
    await collected(theirs, ['kubeadm', ...join]);
    await Promise.all([becomesReady(ours), becomesReady(theirs)]);
    const [own, other] = await Promise.all([nodeFiles(ours), nodeFiles(theirs)]);
    expect(own.tree).not.toContain(bootstrapFile);
    expect(own).toEqual(other);
  });

  it('keeps everything when it is joined again', async () => {
    const before = await untouched(ours);
    const { phases } = JSON.parse(await collected(ours, ['groundplane', ...join, '-o', 'json'])) as {
      phases: readonly { phase: string; decision: string }[];
    };
    expect(phases.map(({ phase, decision }) => `${phase} ${decision}`)).toEqual([
      'preflight keep',
      'kubelet-start keep',
      'kubelet-wait-bootstrap keep',
    ]);
    expect(await untouched(ours)).toBe(before);
  });

  it('is not joined under a name that another machine has', async () => {
    const machine = await machineNamed('join-4');
    try {
      const { code, stderr } = await machine.exec(['groundplane', ...join, `--node-name=${ours.name}`]);
      expect(code).toBe(3);
      expect(stderr).toContain(`a Node with name "${ours.name}" and status "Ready" already exists in the cluster`);
      expect((await machine.exec(['ls', '/etc/kubernetes'])).code).not.toBe(0);
    } finally {
      await machine.delete();
    }
  });
});
