import { execFileSync, spawnSync } from 'node:child_process';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { machineToCome } from '../examples/cloud-init/src/machine-to-come.ts';

interface WrittenFile {
  readonly path: string;
  readonly content: string;
  readonly owner: string;
  readonly permissions: string;
}

interface UserData {
  readonly write_files: readonly WrittenFile[];
  readonly runcmd: readonly (readonly string[])[];
}

const example = join(import.meta.dirname, '../examples/cloud-init');
const program = join(example, 'src/main.ts');
const address = '192.0.2.10';
let folder: string;
let texts: { readonly controlPlane: string; readonly worker: string };
let controlPlane: UserData;

const fileOf = (data: UserData, path: string) => data.write_files.find((file) => file.path === path)?.content ?? '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'groundplane-cloud-init-'));
  const options = [`--config=${example}/cluster.yaml`, '--name=cp-1', `--address=${address}`, `--output=${folder}`];
  execFileSync(process.execPath, [program, ...options]);
  texts = {
    controlPlane: readFileSync(join(folder, 'control-plane.yaml'), 'utf8'),
    worker: readFileSync(join(folder, 'worker.yaml'), 'utf8'),
  };
  controlPlane = parse(texts.controlPlane) as UserData;
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('user data for the first control-plane node', () => {
  it('is a cloud-config with these files of root', () => {
    expect(texts.controlPlane).toMatch(/^#cloud-config\n/);
    expect(new Set(controlPlane.write_files.map(({ owner }) => owner))).toEqual(new Set(['root:root']));
    expect(controlPlane.write_files.map(({ path, permissions }) => `${permissions} ${path}`)).toEqual([
      '0600 /etc/kubernetes/admin.conf',
      '0600 /etc/kubernetes/controller-manager.conf',
      '0600 /etc/kubernetes/kubelet.conf',
      '0600 /etc/kubernetes/manifests/etcd.yaml',
      '0600 /etc/kubernetes/manifests/kube-apiserver.yaml',
      '0600 /etc/kubernetes/manifests/kube-controller-manager.yaml',
      '0600 /etc/kubernetes/manifests/kube-scheduler.yaml',
      '0644 /etc/kubernetes/pki/apiserver-etcd-client.crt',
      '0600 /etc/kubernetes/pki/apiserver-etcd-client.key',
      '0644 /etc/kubernetes/pki/apiserver-kubelet-client.crt',
      '0600 /etc/kubernetes/pki/apiserver-kubelet-client.key',
      '0644 /etc/kubernetes/pki/apiserver.crt',
      '0600 /etc/kubernetes/pki/apiserver.key',
      '0644 /etc/kubernetes/pki/ca.crt',
      '0600 /etc/kubernetes/pki/ca.key',
      '0644 /etc/kubernetes/pki/etcd/ca.crt',
      '0600 /etc/kubernetes/pki/etcd/ca.key',
      '0644 /etc/kubernetes/pki/etcd/healthcheck-client.crt',
      '0600 /etc/kubernetes/pki/etcd/healthcheck-client.key',
      '0644 /etc/kubernetes/pki/etcd/peer.crt',
      '0600 /etc/kubernetes/pki/etcd/peer.key',
      '0644 /etc/kubernetes/pki/etcd/server.crt',
      '0600 /etc/kubernetes/pki/etcd/server.key',
      '0644 /etc/kubernetes/pki/front-proxy-ca.crt',
      '0600 /etc/kubernetes/pki/front-proxy-ca.key',
      '0644 /etc/kubernetes/pki/front-proxy-client.crt',
      '0600 /etc/kubernetes/pki/front-proxy-client.key',
      '0600 /etc/kubernetes/pki/sa.key',
      '0600 /etc/kubernetes/pki/sa.pub',
      '0600 /etc/kubernetes/scheduler.conf',
      '0600 /etc/kubernetes/super-admin.conf',
      '0600 /etc/groundplane/init.yaml',
    ]);
  });

  it('ends in one command that makes the rest', () => {
    expect(controlPlane.runcmd).toEqual([
      ['install', '--directory', '--mode=0700', '/var/lib/etcd'],
      [
        'groundplane',
        'init',
        '--config=/etc/groundplane/init.yaml',
        '--skip-phases=certs,kubeconfig,etcd,control-plane',
        '--skip-token-print',
      ],
    ]);
  });

  it('tells the machine what the files were made for', () => {
    const text = fileOf(controlPlane, '/etc/groundplane/init.yaml');
    expect(parseAllDocuments(text).map((document) => document.toJS())).toEqual([
      parse(readFileSync(join(example, 'cluster.yaml'), 'utf8')),
      {
        apiVersion: 'kubeadm.k8s.io/v1beta4',
        kind: 'InitConfiguration',
        bootstrapTokens: [{ token: expect.stringMatching(/^[a-z0-9]{6}\.[a-z0-9]{16}$/) }],
        localAPIEndpoint: { advertiseAddress: address },
        nodeRegistration: { name: 'cp-1' },
      },
    ]);
  });

  it('has a certificate of its own CA for the API server of that machine', () => {
    const pki = (name: string) => fileOf(controlPlane, `/etc/kubernetes/pki/${name}`);
    const server = new X509Certificate(pki('apiserver.crt'));
    expect(server.verify(new X509Certificate(pki('ca.crt')).publicKey)).toBe(true);
    expect(server.checkPrivateKey(createPrivateKey(pki('apiserver.key')))).toBe(true);
    expect(server.checkIP(address)).toBe(address);
    expect(server.checkHost('cp-1')).toBe('cp-1');
  });
});

describe('user data for workers', () => {
  it('is this, but for the CA and the token', () => {
    const authority = fileOf(controlPlane, '/etc/kubernetes/pki/ca.crt');
    const init = parseAllDocuments(fileOf(controlPlane, '/etc/groundplane/init.yaml')).at(-1)?.toJS() as {
      bootstrapTokens: readonly [{ token: string }];
    };
    const [{ token }] = init.bootstrapTokens;
    const encoded = Buffer.from(authority).toString('base64');
    expect(authority).toMatch(/^-----BEGIN CERTIFICATE-----\n/);
    expect(texts.worker.replaceAll(encoded, '<CA>').replaceAll(token, '<token>')).toMatchInlineSnapshot(`
      "#cloud-config
      runcmd:
      - - groundplane
        - join
        - --config=/etc/groundplane/join.yaml
      write_files:
      - content: |
          apiVersion: v1
          clusters:
          - cluster:
              certificate-authority-data: <CA>
              server: https://192.0.2.10:6443
            name: kubernetes
          contexts:
          - context:
              cluster: kubernetes
              user: worker
            name: worker@kubernetes
          current-context: worker@kubernetes
          kind: Config
          users:
          - name: worker
            user:
              token: <token>
        owner: root:root
        path: /etc/groundplane/discovery.conf
        permissions: "0600"
      - content: |
          apiVersion: kubeadm.k8s.io/v1beta4
          discovery:
            file:
              kubeConfigPath: /etc/groundplane/discovery.conf
            tlsBootstrapToken: <token>
          kind: JoinConfiguration
        owner: root:root
        path: /etc/groundplane/join.yaml
        permissions: "0600"
      "
    `);
  });

  it('has no key', () => {
    expect(texts.controlPlane).toContain('PRIVATE KEY');
    expect(texts.worker).not.toMatch(/PRIVATE KEY|client-key|LS0tLS1CRUdJTiBFQyBQUklW/);
  });
});

describe('the program', () => {
  it('keeps its output to the user', () => {
    const mode = (name: string) => statSync(join(folder, name)).mode & 0o777;
    expect([mode('control-plane.yaml'), mode('worker.yaml')]).toEqual([0o600, 0o600]);
  });

  it.each([
    { name: 'no options', args: [], says: 'an option is missing' },
    { name: 'an option that there is not', args: ['--what'], says: "Unknown option '--what'" },
    {
      name: 'an address that is none',
      args: [`--config=${example}/cluster.yaml`, '--name=cp-1', '--address=here', '--output=/nonexistent/folder'],
      says: 'localAPIEndpoint.advertiseAddress',
    },
  ])('refuses $name in words', ({ args, says }) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], { encoding: 'utf8' });
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toContain(says);
    expect(stderr).not.toMatch(/^ +at /m);
  });
});

describe('a machine to come', () => {
  const machine = machineToCome({ name: 'cp-1', address, certificateFolders: ['/usr/share/ca-certificates'] });

  it('can be asked for nothing that only a real one does', () => {
    expect(() => machine.host.services.restart('kubelet')).toThrow('Cannot use services.restart');
    expect(() => machine.runtime.version()).toThrow('Cannot use runtime.version as the machine is not there yet');
    expect(() => machine.host.facts.memoryMiB()).toThrow('Cannot use facts.memoryMiB');
  });

  it('hands out what was made, and nothing that its image has', async () => {
    await machine.host.files.write('/etc/b', new TextEncoder().encode('b'), { mode: 0o600 });
    await machine.host.files.makeDirectory('/etc/a', { mode: 0o700 });
    expect(machine.made()).toEqual([
      { path: '/etc/a', mode: 0o700 },
      { path: '/etc/b', mode: 0o600, content: new TextEncoder().encode('b') },
    ]);
    expect(await machine.host.files.status('/usr/share/ca-certificates')).toMatchObject({ kind: 'directory' });
  });
});
