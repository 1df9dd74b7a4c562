import { currentContextOf, parseKubeconfig } from '@groundplane/kubeconfig';
import { parseYaml } from '@groundplane/manifest';
import { describe, expect, test } from 'vitest';
import { decisions, run } from '../test/init-run.ts';
import { initContext, initWorld } from '../test/init-world.ts';

const only = { only: ['kubelet-finalize'] };
const conf = '/etc/kubernetes/kubelet.conf';
const pem = '/var/lib/kubelet/pki/kubelet-client-current.pem';

/** A node whose kubelet runs; kubelet.conf still holds the certificate that it was made with. */
async function started(options: { readonly args?: string } = {}) {
  const ports = initWorld();
  const args = options.args === undefined ? '' : `  kubeletExtraArgs: [${options.args}]\n`;
  const config = await initContext({ init: args });
  const { error } = await run(ports, config, {
    only: ['certs', 'kubeconfig', 'control-plane', 'etcd', 'kubelet-start'],
  });
  expect(error).toBeUndefined();
  return { ports, config };
}

/** The user of a kubeconfig as a YAML reader of its own sees it. */
function userIn(text: string | undefined): Readonly<Record<string, string>> {
  const { users } = parseYaml(text ?? '') as { readonly users: readonly [{ readonly user: Record<string, string> }] };
  return users[0].user;
}

test('kubelet.conf names the certificate that the kubelet renews, and is otherwise the same', async () => {
  const { ports, config } = await started();
  const before = ports.memory.text(conf) ?? '';
  const { changes, error } = await run(ports, config, only);
  expect([error, changes]).toEqual([undefined, [`write ${conf}`]]);
  const after = ports.memory.text(conf) ?? '';
  expect(userIn(after)).toEqual({ 'client-certificate': pem, 'client-key': pem });
  expect({ ...parseKubeconfig(after), users: [] }).toEqual({ ...parseKubeconfig(before), users: [] });
  expect(ports.memory.mode(conf)).toBe(0o600);
  expect(currentContextOf(parseKubeconfig(after), { [pem]: ports.memory.text(pem) ?? '' }).clientCertificate).toContain(
    currentContextOf(parseKubeconfig(before)).clientCertificate,
  );
});

test('a second run of init keeps it and restarts nothing', async () => {
  const { ports, config } = await started();
  await run(ports, config);
  expect(userIn(ports.memory.text(conf))['client-certificate']).toBe(pem);
  const again = await run(ports, config);
  expect([again.error, again.changes]).toEqual([undefined, []]);
  expect(await decisions(ports, config)).toMatchObject({
    'kubeconfig/kubelet': 'keep',
    'kubelet-start': 'keep',
    'kubelet-finalize/enable-client-cert-rotation': 'keep',
  });
});

test('a kubelet that keeps no certificate of its own keeps what is embedded', async () => {
  const { ports, config } = await started();
  ports.memory.remove(pem);
  const before = ports.memory.text(conf);
  expect((await run(ports, config, only)).changes).toEqual([]);
  expect(ports.memory.text(conf)).toBe(before);
});

test('the folder of the certificate may be another one', async () => {
  const { ports, config } = await started({
    args: '{name: cert-dir, value: /first}, {name: cert-dir, value: /srv/kubelet/}',
  });
  ports.memory.put('/srv/kubelet/kubelet-client-current.pem', { content: ports.memory.text(pem) ?? '', mode: 0o600 });
  await run(ports, config, only);
  expect(userIn(ports.memory.text(conf))['client-key']).toBe('/srv/kubelet/kubelet-client-current.pem');
});

test('a certificate that an earlier cluster left behind is not used, with a warning', async () => {
  const other = await started();
  const { ports, config } = await started();
  ports.memory.put(pem, { content: other.ports.memory.text(pem) ?? '', mode: 0o600 });
  const before = ports.memory.text(conf);
  const { events, changes, error } = await run(ports, config, only);
  expect([error, changes]).toEqual([undefined, []]);
  expect(ports.memory.text(conf)).toBe(before);
  expect(events.flatMap((event) => (event.type === 'finding' ? [event.finding] : []))).toMatchObject([
    { code: 'BOOTSTRAP_KUBELET_CERTIFICATE_UNFIT', severity: 'warning', artifact: pem },
  ]);
});

test('a kubelet that has not read kubelet.conf since it was changed is restarted', async () => {
  const { ports, config } = await started();
  ports.memory.put(conf, { content: ports.memory.text(conf) ?? '', mode: 0o600 });
  expect((await run(ports, config, only)).changes).toEqual(['restart kubelet', `write ${conf}`]);
});

describe('a kubelet.conf that names a certificate', () => {
  test('that is lost is refused', async () => {
    const { ports, config } = await started();
    await run(ports, config, only);
    ports.memory.remove(pem);
    const { error, changes } = await run(ports, config, { only: ['kubeconfig/kubelet'] });
    expect([error?.kind, changes]).toEqual(['conflict', []]);
    expect(error?.findings).toMatchObject([{ code: 'BOOTSTRAP_KUBELET_CERTIFICATE_LOST', artifact: conf }]);
  });

  test('of another cluster is refused', async () => {
    const other = await started();
    const { ports, config } = await started();
    await run(ports, config, only);
    ports.memory.put(pem, { content: other.ports.memory.text(pem) ?? '', mode: 0o600 });
    const { error } = await run(ports, config, { only: ['kubeconfig/kubelet'] });
    expect(error?.findings).toMatchObject([{ code: 'PKI_CERTIFICATE_UNTRUSTED', artifact: conf }]);
  });
});

test('a kubelet.conf whose context has no user is told, and left', async () => {
  const { ports, config } = await started();
  const broken = (ports.memory.text(conf) ?? '').replace(/^- name: system:node:.*$/m, '- name: somebody');
  ports.memory.put(conf, { content: broken, mode: 0o600 });
  const { error, changes } = await run(ports, config, only);
  expect(error).toMatchObject({ kind: 'conflict' });
  expect(changes).toEqual([]);
});
