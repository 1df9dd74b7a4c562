// Child process of the tests: makes two calls and comes to its end without process.exit. Argument: path of a kubeconfig.
import { readFileSync } from 'node:fs';
import { kubernetesClusters } from '../src/kubernetes-clusters.ts';
import { clock } from './clock.ts';

const kubeconfig = readFileSync(process.argv[2] ?? '', 'utf8');
const cluster = await kubernetesClusters({ clock }).connect({ kubeconfig, timeoutMs: 10_000 });
await cluster.get({ apiVersion: 'v1', kind: 'Namespace', name: 'kube-system' });
const controller = new AbortController();
for await (const { object } of cluster.watch({ apiVersion: 'v1', kind: 'Namespace' }, { signal: controller.signal })) {
  console.log(object.metadata.name);
  break;
}
