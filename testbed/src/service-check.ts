import { kubectlOn, kubectlOutput } from './kubectl.ts';
import type { Machine } from './machine.ts';

/** Prints what the Service `$1` says. A new one takes a moment to reach CoreDNS and the rules of kube-proxy. */
const askScript = [
  'for attempt in 1 2 3 4 5 6 7 8 9 10; do',
  '  answer=$(socat -u "TCP:$1:80,connect-timeout=3" STDOUT) && [ -n "$answer" ] && echo "$answer" && exit 0',
  '  sleep 0.5',
  'done',
  'exit 1',
].join('\n');

const label = 'groundplane-testbed/service-check';
const port = 8080;

/** A pod that asked a Service whose only endpoint is on another node. */
export interface ServiceAnswer {
  readonly fromNode: string;
  readonly toNode: string;
  /** What came back: the name of the pod that answered. */
  readonly answeredBy: string;
}

/**
 * Puts a pod and a Service of its own on every node, and has every pod ask the Services of the other nodes by name;
 * so CoreDNS, kube-proxy and the pod network have each done their part. Removes what it made.
 *
 * @throws Error with what failed, the program's words in it
 */
export async function askServicesAcrossNodes(
  controlPlane: Machine,
  nodes: readonly string[],
): Promise<readonly ServiceAnswer[]> {
  const namespace = 'default';
  const podName = (node: string) => `service-check-${node}`;
  const kubectl = (args: readonly string[], input?: string) =>
    kubectlOutput(controlPlane, ['-n', namespace, ...args], {
      timeoutMs: 120_000,
      ...(input === undefined ? {} : { input }),
    });
  const image = await kubectl([
    'get',
    'daemonset',
    'kube-proxy',
    '-n',
    'kube-system',
    '-o',
    'jsonpath={.spec.template.spec.containers[0].image}',
  ]);
  const items = nodes.flatMap((node) => [servicePod(podName(node), node, image), service(podName(node), node)]);
  try {
    await kubectl(['apply', '-f', '-'], JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
    await kubectl(['wait', '--for=condition=Ready', '--timeout=60s', ...nodes.map((node) => `pod/${podName(node)}`)]);
    const pairs = nodes.flatMap((fromNode) =>
      nodes.filter((toNode) => toNode !== fromNode).map((toNode) => ({ fromNode, toNode })),
    );
    const answers: ServiceAnswer[] = [];
    for (const { fromNode, toNode } of pairs) {
      const name = `${podName(toNode)}.${namespace}.svc.cluster.local`;
      const answer = await kubectl(['exec', podName(fromNode), '--', 'sh', '-c', askScript, 'sh', name]);
      answers.push({ fromNode, toNode, answeredBy: answer.trim() });
    }
    return answers;
  } finally {
    await kubectlOn(
      controlPlane,
      ['-n', namespace, 'delete', 'pods,services', '-l', label, '--grace-period=1', '--ignore-not-found'],
      { timeoutMs: 60_000 },
    );
  }
}

/** Answers whoever connects with its own name. The programs are the node's own, as the images hold nothing but Kubernetes. */
function servicePod(name: string, node: string, image: string): unknown {
  const folders = ['/usr', '/lib', '/lib64', '/bin'];
  const volumeName = (folder: string) => `node${folder.replaceAll('/', '-')}`;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, labels: { [label]: node } },
    spec: {
      nodeName: node,
      terminationGracePeriodSeconds: 1,
      containers: [
        {
          name: 'server',
          image,
          command: ['/usr/bin/socat', `TCP-LISTEN:${port},fork,reuseaddr`, 'EXEC:cat /etc/hostname'],
          readinessProbe: { tcpSocket: { port }, periodSeconds: 1 },
          volumeMounts: folders.map((folder) => ({ name: volumeName(folder), mountPath: folder, readOnly: true })),
        },
      ],
      volumes: folders.map((folder) => ({ name: volumeName(folder), hostPath: { path: folder } })),
    },
  };
}

function service(name: string, node: string): unknown {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, labels: { [label]: node } },
    spec: { selector: { [label]: node }, ports: [{ port: 80, targetPort: port }] },
  };
}
