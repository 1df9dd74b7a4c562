import {
  createMachine,
  freshJoinArguments,
  initConfigPath,
  installGroundplane,
  kubeadmConfiguration,
  type Machine,
  prepareInit,
  waitUntilRuntimeAnswers,
} from '@groundplane/testbed';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { initWorkflow, joinWorkflow } from '../packages/bootstrap/dist/index.js';
import {
  type AnyPhase,
  describeWorkflow,
  type Layout,
  type PhaseDescription,
  selectPhases,
  type Workflow,
} from '../packages/phases/dist/index.js';
import { auditPolicy, requestsOf } from './api-audit.ts';
import { type DeclaredUse, declaredUse, undeclaredFiles, undeclaredRequests } from './declared-use.ts';
import { type FileAccess, fileAccesses } from './file-trace.ts';

/** What each phase does to files and objects, as the kernel and the API server see it, is what it declares. */

const policyPath = '/etc/audit/policy.yaml';
const auditLog = '/var/log/audit/audit.log';

/** The configuration of every test of machines, and the audit log of the API server. */
const configuration = kubeadmConfiguration().replace(
  'networking:',
  `apiServer:
  extraArgs:
  - { name: audit-policy-file, value: ${policyPath} }
  - { name: audit-log-path, value: ${auditLog} }
  extraVolumes:
  - { name: audit-policy, hostPath: ${policyPath}, mountPath: ${policyPath}, readOnly: true, pathType: File }
  - { name: audit-log, hostPath: /var/log/audit, mountPath: /var/log/audit, pathType: DirectoryOrCreate }
networking:`,
);

function layoutFor(nodeName: string): Layout {
  return {
    kubernetes: '/etc/kubernetes',
    pki: '/etc/kubernetes/pki',
    kubelet: '/var/lib/kubelet',
    etcdData: '/var/lib/etcd',
    nodeName,
    kubeletClientCertificate: '/var/lib/kubelet/pki/kubelet-client-current.pem',
  };
}

interface Traced {
  readonly command: string;
  readonly accesses: readonly FileAccess[];
  /** Lines of the audit log since the command before. */
  readonly log: string;
}

let controlPlane: Machine;
let logged = 0;

/** Runs a command under strace. */
async function traced(machine: Machine, words: readonly string[]): Promise<Traced> {
  const command = words.join(' ');
  const trace = '/root/trace';
  const strace = ['strace', '-f', '-qq', '-y', '-s', '4096', '-e', 'trace=%file', '-o', trace];
  const { code, stdout, stderr } = await machine.exec([...strace, 'groundplane', ...words], { timeoutMs: 240_000 });
  expect(code, `${command}\n${stdout}${stderr}`).toBe(0);
  const accesses = fileAccesses(await machine.readFile(trace));
  const text = (await controlPlane.exec(['cat', auditLog])).stdout;
  const log = text.slice(logged);
  logged = text.length;
  return { command, accesses, log };
}

interface Declarations {
  readonly all: readonly PhaseDescription[];
  readonly layout: Layout;
}

async function declarationsOf<C>(workflow: Workflow<C>, machine: Machine): Promise<Declarations> {
  const layout = layoutFor(machine.name);
  return { all: (await describeWorkflow(workflow, { layout })).phases, layout };
}

/** Declared by the phases that a command runs, the one that is named and hidden ones that it needs, and read before them. */
function declaredBy<C>(workflow: Workflow<C>, { all, layout }: Declarations, only?: string): DeclaredUse {
  const names = selectPhases(workflow, only === undefined ? {} : { only: [only] }).map(({ name }) => name);
  const running = all.filter(({ phase }) => names.includes(phase));
  const first = workflow.resolvedFrom.map(({ where }) => where(layout));
  const looked = names.flatMap((name) => workflow.lookedFor[name] ?? []).map(({ where }) => where(layout));
  return declaredUse(running, { all, first, looked });
}

const visible = <C>({ phases }: Workflow<C>) =>
  phases.filter(({ hidden }: AnyPhase<C>) => !hidden).map(({ name }) => name);

/** Flags without which the configuration does not ask for a phase. */
const flags: Readonly<Record<string, readonly string[]>> = { 'upload-certs': ['--upload-certs'] };

let join: readonly string[] = [];

describe('init, phase by phase', () => {
  let args: readonly string[];
  let declarations: Declarations;
  beforeAll(async () => {
    controlPlane = await createMachine({ name: 'honesty-1' });
    await installGroundplane(controlPlane);
    args = await prepareInit(controlPlane);
    await controlPlane.writeFile(initConfigPath, configuration);
    await controlPlane.writeFile(policyPath, auditPolicy);
    declarations = await declarationsOf(initWorkflow, controlPlane);
  });

  it.for(visible(initWorkflow))('%s', async (phase) => {
    const given = phase === 'preflight' ? args : args.slice(0, 2);
    const words = ['init', 'phase', ...phase.split('/'), ...given, ...(flags[phase] ?? [])];
    const { accesses, log } = await traced(controlPlane, words);
    const declared = declaredBy(initWorkflow, declarations, phase);
    expect(accesses.length).toBeGreaterThan(20);
    expect(undeclaredFiles(accesses, declared)).toEqual([]);
    expect(undeclaredRequests(requestsOf(log, 'groundplane'), declared)).toEqual([]);
    if (phase === 'certs/apiserver') {
      // What is not declared is found.
      const none = { changed: [], read: [], looked: [], objects: [], changedObjects: [] };
      expect(undeclaredFiles(accesses, { ...declared, read: none.read })).toContain('open /etc/kubernetes/pki/ca.crt');
      expect(undeclaredFiles(accesses, { ...declared, changed: none.changed })).toContain(
        'change /etc/kubernetes/pki/apiserver.crt',
      );
    }
    if (phase === 'upload-config/kubeadm') {
      const found = undeclaredRequests(requestsOf(log, 'groundplane'), { ...declared, changedObjects: [] });
      expect(found).toContain('patch configmaps kube-system/kubeadm-config');
    }
  });

  it('all of them at once, with those that have no command', async () => {
    const { accesses, log } = await traced(controlPlane, ['init', ...args, '--upload-certs']);
    const declared = declaredBy(initWorkflow, declarations);
    expect(undeclaredFiles(accesses, declared)).toEqual([]);
    const requests = requestsOf(log, 'groundplane');
    expect(requests.length).toBeGreaterThan(20);
    expect(undeclaredRequests(requests, declared)).toEqual([]);
    join = await freshJoinArguments(controlPlane);
    logged = (await controlPlane.exec(['cat', auditLog])).stdout.length;
  });
});

/** Which of the words of a join a phase takes. */
const taken: Readonly<Record<string, (word: string) => boolean>> = {
  'kubelet-start': (word) => !word.startsWith('--ignore-preflight-errors'),
  'kubelet-wait-bootstrap': () => false,
};

describe('join, phase by phase', () => {
  let worker: Machine;
  let declarations: Declarations;
  beforeAll(async () => {
    worker = await createMachine({ name: 'honesty-2' });
    await installGroundplane(worker);
    await waitUntilRuntimeAnswers(worker);
    declarations = await declarationsOf(joinWorkflow, worker);
  });
  afterAll(async () => {
    await worker?.delete();
    await controlPlane?.delete();
  });

  it.for(visible(joinWorkflow))('%s', async (phase) => {
    const words = ['join', 'phase', ...phase.split('/'), ...join.filter((word) => taken[phase]?.(word) ?? true)];
    const { accesses, log } = await traced(worker, words);
    const declared = declaredBy(joinWorkflow, declarations, phase);
    expect(accesses.length).toBeGreaterThan(20);
    expect(undeclaredFiles(accesses, declared)).toEqual([]);
    const requests = requestsOf(log, 'groundplane');
    expect(requests.length > 0).toBe(phase !== 'kubelet-wait-bootstrap');
    expect(undeclaredRequests(requests, declared)).toEqual([]);
  });
});
