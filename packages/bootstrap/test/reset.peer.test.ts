import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

// reset of the real kubeadm and ours, each on a node of its own with real mounts: /etc/kubernetes, /var/lib and /run are file systems of a
// mount namespace that ends with the test, and there is no network.

const kubeadm = process.env.GROUNDPLANE_KUBEADM ?? '';
const ours = `${process.execPath} ${fileURLToPath(new URL('../../cli/dist/bin/groundplane.js', import.meta.url))}`;
const programs = { kubeadm, groundplane: ours };

const configuration = `apiVersion: kubeadm.k8s.io/v1beta4
kind: InitConfiguration
localAPIEndpoint: {advertiseAddress: 192.0.2.10}
nodeRegistration: {name: node-a, criSocket: unix:///run/nothing.sock}
---
apiVersion: kubeadm.k8s.io/v1beta4
kind: ClusterConfiguration
kubernetesVersion: v1.37.2
encryptionAlgorithm: ECDSA-P256
`;

const phases = ['certs all', 'kubeconfig all', 'etcd local', 'control-plane all'];

let folder: string;
/** /etc/kubernetes as the real kubeadm makes it. */
let made: string;

/** Runs a script as root in a mount and network namespace of its own. */
function privately(lines: readonly string[]): void {
  const env = { PATH: process.env.PATH, HOME: folder, GROUNDPLANE_STATE_DIR: join(folder, 'state') };
  const script = ['set -e', ...lines].join('\n');
  const { status, stderr } = spawnSync('unshare', ['--mount', '--net', 'bash', '-c', script], {
    env,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`Cannot prepare the node: ${stderr}`);
}

beforeAll(() => {
  if (kubeadm === '') return;
  folder = made = mkdtempSync(join(tmpdir(), 'groundplane-made-'));
  writeFileSync(join(made, 'config.yaml'), configuration);
  privately([
    'mount -t tmpfs none /etc/kubernetes',
    ...phases.map((phase) => `${kubeadm} init phase ${phase} --config ${made}/config.yaml >/dev/null`),
    `cp -a /etc/kubernetes ${made}`,
  ]);
});
afterAll(() => {
  if (kubeadm !== '') rmSync(made, { recursive: true });
});

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'groundplane-reset-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

interface Outcome {
  readonly code: number;
  readonly text: string;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

function reset(program: keyof typeof programs, prepare: string, args: string): Outcome {
  const picture = (name: string) => `find /etc/kubernetes /var/lib -printf '%y %p\\n' | sort >${folder}/${name}`;
  privately([
    'for tree in /etc/kubernetes /var/lib /run; do mount -t tmpfs -o mode=755 none $tree; done',
    'mkdir -p /var/lib/kubelet/pods /var/lib/etcd/member',
    'echo data >/var/lib/etcd/member/db; echo x >/var/lib/kubelet/config.yaml',
    `cp -a ${made}/kubernetes/. /etc/kubernetes`,
    prepare,
    picture('before'),
    'set +e',
    `timeout -s KILL 60 ${programs[program]} reset ${args} </dev/null >${folder}/text 2>&1`,
    `echo $? >${folder}/code`,
    'kill $(jobs -p) 2>/dev/null',
    picture('after'),
    'exit 0',
  ]);
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');
  const lines = (name: string) =>
    read(name)
      .split('\n')
      .filter((line) => line !== '');
  return { code: Number(read('code')), text: read('text'), before: lines('before'), after: lines('after') };
}

const mount = (path: string) => `mkdir -p ${path}; mount -t tmpfs none ${path}; echo volume >${path}/precious`;
const below = (tree: string, lines: readonly string[]) => lines.filter((line) => line.includes(` ${tree}/`));

describe('reset and the real one', { timeout: 120_000 }, () => {
  it.each([
    { name: 'a node that init made', prepare: ':' },
    { name: 'a volume that is mounted', prepare: mount('/var/lib/kubelet/pods/1/volume') },
    { name: 'a volume whose name has no blank but an equals sign', prepare: mount('/var/lib/kubelet/pods/a=b') },
    {
      name: 'mounts of siblings',
      prepare: `${mount('/var/lib/kubelet-extra/x')}; ${mount('/var/lib/kubelet/pods/1')}`,
    },
    {
      name: 'a linked kubelet directory that is mounted itself',
      prepare: `rm -r /var/lib/kubelet; ${mount('/var/lib/data/kubelet')}; ln -s /var/lib/data/kubelet /var/lib/kubelet; ${mount('/var/lib/data/kubelet/pods/1')}`,
    },
    {
      name: 'links that lead outside',
      prepare:
        'ln -s /var/lib/elsewhere /var/lib/kubelet/link; mkdir /var/lib/elsewhere; touch /var/lib/elsewhere/kept',
    },
    { name: 'no kubelet directory', prepare: 'rm -r /var/lib/kubelet' },
    {
      name: 'a data directory of its own',
      prepare: `sed -i s,/var/lib/etcd,/var/lib/own-etcd, /etc/kubernetes/manifests/etcd.yaml; mkdir /var/lib/own-etcd; touch /var/lib/own-etcd/x`,
    },
    { name: 'nothing that says where the data is', prepare: 'rm /etc/kubernetes/manifests/etcd.yaml' },
    { name: 'a manifest that does not say', prepare: 'echo "{}" >/etc/kubernetes/manifests/etcd.yaml' },
    { name: 'backups', prepare: 'mkdir /etc/kubernetes/tmp; touch /etc/kubernetes/tmp/x', args: '--cleanup-tmp-dir' },
    { name: 'backups that are to stay', prepare: 'mkdir /etc/kubernetes/tmp; touch /etc/kubernetes/tmp/x' },
    { name: 'files beside the kubeconfig files', prepare: 'touch /etc/kubernetes/other.conf' },
  ])('leave the same of $name', ({ prepare, args = '' }) => {
    const real = reset('kubeadm', prepare, `--force ${args}`);
    const own = reset('groundplane', prepare, `--force ${args}`);
    expect([own.code, real.code], own.text).toEqual([0, 0]);
    expect(own.after).toEqual(real.after);
    expect(own.before).toEqual(real.before);
    expect(own.after.length).toBeLessThan(own.before.length - 30);
  });

  it('remove nothing below the kubelet directory while something cannot be unmounted', () => {
    const prepare = `${mount('/var/lib/kubelet/plugins/csi')}; (cd /var/lib/kubelet/plugins/csi && exec sleep 60) & sleep 0.3`;
    for (const program of ['kubeadm', 'groundplane'] as const) {
      const { code, text, before, after } = reset(program, prepare, '--force');
      expect(code, text).not.toBe(0);
      expect(below('/var/lib/kubelet', after)).toEqual(below('/var/lib/kubelet', before));
      expect(text).toContain('/var/lib/kubelet/plugins/csi');
    }
  });

  it('differ in the order of nested mounts, where kubeadm fails', () => {
    const prepare = `${mount('/var/lib/kubelet/pods/1')}; ${mount('/var/lib/kubelet/pods/1/inner')}`;
    expect(reset('kubeadm', prepare, '--force').code).toBe(1);
    const { code, text, after } = reset('groundplane', prepare, '--force');
    expect(code, text).toBe(0);
    expect(below('/var/lib/kubelet', after)).toEqual([]);
  });

  it('differ in a mount point with a blank, where kubeadm fails', () => {
    const prepare = mount("'/var/lib/kubelet/pods/a b'").replaceAll(`'/precious`, `/precious'`);
    expect(reset('kubeadm', prepare, '--force').code).toBe(1);
    expect(reset('groundplane', prepare, '--force').code).toBe(0);
  });

  it('differ in what others put beside the certificates', () => {
    const prepare = 'touch /etc/kubernetes/pki/corporate.crt; mkdir /etc/kubernetes/pki/etcd/backup';
    expect(below('/etc/kubernetes/pki', reset('kubeadm', prepare, '--force').after)).toEqual([]);
    const { after, text } = reset('groundplane', prepare, '--force');
    expect(below('/etc/kubernetes/pki', after)).toEqual([
      'd /etc/kubernetes/pki/etcd',
      'd /etc/kubernetes/pki/etcd/backup',
      'f /etc/kubernetes/pki/corporate.crt',
    ]);
    expect(text).toContain('/etc/kubernetes/pki/corporate.crt');
  });

  it('differ in files that are mounted one by one', () => {
    const prepare = [
      'mkdir /var/lib/secret; touch /var/lib/secret/key',
      'mkdir /etc/kubernetes/manifests/bound; mount --bind /var/lib/secret /etc/kubernetes/manifests/bound',
    ].join('; ');
    expect(reset('kubeadm', prepare, '--force').after).not.toContain('f /var/lib/secret/key');
    const { code, after, text } = reset('groundplane', prepare, '--force');
    expect(code).toBe(0);
    expect(after).toContain('f /var/lib/secret/key');
    expect(text).toContain('/etc/kubernetes/manifests/bound');
  });
});

describe('reset leaves', { timeout: 120_000 }, () => {
  const mine = 'mkdir /etc/kubernetes/mine; echo mine >/etc/kubernetes/mine/file';

  it('the folder of Kubernetes though a manifest says that etcd has its data there', () => {
    const prepare = `${mine}; sed -i 's|path: /var/lib/etcd$|path: /etc/kubernetes|' /etc/kubernetes/manifests/etcd.yaml`;
    expect(reset('kubeadm', prepare, '--force').after).not.toContain('f /etc/kubernetes/mine/file');
    const { code, after, text } = reset('groundplane', prepare, '--force');
    expect(code).toBe(0);
    expect(text).toContain('The data in /etc/kubernetes is left as it is: other files of Kubernetes are in it');
    expect(after).toContain('f /etc/kubernetes/mine/file');
  });

  it('what it says with the certificates in the folder of Kubernetes', () => {
    const prepare = `${mine}; mv /etc/kubernetes/pki/* /etc/kubernetes; rmdir /etc/kubernetes/pki`;
    const { code, after, text } = reset('groundplane', prepare, '--force --cert-dir /etc/kubernetes');
    expect(code).toBe(0);
    expect(text).toMatch(/Left as they are not ours: \/etc\/kubernetes\/mine$/m);
    expect(after.filter((path) => path.includes('/etc/kubernetes/'))).toEqual([
      'd /etc/kubernetes/manifests',
      'd /etc/kubernetes/mine',
      'f /etc/kubernetes/mine/file',
    ]);
  });
});

describe('reset refuses', { timeout: 120_000 }, () => {
  it.each([
    { name: 'no answer', prepare: ':', args: '', says: 'proceed' },
    {
      name: 'the root as certificates directory',
      prepare: ':',
      args: '--force --cert-dir /',
      says: 'directory of the system',
    },
    {
      name: '/etc as certificates directory',
      prepare: ':',
      args: '--force --cert-dir /etc',
      says: 'directory of the system',
    },
    {
      name: 'a link to a directory of the system',
      prepare: 'mkdir /var/lib/x; mv /etc/kubernetes/pki /var/lib/x; ln -s /etc /etc/kubernetes/pki',
      args: '--force',
      says: 'Cannot clean up /etc as it is a directory of the system',
    },
    {
      name: 'a kubelet directory that leads to the root',
      prepare: 'rm -r /var/lib/kubelet; ln -s / /var/lib/kubelet',
      args: '--force',
      says: 'Cannot clean up / as it is a directory of the system',
    },
    {
      name: 'a kubelet directory that leads to the certificates',
      prepare: 'rm -r /var/lib/kubelet; ln -s /etc/kubernetes/pki /var/lib/kubelet',
      args: '--force',
      says: 'Cannot clean up /etc/kubernetes/pki as other files of Kubernetes are in it',
    },
    { name: 'an unknown phase', prepare: ':', args: '--force --skip-phases nothing', says: 'nothing' },
  ])('$name, and changes nothing', ({ prepare, args, says }) => {
    const { code, text, before, after } = reset('groundplane', prepare, args);
    expect(code).not.toBe(0);
    expect(text).toContain(says);
    expect(text).not.toMatch(/^ +at /m);
    expect(after).toEqual(before);
  });
});
