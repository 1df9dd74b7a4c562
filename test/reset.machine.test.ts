import { bootstrapControlPlane, createMachine, kubectlOn, type Machine, prepareInit } from '@groundplane/testbed';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const foreign = '/etc/kubernetes/pki/corporate-ca.crt';
/** Ports of the kubelet and of the control plane. */
const ports = [2379, 2380, 6443, 10248, 10250, 10257, 10259];

const lines = async (machine: Machine, script: string): Promise<readonly string[]> => {
  const { code, stdout, stderr } = await machine.exec(['sh', '-c', script]);
  expect(code, stderr).toBe(0);
  return stdout.split('\n').filter((line) => line !== '');
};

/** Files in the folders that init writes to, without what others keep there: kubectl, CNI, containerd, systemd, and our journal. */
const files = (machine: Machine) =>
  lines(
    machine,
    `find /etc /opt/cni /root /var/lib -path /root/.kube -prune -o -path /var/lib/cni -prune -o -path /var/lib/containerd -prune -o -path /var/lib/groundplane -prune -o -path /var/lib/systemd -prune -o ! -type d -print 2>/dev/null | sort`,
  );
const containers = (machine: Machine) => lines(machine, 'crictl pods --quiet; crictl ps --all --quiet');
const mounts = (machine: Machine) =>
  lines(machine, `awk '{print $2}' /proc/mounts | grep '^/var/lib/kubelet/' || true`);
const listeners = (machine: Machine) =>
  lines(machine, `ss -Hltn | awk '{print $4}' | grep -E ':(${ports.join('|')})$' || true`);
const kubelet = (machine: Machine) => lines(machine, 'systemctl is-active kubelet || true');

interface ResetReport {
  readonly phases: readonly { readonly phase: string; readonly decision: string }[];
}

describe('reset on a machine', () => {
  let machine: Machine;
  let before: readonly string[];
  let authority: string;

  const reset = async (...args: readonly string[]): Promise<ResetReport> => {
    const { code, stdout, stderr } = await machine.exec(['groundplane', 'reset', ...args, '-o', 'json'], {
      timeoutMs: 180_000,
    });
    expect(code, stderr).toBe(0);
    return JSON.parse(stdout);
  };

  beforeAll(async () => {
    machine = await createMachine({ name: 'reset-1' });
    await prepareInit(machine);
    before = await files(machine);
    await bootstrapControlPlane({ name: machine.name, machine });
    authority = await machine.readFile('/etc/kubernetes/pki/ca.crt');
    await machine.writeFile(foreign, 'theirs');
  });
  afterAll(() => machine?.delete());

  const status = async () => {
    const { code, stdout, stderr } = await machine.exec(['groundplane', 'status', '-o', 'json']);
    expect(code, stderr).toBe(0);
    const { role, state, leftovers } = JSON.parse(stdout);
    return { role, state, leftovers };
  };

  it('begins with a finished node', async () => {
    expect(await status()).toEqual({ role: 'control-plane', state: 'complete', leftovers: [] });
  });

  it('changes nothing without a yes, nor in a dry run', async () => {
    const present = [...(await files(machine)), ...(await containers(machine))];
    expect(present.length).toBeGreaterThan(before.length + 30);
    const refused = await machine.exec(['groundplane', 'reset'], { input: 'n\n' });
    expect([refused.code, refused.stdout.includes('Are you sure')]).toEqual([3, true]);
    const dry = await machine.exec(['groundplane', 'reset', '--dry-run']);
    expect(dry.code, dry.stderr).toBe(0);
    for (const text of [
      'the kubelet runs',
      `kube-system/etcd-${machine.name}`,
      'remove /etc/kubernetes/pki/ca.key',
      foreign,
    ])
      expect(dry.stdout).toContain(text);
    expect([...(await files(machine)), ...(await containers(machine))]).toEqual(present);
  });

  it('leaves nothing that init made', async () => {
    await reset('--force');
    const left = (await files(machine)).filter((path) => !before.includes(path));
    expect(left).toEqual([foreign]);
    expect(before.filter((path) => !left.includes(path) && path.startsWith('/etc/kubernetes'))).toEqual([]);
    expect({
      containers: await containers(machine),
      mounts: await mounts(machine),
      listeners: await listeners(machine),
      kubelet: await kubelet(machine),
    }).toEqual({ containers: [], mounts: [], listeners: [], kubelet: ['inactive'] });
    expect(await status()).toEqual({ role: 'none', state: 'none', leftovers: [foreign] });
  });

  it('keeps who made what, and lets the next command go on at once', async () => {
    const journal = await machine.readFile('/var/lib/groundplane/journal.jsonl');
    const entries = journal
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(entries.some((entry) => entry.workflow === 'init' && entry.artifact === 'pki/ca.crt')).toBe(true);
    expect(entries.some((entry) => entry.workflow === 'reset' && entry.artifact === 'pki/ca.crt')).toBe(true);
  });

  it('has nothing to do the second time', async () => {
    const { phases } = await reset('--force');
    expect(phases.filter(({ decision }) => decision !== 'keep' && decision !== 'inapplicable')).toEqual([]);
    expect(await machine.readFile(foreign)).toBe('theirs');
  });

  it('leaves a machine on which init makes a new cluster', async () => {
    await bootstrapControlPlane({ name: machine.name, machine });
    const { stdout } = await kubectlOn(machine, ['get', 'nodes', '-o', 'json']);
    const [node, ...others] = JSON.parse(stdout).items;
    expect(others).toEqual([]);
    expect(node.status.conditions.find((condition: { type: string }) => condition.type === 'Ready').status).toBe(
      'True',
    );
    expect(await machine.readFile('/etc/kubernetes/pki/ca.crt')).not.toBe(authority);
  });
});
