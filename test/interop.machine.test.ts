import {
  createMachine,
  initConfigPath,
  installGroundplane,
  kubectlOn,
  type Machine,
  prepareInit,
} from '@groundplane/testbed';
import { afterAll, describe, expect, it } from 'vitest';
import { credentials, lasting } from './node-snapshot.ts';

/** What one tool makes before the other one goes on. */
const files = ['certs all', 'kubeconfig all'];
const manifests = ['control-plane all', 'etcd local'];
const components = ['etcd', 'kube-apiserver', 'kube-controller-manager', 'kube-scheduler'];

/** Certificate → its CA, as `kubeadm certs check-expiration` names them. */
const authorities = {
  'admin.conf': 'ca',
  apiserver: 'ca',
  'apiserver-etcd-client': 'etcd-ca',
  'apiserver-kubelet-client': 'ca',
  'controller-manager.conf': 'ca',
  'etcd-healthcheck-client': 'etcd-ca',
  'etcd-peer': 'etcd-ca',
  'etcd-server': 'etcd-ca',
  'front-proxy-client': 'front-proxy-ca',
  'scheduler.conf': 'ca',
  'super-admin.conf': 'ca',
};

interface Expiration {
  readonly name: string;
  readonly caName?: string;
  readonly missing?: boolean;
  readonly externallyManaged?: boolean;
  readonly residualTime?: number;
}

async function succeeding(machine: Machine, argv: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await machine.exec(argv, { timeoutMs: 300_000 });
  expect(code, `${argv.join(' ')}\n${stdout}${stderr}`).toBe(0);
  return stdout;
}

async function runPhases(machine: Machine, program: string, phases: readonly string[]): Promise<void> {
  for (const phase of phases) {
    await succeeding(machine, [program, 'init', 'phase', ...phase.split(' '), '--config', initConfigPath]);
  }
}

async function becomesReady(machine: Machine): Promise<void> {
  const waitFor = (args: readonly string[]) =>
    kubectlOn(machine, ['wait', '--timeout=120s', ...args], { timeoutMs: 150_000 });
  const node = await waitFor(['--for=condition=Ready', `node/${machine.name}`]);
  expect(node.code, node.stderr).toBe(0);
  for (const component of components) {
    // The kubelet registers the node first and mirrors its static pods afterwards.
    for (const state of ['create', 'condition=Ready']) {
      const pod = await waitFor(['-n', 'kube-system', `--for=${state}`, `pod/${component}-${machine.name}`]);
      expect(pod.code, pod.stderr).toBe(0);
    }
  }
}

interface Status {
  readonly role: string;
  readonly state: string;
  readonly phases: readonly {
    readonly phase: string;
    readonly state: string;
    readonly artifacts: readonly { readonly location: string; readonly origin?: string }[];
  }[];
}

/** Of `groundplane status`: the node in a word, the phases that are neither done nor asked for, and who made what. */
async function statusOf(machine: Machine) {
  const { role, state, phases } = JSON.parse(
    await succeeding(machine, ['groundplane', 'status', '-o', 'json']),
  ) as Status;
  const artifacts = phases.flatMap((phase) => phase.artifacts);
  return {
    node: `${role} ${state}`,
    open: phases.filter((phase) => !['done', 'inapplicable'].includes(phase.state)),
    originOf: (location: string) => artifacts.find((artifact) => artifact.location === location)?.origin,
  };
}

/** kubeadm ends before the controllers have made their service accounts; they come within seconds. */
async function becomesComplete(machine: Machine): ReturnType<typeof statusOf> {
  const seen: Awaited<ReturnType<typeof statusOf>>[] = [];
  const look = async () => {
    const status = await statusOf(machine);
    seen.push(status);
    return { node: status.node, open: status.open };
  };
  await expect.poll(look, { timeout: 60_000, interval: 1000 }).toEqual({ node: 'control-plane complete', open: [] });
  return seen.at(-1) as Awaited<ReturnType<typeof statusOf>>;
}

describe('what Groundplane made and kubeadm goes on with', () => {
  let machine: Machine;
  afterAll(() => machine?.delete());

  it('ends with a Ready node; nothing is missing and nothing is made again', async () => {
    machine = await createMachine({ name: 'interop-1' });
    await installGroundplane(machine);
    const args = await prepareInit(machine);
    expect(await statusOf(machine)).toMatchObject({ node: 'none none', open: [] });
    await runPhases(machine, 'groundplane', files);
    const before = lasting(await credentials(machine));
    expect([...before.keys()]).toHaveLength(26);
    const half = await statusOf(machine);
    expect(half.node).toBe('control-plane incomplete');
    expect(half.open.filter(({ phase }) => /^(certs|kubeconfig)\//.test(phase))).toEqual([]);
    expect(new Set(half.open.map(({ state }) => state))).toEqual(new Set(['missing']));

    const report = JSON.parse(
      await succeeding(machine, ['kubeadm', 'certs', 'check-expiration', '--config', initConfigPath, '-o', 'json']),
    ) as { certificates: readonly Expiration[]; certificateAuthorities: readonly Expiration[] };
    expect(Object.fromEntries(report.certificates.map(({ name, caName }) => [name, caName]))).toEqual(authorities);
    expect(report.certificateAuthorities.map(({ name }) => name).toSorted()).toEqual([
      'ca',
      'etcd-ca',
      'front-proxy-ca',
    ]);
    for (const certificate of [...report.certificates, ...report.certificateAuthorities]) {
      expect(certificate.missing ?? false, certificate.name).toBe(false);
      expect(certificate.externallyManaged ?? false, certificate.name).toBe(false);
      expect(certificate.residualTime, certificate.name).toBeGreaterThan(0);
    }

    const said = await succeeding(machine, ['kubeadm', 'init', ...args]);
    expect(said).not.toContain('[certs] Generating');
    expect(said).not.toMatch(/\[kubeconfig\] Writing/);
    await becomesReady(machine);
    expect(lasting(await credentials(machine))).toEqual(before);

    const { originOf } = await becomesComplete(machine);
    expect(originOf('/etc/kubernetes/pki/ca.crt')).toBe('ours');
    for (const place of ['/etc/kubernetes/manifests/etcd.yaml', 'ConfigMap kube-system/kubeadm-config'])
      expect(originOf(place), place).toBe('others');
  });
});

describe('what kubeadm made and Groundplane goes on with', () => {
  let machine: Machine;
  afterAll(() => machine?.delete());

  it('ends with a Ready node; nothing is made again', async () => {
    machine = await createMachine({ name: 'interop-2' });
    await installGroundplane(machine);
    const args = await prepareInit(machine);
    await runPhases(machine, 'kubeadm', [...files, ...manifests]);
    const before = lasting(await credentials(machine));
    expect([...before.keys()]).toHaveLength(26);

    const { phases } = JSON.parse(await succeeding(machine, ['groundplane', 'init', ...args, '-o', 'json'])) as {
      phases: readonly { phase: string; decision: string }[];
    };
    const made = phases.filter(({ phase }) => /^(?:certs|kubeconfig|control-plane|etcd)\//.test(phase));
    expect(made.length).toBeGreaterThan(18);
    expect(made.filter(({ decision }) => decision !== 'keep')).toEqual([]);
    await becomesReady(machine);
    expect(lasting(await credentials(machine))).toEqual(before);

    const { node, open, originOf } = await statusOf(machine);
    expect({ node, open }).toEqual({ node: 'control-plane complete', open: [] });
    expect(originOf('/etc/kubernetes/pki/ca.crt')).toBe('others');
    for (const place of ['/var/lib/kubelet/config.yaml', 'ConfigMap kube-system/kubeadm-config'])
      expect(originOf(place), place).toBe('ours');
  });
});
