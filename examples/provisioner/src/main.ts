/** `node src/main.ts cluster.json`: provisions the cluster of a file on machines that root reaches by ssh under their addresses. */
import { readFileSync } from 'node:fs';
import type { ClusterSpecification } from './cluster-specification.ts';
import { sshMachine } from './machine.ts';
import { provision } from './provision.ts';
import { folderStore } from './store.ts';

const [file = 'cluster.json'] = process.argv.slice(2);
const cluster = JSON.parse(readFileSync(file, 'utf8')) as ClusterSpecification;
const nodes = [cluster.controlPlane, ...cluster.workers];
await provision({
  cluster,
  store: folderStore('store'),
  machines: Object.fromEntries(nodes.map(({ name, address }) => [name, sshMachine(address)])),
  nodeup: readFileSync(new URL('../dist/nodeup.mjs', import.meta.url)),
  report: (task) => console.log(`done: ${task}`),
});
