import {
  bootstrapControlPlane,
  createMachine,
  freshJoinArguments,
  initConfigPath,
  installGroundplane,
  kubectlOutput,
  type Machine,
  prepareInit,
} from '@groundplane/testbed';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PhasePlan } from '../packages/phases/dist/index.js';
import { nodeSnapshot, settledSnapshot } from './node-snapshot.ts';
import { changesIn, tracer } from './traced-changes.ts';

/** Where an ordinary user can read it. */
const openConfigPath = '/srv/init.yaml';
const trace = '/root/trace';

/** What a dry run, a plan and a verify tell an ordinary user on a machine, held to what init then makes of it. */
describe('a prediction on a machine', () => {
  let machine: Machine;
  let args: readonly string[];

  /** Runs a command of ours as somebody who may do nothing. */
  async function asNobody(words: readonly string[]) {
    const told = await machine.exec([
      ...tracer(trace),
      ...['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups', '--reset-env'],
      ...['env', 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', 'groundplane', ...words],
    ]);
    return { ...told, changes: changesIn(await machine.readFile(trace)) };
  }

  /** What is there before there is a node: a line for each file, with its mode and the time of its last change. */
  async function tree(): Promise<readonly string[]> {
    const places = '/etc /opt /srv /usr/local /var/lib/kubelet /var/lib/etcd /var/lib/groundplane /run/groundplane';
    const found = await machine.exec(['sh', '-c', `find ${places} -printf '%p %m %T@\\n' 2>/dev/null | sort`]);
    return found.stdout.trim().split('\n');
  }

  beforeAll(async () => {
    machine = await createMachine({ name: 'dry-run-1' });
    await installGroundplane(machine);
    args = (await prepareInit(machine)).map((arg) => (arg === initConfigPath ? openConfigPath : arg));
    await machine.exec(['install', '-m', '644', initConfigPath, openConfigPath]);
  });
  afterAll(() => machine?.delete());

  let predicted: readonly PhasePlan[];

  it('is made by an ordinary user on a fresh machine, and changes nothing', async () => {
    const before = await tree();
    expect(before.length).toBeGreaterThan(100);
    const dry = await asNobody(['init', '--dry-run', '-o', 'json', ...args]);
    expect(dry.code, dry.stderr).toBe(0);
    expect(dry.changes).toEqual([]);
    expect(await tree()).toEqual(before);
    predicted = JSON.parse(dry.stdout).phases;
    const [preflight] = predicted;
    expect(preflight?.phase).toBe('preflight');
    expect(JSON.stringify(preflight)).toContain('the run itself needs root');
  });

  it('comes true: the objects', async () => {
    await bootstrapControlPlane({ name: machine.name, machine });
    const objects = predicted
      .flatMap(({ outputs }) => outputs)
      .flatMap(({ kind, after }) => (kind === 'object' && after !== undefined ? [JSON.parse(after) as ApiObject] : []));
    expect(objects.length).toBeGreaterThan(25);
    const text = await kubectlOutput(machine, ['get', kindsOf(objects), '--all-namespaces', '-o', 'json']);
    const live = JSON.parse(text).items as readonly ApiObject[];
    const differing = objects.filter((object) => {
      const found = live.find((other) => keyOf(other) === keyOf(object));
      return !isWithin(masked(object), found && masked(found));
    });
    expect(differing).toEqual([]);
  });

  it('comes true: the files', async () => {
    const files = predicted
      .flatMap(({ outputs }) => outputs)
      .filter(({ kind, action }) => kind === 'file' && action === 'created');
    expect(files.length).toBeGreaterThan(30);
    const { stdout } = await machine.exec(['stat', '-c', '%n 0%a %U:%G', ...files.map(({ location }) => location)]);
    expect(stdout.trim().split('\n')).toEqual(files.map(({ location, mode, owner }) => `${location} ${mode} ${owner}`));
  });

  it('root is told that all is there', async () => {
    const before = await settledSnapshot(machine);
    const plan = await machine.exec(['groundplane', 'plan', 'init', ...args, '--exit-code']);
    expect(plan.code, plan.stdout).toBe(0);
    const dry = await machine.exec(['groundplane', 'init', '--dry-run', ...args]);
    expect(dry.code, dry.stderr).toBe(0);
    const verify = await machine.exec(['groundplane', 'verify', ...args]);
    expect(verify.code, `${verify.stdout}${verify.stderr}`).toBe(0);
    expect(await nodeSnapshot(machine)).toEqual(before);
  });

  it.each([
    ['plan init', 0],
    ['init --dry-run', 0],
    ['verify', 4],
  ])('on a node, what an ordinary user may not see is named: %s', async (words, code) => {
    const before = await nodeSnapshot(machine);
    const told = await asNobody([...words.split(' '), '-o', 'json', ...args]);
    expect(told.code, told.stderr).toBe(code);
    expect(told.changes).toEqual([]);
    expect(told.stdout).toContain('Cannot read /etc/kubernetes/pki/ca.key as permission is denied (EACCES)');
    expect(told.stdout).toContain('Cannot read /etc/kubernetes/admin.conf as permission is denied (EACCES)');
    expect(told.stdout).not.toContain('"conflict"');
    expect(await nodeSnapshot(machine)).toEqual(before);
  });

  it('reset and join tell an ordinary user what they would do, and touch nothing', async () => {
    const another = await freshJoinArguments(machine);
    const before = await settledSnapshot(machine);
    const reset = await asNobody(['reset', '--dry-run', '-o', 'json']);
    expect(reset.code, reset.stderr).toBe(0);
    expect(reset.changes).toEqual([]);
    expect(reset.stdout).toContain('/etc/kubernetes/pki/ca.key');
    const join = await asNobody(['join', '--dry-run', '-o', 'json', '--node-name', 'another', ...another]);
    expect(join.code, join.stderr).toBe(0);
    expect(join.changes).toEqual([]);
    expect(JSON.parse(join.stdout).phases.map(({ phase }: PhasePlan) => phase)).toEqual([
      'preflight',
      'kubelet-start',
      'kubelet-wait-bootstrap',
    ]);
    expect(await nodeSnapshot(machine)).toEqual(before);
  });
});

interface ApiObject {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
}

function keyOf({ kind, metadata: { namespace = '', name } }: ApiObject): string {
  return `${kind} ${namespace}/${name}`;
}

function kindsOf(objects: readonly ApiObject[]): string {
  return [...new Set(objects.map(({ kind }) => kind))].join();
}

/** The CA of the cluster is another one than that of the prediction; nothing else in an object is random. */
function masked(object: ApiObject): unknown {
  return JSON.parse(
    JSON.stringify(object).replaceAll(/certificate-authority-data: [\w+/=]+/g, 'certificate-authority-data: (data)'),
  );
}

/** True if what is there has all that was predicted: API server and controllers add to it. */
function isWithin(predicted: unknown, actual: unknown): boolean {
  if (typeof predicted !== 'object' || predicted === null) return Object.is(predicted, actual);
  if (typeof actual !== 'object' || actual === null) return false;
  if (Array.isArray(predicted) && Array.isArray(actual) && predicted.length !== actual.length) return false;
  const there = actual as Readonly<Record<string, unknown>>;
  return Object.entries(predicted).every(([key, value]) => isWithin(value, there[key]));
}
