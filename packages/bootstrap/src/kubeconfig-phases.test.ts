import { X509Certificate } from 'node:crypto';
import { parseYaml } from '@groundplane/manifest';
import type { MemoryPorts } from '@groundplane/phases/testing';
import { beforeAll, describe, expect, test } from 'vitest';
import { decisions, plan, run } from '../test/init-run.ts';
import { initContext, initWorld } from '../test/init-world.ts';
import { opensslCertificate } from '../test/openssl.ts';
import type { InitContext } from './index.ts';
import { resolveInit } from './resolve-init.ts';

const kubernetes = '/etc/kubernetes';
const selection = { only: ['certs/ca', 'kubeconfig'] };
let config: InitContext;
beforeAll(async () => {
  config = await initContext({ cluster: 'controlPlaneEndpoint: lb.example.com:8443\n' });
});

/** A kubeconfig as a YAML reader of its own sees it. */
function read({ memory }: MemoryPorts, name: string) {
  const document = parseYaml(memory.text(`${kubernetes}/${name}`) ?? '') as {
    readonly 'current-context': string;
    readonly clusters: readonly [
      { readonly cluster: { readonly server: string; readonly 'certificate-authority-data': string } },
    ];
    readonly users: readonly [{ readonly name: string; readonly user: { readonly 'client-certificate-data': string } }];
  };
  const decode = (text: string) => Buffer.from(text, 'base64').toString();
  const [{ cluster }] = document.clusters;
  const [{ name: user, user: credentials }] = document.users;
  return {
    context: document['current-context'],
    server: cluster.server,
    authority: decode(cluster['certificate-authority-data']),
    user,
    certificate: new X509Certificate(decode(credentials['client-certificate-data'])),
  };
}

test.each([
  ['admin.conf', 'kubernetes-admin', 'O=kubeadm:cluster-admins', 'https://lb.example.com:8443'],
  ['super-admin.conf', 'kubernetes-super-admin', 'O=system:masters', 'https://lb.example.com:8443'],
  ['kubelet.conf', 'system:node:node-a', 'O=system:nodes', 'https://192.0.2.10:6443'],
  ['controller-manager.conf', 'system:kube-controller-manager', '', 'https://192.0.2.10:6443'],
  ['scheduler.conf', 'system:kube-scheduler', '', 'https://192.0.2.10:6443'],
])('%s is made for %s', async (name, user, groups, server) => {
  const ports = initWorld();
  expect((await run(ports, config, selection)).error).toBeUndefined();
  const { certificate, authority, ...rest } = read(ports, name);
  expect(rest).toEqual({ context: `${user}@kubernetes`, server, user });
  expect(certificate.subject.split('\n')).toEqual([...(groups === '' ? [] : [groups]), `CN=${user}`]);
  expect(authority).toBe(ports.memory.text(`${kubernetes}/pki/ca.crt`));
  expect(certificate.verify(new X509Certificate(authority).publicKey)).toBe(true);
  expect(ports.memory.mode(`${kubernetes}/${name}`)).toBe(0o600);
});

test('a client certificate begins when the CA does, as those of kubeadm do', async () => {
  const old = initWorld();
  await run(old, config, { only: ['certs/ca'] });
  const files = Object.fromEntries(
    ['ca.crt', 'ca.key'].map((name) => {
      const path = `${kubernetes}/pki/${name}`;
      return [path, { content: old.memory.text(path) ?? '', mode: old.memory.mode(path) ?? 0 }];
    }),
  );
  const aYearLater = initWorld({ startMs: Date.UTC(2027, 0, 1), files });
  await run(aYearLater, config, selection);
  const authorityBegins = new X509Certificate(old.memory.text(`${kubernetes}/pki/ca.crt`) ?? '').validFromDate;
  expect(read(aYearLater, 'admin.conf').certificate.validFromDate).toEqual(authorityBegins);
  expect(read(aYearLater, 'admin.conf').certificate.validToDate).toEqual(new Date(Date.UTC(2028, 0, 1)));
});

describe('an existing kubeconfig', () => {
  async function finished() {
    const ports = initWorld();
    await run(ports, config, selection);
    return ports;
  }

  test('of this cluster is kept', async () => {
    expect(new Set(Object.values(await decisions(await finished(), config, selection)))).toEqual(new Set(['keep']));
  });

  test('with another server is kept, with a warning', async () => {
    const ports = await finished();
    const text = ports.memory.text(`${kubernetes}/admin.conf`) ?? '';
    const moved = text.replace('https://lb.example.com:8443', 'https://192.0.2.10:6443');
    ports.memory.put(`${kubernetes}/admin.conf`, { content: moved, mode: 0o600 });
    const { phases } = await plan(ports, config, selection);
    expect(phases.find(({ phase }) => phase === 'kubeconfig/admin')).toMatchObject({
      decision: 'keep',
      findings: [{ code: 'KUBECONFIG_SERVER_DIFFERS', severity: 'warning' }],
    });
  });

  test('with another server is no finding for a single phase that was not told of any', async () => {
    const ports = await finished();
    const alone = (command: string) => resolveInit({ ports, command });
    const findings = async (command: string) => {
      const { phases } = await plan(ports, (await alone(command)).context, selection);
      return phases.flatMap((phase) => phase.findings).filter(({ code }) => code === 'KUBECONFIG_SERVER_DIFFERS')
        .length;
    };
    expect(await findings('init phase bootstrap-token')).toBe(0);
    expect(await findings('init phase kubeconfig admin')).toBeGreaterThan(0);
  });

  test.each([
    { place: 'our own', path: `${kubernetes}/pki/ca.crt`, codes: [] },
    { place: 'another', path: '/srv/pki/ca.crt', codes: ['KUBECONFIG_CA_ELSEWHERE'] },
  ])('whose CA is in $place file is kept', async ({ path, codes }) => {
    const ports = await finished();
    const text = ports.memory.text(`${kubernetes}/admin.conf`) ?? '';
    const content = text.replace(/certificate-authority-data: .*/, `certificate-authority: ${path}`);
    ports.memory.put(`${kubernetes}/admin.conf`, { content, mode: 0o600 });
    const { phases } = await plan(ports, config, selection);
    const admin = phases.find(({ phase }) => phase === 'kubeconfig/admin');
    expect(admin?.decision).toBe('keep');
    expect(admin?.findings.map(({ code }) => code)).toEqual(codes);
  });

  test.each(['admin.conf', 'kubelet.conf', 'controller-manager.conf'])(
    'of another cluster is a conflict: %s',
    async (name) => {
      const ports = await finished();
      const other = await finished();
      const text = other.memory.text(`${kubernetes}/${name}`) ?? '';
      ports.memory.put(`${kubernetes}/${name}`, { content: text, mode: 0o600 });
      const { error, changes } = await run(ports, config, selection);
      expect(error?.findings).toMatchObject([{ code: 'KUBECONFIG_CA_DIFFERS', artifact: `${kubernetes}/${name}` }]);
      expect(changes).toEqual([]);
    },
  );

  test('whose key waits for a certificate from a CA elsewhere is told as that, and is not to be moved away', async () => {
    const ports = await finished();
    const text = ports.memory.text(`${kubernetes}/scheduler.conf`) ?? '';
    const content = text.replace(/ *(?:certificate-authority|client-certificate)-data: .*\n/g, '');
    expect(content).toContain('client-key-data');
    ports.memory.put(`${kubernetes}/scheduler.conf`, { content, mode: 0o600 });
    ports.memory.remove(`${kubernetes}/pki/ca.key`);
    const { phases } = await plan(ports, config, selection);
    const { findings = [] } = phases.find(({ phase }) => phase === 'kubeconfig/scheduler') ?? {};
    expect(findings).toMatchObject([
      {
        code: 'KUBECONFIG_CREDENTIALS_MISSING',
        message: `${kubernetes}/scheduler.conf waits for the certificate of its key`,
        hint: expect.stringContaining('groundplane certs import'),
      },
    ]);
    expect(findings[0]?.hint).not.toContain('away');
  });

  test('with the rights of somebody else is a conflict where a component needs its own', async () => {
    const ports = await finished();
    const scheduler = ports.memory.text(`${kubernetes}/scheduler.conf`) ?? '';
    ports.memory.put(`${kubernetes}/controller-manager.conf`, { content: scheduler, mode: 0o600 });
    const { error } = await run(ports, config, selection);
    expect(error?.findings).toMatchObject([
      { code: 'PKI_SUBJECT_DIFFERS', artifact: `${kubernetes}/controller-manager.conf` },
    ]);
  });

  test('that others can read is kept as it is, with a warning', async () => {
    const ports = await finished();
    ports.memory.chmod(`${kubernetes}/admin.conf`, 0o644);
    const { phases } = await plan(ports, config, selection);
    expect(phases.find(({ phase }) => phase === 'kubeconfig/admin')).toMatchObject({
      decision: 'keep',
      findings: [{ code: 'PHASES_SECRET_EXPOSED', severity: 'warning', hint: `chmod 0600 ${kubernetes}/admin.conf` }],
    });
    const { changes } = await run(ports, config, selection);
    expect(changes).toEqual([]);
    expect(ports.memory.mode(`${kubernetes}/admin.conf`)).toBe(0o644);
  });
});

test('with an external CA the missing ones are listed as exact requests', async () => {
  const { certificate } = opensslCertificate({ subject: '/CN=elsewhere' });
  const ports = initWorld({ startMs: Date.now() + 60_000, files: { [`${kubernetes}/pki/ca.crt`]: certificate } });
  const { error, changes } = await run(ports, config, { only: ['kubeconfig'] });
  expect(error).toMatchObject({ code: 'PHASES_EXTERNAL' });
  expect(error?.findings.map(({ message }) => message)).toEqual([
    'admin.conf is missing and the key of its CA, /etc/kubernetes/pki/ca.key, is not on this node: wanted CN=kubernetes-admin; O=kubeadm:cluster-admins; clientAuth',
    'super-admin.conf is missing and the key of its CA, /etc/kubernetes/pki/ca.key, is not on this node: wanted CN=kubernetes-super-admin; O=system:masters; clientAuth',
    'kubelet.conf is missing and the key of its CA, /etc/kubernetes/pki/ca.key, is not on this node: wanted CN=system:node:node-a; O=system:nodes; clientAuth',
    'controller-manager.conf is missing and the key of its CA, /etc/kubernetes/pki/ca.key, is not on this node: wanted CN=system:kube-controller-manager; clientAuth',
    'scheduler.conf is missing and the key of its CA, /etc/kubernetes/pki/ca.key, is not on this node: wanted CN=system:kube-scheduler; clientAuth',
  ]);
  expect(changes).toEqual([]);
});

test('without a CA nothing is made', async () => {
  const { error, changes } = await run(initWorld(), config, { only: ['kubeconfig/admin'] });
  expect(error?.findings).toMatchObject([{ code: 'PHASES_ARTIFACT_MISSING', artifact: `${kubernetes}/pki/ca.crt` }]);
  expect(changes).toEqual([]);
});
