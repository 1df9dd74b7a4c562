import { GroundplaneError } from '@groundplane/errors';
import { planWorkflow, verifyWorkflow } from '@groundplane/phases';
import { beforeAll, describe, expect, test } from 'vitest';
import { decisions, run } from '../test/init-run.ts';
import { initContext, initWorld } from '../test/init-world.ts';
import { judgeExternalAuthorities } from './external-authorities.ts';
import { type InitContext, initWorkflow, requestingSigner, resolveInit } from './index.ts';

const kubernetes = '/etc/kubernetes';
const selection = { only: ['certs', 'kubeconfig'] };
let config: InitContext;
beforeAll(async () => {
  config = await initContext();
});

/** A node with all certificates and kubeconfigs, of which some files were taken away. */
async function worldWithout(...names: readonly string[]) {
  const ports = initWorld();
  expect((await run(ports, config, selection)).error).toBeUndefined();
  for (const name of names) ports.memory.remove(`${kubernetes}/${name}`);
  return ports;
}

test.each([
  { what: 'nothing at all', names: ['pki', 'admin.conf'] },
  { what: 'the keys of the CAs are here', names: [] },
  { what: 'the CA itself is missing', names: ['pki/ca.crt', 'pki/ca.key', 'pki/apiserver.crt'] },
])('there is no external CA: $what', async ({ names }) => {
  expect(await judgeExternalAuthorities(config, await worldWithout(...names), { command: 'init' })).toEqual({
    serviceAccountKeysElsewhere: false,
    isWithoutClusterSigner: false,
    warnings: [],
  });
});

test.each([
  { what: 'the key is here', names: [], known: false },
  { what: 'there is nothing of it', names: ['pki/ca.crt', 'pki/ca.key'], known: undefined },
])('for a single phase whether anything signs is told by the key: $what', async ({ names, known }) => {
  const command = 'init phase upload-config kubeadm';
  const verdict = await judgeExternalAuthorities(config, await worldWithout(...names), { command });
  expect(verdict.isWithoutClusterSigner).toBe(known);
});

describe.each(['status', 'read'] as const)('a folder in which nobody can %s', (call) => {
  const closedPorts = async () => {
    const ports = await worldWithout('pki/ca.key');
    const { files } = ports.host;
    const refuse = async (path: string): Promise<never> => {
      const cause = Object.assign(new Error('EIO'), { code: 'EIO' });
      throw new GroundplaneError('HOST_FILE_UNREADABLE', `Cannot look at ${path}`, { kind: 'unavailable', cause });
    };
    const closed = (path: string) => path.startsWith(`${kubernetes}/pki`);
    const barred = {
      read: async (path: string) => (closed(path) ? refuse(path) : files.read(path)),
      status: async (path: string) => (closed(path) && call === 'status' ? refuse(path) : files.status(path)),
    };
    return { ...ports, host: { ...ports.host, files: { ...files, ...barred } } };
  };

  test('says nothing to a plan, which shows what cannot be looked at', async () => {
    const ports = await closedPorts();
    const { serviceAccountKeysElsewhere, warnings } = await judgeExternalAuthorities(config, ports, {
      command: 'init',
      onlyPlanned: true,
    });
    expect({ serviceAccountKeysElsewhere, warnings }).toEqual({ serviceAccountKeysElsewhere: false, warnings: [] });
    const { phases } = await planWorkflow({ workflow: initWorkflow, config, ports, selection });
    expect(phases[0]).toMatchObject({ decision: 'unknown', reason: expect.stringContaining('Cannot look at') });
    expect(phases.flatMap(({ findings }) => findings)).toEqual([]);
  });

  test('ends a run before anything is written', async () => {
    const ports = await closedPorts();
    await expect(judgeExternalAuthorities(config, ports, { command: 'init' })).rejects.toMatchObject({
      code: 'HOST_FILE_UNREADABLE',
    });
    const before = ports.memory.writes.length;
    expect((await run(ports, config, selection)).error).toMatchObject({ code: 'PHASES_CONFLICT' });
    expect(ports.memory.writes.length).toBe(before);
  });
});

describe('a complete set is taken', () => {
  test.each([['pki/ca.key'], ['pki/front-proxy-ca.key'], ['pki/ca.key', 'pki/front-proxy-ca.key', 'pki/etcd/ca.key']])(
    'without %s',
    async (...names) => {
      const ports = await worldWithout(...names);
      const { serviceAccountKeysElsewhere } = await judgeExternalAuthorities(config, ports, { command: 'init' });
      expect(serviceAccountKeysElsewhere).toBe(false);
      expect(new Set(Object.values(await decisions(ports, config, selection)))).toEqual(new Set(['keep']));
    },
  );
});

test('an incomplete one is no obstacle to who only looks', async () => {
  const ports = await worldWithout('pki/ca.key', 'admin.conf', 'kubelet.conf');
  const { context } = await resolveInit({ ports, looksOnly: true });
  const phases = await verifyWorkflow({ workflow: initWorkflow, config: context, ports, selection });
  const invalid = phases.filter(({ verdict }) => verdict === 'invalid').map(({ phase }) => phase);
  expect(invalid).toEqual(['kubeconfig/admin', 'kubeconfig/kubelet']);
});

describe('an incomplete one is refused, whatever phase is asked for', () => {
  test.each([
    { names: ['pki/ca.key', 'pki/apiserver-kubelet-client.crt'], ca: 'external CA', mentions: ['kubelet-client'] },
    { names: ['pki/ca.key', 'pki/apiserver.key'], ca: 'external CA', mentions: ['apiserver.key'] },
    { names: ['pki/ca.key', 'scheduler.conf'], ca: 'external CA', mentions: ['scheduler.conf is missing'] },
    {
      names: ['pki/ca.key', 'pki/apiserver.crt', 'pki/apiserver.key', 'admin.conf', 'kubelet.conf'],
      ca: 'external CA',
      mentions: ['SANs kubernetes, kubernetes.default', 'admin.conf is missing', 'kubelet.conf is missing'],
    },
    {
      names: ['pki/front-proxy-ca.key', 'pki/front-proxy-client.crt'],
      ca: 'external front-proxy CA',
      mentions: ['front-proxy-client is missing'],
    },
  ])('without $names', async ({ names, ca, mentions }) => {
    const ports = await worldWithout(...names);
    const error = await initContext({}, { ports, command: 'init phase control-plane scheduler' }).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).toMatchObject({ code: 'BOOTSTRAP_EXTERNAL_CA_INCOMPLETE', kind: 'conflict' });
    for (const text of [`invalid or incomplete ${ca}`, ...mentions]) expect(String(error)).toContain(text);
  });

  test('of a machine that has joined a cluster: it is told so', async () => {
    const others = ['admin.conf', 'super-admin.conf', 'controller-manager.conf', 'scheduler.conf'];
    const ports = await worldWithout('pki/ca.key', 'pki/apiserver.crt', ...others);
    await expect(judgeExternalAuthorities(config, ports, { command: 'init' })).rejects.toMatchObject({
      code: 'BOOTSTRAP_JOIN_CONFLICT',
      message: expect.stringContaining('a node of a cluster already'),
      hint: expect.stringContaining('reset'),
    });
  });

  test('signed by another CA', async () => {
    const ports = await worldWithout('pki/ca.key');
    const other = await worldWithout();
    for (const name of ['apiserver.crt', 'apiserver.key']) {
      ports.memory.put(`${kubernetes}/pki/${name}`, {
        content: other.memory.text(`${kubernetes}/pki/${name}`) ?? '',
        mode: 0o600,
      });
    }
    await expect(initContext({}, { ports })).rejects.toThrow(/not signed by its CA/);
  });
});

describe('service account keys come with the CA', () => {
  const names = ['pki/ca.key', 'pki/sa.key', 'pki/sa.pub'];

  test('a phase that would make them does not, and warns', async () => {
    const ports = await worldWithout(...names);
    const verdict = await judgeExternalAuthorities(config, ports, { command: 'init phase certs sa' });
    expect(verdict).toMatchObject({
      serviceAccountKeysElsewhere: true,
      warnings: [
        { code: 'BOOTSTRAP_SERVICE_ACCOUNT_KEY_MISSING', severity: 'warning', artifact: `${kubernetes}/pki/sa.key` },
      ],
    });
    const context = await initContext({}, { ports, command: 'init phase certs sa' });
    const { error, changes } = await run(ports, context, { only: ['certs/sa'] });
    expect([error, changes]).toEqual([undefined, []]);
  });

  test('the whole of init does not begin without them', async () => {
    const ports = await worldWithout(...names);
    await expect(initContext({}, { ports })).rejects.toMatchObject({ code: 'BOOTSTRAP_KEY_MISSING', kind: 'conflict' });
  });

  test('a missing public half is made', async () => {
    const ports = await worldWithout('pki/ca.key', 'pki/sa.pub');
    const context = await initContext({}, { ports, command: 'init phase certs sa' });
    const { changes } = await run(ports, context, { only: ['certs/sa'] });
    expect(changes).toEqual([`write ${kubernetes}/pki/sa.pub`]);
  });
});

describe('without the key of the CA nothing signs the requests of kubelets', () => {
  const told = async (command: string, extraArgs: readonly string[] = []) => {
    const names = extraArgs.map((name) => `    - {name: ${name}, value: /etc/signing}\n`).join('');
    const cluster = extraArgs.length === 0 ? '' : `controllerManager:\n  extraArgs:\n${names}`;
    const ports = await worldWithout('pki/ca.key');
    const context = await initContext({ cluster });
    const { warnings } = await judgeExternalAuthorities(context, ports, { command });
    return warnings.map(({ code, artifact, severity }) => `${severity} ${code} ${artifact}`);
  };
  const warned = [`warning BOOTSTRAP_CLUSTER_SIGNER_MISSING ${kubernetes}/pki/ca.key`];

  test.each(['init', 'init phase control-plane all', 'init phase control-plane controller-manager'])(
    '%s says so',
    async (command) => {
      expect(await told(command)).toEqual(warned);
    },
  );

  test('a phase that has nothing to do with it does not', async () => {
    expect(await told('init phase control-plane apiserver')).toEqual([]);
  });

  test.each([
    ['cluster-signing-key-file', []],
    ['cluster-signing-kubelet-client-key-file', []],
    ['cluster-signing-kubelet-serving-key-file', warned],
  ])('somebody gave the controller manager a key: --%s', async (flag, expected) => {
    expect(await told('init', [flag])).toEqual(expected);
  });
});

test('with a signer that signs for the CA nothing is missing, and the service account keys are made here', async () => {
  const names = ['pki/ca.key', 'pki/sa.key', 'pki/sa.pub', 'pki/apiserver.crt', 'pki/apiserver.key', 'admin.conf'];
  const ports = await worldWithout(...names);
  const signer = requestingSigner('theirs', { sign: () => Promise.reject(new Error('it is not asked')) });
  for (const command of ['init', 'init phase certs apiserver'])
    expect(await judgeExternalAuthorities(config, { ...ports, signer }, { command })).toEqual({
      serviceAccountKeysElsewhere: false,
      isWithoutClusterSigner: true,
      warnings: command === 'init' ? [expect.objectContaining({ code: 'BOOTSTRAP_CLUSTER_SIGNER_MISSING' })] : [],
    });
  await expect(judgeExternalAuthorities(config, ports, { command: 'init' })).rejects.toMatchObject({
    code: 'BOOTSTRAP_EXTERNAL_CA_INCOMPLETE',
  });
});
