import {
  bootstrapCluster,
  type Cluster,
  createMachine,
  hostKubeletSettings,
  installGroundplane,
  type Machine,
} from '@groundplane/testbed';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringifyYaml } from '../packages/manifest/dist/index.js';
import { type RbacRemoval, rbacRemovals, removeRight, restoreRight } from './rbac-removal.ts';

/** Where `join` finds its configuration on the worker. */
const joinConfigPath = '/etc/groundplane-testbed/join.yaml';

let cluster: Cluster;
let worker: Machine;

interface Seen {
  readonly code: number;
  readonly text: string;
}

/** Runs a command that may fail on a machine. */
async function run(machine: Machine, ...argv: readonly string[]): Promise<Seen> {
  const { code, stdout, stderr } = await machine.exec(argv, { timeoutMs: 60_000 });
  return { code, text: stdout + stderr };
}

const kubectl = (...args: readonly string[]): Promise<string> => cluster.kubectl(args);
const join = (): Promise<Seen> => run(worker, 'groundplane', 'join', '--config', joinConfigPath);

async function reset(): Promise<void> {
  const { code, text } = await run(worker, 'groundplane', 'reset', '--force');
  expect(code, text).toBe(0);
  await kubectl('delete', 'csr', '--all');
}

/** What is on the worker that join would have written. */
async function written(): Promise<string> {
  const files = '/etc/kubernetes/*.conf /etc/kubernetes/pki/* /var/lib/kubelet/config.yaml';
  return (await run(worker, 'sh', '-c', `ls -d ${files} 2>/dev/null`)).text;
}

const machines: Machine[] = [];

async function newMachine(name: string): Promise<Machine> {
  const machine = await createMachine({ name });
  machines.push(machine);
  return machine;
}

beforeAll(async () => {
  const controlPlane = await newMachine('rbac-1');
  worker = await newMachine('rbac-2');
  [cluster] = await Promise.all([bootstrapCluster({ controlPlane, tool: 'groundplane' }), installGroundplane(worker)]);
  await worker.writeFile(joinConfigPath, joinConfiguration(cluster.joinArguments));
});
afterAll(() => Promise.all(machines.map((machine) => machine.delete())));

function joinConfiguration([apiServerEndpoint = '', ...flags]: readonly string[]): string {
  const flagValue = (flag: string): string => flags[flags.indexOf(flag) + 1] ?? '';
  return stringifyYaml({
    apiVersion: 'kubeadm.k8s.io/v1beta4',
    kind: 'JoinConfiguration',
    discovery: {
      bootstrapToken: {
        apiServerEndpoint,
        token: flagValue('--token'),
        caCertHashes: [flagValue('--discovery-token-ca-cert-hash')],
      },
    },
    nodeRegistration: { ignorePreflightErrors: [...hostKubeletSettings().ignorePreflightErrors] },
    timeouts: { discovery: '5s', kubernetesAPICall: '3s', tlsBootstrap: '10s' },
  });
}

/** A step of the table, tried while a right is missing; returns what it said. It must have failed. */
type Step = (removal: RbacRemoval) => Promise<string>;

async function joinWritesNothing(): Promise<string> {
  const { code, text } = await join();
  expect(code, text).not.toBe(0);
  expect(await written()).toBe('');
  return text;
}

/** Asks with the present certificate of the control plane's kubelet for the next one; gives the state of the request. */
async function rotationRequest(name: string): Promise<string> {
  const machine = cluster.controlPlane;
  const script = [
    `openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -noenc -keyout /dev/null -subj /O=system:nodes/CN=system:node:${machine.name} -out /root/${name}.csr 2>/dev/null`,
    `base64 -w0 /root/${name}.csr`,
  ];
  const { code, text } = await run(machine, 'sh', '-ec', script.join('\n'));
  expect(code, text).toBe(0);
  const request = {
    apiVersion: 'certificates.k8s.io/v1',
    kind: 'CertificateSigningRequest',
    metadata: { name },
    spec: {
      request: text,
      signerName: 'kubernetes.io/kube-apiserver-client-kubelet',
      usages: ['digital signature', 'client auth'],
    },
  };
  const created = await machine.exec(['kubectl', '--kubeconfig', '/etc/kubernetes/kubelet.conf', 'create', '-f', '-'], {
    input: JSON.stringify(request),
  });
  expect(created.code, created.stderr).toBe(0);
  await run(
    machine,
    'kubectl',
    '--kubeconfig',
    '/etc/kubernetes/admin.conf',
    'wait',
    '--for=condition=Approved',
    '--timeout=4s',
    `csr/${name}`,
  );
  return kubectl('get', 'csr', name);
}

/** Makes the pods of an addon anew, and gives the log of one that has tried to start. */
async function startedAnew(label: string, sign: RegExp): Promise<string> {
  const where = ['-n', 'kube-system', '-l', label];
  await kubectl('delete', 'pod', ...where, '--grace-period=1');
  let log = '';
  await expect
    .poll(
      async () => {
        log = (
          await run(
            cluster.controlPlane,
            'kubectl',
            '--kubeconfig',
            '/etc/kubernetes/admin.conf',
            'logs',
            ...where,
            '--tail=200',
          )
        ).text;
        return log;
      },
      { timeout: 30_000, interval: 500 },
    )
    .toMatch(sign);
  return log;
}

const steps: Readonly<Record<string, Step>> = {
  'token create': async () => {
    const { code, text } = await run(cluster.controlPlane, 'groundplane', 'token', 'create');
    expect(code, text).not.toBe(0);
    return text;
  },
  'join: configuration of the cluster': joinWritesNothing,
  'join: check of the node name': joinWritesNothing,
  'join: discovery': joinWritesNothing,
  'join: kubelet-wait-bootstrap': async () => {
    try {
      const { code, text } = await join();
      expect(code, text).not.toBe(0);
      expect(text).toContain('kubelet-wait-bootstrap');
      expect((await run(worker, 'ls', '/var/lib/kubelet/pki/kubelet-client-current.pem')).code).not.toBe(0);
      const log = await run(worker, 'sh', '-c', 'journalctl -u kubelet --no-pager | grep certificatesigningrequests');
      return [log.text, await kubectl('get', 'csr')].join('\n');
    } finally {
      await reset();
    }
  },
  'kubelet: rotation of its client certificate': () => rotationRequest('rotation-without'),
  'kubectl logs': async ({ row }) => {
    const pod = `kube-scheduler-${cluster.controlPlane.name}`;
    const { code, text } = await run(
      cluster.controlPlane,
      'kubectl',
      '--kubeconfig',
      '/etc/kubernetes/admin.conf',
      'logs',
      '-n',
      'kube-system',
      pod,
    );
    expect(code, row.name).not.toBe(0);
    return text;
  },
  'CoreDNS: start': () => startedAnew('k8s-app=kube-dns', /forbidden/),
  'kube-proxy: start': () => startedAnew('k8s-app=kube-proxy', /forbidden/),
};

/** What is seen, by the name of the binding and the resource of the rule. */
const signs: Readonly<Record<string, RegExp>> = {
  'kubeadm:cluster-admins': /kubernetes-admin[\s\S]*cannot/,
  'kubeadm:nodes-kubeadm-config configmaps': /kubeadm-config[\s\S]*403/,
  'kubeadm:kubelet-config configmaps': /kubelet-config[\s\S]*403/,
  'kubeadm:get-nodes nodes': /Node rbac-2[\s\S]*403/,
  'kubeadm:bootstrap-signer-clusterinfo configmaps': /cluster-info[\s\S]*(?:403|forbidden)/,
  'kubeadm:kubelet-bootstrap': /cannot create resource \\?"certificatesigningrequests/,
  'kubeadm:node-autoapprove-bootstrap': /csr-\S+ .*system:bootstrap:\S+ .*Pending/,
  'kubeadm:node-autoapprove-certificate-rotation': /^rotation-without .*system:node:rbac-1 .*Pending$/m,
  'kubeadm:apiserver-kubelet-client': /Forbidden \(user=kube-apiserver-kubelet-client, verb=get, resource=nodes/,
  'system:coredns endpoints': /serviceaccount:kube-system:coredns" cannot list resource "(?:services|namespaces)"/,
  'system:coredns endpointslices': /serviceaccount:kube-system:coredns" cannot list resource "endpointslices"/,
  'kubeadm:node-proxier':
    /serviceaccount:kube-system:kube-proxy\\?" cannot list resource \\?"(?:nodes|services|endpointslices|servicecidrs)/,
};

describe('each right, taken from a cluster that runs', () => {
  const missed = rbacRemovals.filter(({ without }) => 'fails' in without);

  it('has a step that fails and a sign by which it is seen, or is kept for parity', () => {
    expect(missed.map(({ title }) => title).toSorted()).toEqual(Object.keys(signs).toSorted());
    const named = missed.flatMap(({ without }) => ('fails' in without ? [without.fails] : []));
    expect([...new Set(named)].toSorted()).toEqual(Object.keys(steps).toSorted());
    expect(rbacRemovals.length - missed.length).toBe(2);
  });

  it.each(missed.map((removal) => [removal.title, removal] as const))('%s', async (title, removal) => {
    const step = 'fails' in removal.without ? steps[removal.without.fails] : undefined;
    await removeRight(cluster.controlPlane, removal);
    try {
      expect(await step?.(removal)).toMatch(signs[title] ?? /^$/);
    } finally {
      await restoreRight(cluster.controlPlane, removal);
    }
  });
});

describe('with all of them again', () => {
  it('a kubelet gets its next certificate', async () => {
    expect(await rotationRequest('rotation-with')).toMatch(/Approved/);
  });

  it('a worker joins; what is kept for parity alone is not missed', async () => {
    const kept = rbacRemovals.filter(({ without }) => 'keptFor' in without);
    for (const removal of kept) await removeRight(cluster.controlPlane, removal);
    const { code, text } = await join();
    expect(code, text).toBe(0);
    for (const removal of kept) await restoreRight(cluster.controlPlane, removal);
    await kubectl('wait', '--for=condition=Ready', '--timeout=60s', `node/${worker.name}`);
  });

  it('the addons run', async () => {
    for (const label of ['k8s-app=kube-dns', 'k8s-app=kube-proxy']) {
      await kubectl('delete', 'pod', '-n', 'kube-system', '-l', label, '--grace-period=1');
      await kubectl('wait', 'pod', '-n', 'kube-system', '-l', label, '--for=condition=Ready', '--timeout=60s');
    }
  });
});
