import { setTimeout as delay } from 'node:timers/promises';
import {
  createMachine,
  freshJoinArguments,
  initConfigPath,
  installGroundplane,
  kubectlOutput,
  type Machine,
  prepareInit,
  succeeding,
  waitUntilReady,
  waitUntilRuntimeAnswers,
} from '@groundplane/testbed';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signedBy } from './certificate-authority.ts';
import { externalAuthorityBlocks } from './guide-blocks.ts';
import { type OutsideAuthority, outsideAuthority } from './outside-authority.ts';
import { authorityKeys, keysOnMachine } from './private-keys.ts';

/** A cluster whose CA keys are nowhere in it, and workers that join it. */

const names = Object.keys(signedBy);
const authorities = ['ca', 'front-proxy-ca', 'etcd-ca'];
const ownCertificate = '/var/lib/kubelet/pki/kubelet-client-current.pem';
const annotation = 'groundplane.dev/cluster-signer';

interface Csr {
  readonly metadata: { readonly name: string };
  readonly spec: { readonly username: string };
  readonly status?: { readonly certificate?: string; readonly conditions?: readonly { readonly type: string }[] };
}

let outside: OutsideAuthority;
let controlPlane: Machine;
let brought: Machine;
let asking: Machine;
let initSaid: string;

async function machineNamed(name: string): Promise<Machine> {
  const machine = await createMachine({ name });
  await installGroundplane(machine);
  await waitUntilRuntimeAnswers(machine);
  return machine;
}

const requests = async (): Promise<readonly Csr[]> =>
  JSON.parse(await kubectlOutput(controlPlane, ['get', 'csr', '-o', 'json'])).items;
const annotations = async (): Promise<unknown> => {
  const found = await kubectlOutput(controlPlane, ['-n', 'kube-system', 'get', 'cm', 'kubeadm-config', '-o', 'json']);
  return JSON.parse(found).metadata.annotations;
};
const isApproved = ({ status }: Csr) => status?.conditions?.some(({ type }) => type === 'Approved') ?? false;

beforeAll(async () => {
  outside = outsideAuthority();
  [controlPlane, brought, asking] = (await Promise.all(['keyless-1', 'keyless-2', 'keyless-3'].map(machineNamed))) as [
    Machine,
    Machine,
    Machine,
  ];
  const init = ['init', ...(await prepareInit(controlPlane))];
  const config = ['--config', initConfigPath];
  await succeeding(controlPlane, ['groundplane', 'certs', 'requests', ...config, '--output-dir', '/root/requests']);
  await outside.fetch(controlPlane, '/root/requests');
  outside.run(
    [
      'authorities',
      ...names.map((name) => `sign ${signedBy[name]} requests/${name}.csr answers/${name}.crt`),
      ...authorities.flatMap((name) => [
        `cp $CA/${name}/root.crt answers/${name}.crt`,
        `cp $CA/${name}/intermediate.crt answers/intermediate-of-${name}.crt`,
      ]),
    ].join('\n'),
  );
  await outside.bring(controlPlane, 'answers');
  await succeeding(controlPlane, ['sh', '-c', `groundplane certs import ${config.join(' ')} /root/answers/*`]);
  const { stderr } = await succeeding(controlPlane, ['groundplane', ...init], { timeoutMs: 300_000 });
  initSaid = stderr;
});
afterAll(async () => {
  outside?.remove();
  await Promise.all([controlPlane, brought, asking].map((machine) => machine?.delete()));
});

describe('init without the keys of the CAs', () => {
  it('says that nothing signs for kubelets, and so does the cluster', async () => {
    expect(initSaid).toContain('requests of kubelets that join, and those to renew their certificates, stay pending');
    expect(initSaid).toContain('groundplane certs sign-kubelet-requests');
    expect(await annotations()).toEqual({ [annotation]: 'none' });
  });
});

describe('a worker whose kubelet.conf was brought', () => {
  const guide = externalAuthorityBlocks().filter(({ section }) => section === 'Workers');
  const folder = '/root/guide';
  const shell = async (script: string) =>
    (await succeeding(brought, ['bash', '-euo', 'pipefail', '-c', script], { cwd: folder })).stdout;
  const block = (index: number) => (guide[index]?.commands ?? '').replaceAll('192.0.2.10', controlPlane.address);
  beforeAll(async () => {
    expect(guide.map(({ where }) => where)).toEqual(['worker', 'ca', 'worker']);
    await succeeding(brought, ['mkdir', folder]);
  });

  it('asks for it by the guide, and is not joined before it is there', async () => {
    await shell(block(0));
    const { code, stderr } = await brought.exec(['groundplane', 'join', ...(await freshJoinArguments(controlPlane))]);
    expect(code, stderr).toBe(3);
    expect(stderr).toContain('Cannot join as /etc/kubernetes/kubelet.conf waits for its certificate');
    expect(await shell('find /etc/kubernetes /var/lib/kubelet -type f 2>/dev/null || true')).toBe(
      '/etc/kubernetes/kubelet.conf\n',
    );
  });

  it('joins and asks nobody for a certificate', async () => {
    outside.run('rm -r workers');
    await outside.fetch(brought, `${folder}/workers`);
    outside.run(`cp $CA/ca/root.key ca.key; ${block(1)}rm ca.key`);
    await shell('rm -r workers');
    for (const name of ['answers', 'workers']) await outside.bring(brought, name, `${folder}/${name}`);
    const join = ignoring(await freshJoinArguments(controlPlane));
    await shell(block(2).replaceAll('groundplane join', `groundplane join ${join.join(' ')}`));
    await waitUntilReady(controlPlane, [brought]);
    expect((await requests()).filter(({ spec }) => !spec.username.startsWith('system:node:'))).toEqual([]);
    // What the kubelet renews is what it finds when it starts again.
    const conf = await brought.readFile('/etc/kubernetes/kubelet.conf');
    expect(conf).toContain(`client-certificate: ${ownCertificate}`);
    expect(conf).not.toMatch(/client-(certificate|key)-data/);
    await shell(
      `systemctl restart kubelet; for i in $(seq 60); do curl -sf http://127.0.0.1:10248/healthz && exit; sleep 1; done; exit 1`,
    );
  });

  it('is joined already for who joins it again', async () => {
    const words = ['groundplane', 'join', ...(await freshJoinArguments(controlPlane)), '-o', 'json'];
    const { stdout, stderr } = await succeeding(brought, words);
    expect((JSON.parse(stdout).phases as { decision: string }[]).map(({ decision }) => decision)).toEqual([
      'keep',
      'keep',
      'keep',
    ]);
    expect(stderr).not.toContain('Nothing in this cluster');
  });
});

describe('a worker that joins with a token', () => {
  it('is told beforehand, says what it waits for, and goes on when somebody signs', async () => {
    const join = ['join', ...(await freshJoinArguments(controlPlane))];
    const [impatient, patient] = ['4s', '2m'].map((tlsBootstrap) => joinConfiguration(join, tlsBootstrap));
    await asking.writeFile('/root/impatient.yaml', impatient ?? '', 0o600);
    await asking.writeFile('/root/patient.yaml', patient ?? '', 0o600);
    const run = (name: string, ...more: readonly string[]) =>
      asking.exec(['groundplane', 'join', '--config', `/root/${name}.yaml`, ...ignoring(join), ...more], {
        timeoutMs: 150_000,
      });
    const warned = 'Nothing in this cluster signs the request of the kubelet';
    const planned = await run('patient', '--dry-run');
    expect(planned.code, planned.stderr).toBe(0);
    expect(planned.stderr).toContain(warned);

    const given = await run('impatient');
    expect(given.code).not.toBe(0);
    const [own] = (await requests()).filter(({ spec }) => spec.username.startsWith('system:bootstrap:'));
    expect(own && isApproved(own)).toBe(true);
    expect(own?.status?.certificate).toBeUndefined();
    const { name = '' } = own?.metadata ?? {};
    expect(given.stderr.indexOf(warned)).toBeGreaterThanOrEqual(0);
    expect(given.stderr).toContain(`its request ${name} of `);
    expect(given.stderr).toContain('is approved, and nobody has signed it');
    expect(given.stderr).toContain(`groundplane certs sign-kubelet-requests ${name}`);

    const joined = run('patient');
    await delay(2_000);
    // Whoever signs may be anywhere: here a machine that reaches the cluster and has the key of its CA.
    await brought.writeFile('/root/admin.conf', await controlPlane.readFile('/etc/kubernetes/admin.conf'), 0o600);
    outside.run('mkdir signing; cp $CA/ca/root.crt signing/ca.crt; cp $CA/ca/root.key signing/ca.key');
    await outside.bring(brought, 'signing');
    const sign = ['certs', 'sign-kubelet-requests', '--kubeconfig', '/root/admin.conf', '--cert-dir', '/root/signing'];
    const signed = await succeeding(brought, ['groundplane', ...sign, '-o', 'json']);
    const outcomes = JSON.parse(signed.stdout).requests as { name: string; outcome: string; requestor: string }[];
    expect(outcomes).toContainEqual(expect.objectContaining({ name, outcome: 'signed' }));
    // The kubelet that came first has asked for its next certificate by itself.
    expect(outcomes).toContainEqual(
      expect.objectContaining({ outcome: 'signed', requestor: `system:node:${brought.name}` }),
    );
    const { code, stderr } = await joined;
    expect(code, stderr).toBe(0);
    await waitUntilReady(controlPlane, [brought, asking]);
    const issuer = await succeeding(asking, [
      'openssl',
      'x509',
      '-in',
      ownCertificate,
      '-noout',
      '-issuer',
      '-subject',
    ]);
    expect(issuer.stdout).toContain('Root of ca');
    expect(issuer.stdout).toContain(`system:node:${asking.name}`);
  });

  it('and no key of a CA is on a node that is none of those who sign', async () => {
    for (const machine of [controlPlane, asking]) {
      const keys = await keysOnMachine(machine);
      expect(keys.filter(({ kind }) => kind === 'authority').length).toBeGreaterThan(0);
      expect(authorityKeys(keys, keys)).toEqual([]);
    }
  });
});

it('the cluster no longer says that nothing signs once the key is there', async () => {
  await controlPlane.writeFile('/etc/kubernetes/pki/ca.key', await brought.readFile('/root/signing/ca.key'), 0o600);
  const phase = ['init', 'phase', 'upload-config', 'kubeadm', '--config', initConfigPath];
  await succeeding(controlPlane, ['groundplane', ...phase]);
  expect(await annotations()).toBeUndefined();
});

const after = (words: readonly string[], flag: string) => words[words.indexOf(flag) + 1] ?? '';
const ignoring = (words: readonly string[]) => words.filter((word) => word.startsWith('--ignore-preflight-errors='));

function joinConfiguration(words: readonly string[], tlsBootstrap: string): string {
  return JSON.stringify({
    apiVersion: 'kubeadm.k8s.io/v1beta4',
    kind: 'JoinConfiguration',
    timeouts: { tlsBootstrap },
    discovery: {
      bootstrapToken: {
        apiServerEndpoint: words.find((word) => /^[\d.]+:\d+$/.test(word)),
        token: after(words, '--token'),
        caCertHashes: [after(words, '--discovery-token-ca-cert-hash')],
      },
    },
  });
}
