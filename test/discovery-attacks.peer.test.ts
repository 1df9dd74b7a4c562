/** Servers that the real kubeadm takes for the cluster and we do not; each is a row of docs/differences.md. */
import { execFile } from 'node:child_process';
import { afterEach, describe, expect, it } from 'vitest';
import { discoveryAttacks } from './discovery-attack-rows.ts';
import { closeServers, pinOf, token } from './imitated-server.ts';
import { joinPreflight, privateKubeadm, trustMessage } from './private-kubeadm.ts';

describe('kubeadm', () => {
  afterEach(closeServers);

  // The servers are in this process, so that kubeadm has to run beside it; what it does after discovery fails.
  const messages = (endpoint: string) =>
    new Promise<string>((resolve) => {
      const args = privateKubeadm(joinPreflight(endpoint, { token, pins: [pinOf('ca')] }));
      const child = execFile('unshare', args, (_, stdout, stderr) => resolve(stdout + stderr));
      child.stderr?.on('data', (text) => {
        if (String(text).includes(trustMessage)) child.kill();
      });
    });

  it.each(discoveryAttacks.filter(({ passesKubeadm }) => passesKubeadm))(
    'lets in $attack, which we refuse',
    async ({ server }) => {
      expect(await messages(await server())).toContain(trustMessage);
    },
  );
});
