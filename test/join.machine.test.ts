import {
  bootstrapCluster,
  type Cluster,
  type CommandResult,
  collected,
  createMachine,
  installGroundplane,
  joinArgumentsHere,
  kubectlOutput,
  type Machine,
  succeeding,
} from '@groundplane/testbed';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/** Where a run of join is killed: right before its Nth atomic write, or right before it removes what the kubelet asked with. */
type KillPoint = { readonly write: number } | 'removal';

/** Atomic writes of join on a fresh machine: two that identify the cluster, three for the kubelet. */
const writes = 5;
const all = Array.from({ length: writes }, (_, index) => index + 1);
const numbers = process.env.GROUNDPLANE_TEST_FULL === '1' ? all : [2, 5];
const killPoints: readonly KillPoint[] = [...numbers.map((write) => ({ write })), 'removal'];
const nameOf = (point: KillPoint) => (point === 'removal' ? 'removal' : `write-${point.write}`);

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
  await collected(machine, ['sh', '-c', 'timeout 60 sh -c "until crictl info >/dev/null 2>&1; do sleep 0.1; done"']);
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

describe('join killed', () => {
  it.for(killPoints.map((point) => [nameOf(point), point] as const))(
    'right before %s is completed by the next run',
    async ([name, point]) => {
      const machine = await machineNamed(`join-${name}`);
      try {
        const killed = await kill(machine, point);
        expect(killed.code, killed.stdout + killed.stderr).toBe(137);
        const left = await collected(machine, [
          'sh',
          '-c',
          'find /etc/kubernetes /var/lib/kubelet -maxdepth 2 -type f ! -name ".*" \\( -path "/etc/*" -o -name "*.yaml" -o -name "*.env" \\) ! -name kubelet.conf 2>/dev/null | wc -l',
        ]);
        expect(Number(left)).toBe(point === 'removal' ? writes : point.write - 1);

        const again = await machine.exec(['groundplane', ...join], { timeoutMs: 240_000 });
        expect(again.code, again.stdout + again.stderr).toBe(0);
        await becomesReady(machine);
        const { tree } = await nodeFiles(machine);
        expect(tree).not.toContain(bootstrapFile);
        expect(tree).not.toContain('groundplane');
      } finally {
        await machine.delete();
      }
    },
  );
});

/** A signal injected at a system call leaves exactly that call undone. */
function kill(machine: Machine, point: KillPoint): Promise<CommandResult> {
  const calls = point === 'removal' ? 'unlink,unlinkat' : 'rename,renameat2';
  const which = point === 'removal' ? ['-P', bootstrapFile] : [];
  const when = point === 'removal' ? '' : `:when=${point.write}`;
  const strace = ['strace', '-qq', '-o', '/root/strace.out', ...which, '-e', `inject=${calls}:signal=SIGKILL${when}`];
  return machine.exec([...strace, 'groundplane', ...join], { timeoutMs: 120_000 });
}
