import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { optionalCADirectories } from '@groundplane/controlplane';
import { afterAll, describe, expect, test } from 'vitest';
import { run } from './init-run.ts';
import { initContext, initWorld } from './init-world.ts';
import { onPrivateNode, type Program } from './private-node.ts';

const kubeadm = process.env.GROUNDPLANE_KUBEADM ?? '';
const folder = mkdtempSync(join(tmpdir(), 'groundplane-patches-'));
afterAll(() => rmSync(folder, { recursive: true }));

type Files = Readonly<Record<string, string>>;

const annotation = (name: string) => `metadata:\n  annotations:\n    ${name}: "1"\n`;
const all = (text: (target: string) => string, extension = '.yaml'): Files =>
  Object.fromEntries(
    ['etcd', 'kube-apiserver', 'kube-controller-manager', 'kube-scheduler'].map((target) => [
      `${target}${extension}`,
      text(target),
    ]),
  );

/** Folders of patches that both apply. */
const accepted: Readonly<Record<string, Files>> = {
  nothing: { 'README.md': '# none\n' },
  'annotations of all': all((target) => annotation(`for-${target}`)),
  'arguments, environment, mounts and a side container': {
    'kube-apiserver.yaml': `spec:
  containers:
  - name: kube-apiserver
    env: [{name: GOGC, value: "50"}]
    resources: {requests: {cpu: 0.5, memory: 1073741824}, limits: {memory: 1.5Gi}}
    livenessProbe: {failureThreshold: 20, httpGet: {port: 6443}}
    volumeMounts: [{name: audit, mountPath: /var/log/audit}]
  - name: sidecar
    image: example.com/sidecar:1
    securityContext: {runAsNonRoot: true, runAsUser: 0}
  volumes: [{name: audit, hostPath: {path: /var/log/audit, type: DirectoryOrCreate}}]
  dnsPolicy: ClusterFirstWithHostNet
  tolerations: [{operator: Exists}]
`,
  },
  'deletions and directives': {
    'kube-scheduler.yaml': `metadata: {labels: {tier: null}}
spec:
  priority: null
  securityContext: {$patch: replace, runAsUser: 65532}
  containers:
  - name: kube-scheduler
    startupProbe: null
    resources: {$patch: delete}
    volumeMounts: [{mountPath: /etc/kubernetes/scheduler.conf, $patch: delete}]
  volumes: [{$patch: replace}]
`,
  },
  'a merge patch': {
    'kube-scheduler+merge.yaml': 'spec: {containers: [{name: kube-scheduler, image: x}], volumes: null}\n',
  },
  'a JSON patch': {
    'etcd+json.json': JSON.stringify([
      { op: 'add', path: '/spec/containers/0/command/-', value: '--quota-backend-bytes=8589934592' },
      { op: 'replace', path: '/spec/containers/0/imagePullPolicy', value: 'Always' },
      { op: 'replace', path: '/spec/terminationGracePeriodSeconds', value: 45 },
      { op: 'remove', path: '/metadata/labels/tier' },
    ]),
  },
  'a JSON patch in YAML': {
    'kube-apiserver+json.yaml': '- {op: test, path: /kind, value: Pod}\n- {op: remove, path: /spec/priority}\n',
  },
  'unknown fields': { 'kube-scheduler.yaml': 'spec: {nonsense: 1, containers: [{name: kube-scheduler, Image: x}]}\n' },
  'another name': { 'kube-scheduler.yaml': 'metadata: {name: other, namespace: elsewhere}\n' },
  'several documents': {
    'kube-scheduler.yaml': `# first\n---\n${annotation('a')}---\n\n---\n# nothing\n---\n${annotation('b')}`,
    'kube-scheduler1+json.yaml':
      '[{op: add, path: /metadata/annotations/c, value: "1"}]\n---\n[{op: remove, path: /metadata/annotations/a}]\n',
  },
  'order of files': {
    'etcd.yaml': 'spec: {priority: 1, hostname: one}\n',
    'etcd-.yaml': 'spec: {priority: 2}\n',
    'etcd0.yaml': 'spec: {priority: 3}\n',
    'etcdA+merge.yaml': 'spec: {priority: 4}\n',
    'etcd_/etcd.yaml': 'spec: {priority: 5}\n',
    'a/z/etcd.yaml': 'spec: {priority: 6, subdomain: six}\n',
    'etcda.yaml/etcd.yaml': 'spec: {hostname: seven}\n',
  },
  'names that count and names that do not': {
    'kube-schedulerABC.yaml': annotation('abc'),
    'kube-scheduler.d.yaml': annotation('d'),
    'kube-scheduler+strategic.old.yaml': annotation('old'),
    'kube-scheduler+mergers.yaml': annotation('mergers'),
    'kube-scheduler.yml': annotation('yml'),
    'kube-scheduler.yaml~': annotation('tilde'),
    'Kube-Scheduler.yaml': annotation('upper'),
    '.kube-scheduler.yaml': annotation('hidden'),
    'etcdmain.yaml': annotation('main'),
    'kube-scheduler-empty.yaml': '',
  },
  'JSON in flow style, with Windows line ends': {
    'kube-scheduler.json': '{"metadata": {\r\n\t"annotations": {"a": "1"}}}\r\n',
    'kube-scheduler0.json': '{metadata: {annotations: {b: "1"}}}',
  },
  'broken patches for what is not written': {
    'corednsdeployment.yaml': 'spec: 5\n',
    'kubeproxydaemonset+json.yaml': '5\n',
  },
  'the kubelet, in three layers': {
    'kubeletconfiguration+merge.yaml':
      'maxPods: 60\nevictionHard: {memory.available: 5%, imagefs.available: null}\nclusterDNS: [10.0.0.1]\n',
    'kubeletconfiguration0.yaml':
      'maxPods: 61\ncontainerRuntimeEndpoint: unix:///patched.sock\nunknown: {kept: true}\nsyncFrequency: 1m\n',
    'kubeletconfiguration1+json.json':
      '[{"op": "add", "path": "/registerWithTaints", "value": [{"key": "a", "effect": "NoSchedule"}]}]',
  },
};

/** Folders of patches that both refuse. */
const refused: Readonly<Record<string, Files>> = {
  'no type after the plus': { 'kube-scheduler+.yaml': annotation('a') },
  'an unknown type': { 'kube-scheduler0+foo.yaml': annotation('a') },
  'a type in capitals, for another target': { 'corednsdeployment+Merge.yaml': annotation('a') },
  'no YAML': { 'kubeproxydaemonset.yaml': 'a: [\n' },
  'an item without its name': { 'kube-scheduler.yaml': 'spec: {containers: [{image: x}]}\n' },
  'a boolean for a text': { 'etcd.yaml': 'spec: {containers: [{name: etcd, env: [{name: A, value: yes}]}]}\n' },
  'a text for a boolean': { 'kube-apiserver+merge.yaml': 'spec: {hostNetwork: "yes"}\n' },
  'a quantity that is none': {
    'etcd.yaml': 'spec: {containers: [{name: etcd, resources: {requests: {cpu: lots}}}]}\n',
  },
  'a JSON patch that is a mapping': { 'etcd+json.yaml': 'a: b\n' },
  'a JSON patch that misses': { 'etcd+json.yaml': '[{op: remove, path: /spec/nothing}]\n' },
  'a strategic patch that is a list': { 'etcd.yaml': '[]\n' },
  'another API version': { 'etcd.yaml': 'apiVersion: v2\n' },
  'a kubelet patch that is a list': { 'kubeletconfiguration.yaml': '- a\n' },
};

function writeFolder(name: string, files: Files): string {
  const path = join(folder, name.replaceAll(/\W+/g, '-'));
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(path, file)), { recursive: true });
    writeFileSync(join(path, file), text);
  }
  return path;
}

const documents = {
  manifests: ['etcd', 'kube-apiserver', 'kube-controller-manager', 'kube-scheduler'].map((name) => `${name}.yaml`),
  kubelet: ['instance-config.yaml', 'config.yaml'],
};

interface Made {
  readonly failure: string | undefined;
  /** Name → text of what was written. */
  readonly texts: Files;
}

/** The real kubeadm writes into a folder of its own in a dry run. */
function madeByKubeadm(config: string): Made {
  const output = mkdtempSync(join(folder, 'dry-run-'));
  const env = { PATH: process.env.PATH ?? '', KUBEADM_INIT_DRYRUN_DIR: output };
  for (const phase of [['etcd', 'local'], ['control-plane', 'all'], ['kubelet-start']]) {
    const args = ['init', 'phase', ...phase, '--dry-run', '--config', config];
    const { status, stderr } = spawnSync(kubeadm, args, { env, encoding: 'utf8' });
    if (status !== 0) return { failure: stderr, texts: {} };
  }
  const names = Object.values(documents).flat();
  return {
    failure: undefined,
    texts: Object.fromEntries(names.map((name) => [name, readFileSync(join(output, name), 'utf8')])),
  };
}

async function madeByUs(patches: string, files: Files): Promise<Made> {
  const ports = initWorld();
  for (const directory of optionalCADirectories) if (existsSync(directory)) ports.memory.put(`${directory}/x`, 'x');
  for (const [file, text] of Object.entries(files)) ports.memory.put(`${patches}/${file}`, text);
  const only = { only: ['etcd', 'control-plane', 'kubelet-start'] };
  const made = await initContext(
    { documents: `skipPhases: [addon]\npatches: {directory: ${patches}}\n` },
    { ports },
  ).then(
    async (config) => (await run(ports, config, only)).error,
    (error: unknown) => error as Error,
  );
  const text = (path: string) => ports.memory.text(path) ?? '';
  return {
    failure: made?.message,
    texts: Object.fromEntries([
      ...documents.manifests.map((name) => [name, text(`/etc/kubernetes/manifests/${name}`)]),
      ...documents.kubelet.map((name) => [name, text(`/var/lib/kubelet/${name}`)]),
    ]),
  };
}

/** The configuration of the sample node, see init-world.ts. */
function configFile(patches: string): string {
  const apiVersion = 'kubeadm.k8s.io/v1beta4';
  const file = `${patches}.config.yaml`;
  const init = {
    apiVersion,
    kind: 'InitConfiguration',
    localAPIEndpoint: { advertiseAddress: '192.0.2.10' },
    nodeRegistration: { name: 'node-a', criSocket: 'unix:///var/run/containerd/containerd.sock' },
    patches: { directory: patches },
  };
  const cluster = {
    apiVersion,
    kind: 'ClusterConfiguration',
    kubernetesVersion: 'v1.37.2',
    encryptionAlgorithm: 'ECDSA-P256',
  };
  writeFileSync(file, [init, cluster].map((document) => JSON.stringify(document)).join('\n---\n'));
  return file;
}

describe('kubeadm and we make the same, to the byte, with', () => {
  test.each(Object.entries(accepted))('%s', async (name, files) => {
    const patches = writeFolder(name, files);
    const theirs = madeByKubeadm(configFile(patches));
    expect(theirs.failure).toBeUndefined();
    expect(await madeByUs(patches, files)).toEqual(theirs);
  });
});

describe('kubeadm and we refuse', () => {
  test.each(Object.entries(refused))('%s', async (name, files) => {
    const patches = writeFolder(name, files);
    expect(madeByKubeadm(configFile(patches)).failure).toBeDefined();
    const { failure, texts } = await madeByUs(patches, files);
    expect(failure).toMatch(/^Cannot /);
    expect(new Set(Object.values(texts))).toEqual(new Set(['']));
  });
});

describe('differences that the documentation names', () => {
  async function both(name: string, files: Files) {
    const patches = writeFolder(name, files);
    return { theirs: madeByKubeadm(configFile(patches)), ours: await madeByUs(patches, files) };
  }

  test('a merge patch file with a document of comments only: they refuse it, we pass it over', async () => {
    const { theirs, ours } = await both('comments', { 'etcd+merge.yaml': '# nothing\n---\nspec: {hostname: a}\n' });
    expect(theirs.failure).toContain('Invalid JSON Patch');
    expect(ours.failure).toBeUndefined();
    expect(ours.texts['etcd.yaml']).toContain('hostname: a');
  });

  test('another kind: they drop all patches of the pod, we refuse it', async () => {
    const files = { 'etcd.yaml': 'spec: {hostname: a}\n', 'etcd1.yaml': 'apiVersion: apps/v1\nkind: Deployment\n' };
    const { theirs, ours } = await both('kind', files);
    expect(theirs.failure).toBeUndefined();
    expect(theirs.texts['etcd.yaml']).not.toContain('hostname');
    expect(ours.failure).toContain('the patch etcd1.yaml, document 1, for etcd as apiVersion must stay v1: apps/v1');
  });
});

test('the command line takes the folder as --patches, from where it runs, and writes what kubeadm writes', () => {
  const name = 'names that count and names that do not';
  const patches = writeFolder(name, accepted[name] ?? {});
  const made = (program: Program) => {
    const args = [
      'init',
      'phase',
      'control-plane',
      'all',
      '--kubernetes-version',
      'v1.37.2',
      '--patches',
      `.${patches}`,
    ];
    const files = onPrivateNode('', [{ program, args }]).files.at(-1);
    return documents.manifests.map((file) => files?.[`manifests/${file}`]?.text);
  };
  const ours = made('groundplane');
  expect(ours).toEqual(made('kubeadm'));
  expect(ours.join()).toContain('old: "1"');
});
