/** `./dev up`: machines, and a cluster that Groundplane bootstraps on them: one control plane and one worker. */
import {
  askServicesAcrossNodes,
  bootstrapCluster,
  createMachine,
  kubectlOutput,
  listMachines,
  type Machine,
  shown,
  spreadCoreDns,
} from '@groundplane/testbed';

const started = performance.now();
const say = (text: string) =>
  process.stdout.write(`\n== ${text} (${((performance.now() - started) / 1000).toFixed(0)} s)\n`);

/** The machine of that name, made unless it is there. */
function machineNamed(name: string): Promise<Machine> {
  const existing = listMachines().find((machine) => machine.name === name);
  return existing ? Promise.resolve(existing) : createMachine({ name });
}

say('Machines');
const controlPlane = await machineNamed('control-plane-1');
const worker = await machineNamed('worker-1');

say('groundplane init, then groundplane join with the command that it prints');
await bootstrapCluster({
  tool: 'groundplane',
  controlPlane,
  workers: [worker],
  run: shown,
  onReadyWait: () => say('Waiting until every node and every pod is Ready'),
});

say('CoreDNS on both nodes');
await spreadCoreDns(controlPlane, [worker]);

say('A pod on each node asks a Service on the other by name');
for (const { fromNode, toNode, answeredBy } of await askServicesAcrossNodes(
  controlPlane,
  [controlPlane, worker].map(({ name }) => name),
)) {
  process.stdout.write(`${fromNode} -> ${toNode}: answered by pod ${answeredBy}\n`);
}

process.stdout.write(`\n${await kubectlOutput(controlPlane, ['get', 'nodes', '-o', 'wide'])}\n`);
process.stdout.write(await kubectlOutput(controlPlane, ['get', 'pods', '-A', '-o', 'wide']));
const { name, address } = controlPlane;
process.stdout.write(`
The cluster is up after ${Math.round((performance.now() - started) / 1000)} s, on machines ${name} (${address}) and ${worker.name} (${worker.address}).
  ./dev machine exec ${name} -- kubectl --kubeconfig /etc/kubernetes/admin.conf get pods -A
  ./dev machine enter ${name}
  ./dev down
`);
