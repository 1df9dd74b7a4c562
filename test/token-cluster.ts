import { type ChildProcess, spawn } from 'node:child_process';
import { openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type ApiServer, prepareApiServer } from '../packages/cluster/test/api-server.ts';
import type { ConfigMap } from '../packages/manifest/dist/index.js';
import { mustRunKubeadm } from './private-kubeadm.ts';

/** A real kube-apiserver, on which the real kubeadm has made a token, cluster-info and what goes with them. */
export interface TokenCluster {
  readonly api: ApiServer;
  /** `host:port` */
  readonly endpoint: string;
  /** PEM */
  readonly ca: string;
  /** Path of a file in its folder; `admin.conf` may do everything. */
  path(name: string): string;
  /** An object, or a list of them, as kubectl gets it. */
  get<T>(...args: readonly string[]): T;
  clusterInfo(): ConfigMap;
  apply(...objects: readonly object[]): void;
  /** Starts controllers of the real kube-controller-manager. @param names by default the signer and the cleaner of tokens */
  startControllers(names?: readonly string[]): void;
  endControllers(): Promise<void>;
  /** Waits, half a minute at most. */
  until(what: string, holds: () => boolean): Promise<void>;
  stop(): Promise<void>;
}

export async function startTokenCluster(components: string, token: string): Promise<TokenCluster> {
  const api = await prepareApiServer(components);
  const path = (name: string) => join(api.directory, name);
  let controllers: ChildProcess | undefined;
  const get: TokenCluster['get'] = (...args) => JSON.parse(api.kubectl('get', ...args, '-o', 'json'));
  const endControllers = async (): Promise<void> => {
    const child = controllers;
    controllers = undefined;
    if (child === undefined || child.exitCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
  };
  api.start();
  await api.ready();
  writeFileSync(path('admin.conf'), api.kubeconfig('superAdmin'));
  writeFileSync(path('init.yaml'), initConfiguration(token));
  for (const phase of [['upload-config', 'all'], ['bootstrap-token']]) {
    const files = [`--config=${path('init.yaml')}`, `--kubeconfig=${path('admin.conf')}`];
    mustRunKubeadm(['init', 'phase', ...phase, ...files]);
  }
  return {
    api,
    endpoint: api.server.replace('https://', ''),
    ca: readFileSync(path('ca.crt'), 'utf8'),
    path,
    get,
    clusterInfo: () => get<ConfigMap>('configmap', 'cluster-info', '-n', 'kube-public'),
    apply(...objects) {
      writeFileSync(path('objects.json'), JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }));
      api.kubectl('apply', '--server-side', '--force-conflicts', '-f', path('objects.json'));
    },
    startControllers(names = ['bootstrap-signer-controller', 'token-cleaner-controller']) {
      const log = openSync(path('kube-controller-manager.log'), 'a');
      const args = [
        `--kubeconfig=${path('admin.conf')}`,
        `--controllers=${names.join(',')}`,
        '--leader-elect=false',
        '--secure-port=0',
      ];
      const options = { stdio: ['ignore', log, log] as const, cwd: api.directory };
      controllers = spawn(join(components, 'kube-controller-manager'), args, { ...options, stdio: [...options.stdio] });
    },
    endControllers,
    async until(what, holds) {
      for (let tries = 0; tries < 150; tries += 1) {
        if (holds()) return;
        await delay(200);
      }
      const log = readFileSync(path('kube-controller-manager.log'), 'utf8');
      throw new Error(`${what} does not come: ${log.slice(-2000)}`);
    },
    async stop() {
      await endControllers();
      await api.stop();
    },
  };
}

function initConfiguration(token: string): string {
  const apiVersion = 'kubeadm.k8s.io/v1beta4';
  const bootstrapTokens = [{ token, ttl: '1h', description: 'of kubeadm' }];
  return [
    { apiVersion, kind: 'InitConfiguration', bootstrapTokens },
    { apiVersion, kind: 'ClusterConfiguration', kubernetesVersion: 'v1.37.2' },
  ]
    .map((one) => JSON.stringify(one))
    .join('\n---\n');
}
