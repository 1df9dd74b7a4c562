import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createBootstrap } from '@groundplane/bootstrap';
import { openRootDirectory } from '@groundplane/host';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { linuxPorts } from './index.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'linux-ports-'));
  mkdirSync(join(folder, 'etc'));
  writeFileSync(join(folder, 'etc/hostname'), 'elsewhere\n');
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('another root', () => {
  test('is where files are read and written', async () => {
    const { host } = linuxPorts({ root: await openRootDirectory(folder) });
    const hostname = await host.files.read('/etc/hostname');
    expect(new TextDecoder().decode(hostname?.bytes)).toBe('elsewhere\n');
    await host.files.write('/etc/new', new TextEncoder().encode('text'), { mode: 0o600 });
    expect(readFileSync(join(folder, 'etc/new'), 'utf8')).toBe('text');
  });

  test('is where the socket of the runtime is', async () => {
    const { runtime } = linuxPorts({ root: await openRootDirectory(folder) });
    for (const socket of ['unix:///run/none.sock', '/run/none.sock']) {
      const opened = await runtime(socket);
      await expect(opened.version()).rejects.toMatchObject({
        code: 'RUNTIME_UNAVAILABLE',
        message: expect.stringContaining(join(folder, 'run/none.sock')),
      });
    }
  });

  test('is where phases work', async () => {
    const ports = linuxPorts({ root: await openRootDirectory(folder) });
    const configuration = {
      apiVersion: 'kubeadm.k8s.io/v1beta4',
      kind: 'ClusterConfiguration',
      kubernetesVersion: 'v1.37.2',
      encryptionAlgorithm: 'ECDSA-P256',
    };
    const init = await createBootstrap({ ports }).init({
      configuration,
      selection: { only: ['certs/front-proxy-ca'] },
    });
    await init.run();
    expect(readFileSync(join(folder, 'etc/kubernetes/pki/front-proxy-ca.crt'), 'utf8')).toMatch(/^-----BEGIN CERT/);
  });
});

test('fetch goes through the proxy of the environment', async () => {
  const asked: string[] = [];
  const proxy = createServer((socket) => {
    socket.once('data', (data) => {
      asked.push(data.toString().split('\r\n')[0] ?? '');
      socket.end('HTTP/1.1 503 Service Unavailable\r\n\r\n');
    });
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  try {
    const address = proxy.address();
    if (address === null || typeof address === 'string') throw new TypeError('Cannot tell the port of the proxy');
    const { fetch } = linuxPorts({ environment: { HTTPS_PROXY: `http://127.0.0.1:${address.port}` } });
    const answer = await fetch('https://192.0.2.1:6443/', { trust: 'nobody', timeoutMs: 5000, maximumBytes: 100 });
    expect(answer).toHaveProperty('fault');
    expect(asked).toEqual(['CONNECT 192.0.2.1:6443 HTTP/1.1']);
  } finally {
    proxy.close();
  }
});
