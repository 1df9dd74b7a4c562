import { basename } from 'node:path';
import {
  createMachine,
  freshJoinArguments,
  hostKubeletSettings,
  initConfigPath,
  installGroundplane,
  type Machine,
  prepareInit,
  succeeding,
  waitUntilReady,
} from '@groundplane/testbed';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { placeOf, signedBy } from './certificate-authority.ts';
import { externalAuthorityBlocks } from './guide-blocks.ts';
import { credentials, lasting } from './node-snapshot.ts';
import { type OutsideAuthority, outsideAuthority } from './outside-authority.ts';
import { authorityKeys, keysOnMachine } from './private-keys.ts';

/** The exchange of certificates by files, to a cluster that works. The keys of the CAs are on this host, which machines cannot reach. */

const pki = '/etc/kubernetes/pki';
const names = Object.keys(signedBy);

/** CA → its files below {@link pki}, without ending. */
const authorities: Readonly<Record<string, string>> = {
  ca: 'ca',
  'front-proxy-ca': 'front-proxy-ca',
  'etcd-ca': 'etcd/ca',
};

const sign = (name: string, file: string, { by = signedBy[name], more = '' } = {}) =>
  `${more} sign ${by} requests/${name}.csr ${file}`;

/** Request → shell commands for an answer that is wrong, `$ANSWER`, and why it is refused. */
const wrong: Readonly<Record<string, readonly [made: string, code: string]>> = {
  'admin.conf': [sign('admin.conf', '$ANSWER', { more: 'SUBJECT=/CN=kubernetes-admin' }), 'PKI_SUBJECT_DIFFERS'],
  'apiserver-kubelet-client': [
    sign('apiserver-kubelet-client', '$ANSWER', { by: 'front-proxy-ca' }),
    'PKI_CERTIFICATE_UNTRUSTED',
  ],
  'etcd-peer': [
    sign('etcd-peer', '$ANSWER', { more: 'START=20200101000000Z END=20210201000000Z' }),
    'PKI_CERTIFICATE_EXPIRED',
  ],
};

/** In the first portion each comes in a form of its own; those that are wrong there come right in the second, in one PKCS#7. */
const first = [
  'mkdir -p good first',
  ...names.map((name) => sign(name, `good/${name}.crt`)),
  ...Object.entries(wrong).map(([name, [made]]) => `ANSWER=first/${name}.crt; ${made}`),
  ...Object.keys(authorities).map((name) => `cp $CA/${name}/root.crt first/${name}.crt`),
  'cat $CA/ca/intermediate.crt $CA/etcd-ca/intermediate.crt > first/intermediates.pem',
  'cat $CA/front-proxy-ca/root.crt $CA/front-proxy-ca/intermediate.crt good/front-proxy-client.crt > first/chain.pem',
  'openssl x509 -in good/apiserver.crt -outform DER -out first/apiserver.cer',
  'openssl crl2pkcs7 -nocrl -certfile good/kubelet.conf.crt -outform DER -out first/kubelet.p7b',
  'cat good/etcd-server.crt good/apiserver-etcd-client.crt > first/bundle.pem',
];
const inFirst = ['front-proxy-client', 'apiserver', 'kubelet.conf', 'etcd-server', 'apiserver-etcd-client'];
const inSecond = names.filter((name) => !inFirst.includes(name));
const second = [
  'mkdir -p second',
  `openssl crl2pkcs7 -nocrl ${inSecond.map((name) => `-certfile good/${name}.crt`).join(' ')} -out second/rest.p7b`,
];

interface Exchanged {
  readonly imported: readonly { readonly name: string; readonly action: string }[];
  readonly refused: readonly { readonly name: string; readonly findings: readonly { readonly code: string }[] }[];
  readonly needed: readonly { readonly name: string; readonly state: string; readonly request?: unknown }[];
}

let machine: Machine;
let worker: Machine | undefined;
let outside: OutsideAuthority;
let init: readonly string[];
const config = ['--config', initConfigPath];

async function asked(...words: readonly string[]): Promise<Exchanged & { readonly code: number }> {
  const { code, stdout, stderr } = await machine.exec(['groundplane', ...words, ...config, '-o', 'json']);
  expect(stdout, stderr).not.toBe('');
  return { ...(JSON.parse(stdout) as Exchanged), code };
}

const shell = async (script: string) => (await succeeding(machine, ['sh', '-ec', script])).stdout;

/** Has everything signed elsewhere, in two portions; nothing of the CAs but certificates comes to the machine. */
async function exchange(): Promise<void> {
  const requests = await asked('certs', 'requests', '--output-dir', '/root/requests');
  expect(requests.needed.filter(({ request }) => request !== undefined).map(({ name }) => name)).toEqual(
    expect.arrayContaining(names),
  );
  await outside.fetch(machine, '/root/requests');
  outside.run(['authorities', ...first, ...second].join('\n'));
  await outside.bring(machine, 'first');
  await outside.bring(machine, 'second');
  // Somebody may well place a CA without asking us.
  await shell(`install -m 644 /root/first/ca.crt ${pki}/ca.crt`);

  const files = (await shell('ls /root/first/*')).trim().split('\n');
  const one = await asked('certs', 'import', ...files);
  expect(one.code).toBe(3);
  expect(one.refused.map(({ name, findings }) => [name, findings.map(({ code }) => code)]).toSorted()).toEqual(
    Object.entries(wrong)
      .map(([name, [, code]]) => [name, [code]])
      .toSorted(),
  );
  expect(one.imported.map(({ name, action }) => [name, action]).toSorted()).toEqual(
    [...Object.keys(authorities), ...inFirst].map((name) => [name, name === 'ca' ? 'kept' : 'placed']).toSorted(),
  );
  expect(one.needed.map(({ name }) => name).toSorted()).toEqual(inSecond.toSorted());

  const two = await asked('certs', 'import', '/root/second/rest.p7b');
  expect(two).toMatchObject({ code: 0, refused: [], needed: [] });
}

/** That the cluster is in order, as kubectl, openssl and our own commands see it. */
async function expectCluster(workers: readonly Machine[] = []): Promise<void> {
  await waitUntilReady(machine, workers);
  const verified = await machine.exec(['groundplane', 'verify', ...init.slice(1), '-o', 'json']);
  expect(verified.code, verified.stdout).toBe(0);
  const { phases } = JSON.parse(verified.stdout) as {
    phases: { phase: string; verdict: string; findings: unknown[] }[];
  };
  expect(phases.length).toBeGreaterThan(25);
  expect(phases.filter(({ phase, verdict }) => phase.startsWith('certs/') && verdict !== 'valid')).toEqual([]);
  const status = await machine.exec(['groundplane', 'status', '--exit-code', '-o', 'json']);
  expect(status.code, status.stdout).toBe(0);
  expect((await asked('certs', 'requests', '--dry-run')).needed).toEqual([]);
}

async function expectNoAuthorityKey(): Promise<void> {
  const keys = await keysOnMachine(machine);
  expect(keys.filter(({ kind }) => kind === 'private key').length).toBeGreaterThanOrEqual(13);
  expect(keys.filter(({ kind }) => kind === 'authority').length).toBeGreaterThanOrEqual(3);
  expect(authorityKeys(keys, keys)).toEqual([]);
}

/** Gives a worker its kubelet.conf, signed by the key of the CA that was fetched. */
async function bringKubeletConf(node: Machine): Promise<void> {
  const certs = (...words: readonly string[]) =>
    succeeding(node, ['groundplane', 'certs', ...words, '--workflow', 'join'], { cwd: '/root' });
  await certs('requests', '--output-dir', 'joining', `${machine.address}:6443`);
  await outside.fetch(node, '/root/joining');
  outside.run(`cp keys/ca.crt joining; cd joining
    openssl x509 -req -in kubelet.conf.csr -copy_extensions copyall -CA ca.crt -CAkey ../keys/ca.key -days 365 -out kubelet.conf.crt`);
  await succeeding(node, ['rm', '-r', '/root/joining']);
  await outside.bring(node, 'joining');
  await certs('import', 'joining/ca.crt', 'joining/kubelet.conf.crt');
}

beforeEach(async () => {
  outside = outsideAuthority();
  machine = await createMachine({ name: 'exchange' });
  await installGroundplane(machine);
  init = ['init', ...(await prepareInit(machine))];
});
afterEach(async () => {
  outside.remove();
  await machine.delete();
  await worker?.delete();
  worker = undefined;
});

describe('certificates from intermediate CAs that are elsewhere, in portions', () => {
  it('make a Ready node, and no key of a CA is ever on it', async () => {
    await exchange();
    const before = await credentials(machine);
    const strace = ['strace', '-f', '--seccomp-bpf', '-qq', '-e', 'trace=%file', '-o', '/root/trace'];
    await succeeding(machine, [...strace, 'groundplane', ...init], { timeoutMs: 300_000 });
    await expectCluster();
    await expectNoAuthorityKey();
    expect(Object.fromEntries(lasting(await credentials(machine)))).toEqual(Object.fromEntries(lasting(before)));

    // Whoever looks for a key of a CA finds none, at any time.
    const looks = (await shell(`grep -E '[/"]ca\\.key|front-proxy-ca\\.key' /root/trace`)).trim().split('\n');
    expect(looks.length).toBeGreaterThan(0);
    expect(looks.filter((line) => !/= -1 ENOENT/.test(line))).toEqual([]);
    expect(await shell(`grep -c 'open.*apiserver\\.key.*= [0-9]' /root/trace`)).not.toBe('0\n');

    // What the servers present leads to the root, which is all that clients have.
    const servers = [
      ['6443', `-CAfile ${pki}/ca.crt`],
      [
        '2379',
        `-CAfile ${pki}/etcd/ca.crt -cert ${pki}/apiserver-etcd-client.crt -cert_chain ${pki}/apiserver-etcd-client.crt -key ${pki}/apiserver-etcd-client.key`,
      ],
    ] as const;
    for (const [port, flags] of servers) {
      const said = await shell(
        `openssl s_client -connect ${machine.address}:${port} -verify_return_error ${flags} </dev/null 2>&1`,
      );
      expect(said).toContain('Verify return code: 0 (ok)');
      expect(said).toMatch(/CN ?= ?Intermediate of/);
    }
    const expiration = await shell('groundplane certs check-expiration 2>/dev/null');
    expect(expiration).toMatch(/^admin\.conf .*ca +yes/m);
    expect(expiration).not.toMatch(/MISSING|no *$/m);
  });
});

describe.runIf(process.env.GROUNDPLANE_TEST_FULL === '1')('certificates from elsewhere', () => {
  it('are what the real kubeadm makes a Ready node of', async () => {
    await exchange();
    const before = await credentials(machine);
    const { stdout } = await succeeding(machine, ['kubeadm', ...init], { timeoutMs: 300_000 });
    expect(stdout).toContain('External CA mode');
    await expectCluster();
    await expectNoAuthorityKey();
    expect(Object.fromEntries(lasting(await credentials(machine)))).toEqual(Object.fromEntries(lasting(before)));
  });

  it.each(Object.entries(authorities))(
    'make a Ready node where the key of %s alone is, which a worker joins',
    async (name, file) => {
      const signed = names.filter((request) => signedBy[request] === name);
      await shell(`groundplane init phase certs all --config ${initConfigPath}
      groundplane init phase kubeconfig all --config ${initConfigPath}
      mkdir /root/keys`);
      await shell(
        `cp ${pki}/${file}.crt ${pki}/${file}.key /root/keys; rm ${pki}/${file}.key ${signed.map(placeOf).join(' ')}`,
      );
      await outside.fetch(machine, '/root/keys');
      await shell('rm -r /root/keys');
      const before = await credentials(machine);
      const blocked = await machine.exec(['groundplane', ...init]);
      expect(blocked.code, blocked.stdout).toBe(3);
      expect(blocked.stderr).toContain('groundplane certs requests');
      for (const request of signed)
        expect(blocked.stderr).toMatch(new RegExp(`${request} is missing|${placeOf(request)}`));
      expect(await credentials(machine)).toEqual(before);
      expect(await shell('ls /etc/kubernetes /var/lib/etcd 2>/dev/null || true')).not.toMatch(/manifests|member/);

      const { needed } = await asked('certs', 'requests', '--output-dir', '/root/requests');
      expect(needed.map((one) => one.name).toSorted()).toEqual(signed.toSorted());
      await outside.fetch(machine, '/root/requests');
      const ca = `-CA keys/${basename(file)}.crt -CAkey keys/${basename(file)}.key`;
      outside.run(`for csr in requests/*.csr; do
      openssl x509 -req -in $csr -copy_extensions copyall ${ca} -days 365 -out answers/$(basename $csr .csr).crt
    done`);
      await outside.bring(machine, 'answers');
      const answers = signed.map((request) => `/root/answers/${request}.crt`);
      expect(await asked('certs', 'import', ...answers)).toMatchObject({ code: 0, refused: [], needed: [] });
      const { stderr } = await succeeding(machine, ['groundplane', ...init], { timeoutMs: 300_000 });
      expect(stderr.includes('requests of kubelets that join'), stderr).toBe(name === 'ca');
      worker = await createMachine({ name: 'worker-1' });
      await installGroundplane(worker);
      if (name === 'ca') await bringKubeletConf(worker);
      const joined = await worker.exec(['groundplane', 'join', ...(await freshJoinArguments(machine))]);
      expect(joined.code, joined.stderr).toBe(0);
      await expectCluster([worker]);
      const keys = await keysOnMachine(machine);
      const others = Object.values(authorities).filter((one) => one !== file);
      expect(authorityKeys(keys, keys).map(({ path }) => path)).toEqual(
        expect.arrayContaining(others.map((one) => `${pki}/${one}.key`)),
      );
      expect(authorityKeys(keys, keys)).toHaveLength(others.length);
    },
  );

  it('are those of the guide, command by command, with intermediate CAs that are trusted themselves', async () => {
    await shell(`mkdir -p /root/guide`);
    const ignored = hostKubeletSettings().ignorePreflightErrors;
    await machine.writeFile(
      '/root/guide/init.yaml',
      `${await machine.readFile(initConfigPath)}---
apiVersion: kubeadm.k8s.io/v1beta4
kind: InitConfiguration
nodeRegistration: ${JSON.stringify({ ignorePreflightErrors: ignored })}
`,
    );
    const client = '/var/lib/kubelet/pki/kubelet-client-current.pem';
    const presented = async () =>
      shell(
        `openssl s_client -connect ${machine.address}:6443 -partial_chain -verify_return_error -CAfile ${pki}/ca.crt </dev/null 2>/dev/null | openssl x509 -noout -serial; openssl x509 -in ${client} -noout -serial`,
      );
    const serials: string[] = [];
    const joined: Machine[] = [];
    worker = await createMachine({ name: 'worker-1' });
    await installGroundplane(worker);
    for (const { where, commands } of externalAuthorityBlocks()) {
      if (where === 'ca') {
        outside.run(commands);
        continue;
      }
      const on = where === 'worker' ? worker : machine;
      const here = commands
        .replaceAll('192.0.2.10', machine.address)
        .replaceAll('groundplane join', `groundplane join --ignore-preflight-errors=${ignored.join()}`);
      await succeeding(on, ['sh', '-c', 'mkdir -p /root/guide; cd /root/guide; rm -rf answers workers']);
      for (const name of ['answers', 'workers']) await outside.bring(on, name, `/root/guide/${name}`);
      await succeeding(on, ['bash', '-euo', 'pipefail', '-c', here], { cwd: '/root/guide', timeoutMs: 300_000 });
      if (commands.includes('groundplane join')) joined.push(on);
      if (where === 'cluster') {
        await expectCluster(joined);
        serials.push(await presented());
      }
      const [, made] = /--output-dir (\w+)/.exec(commands) ?? [];
      if (made !== undefined) {
        outside.run(`rm -rf ${made}`);
        await outside.fetch(on, `/root/guide/${made}`);
      }
    }
    expect(joined).toEqual([worker]);
    expect(serials.length).toBeGreaterThanOrEqual(2);
    // Those of the API server and of the kubelet, before and after.
    expect(new Set(serials.flatMap((text) => text.trim().split('\n'))).size).toBe(4);
    await expectNoAuthorityKey();
    expect((await shell(`grep -c BEGIN ${pki}/apiserver.crt`)).trim()).toBe('1');
  });
});
