import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const kubeadm = process.env.GROUNDPLANE_KUBEADM;
const ours = fileURLToPath(new URL('../dist/bin/kubeadm.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'groundplane-config-'));
afterAll(() => rmSync(folder, { recursive: true }));

const files = {
  'init.yaml': `apiVersion: kubeadm.k8s.io/v1beta4
kind: InitConfiguration
localAPIEndpoint: {advertiseAddress: 192.0.2.10}
nodeRegistration: {name: node-a, criSocket: unix:///run/containerd/containerd.sock}
bootstrapTokens: [{token: abcdef.0123456789abcdef}]
---
apiVersion: kubeadm.k8s.io/v1beta4
kind: ClusterConfiguration
kubernetesVersion: v1.37.2
imageRepository: registry.example:5000/k8s
dns: {imageRepository: registry.example/dns, imageTag: v9}
proxy: {disabled: true}
etcd: {local: {imageTag: 3.9.9}}
`,
  'external.yaml': `apiVersion: kubeadm.k8s.io/v1beta4
kind: ClusterConfiguration
kubernetesVersion: v1.36.3
dns: {disabled: true}
etcd: {external: {endpoints: ['http://192.0.2.1:2379']}}
`,
  'join.yaml': `apiVersion: kubeadm.k8s.io/v1beta4
kind: JoinConfiguration
nodeRegistration: {name: node-a, criSocket: unix:///run/containerd/containerd.sock}
discovery:
  bootstrapToken: {token: abcdef.0123456789abcdef, apiServerEndpoint: 'example:6443', unsafeSkipCAVerification: true}
`,
  'invalid.yaml': `apiVersion: kubeadm.k8s.io/v1beta4
kind: ClusterConfiguration
kubernetesVersion: v1.37.2
networking: {serviceSubnet: 10.96.0.0/33}
clusterName: x
`,
  'unknown-field.yaml': `apiVersion: kubeadm.k8s.io/v1beta4
kind: ClusterConfiguration
kubernetesVersion: v1.37.2
frob: 1
`,
  'no-yaml.yaml': 'a: [\n',
  'template.txt': '{range .images[0:2]}{@}{"\\n"}{end}',
};
beforeAll(() => {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
});

type Program = 'peer' | 'ours';
function call(program: Program, words: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const [executable = '', ...first] = program === 'peer' ? [kubeadm ?? ''] : [process.execPath, ours];
  const { status, stdout, stderr } = spawnSync(executable, [...first, ...words], {
    encoding: 'utf8',
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, GROUNDPLANE_STATE_DIR: folder, ...env },
  });
  return { status, stdout, stderr };
}

const version = '--kubernetes-version=v1.37.2';
const list = ['config', 'images', 'list'];

describe('stdout and exit code are those of the real kubeadm', () => {
  it.each<readonly [string, readonly string[]]>([
    ['init-defaults', ['config', 'print', 'init-defaults']],
    [
      'component configurations',
      ['config', 'print', 'init-defaults', '--component-configs', 'KubeProxyConfiguration,KubeletConfiguration'],
    ],
    ['a component that nobody knows', ['config', 'print', 'init-defaults', '--component-configs=Frob']],
    ['join-defaults', ['config', 'print', 'join-defaults', '--kubeconfig=/nonexistent']],
    ['reset-defaults', ['config', 'print', 'reset-defaults']],
    ['upgrade-defaults', ['config', 'print', 'upgrade-defaults']],
    ['validate', ['config', 'validate', '--config=init.yaml']],
    ['validate of a join configuration', ['config', 'validate', '--config=join.yaml']],
    ['validate of an invalid one', ['config', 'validate', '--config=invalid.yaml']],
    ['validate of an unknown field', ['config', 'validate', '--config=unknown-field.yaml']],
    ['validate of something else', ['config', 'validate', '--config=no-yaml.yaml']],
    ['validate without a file', ['config', 'validate']],
    ['validate of a file that is not there', ['config', 'validate', '--config=none.yaml']],
    ['migrate', ['config', 'migrate', '--old-config=init.yaml']],
    ['migrate of a join configuration', ['config', 'migrate', '--old-config=join.yaml']],
    ['migrate of an invalid one', ['config', 'migrate', '--old-config=invalid.yaml']],
    ['migrate without a file', ['config', 'migrate']],
    ['images', [...list, version]],
    ['images of another repository', [...list, version, '--image-repository=registry.example:5000/k8s']],
    ['images of the version before', [...list, '--kubernetes-version=1.36.3']],
    ['images of a CI version', [...list, '--kubernetes-version=ci/v1.37.0-alpha.1+abc']],
    ['images of a configuration', [...list, '--config=init.yaml']],
    ['images of a configuration, whatever the flags say', [...list, '--config=external.yaml', version]],
    ['images of a configuration that is not there', [...list, '--config=none.yaml']],
    ['images with an unknown feature gate', [...list, version, '--feature-gates=Frob=true']],
    ['images as json', [...list, version, '-o', 'json']],
    ['images as JSON', [...list, version, '-o', 'JSON']],
    ['images as yaml', [...list, version, '-oyaml', '--show-managed-fields']],
    ['images as kyaml', [...list, version, '-o=kyaml']],
    ['images in an unknown format', [...list, version, '-o', 'xml']],
    ['images by a template', [...list, version, '-o', 'jsonpath={range.images[*]}{@} {end}']],
    [
      'images by a template with filters',
      [...list, version, '-o', 'jsonpath={.images[1:3]}{"\\n"}{.kind}{.images}{..images[-1]}'],
    ],
    ['images by a template, as JSON', [...list, version, '-o', 'jsonpath-as-json={.images[0,2]}']],
    ['images by the template in a file', [...list, version, '-o', 'jsonpath-file=template.txt']],
    ['images by a template that names what is not there', [...list, version, '-o', 'jsonpath=<{.frob}>']],
    ['and that must not', [...list, version, '-o', 'jsonpath={.frob}', '--allow-missing-template-keys=false']],
    ['images by no template', [...list, version, '-o', 'jsonpath=']],
    ['images by a template that does not parse', [...list, version, '-o', 'jsonpath={.images[}']],
  ])('%s', (_, words) => {
    const peer = call('peer', words);
    const own = call('ours', words);
    expect({ status: own.status, stdout: own.stdout }, own.stderr).toEqual({
      status: peer.status,
      stdout: peer.stdout,
    });
    const errorOf = (text: string) => /^error: /m.test(text);
    expect(errorOf(own.stderr), own.stderr).toBe(errorOf(peer.stderr));
  });

  it.each<readonly [string, readonly string[]]>([
    ['validate without a file', ['config', 'validate']],
    ['migrate without a file', ['config', 'migrate']],
    ['a component that nobody knows', ['config', 'print', 'init-defaults', '--component-configs=Frob']],
    ['an argument', ['config', 'print', 'join-defaults', 'x']],
    ['no template', [...list, version, '-o', 'jsonpath=']],
  ])('says the same: %s', (_, words) => {
    const first = (program: Program) => call(program, words).stderr.split('\n')[0] ?? '';
    // Ours may add the value that it is about.
    expect(first('ours').startsWith(first('peer')), first('ours')).toBe(true);
    expect(first('peer')).toMatch(/^error: ./);
  });

  it('both write the same file, and what is wrong leaves none', () => {
    for (const program of ['peer', 'ours'] as const) {
      const words = ['config', 'migrate', '--old-config=init.yaml', `--new-config=${program}.yaml`];
      expect(call(program, words)).toMatchObject({ status: 0, stdout: '' });
      expect(statSync(join(folder, `${program}.yaml`)).mode & 0o777).toBe(0o644);
    }
    expect(readFileSync(join(folder, 'ours.yaml'), 'utf8')).toBe(readFileSync(join(folder, 'peer.yaml'), 'utf8'));

    chmodSync(join(folder, 'ours.yaml'), 0o600);
    const before = readFileSync(join(folder, 'ours.yaml'), 'utf8');
    expect(call('ours', ['config', 'migrate', '--old-config=invalid.yaml', '--new-config=ours.yaml']).status).toBe(1);
    expect(readFileSync(join(folder, 'ours.yaml'), 'utf8')).toBe(before);
    expect(call('ours', ['config', 'migrate', '--old-config=join.yaml', '--new-config=ours.yaml']).status).toBe(0);
    expect(statSync(join(folder, 'ours.yaml')).mode & 0o777).toBe(0o600);

    const nowhere = ['config', 'migrate', '--old-config=init.yaml', '--new-config=none/x.yaml'];
    expect([call('peer', nowhere).status, call('ours', nowhere).status]).toEqual([1, 1]);
    const device = ['config', 'migrate', '--old-config=init.yaml', '--new-config=/dev/stdout'];
    expect(call('ours', device).stdout).toBe(call('peer', device).stdout);
  });
});
