import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  bootstrapControlPlane,
  createMachine,
  initConfigPath,
  kubectlOn,
  type Machine,
  prepareInit,
  waitUntilReady,
} from '@groundplane/testbed';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lineErrors } from '../packages/cli/test/output-validator.ts';
import { buildGoDriver } from './go-driver.ts';
import { nodeSnapshot, settledSnapshot } from './node-snapshot.ts';
import { lateLines, type Stall, stallsOf, stampLines, type TimedLine, tickTimes, timedLines } from './timed-lines.ts';

describe('init on a machine', () => {
  let machine: Machine;
  let args: readonly string[];
  /** What init told, and when. */
  let told: readonly TimedLine[];
  /** When nothing in the machine got to run: the whole control plane comes up beside init. */
  let stalls: readonly Stall[];

  async function timedInit(where: Machine, init: readonly string[]): Promise<void> {
    const ticks = '/var/tmp/ticks';
    const script = `set -o pipefail; (${tickTimes}) >${ticks} & "$@" -o jsonl | ${stampLines}; code=$?; kill %1; exit $code`;
    const { code, stdout, stderr } = await where.exec(['bash', '-c', script, 'bash', ...init], { timeoutMs: 300_000 });
    expect(code, stderr).toBe(0);
    told = timedLines(stdout);
    stalls = stallsOf(await where.readFile(ticks));
  }

  beforeAll(async () => {
    machine = await createMachine({ name: 'init-1' });
    await bootstrapControlPlane({ name: machine.name, machine, run: timedInit });
    args = await prepareInit(machine);
    await waitUntilReady(machine);
    await settledSnapshot(machine);
  });
  afterAll(() => machine?.delete());

  it('told what it did in lines that fit their schema, each within 100 ms', () => {
    const lines = told.map(({ event }) => `${JSON.stringify(event)}\n`).join('');
    expect(lineErrors(['event'], lines)).toEqual([]);
    expect(lateLines(told, 100, stalls)).toEqual([]);
    const types = told.map(({ event }) => event.type);
    expect([types[0], types.at(-1)]).toEqual(['run', 'workflow-finished']);
    expect(types).toEqual(expect.arrayContaining(['phase-started', 'artifact', 'waiting', 'result', 'phase-finished']));
    // The first line came long before the last one.
    expect((told.at(-1)?.at ?? 0) - (told[0]?.at ?? 0)).toBeGreaterThan(1000);
  });

  it('ends with the node Ready at the version of the configuration', async () => {
    const { stdout } = await kubectlOn(machine, ['get', 'nodes', '-o', 'json']);
    const [node, ...others] = JSON.parse(stdout).items;
    expect(others).toEqual([]);
    expect(node.status.nodeInfo.kubeletVersion).toBe('v1.37.2');
    expect(node.status.conditions.find((condition: { type: string }) => condition.type === 'Ready').status).toBe(
      'True',
    );
    expect(node.metadata.labels).toMatchObject({
      'node-role.kubernetes.io/control-plane': '',
      'node.kubernetes.io/exclude-from-external-load-balancers': '',
    });
    expect(node.spec.taints).toEqual([{ key: 'node-role.kubernetes.io/control-plane', effect: 'NoSchedule' }]);
  });

  it('has the static pods, kube-proxy and CoreDNS running, and their logs can be read', async () => {
    const { stdout } = await kubectlOn(machine, ['get', 'pods', '-n', 'kube-system', '-o', 'json']);
    const pods = JSON.parse(stdout).items.map(
      (pod: { metadata: { name: string }; status: { phase: string } }) => `${pod.metadata.name} ${pod.status.phase}`,
    );
    expect(pods.map((line: string) => line.replace(/^(coredns|kube-proxy)-\S+/, '$1')).sort()).toEqual([
      'coredns Running',
      'coredns Running',
      `etcd-${machine.name} Running`,
      `kube-apiserver-${machine.name} Running`,
      `kube-controller-manager-${machine.name} Running`,
      'kube-proxy Running',
      `kube-scheduler-${machine.name} Running`,
    ]);
    const logs = await kubectlOn(machine, ['logs', '-n', 'kube-system', `kube-scheduler-${machine.name}`]);
    expect(logs.code, logs.stderr).toBe(0);
    expect(logs.stdout).toContain('kube-scheduler');
  });

  it('keeps everything when it is run again', async () => {
    const before = await settledSnapshot(machine);
    expect(before.files.length).toBeGreaterThan(30);
    expect(before.containers.length).toBe(7);
    const again = await machine.exec(['groundplane', 'init', ...args, '-o', 'json'], { timeoutMs: 120_000 });
    expect(again.code, again.stderr).toBe(0);
    const decisions = JSON.parse(again.stdout).phases.map(
      (phase: { phase: string; decision: string }) => `${phase.phase} ${phase.decision}`,
    );
    expect(decisions.length).toBeGreaterThan(30);
    expect(decisions.filter((text: string) => !text.endsWith(' keep'))).toEqual([
      'upload-config/groundplane inapplicable',
      'upload-certs inapplicable',
      'addon/service-rules inapplicable',
      'show-join-command act',
    ]);
    expect(await nodeSnapshot(machine)).toEqual(before);
  });

  it('is driven by the Go example, which prints how nodes join', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'go-driver-'));
    await machine.copyIn(buildGoDriver(folder), '/var/tmp/go-driver');
    rmSync(folder, { recursive: true });
    const script = 'chmod 755 /var/tmp/go-driver; exec /var/tmp/go-driver "$@"';
    const driven = await machine.exec(['sh', '-c', script, 'sh', 'init', ...args], { timeoutMs: 120_000 });
    expect(driven.code, driven.stderr).toBe(0);
    expect(driven.stderr).toMatch(/^init on init-1 with Kubernetes v1\.37\.2\n/);
    expect(driven.stderr).toMatch(/\ndone after \S+s\n$/);
    expect(driven.stdout).toMatch(
      /^groundplane join \S+:6443 --token \S+ --discovery-token-ca-cert-hash sha256:[0-9a-f]{64}\n$/,
    );
  });

  it('says in words that every phase is kept', async () => {
    const again = await machine.exec(['groundplane', 'init', ...args], { timeoutMs: 120_000 });
    const phases = again.stdout.split('\n').filter((line) => /^ {2}[a-z-]+(\/[a-z-]+)? {2,}/.test(line));
    expect(phases.length).toBeGreaterThan(30);
    const others = phases.filter((line) => !/ kept +[\d.]+ s$/.test(line));
    expect(others.map((line) => line.trim().split(/ {2,}/).slice(0, 2))).toEqual([
      ['upload-config/groundplane', 'not needed'],
      ['upload-certs', 'not needed'],
      ['addon/service-rules', 'not needed'],
      ['show-join-command', 'done'],
    ]);
  });

  it('changes nothing when the configuration contradicts what is there', async () => {
    const before = await settledSnapshot(machine);
    const config = await machine.readFile(initConfigPath);
    await machine.writeFile(
      '/root/other.yaml',
      config.replace('networking:', 'controlPlaneEndpoint: elsewhere.example:6443\nnetworking:'),
    );
    const refused = await machine.exec([
      'groundplane',
      'init',
      ...args.map((arg) => (arg === initConfigPath ? '/root/other.yaml' : arg)),
    ]);
    expect(refused.code).toBe(3);
    expect(refused.stderr).toContain('elsewhere.example');
    expect(await nodeSnapshot(machine)).toEqual(before);
  });
});
