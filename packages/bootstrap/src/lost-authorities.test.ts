import { planWorkflow, runWorkflow, type Selection, verifyWorkflow } from '@groundplane/phases';
import type { MemoryPorts } from '@groundplane/phases/testing';
import type { CertificateAuthorityName } from '@groundplane/pki';
import { describe, expect, test } from 'vitest';
import { initContext, initWorld } from '../test/init-world.ts';
import { joinRequest, joinWorld, kubeletCertificate, paths } from '../test/join-world.ts';
import {
  type InitRequest,
  initWorkflow,
  joinWorkflow,
  requestCertificates,
  resolveInit,
  resolveJoin,
} from './index.ts';
import { controlPlaneRemedies } from './node-remedies.ts';

type Lines = Parameters<typeof initContext>[0];

const usual = '/etc/kubernetes/pki';
const data = '/var/lib/etcd/member/snap/db';

async function made(lines: Lines = {}, selection: Selection = {}): Promise<MemoryPorts> {
  const ports = initWorld();
  const config = await initContext(lines);
  await runWorkflow({ workflow: initWorkflow, config, ports, selection, actor: 'test' });
  if (selection.only === undefined) ports.memory.put(data, { content: 'data' });
  return ports;
}

function lose(ports: MemoryPorts, ...names: readonly string[]): MemoryPorts {
  for (const name of names) ports.memory.remove(name.startsWith('/') ? name : `${usual}/${name}`);
  return ports;
}

/** Runs a command, or the whole of init, and returns the error that stops it. */
async function refusal(
  ports: MemoryPorts,
  { command, lines = {}, request = {} }: { command: string; lines?: Lines; request?: Partial<InitRequest> },
) {
  const before = ports.memory.writes.length;
  const phase = /^init phase (\S+) (\S+)$/.exec(command);
  const run = async () => {
    const config = await initContext(lines, { ports, command, ...request });
    const selection = phase === null ? {} : { only: [`${phase[1]}/${phase[2]}`] };
    return runWorkflow({ workflow: initWorkflow, config, ports, selection, actor: 'test' });
  };
  const error = await run().then(
    () => undefined,
    (thrown) => thrown,
  );
  expect(error, 'it is refused').toBeDefined();
  expect(ports.memory.writes.length, 'nothing was written').toBe(before);
  const { code, message, hint = '', findings = [] } = error;
  return { code, text: `${message} ${findings.map((one: object) => JSON.stringify(one)).join(' ')} ${hint}`, findings };
}

describe('a CA that is gone from a living cluster', () => {
  test.each<[string, string, readonly string[], RegExp]>([
    ['ca', 'init phase certs ca', ['ca.crt', 'ca.key'], /apiserver\.crt.*admin\.conf.*\/var\/lib\/etcd/],
    ['ca, whole init', 'init', ['ca.crt', 'ca.key'], /apiserver\.crt.*admin\.conf.*\/var\/lib\/etcd/],
    ['ca, all certs', 'init phase certs all', ['ca.crt', 'ca.key'], /admin\.conf/],
    [
      'front-proxy-ca',
      'init phase certs front-proxy-ca',
      ['front-proxy-ca.crt', 'front-proxy-ca.key'],
      /front-proxy-client\.crt/,
    ],
    [
      'etcd-ca',
      'init phase certs etcd-ca',
      ['etcd/ca.crt', 'etcd/ca.key'],
      /etcd\/server\.crt.*apiserver-etcd-client\.crt/s,
    ],
    ['etcd-ca, whole init', 'init', ['etcd/ca.crt', 'etcd/ca.key'], /etcd\/server\.crt/],
  ])('is not made anew, and what hangs on it is named: %s', async (_, command, lost, text) => {
    const said = await refusal(lose(await made(), ...lost), { command: command.replace(/ all$/, ' ca') });
    expect(said.code).toMatch(/BOOTSTRAP_AUTHORITY_MISSING|PHASES_CONFLICT/);
    expect(said.text).toContain('BOOTSTRAP_AUTHORITY_MISSING');
    expect(said.text).toMatch(text);
    expect(said.text).toMatch(/from a backup/);
    // Nobody is told to move away one by one what hangs on it.
    expect(said.text).not.toContain('PHASES_OUTPUT_WITHOUT_INPUT');
  });

  test.each(['ca', 'front-proxy-ca', 'etcd-ca'] as const)('is the same one again with its key: %s', async (name) => {
    const file = `${name.replace('etcd-', 'etcd/')}.crt`;
    const ports = lose(await made(), file);
    const before = ports.memory.writes.length;
    const context = await initContext({}, { ports, command: `init phase certs ${name}` });
    const asking = (...phases: readonly string[]) => ({
      workflow: initWorkflow,
      config: context,
      ports,
      selection: { only: phases },
    });
    await runWorkflow({ ...asking(`certs/${name}`), actor: 'test' });
    expect(ports.memory.writes.slice(before)).toEqual([{ action: 'write', location: `${usual}/${file}` }]);
    const verdicts = await verifyWorkflow(asking('certs'));
    expect(verdicts.filter(({ verdict }) => verdict !== 'valid')).toEqual([]);
  });

  test.each<[string, readonly string[]]>([
    ['leaf certificates alone', ['/etc/kubernetes', '/var/lib/etcd']],
    ['kubeconfigs alone', [usual, '/var/lib/etcd']],
    ['the data of etcd alone', ['/etc/kubernetes']],
  ])('is missed by %s', async (_, folders) => {
    const ports = await made();
    const gone = ports.memory
      .paths()
      .filter((path) => folders.some((folder) => path.startsWith(`${folder}/`)))
      .filter(
        (path) => folders.includes(usual) || folders.length === 1 || !/\/pki\/.*(apiserver|client|server)/.test(path),
      );
    lose(ports, ...gone, 'ca.crt', 'ca.key');
    const said = await refusal(ports, { command: 'init phase certs ca' });
    expect(said.text).toContain('BOOTSTRAP_AUTHORITY_MISSING');
  });

  test('may be another one where the data of etcd is taken over on purpose', async () => {
    const ports = initWorld({ files: { [data]: 'data' } });
    const config = await initContext(
      { init: '  ignorePreflightErrors: [DirAvailable--var-lib-etcd]\n' },
      { ports, command: 'init phase certs ca' },
    );
    const { phases } = await planWorkflow({ workflow: initWorkflow, config, ports, selection: { only: ['certs/ca'] } });
    expect(phases.map(({ decision }) => decision)).toEqual(['create']);
  });
});

describe('a CA that is kept elsewhere and has not answered yet', () => {
  const way = /groundplane certs import FILE.*groundplane certs requests/;

  async function requested(...authorities: readonly CertificateAuthorityName[]): Promise<MemoryPorts> {
    const ports = initWorld();
    const context = await initContext();
    await requestCertificates({ context, ports, now: ports.clock.now(), authorities });
    return ports;
  }

  test.each(['init phase certs ca', 'init'])(
    'is not made here by %s, and nobody looks for a backup',
    async (command) => {
      const said = await refusal(await requested('ca', 'front-proxy-ca', 'etcd-ca'), { command });
      expect(said.text).toMatch(
        /keys wait for certificates of one that is kept elsewhere: .*apiserver\.key.*admin\.conf/,
      );
      expect(said.text).toMatch(way);
      expect(said.text).not.toMatch(/backup|certificate-authority-data/);
    },
  );

  test('is what the remedies of status and verify name, for each CA', async () => {
    const ports = await requested('ca', 'front-proxy-ca', 'etcd-ca');
    const remedies = await controlPlaneRemedies(await initContext(), ports.host, (phase) => phase);
    for (const path of ['ca.crt', 'front-proxy-ca.crt', 'etcd/ca.crt'])
      expect(remedies.get(`${usual}/${path}`), path).toMatch(way);
    // Said once, with the CA.
    for (const [path, authority] of [
      ['apiserver.crt', 'ca.crt'],
      ['etcd/peer.crt', 'etcd/ca.crt'],
    ])
      expect(remedies.get(`${usual}/${path}`), path).toBe(
        `first bring ${usual}/${authority}: groundplane certs import FILE`,
      );
    expect([...remedies.values()].filter((text) => /backup|certificate-authority-data/.test(text))).toEqual([]);
  });

  test('is lost where a kubeconfig has its certificate already', async () => {
    const ports = await requested('ca');
    const whole = await made({}, { only: ['certs', 'kubeconfig'] });
    const kubeconfig = '/etc/kubernetes/scheduler.conf';
    ports.memory.put(kubeconfig, { content: whole.memory.text(kubeconfig) ?? '', mode: 0o600 });
    const said = await refusal(ports, { command: 'init phase certs ca' });
    expect(said.text).toMatch(/from a backup/);
  });
});

describe('an init that was killed', () => {
  test('after any of its writes is completed by the next run', async () => {
    const whole = (await made({}, { only: ['certs', 'kubeconfig'] })).memory.writes.length;
    for (let write = 0; write < whole; write++) {
      const ports = initWorld();
      let left = write;
      const files = {
        ...ports.host.files,
        write: async (...args: Parameters<typeof ports.host.files.write>) => {
          if (left-- === 0) throw new Error('killed');
          return ports.host.files.write(...args);
        },
      };
      const killed = { ...ports, host: { ...ports.host, files } };
      const selection = { only: ['certs', 'kubeconfig'] };
      const config = await initContext({}, { ports });
      await runWorkflow({ workflow: initWorkflow, config, ports: killed, selection, actor: 'test' }).catch(() => {});
      const again = await initContext({}, { ports });
      await runWorkflow({ workflow: initWorkflow, config: again, ports, selection, actor: 'test' });
      expect(again).not.toHaveProperty('lostAuthorities');
    }
  });
});

describe('a node that was made with another configuration', () => {
  const lines = { cluster: 'certificatesDir: /srv/pki\nclusterName: acme\n' };

  test.each([false, true])('is not looked for in the usual folder, dry run: %s', async (dryRun) => {
    const ports = await made(lines);
    const flags = { 'kubernetes-version': 'v1.37.2', ...(dryRun ? { 'dry-run': true } : {}) };
    await expect(resolveInit({ ports, flags, command: 'init' })).rejects.toMatchObject({
      code: 'BOOTSTRAP_CONFIGURATION_UNKNOWN',
      kind: 'conflict',
      message: expect.stringContaining('/srv/pki'),
      hint: expect.stringMatching(/^Give the configuration that this node was made with: --config FILE/),
    });
  });

  test('gets no second CA by a phase alone', async () => {
    const said = await refusal(await made(lines), {
      command: 'init phase certs ca',
      request: { configText: undefined, flags: { 'kubernetes-version': 'v1.37.2' } },
    });
    expect(said.text).toMatch(/BOOTSTRAP_AUTHORITY_MISSING.*\/srv\/pki/);
  });

  test('may have certificates made elsewhere, where that is asked for', async () => {
    const ports = await made(lines);
    const config = await initContext(
      { cluster: 'certificatesDir: /tmp/other\n' },
      { ports, command: 'init phase certs ca' },
    );
    expect(config).not.toHaveProperty('lostAuthorities');
  });

  test('is a worker, and the error says so', async () => {
    const ports = joinWorld({ certificate: await kubeletCertificate() });
    const { context } = await resolveJoin(await joinRequest(ports));
    await runWorkflow({ workflow: joinWorkflow, config: context, ports, actor: 'test' });
    ports.memory.put('/srv/pki/ca.crt', { content: ports.memory.text(paths.authority) ?? '' });
    ports.memory.remove(paths.authority);
    for (const flags of [{}, { 'dry-run': true }])
      await expect(
        resolveInit({ ports, flags: { 'kubernetes-version': 'v1.37.2', ...flags }, command: 'init' }),
      ).rejects.toMatchObject({ code: 'BOOTSTRAP_JOIN_CONFLICT', message: expect.stringContaining('worker') });
  });
});
