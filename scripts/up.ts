/** `./dev up`: machines, and a cluster that Groundplane bootstraps on them. */
import { bootstrapControlPlane, listMachines } from '@groundplane/testbed';

const name = 'control-plane-1';
const existing = listMachines().find((machine) => machine.name === name);
const started = Date.now();
const { machine, kubectl } = await bootstrapControlPlane({
  name,
  ...(existing === undefined ? {} : { machine: existing }),
  output: 'inherit',
});

const nodes = await kubectl(['get', 'nodes', '-o', 'wide']);
process.stdout.write(`\n${nodes}\n${await kubectl(['get', 'pods', '-n', 'kube-system'])}`);
process.stdout.write(`
The cluster is up after ${Math.round((Date.now() - started) / 1000)} s, on machine ${machine.name} (${machine.address}).
  ./dev machine exec ${machine.name} -- kubectl --kubeconfig /etc/kubernetes/admin.conf get pods -A
  ./dev machine enter ${machine.name}
  ./dev down
`);
