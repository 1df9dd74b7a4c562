import { describe, expect, test } from 'vitest';
import { at, run, textFile, textObject, tiny, tinyConfig, workflowOf } from '../test/tiny-workflow.ts';
import { formatLocation, optional, type Ports, planWorkflow, verifyWorkflow } from './index.ts';
import { memoryPorts } from './testing/index.ts';

const access = textFile('access', { external: true });
const read = textFile('read', { external: true });
const written = textFile('written');
const gone = textFile('gone');
const folder = at('folder', { kind: 'directory', path: '/var/tiny' }, { emptied: true });
const stored = textObject('stored', { policy: 'converge' });

type Deed = (ports: Ports) => unknown;
const mode = { mode: 0o644 };
const objectNamed = (name: string, apiVersion = 'v1') => ({ apiVersion, kind: 'Text', metadata: { name } });
const reference = (name: string, apiVersion = 'v1') => ({ apiVersion, kind: 'Text', name });
const signal = new AbortController().signal;

/** An effect that may read `read`, write `written` and `stored`, and remove `gone`. */
const uses = ['host', 'cluster', 'clusters', 'runtime', 'signer', 'etcd', 'clock'] as const;
function doing(deed: { readonly run?: Deed; readonly verify?: Deed }) {
  return tiny.defineEffect({
    name: 'doing',
    summary: 'Do it',
    reads: { read },
    writes: { written, stored },
    removes: [gone, folder],
    connect: { kubeconfig: access, endpoint: 'as-written' },
    uses,
    render: ({ outputs }) => outputs({ written: 'x', stored: { text: 'x' } }),
    run: async ({ ports }) => void (await deed.run?.(ports as unknown as Ports)),
    verify: async ({ ports }) => {
      await deed.verify?.(ports as unknown as Ports);
      return [];
    },
  });
}

function world() {
  return memoryPorts({
    files: { '/etc/tiny/access': 'access', '/etc/tiny/read': 'text' },
    etcd: {
      members: async () => [],
      addLearner: () => Promise.reject(new Error('reached')),
      promote: () => Promise.reject(new Error('reached')),
      remove: () => Promise.reject(new Error('reached')),
    },
  });
}

const undeclared: readonly { readonly what: string; readonly deed: Deed; readonly message: string }[] = [
  { what: 'read', deed: ({ host }) => host.files.read('/etc/passwd'), message: 'Cannot read /etc/passwd as' },
  {
    what: 'status',
    deed: ({ host }) => host.files.status('/etc/tiny/../passwd'),
    message: 'Cannot read /etc/tiny/../passwd as',
  },
  { what: 'list', deed: ({ host }) => host.files.list('/etc'), message: 'Cannot read /etc as' },
  {
    what: 'write of what is only read',
    deed: ({ host }) => host.files.write('/etc/tiny/read', new Uint8Array(), mode),
    message: 'Cannot write /etc/tiny/read as',
  },
  {
    what: 'append',
    deed: ({ host }) => host.files.append('/etc/tiny/other', new Uint8Array(), mode),
    message: 'Cannot write /etc/tiny/other as',
  },
  {
    what: 'directory',
    deed: ({ host }) => host.files.makeDirectory('/etc/tiny/other', mode),
    message: 'Cannot write /etc/tiny/other as',
  },
  {
    what: 'removal',
    deed: ({ host }) => host.files.remove('/etc/tiny/read'),
    message: 'Cannot write /etc/tiny/read as',
  },
  {
    what: 'removal of a directory',
    deed: ({ host }) => host.files.removeDirectory('/etc/tiny'),
    message: 'Cannot write /etc/tiny as',
  },
  { what: 'emptying', deed: ({ host }) => host.files.empty('/etc/tiny'), message: 'Cannot write /etc/tiny as' },
  { what: 'real path', deed: ({ host }) => host.files.realPath('/etc'), message: 'Cannot read /etc as' },
  {
    what: 'unmounting of the directory itself',
    deed: ({ host }) => host.mounts.unmount('/var/tiny'),
    message: 'Cannot unmount /var/tiny as',
  },
  {
    what: 'unmounting beside the directory',
    deed: ({ host }) => host.mounts.unmount('/var/tiny-more/x'),
    message: 'Cannot unmount /var/tiny-more/x as',
  },
  { what: 'get', deed: ({ cluster }) => cluster.get(reference('other')), message: 'Cannot read Text other as' },
  {
    what: 'get of another group',
    deed: ({ cluster }) => cluster.get(reference('stored', 'other/v1')),
    message: 'Cannot read Text stored as',
  },
  {
    what: 'get in a namespace',
    deed: ({ cluster }) => cluster.get({ ...reference('stored'), namespace: 'n' }),
    message: 'Cannot read Text n/stored as',
  },
  {
    what: 'create',
    deed: ({ cluster }) => cluster.create(objectNamed('other')),
    message: 'Cannot create Text other as',
  },
  { what: 'apply', deed: ({ cluster }) => cluster.apply(objectNamed('other')), message: 'Cannot apply Text other as' },
  {
    what: 'patch',
    deed: ({ cluster }) => cluster.patch(reference('other'), {}),
    message: 'Cannot patch Text other as',
  },
  { what: 'delete', deed: ({ cluster }) => cluster.delete(reference('other')), message: 'Cannot delete Text other as' },
  {
    what: 'list of another kind',
    deed: ({ cluster }) => cluster.list({ apiVersion: 'v1', kind: 'Secret' }),
    message: 'Cannot list Secret objects as',
  },
  {
    what: 'watch of another kind',
    deed: async ({ cluster }) => cluster.watch({ apiVersion: 'v1', kind: 'Secret' }, { signal }),
    message: 'Cannot list Secret objects as',
  },
  {
    what: 'an object by a connection of its own',
    deed: async ({ clusters }) =>
      (await clusters.connect({ kubeconfig: 'mine', timeoutMs: 1 })).apply(objectNamed('other')),
    message: 'Cannot apply Text other as',
  },
];

describe('the ports of an effect refuse what it does not declare', () => {
  test.each(undeclared)('$what', async ({ deed, message }) => {
    const { error } = await run(workflowOf(doing({ run: deed })), world());
    expect(error).toMatchObject({ code: 'PHASES_UNDECLARED', message: expect.stringContaining(message) });
  });

  test('and allow what it declares', async () => {
    const ports = world();
    const { error } = await run(
      workflowOf(
        doing({
          run: async ({ host, cluster, runtime }) => {
            expect((await host.files.read('/etc/tiny/read'))?.size).toBe(4);
            await host.files.write('/etc/tiny/written', new TextEncoder().encode('y'), mode);
            await host.files.remove('/etc/tiny/gone');
            await host.mounts.unmount('/var/tiny/x');
            expect(await host.files.empty('/var/tiny')).toEqual([]);
            await cluster.patch(reference('stored'), { text: 'y' });
            expect(await cluster.list({ apiVersion: 'v1', kind: 'Text' })).toHaveLength(1);
            await host.services.restart('kubelet');
            await runtime.pullImage('image');
          },
        }),
      ),
      ports,
    );
    expect(error).toBeUndefined();
    expect(ports.memory.text('/etc/tiny/written')).toBe('y');
  });
});

const changes: readonly { readonly what: string; readonly deed: Deed; readonly message: string }[] = [
  {
    what: 'write',
    deed: ({ host }) => host.files.write('/etc/tiny/written', new Uint8Array(), mode),
    message: 'Cannot write /etc/tiny/written',
  },
  { what: 'remove', deed: ({ host }) => host.files.remove('/etc/tiny/gone'), message: 'Cannot write /etc/tiny/gone' },
  { what: 'empty', deed: ({ host }) => host.files.empty('/var/tiny'), message: 'Cannot write /var/tiny' },
  { what: 'unmount', deed: ({ host }) => host.mounts.unmount('/var/tiny/x'), message: 'Cannot unmount /var/tiny/x' },
  {
    what: 'remove a pod',
    deed: ({ runtime }) => runtime.removeSandbox('1'),
    message: 'Cannot remove a pod sandbox',
  },
  { what: 'restart', deed: ({ host }) => host.services.restart('kubelet'), message: 'Cannot restart kubelet' },
  { what: 'stop', deed: ({ host }) => host.services.stop('kubelet'), message: 'Cannot stop kubelet' },
  {
    what: 'create',
    deed: ({ cluster }) => cluster.create(objectNamed('stored')),
    message: 'Cannot create Text stored',
  },
  { what: 'apply', deed: ({ cluster }) => cluster.apply(objectNamed('stored')), message: 'Cannot apply Text stored' },
  { what: 'patch', deed: ({ cluster }) => cluster.patch(reference('stored'), {}), message: 'Cannot patch Text stored' },
  { what: 'delete', deed: ({ cluster }) => cluster.delete(reference('stored')), message: 'Cannot delete Text stored' },
  { what: 'pull', deed: ({ runtime }) => runtime.pullImage('image'), message: 'Cannot pull an image' },
  { what: 'issue', deed: ({ signer }) => signer.issue([]), message: 'Cannot issue a certificate' },
  {
    what: 'add a member',
    deed: ({ etcd }) => etcd.addLearner('https://192.0.2.1:2380'),
    message: 'Cannot add an etcd member',
  },
  { what: 'promote a member', deed: ({ etcd }) => etcd.promote('1'), message: 'Cannot promote an etcd member' },
  { what: 'remove a member', deed: ({ etcd }) => etcd.remove('1'), message: 'Cannot remove an etcd member' },
];

describe('a verify may only look', () => {
  const finished = async () => {
    const ports = world();
    await run(workflowOf(doing({})), ports);
    return ports;
  };

  test.each(changes)('$what, while planning and while verifying', async ({ deed, message }) => {
    const ports = await finished();
    const before = ports.memory.writes.length;
    const request = { workflow: workflowOf(doing({ verify: deed })), config: tinyConfig, ports };
    const refusal = { code: 'PHASES_UNDECLARED', message: `${message} as phase 'doing' is only verifying` };
    await expect(planWorkflow(request)).rejects.toMatchObject(refusal);
    await expect(verifyWorkflow(request)).rejects.toMatchObject(refusal);
    expect(ports.memory.writes.slice(before)).toEqual([]);
  });

  test('looking is allowed', async () => {
    const ports = await finished();
    const looks: Deed = async ({ host, cluster, runtime, etcd, signer }) => {
      await host.files.read('/etc/tiny/written');
      await host.services.status('kubelet');
      await cluster.get(reference('stored'));
      await runtime.imageExists('image');
      await runtime.sandboxes();
      await host.mounts.table();
      await etcd.members();
      expect(signer.canIssue({ name: 'x', algorithm: 'RSA-2048' })).toBe(true);
    };
    const { phases } = await planWorkflow({
      workflow: workflowOf(doing({ verify: looks })),
      config: tinyConfig,
      ports,
    });
    expect(phases[0]?.decision).toBe('keep');
  });
});

test('a port that was not supplied is a mistake of the program', async () => {
  const { etcd, ...ports } = world();
  const { error } = await run(workflowOf(doing({})), ports);
  expect(error).toMatchObject({
    code: 'PHASES_INTERNAL',
    message: expect.stringContaining("the port 'etcd' was not supplied"),
  });
});

describe('a family of objects', () => {
  const family = { apiVersion: 'v1', kind: 'Ticket', namespace: 'n', prefix: 'ticket-' };
  const tickets = at('tickets', { kind: 'objects', family }, { policy: 'ephemeral' });
  const ticket = (name: string, namespace = 'n') => ({
    apiVersion: 'v1',
    kind: 'Ticket',
    metadata: { name, namespace },
  });
  const working = (run: (cluster: Ports['cluster']) => Promise<unknown>) =>
    tiny.defineEffect({
      name: 'working',
      summary: 'Work on tickets',
      writes: { tickets },
      connect: { kubeconfig: access, endpoint: 'as-written' },
      uses: ['cluster'],
      run: async ({ ports: { cluster } }) => void (await run(cluster)),
      verify: async ({ ports: { cluster } }) => {
        const found = await cluster.list({ apiVersion: 'v1', kind: 'Ticket', namespace: 'n' });
        if (found.length > 0) return [];
        return [{ code: 'TINY_UNDONE', severity: 'error', artifact: 'tickets', message: 'there is none' }];
      },
    });

  test('is looked after by its effect, one by one and as a list', async () => {
    const ports = world();
    const workflow = workflowOf(working((cluster) => cluster.create(ticket('ticket-1'))));
    const { error } = await run(workflow, ports);
    expect(error).toBeUndefined();
    expect(ports.memory.objects().map(({ metadata }) => metadata.name)).toEqual(['ticket-1']);
    expect((await planWorkflow({ workflow, config: tinyConfig, ports })).phases[0]?.decision).toBe('keep');
  });

  test.each([
    ['of another name', ticket('other')],
    ['in another namespace', ticket('ticket-1', 'other')],
    ['of another kind', { ...ticket('ticket-1'), kind: 'Text' }],
    ['of another group', { ...ticket('ticket-1'), apiVersion: 'other/v1' }],
  ])('does not hold an object %s', async (_, object) => {
    const { error } = await run(workflowOf(working((cluster) => cluster.create(object))), world());
    expect(error).toMatchObject({ code: 'PHASES_UNDECLARED', message: expect.stringMatching(/^Cannot create /) });
  });

  test('of another kind is not listed', async () => {
    const { error } = await run(
      workflowOf(working((cluster) => cluster.list({ apiVersion: 'v1', kind: 'Text' }))),
      world(),
    );
    expect(error).toMatchObject({
      code: 'PHASES_UNDECLARED',
      message: expect.stringContaining('Cannot list Text objects'),
    });
  });

  test('cannot be read without a connection', () => {
    const reading = tiny.defineEffect({
      name: 'reading',
      summary: 'Read',
      reads: { tickets: optional(tickets) },
      uses: [],
      run: async () => {},
      verify: () => [],
    });
    expect(() => workflowOf(reading)).toThrow(/reads the object 'tickets' without a connection/);
  });

  test('is shown by its beginning', () => {
    expect(formatLocation({ kind: 'objects', family })).toBe('Ticket n/ticket-*');
  });
});
