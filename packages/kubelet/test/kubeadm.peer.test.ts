import { spawnSync } from 'node:child_process';
import { lookup } from 'node:dns/promises';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { availableParallelism, hostname, release, tmpdir, totalmem } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { parseDocuments } from '@groundplane/manifest';
import { afterAll, describe, expect, it } from 'vitest';
import {
  type FactRequest,
  initPreflightChecks,
  instanceConfigDocument,
  kubeadmFlagsEnv,
  kubeletConfigFile,
  kubeletFlags,
  type PreflightConfiguration,
  type PreflightFacts,
  portKey,
  requiredFacts,
  runPreflight,
} from '../src/index.ts';

const kubeadm = process.env.GROUNDPLANE_KUBEADM ?? '';
const path = [dirname(kubeadm), process.env.PATH].join(delimiter);
const folder = mkdtempSync(join(tmpdir(), 'groundplane-kubelet-'));
afterAll(() => rmSync(folder, { recursive: true }));

function run(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  return spawnSync(kubeadm, args, { encoding: 'utf8', env: { PATH: path, KUBEADM_INIT_DRYRUN_DIR: folder, ...env } });
}

function configFile(nodeRegistration: object, cluster: object = {}): string {
  const documents = [
    {
      apiVersion: 'kubeadm.k8s.io/v1beta4',
      kind: 'InitConfiguration',
      nodeRegistration,
      localAPIEndpoint: { advertiseAddress: '192.0.2.10' },
    },
    { apiVersion: 'kubeadm.k8s.io/v1beta4', kind: 'ClusterConfiguration', kubernetesVersion: 'v1.37.2', ...cluster },
  ];
  const file = join(folder, 'input.yaml');
  // YAML refuses raw control characters and JSON's surrogate pairs.
  const escaped = (value: unknown) =>
    Array.from(JSON.stringify(value), (character) => {
      const code = character.codePointAt(0) ?? 0;
      return code > 0x7e ? `\\U${code.toString(16).padStart(8, '0')}` : character;
    }).join('');
  const lines = (document: object) => Object.entries(document).map(([key, value]) => `${key}: ${escaped(value)}\n`);
  writeFileSync(file, documents.map((document) => lines(document).join('')).join('---\n'));
  return file;
}

describe('kubelet-start writes', () => {
  /** Blocks in which nothing is newer than Unicode 15, which is what Go knows. */
  const blocks = [
    [1, 0x7ff],
    [0x2000, 0x206f],
    [0x3000, 0x30ff],
    [0xdff0, 0xe010],
    [0xfe00, 0xfe10],
    [0x1f600, 0x1f64f],
    [0xe0001, 0xe0020],
  ] as const;
  const characters = blocks
    .flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, index) => first + index))
    .filter((code) => code < 0xd800 || code > 0xdfff)
    .map((code) => String.fromCodePoint(code))
    .join('');
  const extraArgs = [
    { name: 'v', value: '5' },
    { name: 'odd', value: characters },
    { name: 'v', value: '4' },
  ];
  const criSocket = 'unix:///run/odd "name".sock';
  const started = run([
    'init',
    'phase',
    'kubelet-start',
    '--dry-run',
    '--config',
    configFile({ name: 'other-name', criSocket, kubeletExtraArgs: extraArgs }),
  ]);
  const written = (name: string) => readFileSync(join(folder, name), 'utf8');

  it('the same kubeadm-flags.env', () => {
    expect(started.status, started.stderr).toBe(0);
    expect(
      kubeadmFlagsEnv(kubeletFlags({ nodeName: 'other-name', hostName: hostname().toLowerCase(), extraArgs })),
    ).toBe(written('kubeadm-flags.env'));
  });

  it('the same instance-config.yaml and config.yaml', () => {
    const instanceConfig = instanceConfigDocument(criSocket);
    expect(instanceConfig).toBe(written('instance-config.yaml'));
    const { stdout } = run(['config', 'print', 'init-defaults', '--component-configs', 'KubeletConfiguration']);
    const [, , configuration] = parseDocuments(stdout);
    expect(kubeletConfigFile(configuration?.value as Record<string, unknown>, { instanceConfig })).toBe(
      written('config.yaml'),
    );
  });
});

describe('preflight finds', () => {
  const environment = { HTTPS_PROXY: 'http://u:p@proxy:3128', NO_PROXY: '10.96.0.0/16,192.0.2.0/24' };

  async function canListen(port: number, address?: string): Promise<boolean> {
    const server = createServer();
    return new Promise((resolve) => {
      server.once('error', () => resolve(false));
      server.listen({ port, ...(address !== undefined && { host: address }) }, () => server.close(() => resolve(true)));
    });
  }

  /** cgroup version and controllers, read as the kernel shows them. */
  function cgroups(): NonNullable<PreflightFacts['cgroups']> {
    if (existsSync('/sys/fs/cgroup/cgroup.controllers')) {
      const listed = readFileSync('/sys/fs/cgroup/cgroup.controllers', 'utf8').trim().split(' ');
      return { version: 2, controllers: [...listed, 'devices', 'freezer'] };
    }
    const rows = readFileSync('/proc/cgroups', 'utf8')
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.split('\t'));
    return { version: 1, controllers: rows.filter((row) => row[3] === '1').map((row) => row[0] ?? '') };
  }

  function kernelConfig(): NonNullable<PreflightFacts['kernelConfig']> {
    if (existsSync('/proc/config.gz')) return gunzipSync(readFileSync('/proc/config.gz')).toString();
    const file = `/boot/config-${release()}`;
    return existsSync(file) ? readFileSync(file, 'utf8') : { error: 'none' };
  }

  function service(name: string): NonNullable<PreflightFacts['services']>[string] {
    const systemctl = (verb: string) => spawnSync('systemctl', [verb, name], { encoding: 'utf8' });
    const status = systemctl('status');
    if (status.error !== undefined) return { exists: false, enabled: false, active: false, initSystem: 'none' };
    return {
      exists: !/not-found|could not be found/.test(status.stdout + status.stderr),
      enabled: systemctl('is-enabled').status === 0,
      active: systemctl('is-active').stdout.trim() === 'active',
      initSystem: 'systemd',
    };
  }

  async function gather(requests: readonly FactRequest[]): Promise<PreflightFacts> {
    const ports: Record<string, boolean> = {};
    const files: Record<string, boolean> = {};
    const texts: Record<string, string | undefined> = {};
    const directories: Record<string, readonly string[] | undefined> = {};
    const programs: Record<string, string | undefined> = {};
    const services: Record<string, ReturnType<typeof service>> = {};
    const lookups: Record<string, readonly string[]> = {};
    for (const request of requests) {
      if (request.fact === 'port')
        ports[portKey(request.port, request.address)] = await canListen(request.port, request.address);
      if (request.fact === 'file') files[request.path] = existsSync(request.path);
      if (request.fact === 'text')
        texts[request.path] = existsSync(request.path) ? readFileSync(request.path, 'utf8') : undefined;
      if (request.fact === 'directory')
        directories[request.path] = existsSync(request.path) ? readdirSync(request.path) : undefined;
      if (request.fact === 'program') {
        programs[request.name] = path
          .split(delimiter)
          .map((place) => join(place, request.name))
          .find(existsSync);
      }
      if (request.fact === 'service') services[request.name] = service(request.name);
      if (request.fact === 'lookup') {
        lookups[request.name] = await lookup(request.name, { all: true }).then(
          (found) => found.map(({ address }) => address),
          () => [],
        );
      }
    }
    const kubelet = spawnSync('kubelet', ['--version'], { encoding: 'utf8', env: { PATH: path } });
    return {
      uid: process.getuid?.() ?? -1,
      cpus: availableParallelism(),
      memoryMiB: totalmem() / 2 ** 20,
      kernelRelease: release(),
      kernelConfig: kernelConfig(),
      cgroups: cgroups(),
      runtime: { connectError: 'nobody listens' },
      kubeletVersion: kubelet.error === undefined ? { output: kubelet.stdout } : { error: kubelet.error.message },
      proxyEnvironment: Object.entries(environment).map(([name, value]) => ({ name, value })),
      ports,
      files,
      texts,
      directories,
      programs,
      services,
      lookups,
    };
  }

  const dualStack = {
    networking: { serviceSubnet: '10.96.0.0/16,fd00::/112', podSubnet: '10.244.0.0/16' },
    scheduler: { extraArgs: [{ name: 'bind-address', value: '203.0.113.1' }] },
    etcd: { local: { dataDir: folder } },
  };
  const configuration: PreflightConfiguration = {
    kubernetesVersion: 'v1.38.0',
    toolVersion: 'v1.37.2',
    minimumKubeletVersion: 'v1.34.0',
    nodeName: 'no-such-host.invalid',
    advertiseAddress: '192.0.2.10',
    bindPort: 6443,
    bindAddresses: { scheduler: '203.0.113.1' },
    subnets: [
      { cidr: '10.96.0.0/16', firstAddress: '10.96.0.1' },
      { cidr: 'fd00::/112', firstAddress: 'fd00::1' },
      { cidr: '10.244.0.0/16', firstAddress: '10.244.0.1' },
    ],
    families: ['ipv4', 'ipv6'],
    manifestsDir: '/etc/kubernetes/manifests',
    localEtcd: { dataDir: folder, address: '192.0.2.10' },
  };

  it.each([
    ['dual-stack, a newer version and a proxy', { kubernetesVersion: 'v1.38.0', ...dualStack }, configuration],
    [
      'a control plane older than the kubelet',
      { kubernetesVersion: 'v1.36.0', ...dualStack },
      { ...configuration, kubernetesVersion: 'v1.36.0' },
    ],
  ])('the same on this host: %s', async (_name, cluster, ours) => {
    const file = configFile({ name: 'no-such-host.invalid', criSocket: 'unix:///run/none.sock' }, cluster);
    const theirs = run(
      ['init', 'phase', 'preflight', '--dry-run', '--config', file, '--ignore-preflight-errors', 'all'],
      environment,
    );
    const facts = await gather(requiredFacts(initPreflightChecks, ours));
    const findings = runPreflight(initPreflightChecks, ours, facts, { ignore: ['all'] });
    const inOrder = (names: readonly string[]) =>
      names.filter((name, index) => !(name === 'Hostname' && names[index - 1] === name));
    const named = Array.from(theirs.stderr.matchAll(/\[WARNING ([^\]]+)\]/g), (match) => match[1] ?? '');
    expect(named.length).toBeGreaterThan(5);
    expect(inOrder(findings.map((finding) => finding.artifact))).toEqual(inOrder(named));
  });
});
