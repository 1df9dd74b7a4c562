import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { localHost } from '@groundplane/host';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { dryRunHost } from './dry-run-host.ts';

let node = '';
let directory = '';
beforeEach(() => {
  node = mkdtempSync(join(tmpdir(), 'groundplane-node-'));
  directory = join(node, 'dry/run');
});
afterEach(() => rmSync(node, { recursive: true }));

const layout = () => ({
  kubernetes: `${node}/etc`,
  pki: `${node}/etc/pki`,
  kubelet: `${node}/kubelet`,
  etcdData: `${node}/etcd`,
  nodeName: 'node-a',
});
const bytes = (text: string) => new TextEncoder().encode(text);
const text = (content: { readonly bytes: Uint8Array } | undefined) =>
  content && new TextDecoder().decode(content.bytes);

it('puts files side by side into the folder and shows them as the files of the machine from then on', async () => {
  writeFileSync(join(node, 'existing'), 'as it was');
  const { host, written } = dryRunHost(localHost(), { directory, layout: layout() });
  expect(text(await host.files.read(`${node}/existing`))).toBe('as it was');
  expect(await host.files.read(`${node}/etc/admin.conf`)).toBeUndefined();

  await host.files.write(`${node}/etc/pki/etcd/ca.key`, bytes('secret'), { mode: 0o600 });
  await host.files.write(`${node}/etc/admin.conf`, bytes('admin'), { mode: 0o600 });
  await host.files.write(`${node}/etc/manifests/etcd.yaml`, bytes('pod'), { mode: 0o600 });
  await host.files.write(`${node}/kubelet/config.yaml`, bytes('kubelet'), { mode: 0o644 });
  expect(readdirSync(directory, { recursive: true }).toSorted()).toEqual([
    'admin.conf',
    'config.yaml',
    'etcd',
    'etcd.yaml',
    'etcd/ca.key',
  ]);
  expect(readFileSync(join(directory, 'etcd/ca.key'), 'utf8')).toBe('secret');
  expect(statSync(directory).mode & 0o777).toBe(0o700);
  expect(text(await host.files.read(`${node}/etc/admin.conf`))).toBe('admin');
  expect(written.get(`${node}/kubelet/config.yaml`)).toBe(join(directory, 'config.yaml'));
});

it('changes nothing else', async () => {
  writeFileSync(join(node, 'existing'), 'as it was');
  const { host, written } = dryRunHost(localHost(), { directory, layout: layout() });
  await host.files.makeDirectory(`${node}/etcd`, { mode: 0o700 });
  await host.files.remove(`${node}/existing`);
  await host.files.append(`${node}/journal`, bytes('line'), { mode: 0o600 });
  await host.services.restart('kubelet');
  expect(readdirSync(node)).toEqual(['existing']);
  expect(written.size).toBe(0);
});
