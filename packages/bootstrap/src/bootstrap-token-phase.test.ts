import { createHmac } from 'node:crypto';
import { currentContextOf, parseKubeconfig } from '@groundplane/kubeconfig';
import { parseYaml } from '@groundplane/manifest';
import type { MemoryPorts } from '@groundplane/phases/testing';
import { describe, expect, test } from 'vitest';
import { decisions, run } from '../test/init-run.ts';
import { initContext, initWorld, objectOf } from '../test/init-world.ts';
import { productsIn, tokenSecretOf, tokensIn } from '../test/token-world.ts';

const only = { only: ['bootstrap-token'] };
const token = 'abcdef.0123456789abcdef';
const clusterInfo = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'kube-public', name: 'cluster-info' };
const given = { init: `bootstrapTokens:\n- token: ${token}\n  ttl: 2h\n` };

type Lines = NonNullable<Parameters<typeof initContext>[0]>;

/** A node of which everything but the tokens is there. */
async function untouched(lines: Lines = given, request: Parameters<typeof initContext>[1] = {}) {
  const ports = initWorld();
  const config = await initContext(lines, request);
  const { error } = await run(ports, config, { skip: ['bootstrap-token', 'show-join-command', 'addon'] });
  expect(error).toBeUndefined();
  return { ports, config };
}

/** A node with tokens, and how often the phase ran. */
async function finished(lines: Lines = given) {
  const made = await untouched(lines);
  const first = await run(made.ports, made.config, only);
  expect(first.error).toBeUndefined();
  return { ...made, first };
}

function infoIn({ memory }: MemoryPorts): Readonly<Record<string, string>> {
  return (memory.object(clusterInfo) as unknown as { readonly data: Readonly<Record<string, string>> }).data;
}

describe('the tokens', () => {
  test('get the rights of the configuration', async () => {
    const { ports, first } = await finished();
    expect(tokensIn(ports)).toEqual([
      {
        id: 'abcdef',
        secret: '0123456789abcdef',
        usages: ['authentication', 'signing'],
        groups: ['system:bootstrappers:kubeadm:default-node-token'],
        expires: new Date(new Date(ports.clock.now()).setUTCMilliseconds(0) + 2 * 3_600_000),
      },
    ]);
    expect(first.events).toContainEqual({
      type: 'result',
      phase: 'bootstrap-token',
      name: 'bootstrapToken',
      value: token,
      secret: true,
    });
  });

  test('sign cluster-info at once, where they are for signing', async () => {
    const second = '- token: zyxwvu.0123456789abcdef\n  ttl: 2h\n  usages: [authentication]\n';
    const { ports } = await finished({ init: `${given.init}${second}` });
    const { kubeconfig = '', ...signatures } = infoIn(ports);
    const encoded = (text: string) => Buffer.from(text).toString('base64url');
    const header = encoded('{"alg":"HS256","kid":"abcdef"}');
    const mac = createHmac('sha256', '0123456789abcdef')
      .update(`${header}.${encoded(kubeconfig)}`)
      .digest('base64url');
    expect(signatures).toEqual({ 'jws-kubeconfig-abcdef': `${header}..${mac}` });
  });

  test('a second run keeps them', async () => {
    const { ports, config } = await finished();
    expect(await decisions(ports, config, only)).toMatchObject({ 'bootstrap-token': 'keep' });
    expect((await run(ports, config, only)).changes).toEqual([]);
  });

  test('one that differs is set right, without what it had beyond', async () => {
    const { ports, config } = await untouched();
    ports.memory.putObject(
      tokenSecretOf(token, {
        'usage-bootstrap-signing': undefined,
        description: 'old',
        expiration: '2001-01-01T00:00:00Z',
      }) as never,
    );
    const { changes } = await run(ports, config, only);
    expect(changes).toContain('patch Secret kube-system/bootstrap-token-abcdef');
    expect(tokensIn(ports)).toMatchObject([{ id: 'abcdef', usages: ['authentication', 'signing'] }]);
    expect(tokensIn(ports)[0]).not.toHaveProperty('description');
  });

  test('a generated one is not made where one with the same rights is there, although it is another run', async () => {
    const { ports, first } = await finished({});
    const [made] = tokensIn(ports);
    const again = await initContext({}, { ports: initWorld({ seed: 7 }) });
    expect(again.init.bootstrapTokens[0]?.token).not.toBe(`${made?.id}.${made?.secret}`);
    const { changes, error } = await run(ports, again, only);
    expect([error, changes]).toEqual([undefined, []]);
    expect(tokensIn(ports)).toEqual([made]);
    expect(productsIn(first.events, 'bootstrapToken')).toEqual([`${made?.id}.${made?.secret}`]);
  });

  test('a generated one is made where those that are there have other rights or are about to expire', async () => {
    const { ports, config } = await untouched({});
    const soon = new Date(ports.clock.now().getTime() + 60_000).toISOString().replace(/\.\d+/, '');
    for (const secret of [
      tokenSecretOf('aaaaaa.0123456789abcdef', { expiration: soon }),
      tokenSecretOf('bbbbbb.0123456789abcdef', { 'usage-bootstrap-signing': undefined }),
      tokenSecretOf('cccccc.0123456789abcdef', { description: 'of somebody else' }),
    ])
      ports.memory.putObject(secret as never);
    await run(ports, config, only);
    expect(tokensIn(ports)).toHaveLength(4);
  });

  test('a Secret that is no token is told, and is in nobody’s way', async () => {
    const { ports, config } = await untouched();
    ports.memory.putObject(tokenSecretOf('dddddd.0123456789abcdef', { expiration: 'tomorrow' }) as never);
    const { events, error } = await run(ports, config, only);
    expect(error).toBeUndefined();
    expect(events.flatMap((event) => (event.type === 'finding' ? [event.finding] : []))).toMatchObject([
      { code: 'DISCOVERY_TOKEN_SECRET_INVALID', severity: 'warning', artifact: expect.stringContaining('dddddd') },
    ]);
  });

  test('are not handed back with --skip-token-print', async () => {
    const { ports, config } = await untouched(given, { flags: { 'skip-token-print': true } });
    const { events } = await run(ports, config, only);
    expect(tokensIn(ports)).toHaveLength(1);
    expect(productsIn(events)).toEqual([]);
  });
});

describe('cluster-info', () => {
  test('carries the address of the control plane and the CA, and no credentials', async () => {
    const { ports } = await finished({ ...given, cluster: 'controlPlaneEndpoint: api.example.com\n' });
    const admin = currentContextOf(parseKubeconfig(ports.memory.text('/etc/kubernetes/admin.conf') ?? ''));
    expect(admin.server).toBe('https://api.example.com:6443');
    expect(parseYaml(infoIn(ports).kubeconfig ?? '')).toMatchObject({
      clusters: [
        {
          name: '',
          cluster: {
            server: admin.server,
            'certificate-authority-data': Buffer.from(admin.certificateAuthority ?? '').toString('base64'),
          },
        },
      ],
      users: null,
    });
  });

  test('keeps the signatures that others made, also where the kubeconfig is set right', async () => {
    const { ports, config } = await finished();
    const live = ports.memory.object(clusterInfo);
    ports.memory.putObject({ ...live, data: { kubeconfig: 'another', 'jws-kubeconfig-others': 'signature' } } as never);
    const { changes } = await run(ports, config, only);
    expect(changes).toEqual(['apply ConfigMap kube-public/cluster-info', 'patch ConfigMap kube-public/cluster-info']);
    expect(infoIn(ports)).toMatchObject({
      'jws-kubeconfig-others': 'signature',
      'jws-kubeconfig-abcdef': expect.stringMatching(/^[\w-]+\.\.[\w-]+$/),
      kubeconfig: expect.stringContaining('clusters:'),
    });
  });

  test('in another layout is left as it is: signatures are over its bytes', async () => {
    const { ports, config } = await finished();
    const kubeconfig = JSON.stringify({ ...(parseYaml(infoIn(ports).kubeconfig ?? '') as object), preferences: {} });
    ports.memory.putObject({ ...ports.memory.object(clusterInfo), data: { kubeconfig } } as never);
    expect((await run(ports, config, only)).changes).toEqual([]);
    expect(infoIn(ports).kubeconfig).toBe(kubeconfig);
  });

  test('takes the CA from ca.crt where admin.conf refers to it', async () => {
    const { ports, config } = await untouched();
    const admin = ports.memory.text('/etc/kubernetes/admin.conf') ?? '';
    const referring = admin.replace(
      /certificate-authority-data: .*/,
      'certificate-authority: /etc/kubernetes/pki/ca.crt',
    );
    ports.memory.put('/etc/kubernetes/admin.conf', { content: referring, mode: 0o600 });
    expect((await run(ports, config, only)).error).toBeUndefined();
    const ca = Buffer.from(ports.memory.text('/etc/kubernetes/pki/ca.crt') ?? '').toString('base64');
    expect(infoIn(ports).kubeconfig).toContain(ca);
  });

  test('without a CA in admin.conf the phase says how to embed it, before it writes', async () => {
    const { ports, config } = await untouched();
    const admin = ports.memory.text('/etc/kubernetes/admin.conf') ?? '';
    const foreign = admin.replace(/certificate-authority-data: .*/, 'certificate-authority: /root/ca.crt');
    ports.memory.put('/etc/kubernetes/admin.conf', { content: foreign, mode: 0o600 });
    const { error, changes } = await run(ports, config, only);
    expect([error?.kind, changes]).toEqual(['conflict', []]);
    expect(error?.message).toContain('/root/ca.crt');
  });
});

test('what tokens may is written, each object once', async () => {
  const { ports, first } = await finished();
  const rbac = 'rbac.authorization.k8s.io/v1';
  expect(objectOf(ports, rbac, 'ClusterRole', 'kubeadm:get-nodes')).toMatchObject({
    rules: [{ verbs: ['get'], resources: ['nodes'] }],
  });
  expect(objectOf(ports, rbac, 'RoleBinding', 'kubeadm:bootstrap-signer-clusterinfo')).toMatchObject({
    metadata: { namespace: 'kube-public' },
    subjects: [{ kind: 'User', name: 'system:anonymous' }],
  });
  expect(first.changes).toEqual([
    'apply ClusterRole kubeadm:get-nodes',
    'apply ClusterRoleBinding kubeadm:get-nodes',
    'apply ClusterRoleBinding kubeadm:kubelet-bootstrap',
    'apply ClusterRoleBinding kubeadm:node-autoapprove-bootstrap',
    'apply ClusterRoleBinding kubeadm:node-autoapprove-certificate-rotation',
    'apply Role kube-public/kubeadm:bootstrap-signer-clusterinfo',
    'apply RoleBinding kube-public/kubeadm:bootstrap-signer-clusterinfo',
    'apply ConfigMap kube-public/cluster-info',
    'create Secret kube-system/bootstrap-token-abcdef',
    'patch ConfigMap kube-public/cluster-info',
  ]);
});

describe('with --kubeconfig', () => {
  const mine = '/root/mine.conf';

  async function ran() {
    const { ports } = await untouched();
    // A cluster that somebody else made: nothing is bound, and our admin.conf is not there.
    for (const { apiVersion, kind, metadata } of ports.memory.objects()) {
      const { name, namespace } = metadata;
      ports.memory.removeObject({ apiVersion, kind, name, ...(namespace === undefined ? {} : { namespace }) });
    }
    const superAdmin = ports.memory.text('/etc/kubernetes/super-admin.conf') ?? '';
    ports.memory.put(mine, {
      content: superAdmin.replace(/server: .*/, 'server: https://mine.example.com:6443'),
      mode: 0o600,
    });
    ports.memory.remove('/etc/kubernetes/admin.conf');
    const asked: (string | undefined)[] = [];
    const clusters: typeof ports.clusters = {
      connect: (options) => {
        asked.push(options.server);
        return ports.clusters.connect(options);
      },
    };
    const config = await initContext(given, { flags: { kubeconfig: 'mine.conf' }, workingDirectory: '/root', ports });
    return { ports, asked, ...(await run({ ...ports, clusters }, config, only)) };
  }

  test('the cluster is reached as that file says, and nobody is bound', async () => {
    const { error, asked, changes } = await ran();
    expect(error).toBeUndefined();
    expect(new Set(asked)).toEqual(new Set([undefined]));
    expect(changes).toContain('create Secret kube-system/bootstrap-token-abcdef');
    expect(changes.filter((change) => change.includes('cluster-admins'))).toEqual([]);
  });

  test('cluster-info carries the server of that file', async () => {
    const { ports } = await ran();
    expect(infoIn(ports).kubeconfig).toContain('server: https://mine.example.com:6443');
  });

  test('a file that is not there is told', async () => {
    const { ports } = await untouched();
    const config = await initContext(given, { flags: { kubeconfig: mine }, ports });
    const { error, changes } = await run(ports, config, only);
    expect([error?.kind, changes]).toEqual(['conflict', []]);
    expect(error?.message).toContain(mine);
  });
});
