import type { InitContext, JoinContext, ResetContext } from '@groundplane/bootstrap';
import type { Product, RunResult } from '@groundplane/phases';
import { describe, expect, it } from 'vitest';
import { initClosingLines } from './init-closing-lines.ts';
import { joinClosingLines } from './join-closing-lines.ts';
import { resetClosingLines } from './reset-closing-lines.ts';

const pin = `sha256:${'0'.repeat(64)}`;
const key = 'ab'.repeat(32);
const product = (token: string, more: object = {}): Product => ({
  phase: 'show-join-command',
  name: 'joinCommand',
  secret: true,
  value: { server: '192.0.2.10:6443', token, caCertHashes: [pin], controlPlane: false, ...more },
});
const ran = (...results: readonly Product[]): RunResult => ({
  workflow: 'init',
  durationMs: 1,
  phases: [{ phase: 'preflight', decision: 'act', durationMs: 1, artifacts: [] }],
  results,
});
const context = { kubeconfigDirectory: '/etc/kubernetes' } as InitContext;
const token = 'abcdef.0123456789abcdef';

describe('after init', () => {
  const closing = (program: 'kubeadm' | 'groundplane', ...results: readonly Product[]) =>
    initClosingLines({ program, context, result: ran(...results), phase: undefined }).join('\n');

  it('says how workers join', () => {
    const text = closing('kubeadm', product(token));
    expect(text).toContain('Your Kubernetes control-plane has initialized successfully!');
    expect(text).toContain(`\
Then you can join any number of worker nodes by running the following on each as root:

kubeadm join 192.0.2.10:6443 --token ${token} \\
\t--discovery-token-ca-cert-hash ${pin} `);
    expect(text).not.toContain('control-plane nodes');
  });

  it('says how nodes of the control plane join, with the key if there is one', () => {
    expect(closing('kubeadm', product(token, { controlPlane: true, certificateKey: key }))).toContain(`\
You can now join any number of control-plane nodes running the following command on each as root:

  kubeadm join 192.0.2.10:6443 --token ${token} \\
\t--discovery-token-ca-cert-hash ${pin} \\
\t--control-plane --certificate-key ${key}`);
    const text = closing('kubeadm', product(token, { controlPlane: true }));
    expect(text).toContain('You can now join any number of control-plane nodes by copying certificate authorities');
    expect(text).toMatch(/\t--control-plane ?\n/);
  });

  it('has a command for each token, and none where none is shown', () => {
    const text = closing('kubeadm', product(token), product('ghijkl.0123456789abcdef'));
    expect(text.match(/kubeadm join/g)).toHaveLength(2);
    expect(text.match(/initialized successfully/g)).toHaveLength(1);
    expect(closing('kubeadm')).not.toContain('join any number');
  });

  it('names the program that was called', () => {
    const text = closing('groundplane', product(token));
    expect(text).toMatch(/^Phases: 1 done\n/);
    expect(text).toContain('groundplane join 192.0.2.10:6443');
    expect(text).not.toContain('kubeadm join');
  });

  it('is about joining alone after show-join-command alone, and nothing after other phases', () => {
    const after = (phase: string, ...results: readonly Product[]) =>
      initClosingLines({ program: 'kubeadm', context, result: ran(...results), phase });
    expect(after('show-join-command', product(token))[0]).toMatch(/^Then you can join any number of worker nodes/);
    expect(after('certs/ca')).toEqual([]);
  });
});

it('says after join what programs look for', () => {
  const closing = (phase: string | undefined) =>
    joinClosingLines({ program: 'kubeadm', context: {} as JoinContext, result: ran(), phase });
  expect(closing(undefined).join('\n')).toMatch(/^\nThis node has joined the cluster:\n[\s\S]*'kubectl get nodes'/);
  expect(closing('kubelet-start')).toEqual([]);
});

it('says after reset what is left', () => {
  const closing = (phase: string | undefined) =>
    resetClosingLines({ program: 'kubeadm', context: { nodeName: 'node-a' } as ResetContext, result: ran(), phase });
  const text = closing(undefined).join('\n');
  for (const left of ['/etc/cni/net.d', 'iptables', '$HOME/.kube/config', 'kubectl delete node node-a'])
    expect(text).toContain(left);
  expect(closing('cleanup-node')).toEqual([]);
});
