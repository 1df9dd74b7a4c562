import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { resolveInit } from '../src/index.ts';
import { run } from './init-run.ts';
import { initWorld } from './init-world.ts';

const kubeadm = process.env.GROUNDPLANE_KUBEADM ?? '';
const folder = mkdtempSync(join(tmpdir(), 'groundplane-kubelet-start-'));
afterAll(() => rmSync(folder, { recursive: true }));

const names = ['kubeadm-flags.env', 'instance-config.yaml', 'config.yaml'] as const;
const ownName = hostname().trim().toLowerCase();

interface Setting {
  /** More fields of nodeRegistration. */
  readonly node?: Readonly<Record<string, unknown>>;
  readonly cluster?: Readonly<Record<string, unknown>>;
  /** Text of a KubeletConfiguration, without its first two lines. */
  readonly kubelet?: string;
  readonly patches?: Readonly<Record<string, string>>;
  /** True where systemd-resolved runs. */
  readonly resolved?: boolean;
}

const args = (...pairs: readonly (readonly [string, string])[]) => pairs.map(([name, value]) => ({ name, value }));

const settings: Readonly<Record<string, Setting>> = {
  defaults: {},
  'the name of the host': { node: { name: ownName } },
  'another node name': { node: { name: 'other-name.example.com' } },
  'taints, which a control plane does not register with': {
    node: {
      taints: [
        { key: 'a', value: 'b', effect: 'NoSchedule' },
        { key: 'c', effect: 'NoExecute' },
      ],
    },
  },
  'no taints': { node: { taints: [] } },
  'a host name as argument': {
    node: { name: 'node-a', kubeletExtraArgs: args(['hostname-override', 'from-argument'], ['v', '2']) },
  },
  'the host name of the machine as argument': { node: { kubeletExtraArgs: args(['hostname-override', ownName]) } },
  'two host names as arguments': {
    node: { kubeletExtraArgs: args(['hostname-override', 'one'], ['v', '2'], ['hostname-override', 'two']) },
  },
  'an empty host name as argument': { node: { kubeletExtraArgs: args(['hostname-override', '']) } },
  'arguments in their order, twice, empty and with dashes': {
    node: {
      kubeletExtraArgs: args(
        ['v', '4'],
        ['node-labels', 'x=1,y=2'],
        ['v', '5'],
        ['a', ''],
        ['--odd', 'x'],
        ['b c', 'd'],
      ),
    },
  },
  'arguments with odd characters': {
    node: {
      kubeletExtraArgs: args(
        ['odd', 'q"b\\t\tn\nc\u0001é\u00a0\u2028\u200b\u00ad\ufeff\u{1f600}\u{e0001}$HOME `x` <5% %q \'\u007f\u0085'],
        ['eviction-hard', 'memory.available<5%'],
      ),
    },
  },
  'a socket with odd characters': { node: { criSocket: 'unix:///run/odd "name" \\ é.sock' } },
  'systemd-resolved': { resolved: true },
  'systemd-resolved and a resolv.conf of one’s own': { resolved: true, kubelet: 'resolvConf: /etc/resolv.conf\n' },
  'systemd-resolved and no resolv.conf': { resolved: true, kubelet: 'resolvConf: ""\n' },
  'systemd-resolved and a patch': {
    resolved: true,
    patches: { 'kubeletconfiguration+json.json': '[{"op":"remove","path":"/resolvConf"}]' },
  },
  'durations and quantities': {
    kubelet: `imageMinimumGCAge: 30m
imageMaximumGCAge: 1.5h
syncFrequency: 90s
nodeStatusUpdateFrequency: 0.5s
shutdownGracePeriod: 100000ms
streamingConnectionIdleTimeout: 4h0m0s
runtimeRequestTimeout: 1h1m1s1ms
memoryManagerPolicy: Static
reservedMemory:
- numaNode: 0
  limits: {memory: 1024Mi, hugepages-2Mi: "2097152"}
containerLogMaxSize: 20Mi
systemReserved: {cpu: 500m, memory: 1Gi}
evictionHard: {memory.available: 5%, nodefs.available: "10%"}
`,
  },
  'values that differ from what kubeadm wants': {
    kubelet: `staticPodPath: /srv/pods
clusterDNS: [10.0.0.10, "fd00::10"]
clusterDomain: example.org
rotateCertificates: false
cgroupDriver: cgroupfs
readOnlyPort: 10255
healthzPort: 12345
healthzBindAddress: 0.0.0.0
authentication: {anonymous: {enabled: true}, webhook: {enabled: false, cacheTTL: 2m}}
authorization: {mode: AlwaysAllow}
`,
  },
  'fields of every kind': {
    kubelet: `maxPods: 50
featureGates: {NodeSwap: true}
memorySwap: {swapBehavior: LimitedSwap}
failSwapOn: false
tlsCipherSuites: [TLS_AES_128_GCM_SHA256]
allowedUnsafeSysctls: [net.*]
registerWithTaints:
- {key: a, effect: NoSchedule, timeAdded: "2024-01-02T03:04:05Z"}
kubeReserved: {}
cpuManagerPolicyOptions: {full-pcpus-only: "true"}
shutdownGracePeriodByPodPriority:
- {priority: 1000, shutdownGracePeriodSeconds: 10}
enforceNodeAllocatable: []
logging: {format: json, verbosity: 3, flushFrequency: 5s}
crashLoopBackOff: {maxContainerRestartPeriod: 60s}
systemCgroups: "yes"
providerID: "0123"
`,
  },
  'the endpoint of another runtime': { kubelet: 'containerRuntimeEndpoint: unix:///run/elsewhere.sock\n' },
  'dual-stack and a domain': {
    cluster: {
      networking: { serviceSubnet: 'fd00:1::/112,10.87.116.64/26', dnsDomain: 'k8s.example.org' },
      certificatesDir: '/srv/pki',
    },
  },
  'a strategic patch': {
    patches: { 'kubeletconfiguration.yaml': 'maxPods: 60\nevictionHard: {memory.available: 1Gi}\nclusterDNS: null\n' },
  },
  'a merge patch': {
    kubelet: 'maxPods: 50\nimageMinimumGCAge: 30m\n',
    patches: { 'kubeletconfiguration+merge.yaml': 'maxPods: 60\nauthentication: {x509: null}\nsyncFrequency: 2m\n' },
  },
  'a JSON patch': {
    patches: {
      'kubeletconfiguration+json.yaml':
        '- {op: add, path: /tlsMinVersion, value: VersionTLS13}\n- {op: replace, path: /clusterDomain, value: "no"}\n',
    },
  },
  'a patch of the socket, over which the instance has the last word': {
    patches: { 'kubeletconfiguration.yaml': 'containerRuntimeEndpoint: unix:///run/patched.sock\n' },
  },
};

/** A folder of one setting, with its patches and its configuration file. */
function write(name: string, { node = {}, cluster = {}, kubelet, patches }: Setting) {
  const place = join(folder, name.replaceAll(/\W+/g, '-'));
  const patchFolder = join(place, 'patches');
  mkdirSync(patchFolder, { recursive: true });
  for (const [file, text] of Object.entries(patches ?? {})) writeFileSync(join(patchFolder, file), text);
  const apiVersion = 'kubeadm.k8s.io/v1beta4';
  const documents = [
    {
      apiVersion,
      kind: 'InitConfiguration',
      localAPIEndpoint: { advertiseAddress: '192.0.2.10' },
      nodeRegistration: { criSocket: 'unix:///var/run/containerd/containerd.sock', ...node },
      ...(patches === undefined ? {} : { patches: { directory: patchFolder } }),
    },
    { apiVersion, kind: 'ClusterConfiguration', kubernetesVersion: 'v1.37.2', ...cluster },
  ].map(yamlLines);
  const kubeletDocument = 'apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\n';
  if (kubelet !== undefined) documents.push(`${kubeletDocument}${kubelet}`);
  const configText = documents.join('---\n');
  writeFileSync(join(place, 'config.yaml'), configText);
  return { place, patchFolder, configText };
}

/** One line a field, in ASCII alone: YAML refuses raw control characters, and the surrogate pairs of JSON. */
function yamlLines(document: object): string {
  const escaped = (value: unknown) =>
    Array.from(JSON.stringify(value), (character) => {
      const code = character.codePointAt(0) ?? 0;
      return code > 0x7e ? `\\U${code.toString(16).padStart(8, '0')}` : character;
    }).join('');
  return Object.entries(document)
    .map(([key, value]) => `${key}: ${escaped(value)}\n`)
    .join('');
}

/** A folder for PATH in which systemctl says whether systemd-resolved runs. */
function pathWith(place: string, resolved: boolean): string {
  const programs = join(place, 'programs');
  mkdirSync(programs);
  writeFileSync(
    join(programs, 'systemctl'),
    `#!/bin/sh\n${resolved ? 'case "$*" in *systemd-resolved*) echo active; exit 0;; esac\n' : ''}echo inactive\nexit 3\n`,
  );
  chmodSync(join(programs, 'systemctl'), 0o755);
  return [programs, process.env.PATH].join(delimiter);
}

describe('the real kubeadm and we write the same files of the kubelet, to the byte, for', () => {
  test.each(Object.entries(settings))('%s', async (name, setting) => {
    const { place, patchFolder, configText } = write(name, setting);
    const output = join(place, 'output');
    mkdirSync(output);
    const theirs = spawnSync(
      kubeadm,
      ['init', 'phase', 'kubelet-start', '--dry-run', '--config', join(place, 'config.yaml')],
      {
        encoding: 'utf8',
        env: { PATH: pathWith(place, setting.resolved === true), KUBEADM_INIT_DRYRUN_DIR: output },
      },
    );
    expect(theirs.status, theirs.stderr).toBe(0);

    const ports = initWorld({
      facts: { hostName: async () => hostname() },
      ...(setting.resolved === true ? { units: { 'systemd-resolved': { active: true } } } : {}),
    });
    for (const [file, text] of Object.entries(setting.patches ?? {})) ports.memory.put(`${patchFolder}/${file}`, text);
    const { context } = await resolveInit({ configText, ports, command: 'init phase kubelet-start' });
    await run(ports, context, { only: ['kubelet-start'] });
    for (const file of names) {
      const path = `/var/lib/kubelet/${file}`;
      expect(ports.memory.text(path), file).toBe(readFileSync(join(output, file), 'utf8'));
      expect(ports.memory.mode(path), file).toBe(statSync(join(output, file)).mode & 0o777);
    }
  });

  test('at least 15 settings', () => {
    expect(Object.keys(settings).length).toBeGreaterThanOrEqual(15);
  });
});
