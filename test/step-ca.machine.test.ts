import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createMachine,
  freshJoinArguments,
  initConfigPath,
  installGroundplane,
  kubeadmConfiguration,
  type Machine,
  prepareInit,
  succeeding,
  waitUntilReady,
  waitUntilRuntimeAnswers,
} from '@groundplane/testbed';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runSuite } from './e2e-suite.ts';
import { suiteTests, uploadedCertificates } from './e2e-suite-tests.ts';
import { filesInTrace, wholeCalls } from './file-trace.ts';
import { leafCertificates, verifyChain } from './leaf-certificates.ts';
import { packPlugin } from './plugin-tarball.ts';
import { authorityKeys, type FoundKey, keysBelow, keysOnMachine } from './private-keys.ts';
import { type SecretSearch, searchFromNowOn } from './secret-search.ts';
import { secretsBelow } from './secrets-below.ts';
import { type StepMachine, startStepMachine } from './step-machine.ts';
import { tracedCommands } from './traced-commands.ts';

/** A cluster whose certificates all come from real step-cas on a machine of their own, through the plugin `signer-step`. */

const pki = '/etc/kubernetes/pki';
const names = ['ca', 'front-proxy-ca', 'etcd-ca'];
const placeOf = (name: string) => `${pki}/${name === 'etcd-ca' ? 'etcd/ca' : name}.crt`;
const passwordFile = (name: string) => `/etc/groundplane/${name}-password`;
const tarball = 'groundplane-plugin-signer-step-0.1.0.tgz';

let folder: string;
let step: StepMachine;
let controlPlane: Machine;
let worker: Machine;
const machines: Machine[] = [];
const config = ['--config', initConfigPath];
const signCommand = ['certs', 'sign-kubelet-requests'];

interface Node {
  readonly machine: Machine;
  /** /etc/kubernetes and the certificates of the kubelet, on this host. */
  readonly copy: string;
  readonly keys: readonly FoundKey[];
  readonly search: SecretSearch;
}
let nodes: readonly Node[];

const { said, traces, run } = tracedCommands();

/** As an administrator does it by the README: roots of the CAs, files with passwords, the plugin, the configuration. */
async function prepareControlPlane(): Promise<readonly string[]> {
  await installGroundplane(controlPlane);
  const init = await prepareInit(controlPlane);
  for (const { name, rootFile, password } of step.authorities) {
    await controlPlane.writeFile(placeOf(name), readFileSync(rootFile));
    await controlPlane.writeFile(passwordFile(name), `${password}\n`, 0o600);
  }
  const authorities = step.authorities.map(({ name, url, fingerprint, provisioner }) => ({
    ...{ url, fingerprint, provisioner },
    passwordFile: passwordFile(name),
  }));
  const settings = {
    apiVersion: 'groundplane.dev/v1alpha1',
    kind: 'GroundplaneConfiguration',
    signer: { plugin: 'step', parameters: { authorities } },
  };
  await controlPlane.writeFile(initConfigPath, `${kubeadmConfiguration()}---\n${JSON.stringify(settings)}\n`);
  packPlugin('signer-step', join(folder, tarball));
  await controlPlane.copyIn(join(folder, tarball), `/root/${tarball}`);
  const installed = await succeeding(controlPlane, ['groundplane', 'plugins', 'install', `/root/${tarball}`]);
  expect(installed.stdout).toBe('@groundplane/plugin-signer-step 0.1.0\n  signer step\n');
  return init;
}

/** The controller manager has no key to sign with, so that what kubelets ask for is signed on the control plane, as the configuration says, while the worker joins. */
async function joinWorker(): Promise<void> {
  const signing = run(controlPlane, 'sign', [...signCommand, ...config, '--watch', '-o', 'json'], 130);
  await run(worker, 'join', ['join', ...(await freshJoinArguments(controlPlane)), '-o', 'jsonl']);
  // In brackets, so that the pattern does not fit the command that has it.
  await succeeding(controlPlane, ['pkill', '-INT', '--full', `nod[e] .*${signCommand.join(' ')}`]);
  const signed = await signing;
  const { requests } = JSON.parse(signed) as { requests: { outcome: string; subject: string; issuer: string }[] };
  expect(requests).toContainEqual(
    expect.objectContaining({
      outcome: 'signed',
      subject: expect.stringContaining(`CN=system:node:${worker.name}`),
      issuer: 'CN=Intermediate of ca',
    }),
  );
}

/** Issuer → places of all certificates that are on the nodes, but for the one that each kubelet makes for itself to serve with. */
const expectedLeaves: Readonly<Record<string, readonly string[]>> = {
  ca: [
    'step-1/kubelet/kubelet-client',
    ...['admin', 'controller-manager', 'scheduler', 'super-admin'].map((name) => `step-1/kubernetes/${name}.conf`),
    ...['apiserver-kubelet-client', 'apiserver'].map((name) => `step-1/kubernetes/pki/${name}.crt`),
    'step-2/kubelet/kubelet-client',
  ],
  'etcd-ca': ['apiserver-etcd-client', 'etcd/healthcheck-client', 'etcd/peer', 'etcd/server'].map(
    (name) => `step-1/kubernetes/pki/${name}.crt`,
  ),
  'front-proxy-ca': ['step-1/kubernetes/pki/front-proxy-client.crt'],
};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'groundplane-step-ca-'));
  const [own, first, second] = [
    await createMachine({ name: 'step-ca' }),
    await createMachine({ name: 'step-1' }),
    await createMachine({ name: 'step-2' }),
  ];
  machines.push(own, first, second);
  [controlPlane, worker] = [first, second];
  step = await startStepMachine(own, names);
  const searched = await Promise.all(
    [controlPlane, worker].map(async (machine) => ({ machine, search: await searchFromNowOn(machine) })),
  );
  const init = await prepareControlPlane();
  await installGroundplane(worker);
  await waitUntilRuntimeAnswers(worker);
  await run(controlPlane, 'init', ['init', ...init, '-o', 'jsonl']);
  await joinWorker();
  await waitUntilReady(controlPlane, [worker]);
  nodes = await Promise.all(
    searched.map(async ({ machine, search }) => {
      const copy = join(folder, 'nodes', machine.name);
      await machine.copyOut('/etc/kubernetes', join(copy, 'kubernetes'));
      await machine.copyOut('/var/lib/kubelet/pki', join(copy, 'kubelet'));
      return { machine, copy, search, keys: await keysOnMachine(machine) };
    }),
  );
}, 300_000);
afterAll(async () => {
  for (const machine of machines) await machine.delete();
  step?.remove();
  rmSync(folder, { recursive: true, force: true });
});

describe('a cluster whose certificates all come from step-ca', () => {
  it('has no certificate that none of them has signed', async () => {
    const issued = new Set((await step.log()).flatMap(({ serial, status }) => (status === 201 ? [serial] : [])));
    const made = leafCertificates(join(folder, 'nodes')).filter(({ path }) => !path.endsWith('/kubelet.crt'));
    const rows = made.map(
      ({ path, certificate: { issuer } }) => `${issuer} ${path.replace(/-client-\d.*/, '-client')}`,
    );
    const expected = Object.entries(expectedLeaves).flatMap(([name, paths]) =>
      paths.map((path) => `CN=Intermediate of ${name} ${path}`),
    );
    // A kubelet may have renewed its own by now.
    expect([...new Set(rows)].toSorted()).toEqual(expected.toSorted());
    for (const { path, certificate, chain } of made) {
      expect(issued, path).toContain(BigInt(`0x${certificate.serialNumber}`).toString());
      const by = step.authorities.find(({ name }) => certificate.issuer === `CN=Intermediate of ${name}`);
      verifyChain(chain, by?.rootFile ?? '', folder);
    }
  });

  it('never has the key of a CA on a node', () => {
    // What has these keys shows that the search finds them.
    const outside = keysBelow(step.folder);
    expect(authorityKeys(outside, outside).length).toBe(2 * names.length);
    for (const { machine, keys } of nodes) {
      const mine = keys.filter(({ kind }) => kind === 'private key');
      expect(mine.filter(({ path }) => path.startsWith('/etc/kubernetes/pki')).length).toBe(
        machine === controlPlane ? 8 : 0,
      );
      expect(mine.filter(({ publicKey, path }) => publicKey === 'unreadable' && !path.startsWith('/usr/lib/'))).toEqual(
        [],
      );
      expect(authorityKeys(keys, [...keys, ...outside])).toEqual([]);
    }
  });

  it.each([
    ['init', []],
    ['sign', []],
    // With the token.
    ['join', ['/etc/kubernetes/bootstrap-kubelet.conf']],
  ])('%s opens nothing that holds the key of a CA, and leaves nothing behind unseen', (name, unseen) => {
    const trace = traces[name] ?? '';
    const { opened, removed } = filesInTrace(trace);
    expect(opened).toContain(`${pki}/ca.crt`);
    if (name === 'init') for (const one of names) expect(opened).toContain(passwordFile(one));
    const keys = nodes.flatMap((node) => node.keys);
    const holding = authorityKeys(keys, [...keys, ...keysBelow(step.folder)]).map(({ path }) => path);
    expect(holding.filter((path) => opened.has(path))).toEqual([]);
    expect([...opened].filter((path) => /ca\.key/.test(path))).toEqual([]);
    expect([...removed].filter((path) => !path.startsWith('/run/groundplane/lock'))).toEqual(unseen);
    const looks = wholeCalls(trace).filter((call) => /"[^"]*ca\.key/.test(call));
    if (name === 'init') expect(looks).not.toEqual([]);
    expect(looks.filter((call) => !call.includes('= -1 ENOENT'))).toEqual([]);
  });

  it('keeps passwords, tokens and keys where they belong', async () => {
    const tokens = (await step.log()).flatMap(({ ott }) => (ott === undefined ? [] : ott.split('.')));
    expect(tokens.length).toBeGreaterThan(3 * 12);
    const foreign = [
      ...step.authorities.flatMap(({ password, key }) => [password, key.secret]),
      ...tokens,
      ...secretsBelow(step.folder),
    ];
    for (const { machine, search } of nodes)
      expect(await search.filesWith(foreign)).toEqual(machine === controlPlane ? names.map(passwordFile).sort() : []);

    const own = nodes.flatMap(({ copy }) => secretsBelow(copy));
    expect(own.length).toBeGreaterThan(13 * 20);
    const reports = await Promise.all(
      [
        ['certs', 'report', ...config, '--html', '/root/report.html'],
        ['certs', 'report', ...config, '-o', 'json'],
        ['certs', 'check-expiration', ...config],
        ['status', '-o', 'json'],
        ['journal', '-o', 'jsonl'],
      ].map(async (words) => (await succeeding(controlPlane, ['groundplane', ...words])).stdout),
    );
    const texts: Record<string, string> = {
      ...said,
      ...Object.fromEntries(Object.entries(traces).map(([name, text]) => [`trace of ${name}`, text])),
      reports: reports.join('\n'),
      page: await controlPlane.readFile('/root/report.html'),
    };
    for (const { machine } of nodes) {
      texts[`journal of ${machine.name}`] = (await succeeding(machine, ['journalctl', '--all', '-o', 'export'])).stdout;
      const state = ['sh', '-c', 'find /var/lib/groundplane -name "*.jsonl" -exec cat {} +'];
      texts[`our journal on ${machine.name}`] = (await succeeding(machine, state)).stdout;
    }
    for (const [name, text] of Object.entries(texts)) {
      expect(text.length, name).toBeGreaterThan(300);
      expect([...foreign, ...own].filter((secret) => text.includes(secret)).length, name).toBe(0);
    }
    // What programs were started with is in the traces, whole.
    expect(traces.init).toMatch(/execve\("[^"]*systemctl", \[.*\], \[.*"PATH=/);
  });

  it('passes the same tests of the Kubernetes project’s suite for kubeadm, but for those of keys that are not there', async () => {
    const suite = await runSuite(controlPlane, { skip: uploadedCertificates });
    const isLeftOut = (name: string) => name.includes(uploadedCertificates);
    expect(suite).toEqual(suiteTests.map((one) => (isLeftOut(one.name) ? { ...one, state: 'skipped' } : one)));
    expect(suite.filter(({ name }) => isLeftOut(name))).toHaveLength(3);
  });
});
