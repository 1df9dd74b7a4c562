import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  createMachine,
  deleteAllMachines,
  type HostState,
  hostKubeletSettings,
  hostState,
  kubeadmConfiguration,
  type Machine,
} from '../src/index.ts';

const ignored = hostKubeletSettings().ignorePreflightErrors;
const flags = ignored.length > 0 ? [`--ignore-preflight-errors=${ignored.join(',')}`] : [];
const kubectl = ['kubectl', '--kubeconfig=/etc/kubernetes/admin.conf'];

let before: HostState;
let machine: Machine;

beforeAll(async () => {
  // A set of machines of the test's own; what a killed run left of it goes first.
  process.env.GROUNDPLANE_TESTBED = 'testbed-kubeadm';
  await deleteAllMachines();
  before = await hostState();
  machine = await createMachine({ name: 'testbed-kubeadm' });
}, 900_000);

afterAll(deleteAllMachines, 60_000);

it('is a machine on which the real kubeadm makes a control plane, and nothing of it is left', async () => {
  await machine.writeFile('/etc/groundplane-testbed/config.yaml', kubeadmConfiguration());
  const init = await machine.exec(['kubeadm', 'init', '--config=/etc/groundplane-testbed/config.yaml', ...flags], {
    timeoutMs: 240_000,
  });
  expect(init, init.stderr).toMatchObject({ code: 0 });

  const ready = await machine.exec(
    [...kubectl, 'wait', '--for=condition=Ready', '--timeout=90s', `node/${machine.name}`],
    { timeoutMs: 120_000 },
  );
  expect(ready, ready.stderr).toMatchObject({ code: 0 });
  await machine.exec([...kubectl, 'taint', 'nodes', '--all', 'node-role.kubernetes.io/control-plane-']);
  const rollout = await machine.exec(
    [...kubectl, '--namespace=kube-system', 'rollout', 'status', '--timeout=120s', 'deployment/coredns'],
    { timeoutMs: 150_000 },
  );
  expect(rollout, rollout.stderr).toMatchObject({ code: 0 });

  const pods = await machine.exec([...kubectl, 'get', 'pods', '-A', '--no-headers']);
  const states = pods.stdout
    .trim()
    .split('\n')
    .map((line) => line.split(/\s+/)[3]);
  expect(states.length).toBe(7);
  expect(new Set(states), pods.stdout).toEqual(new Set(['Running']));

  await machine.delete();
  expect(await hostState()).toEqual(before);
}, 600_000);
