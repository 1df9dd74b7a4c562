import { defineConfig } from 'vitest/config';

/** Tests against real peers on this host: the real kubeadm, kube-apiserver, etcd and containerd in temporary directories. */
export default defineConfig({
  test: {
    globalSetup: 'test/require-peers.ts',
    include: ['packages/*/{src,test}/**/*.peer.test.ts', 'test/**/*.peer.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Most of the time such a test waits for a program that it has started.
    maxWorkers: 2,
  },
});
