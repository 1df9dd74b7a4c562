import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { documentErrors } from '../packages/cli/test/output-validator.ts';
import type { PhasePlan } from '../packages/phases/dist/index.js';
import { type DescribedNode, describeNode } from './described-node.ts';
import { exactConfigurations } from './exact-configurations.ts';
import { hostPhases } from './file-phases.ts';
import { type InstalledPrograms, installPrograms } from './installed-programs.ts';
import { caseFolder, type NodeEntries, onSandboxNode } from './sandbox-node.ts';
import { changesIn, tracer } from './traced-changes.ts';

/** What plan, verify and --dry-run say to an ordinary user, held to the run that follows on the same node. */

const nobody = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'];
const config = ['--config', `${caseFolder}/config.yaml`];
const configuration = exactConfigurations['RSA-2048, which is the default'];
const programs: { installed?: InstalledPrograms } = {};

beforeAll(async () => {
  programs.installed = await installPrograms();
});
afterAll(() => programs.installed?.remove());

interface Step {
  readonly name: string;
  readonly words: readonly string[];
  /** @default root's */
  readonly as?: readonly string[];
  readonly isTraced?: true;
}

interface Told {
  readonly code: number;
  readonly stdout: string;
  readonly changes: readonly string[];
  readonly entries: NodeEntries;
}

/** Runs the steps on one node; each may fail. */
function onNode(steps: readonly Step[]): Readonly<Record<string, Told>> {
  const ours = programs.installed?.ours ?? '';
  const commands = steps.map(({ name, words, as = [], isTraced }) => {
    const trace = isTraced ? tracer(`/srv/case/${name}.trace`) : [];
    const command = [...trace, ...as, ours, ...words].map((word) => `'${word}'`).join(' ');
    const files = `${name}.trace ${name}.code`;
    return [
      'sh',
      '-c',
      `${command}; echo $? > /srv/case/${name}.code; cd /srv/case; chmod 644 ${files} 2>/dev/null; true`,
    ];
  });
  // What a step leaves in the case's folder is read by the last one, as the folder goes with the node.
  const collect = ['sh', '-c', 'cd /srv/case; for file in *.trace *.code; do echo "### $file"; cat "$file"; done'];
  const { outputs, entries } = onSandboxNode({
    ...configuration,
    // Without systemd nobody can be told to start a kubelet; then that is somebody else's affair.
    environment: { SYSTEMD_OFFLINE: '1' },
    steps: [...commands, collect],
  });
  const left = new Map<string, string>(
    (outputs.at(-1) ?? '').split(/^### /m).map((part) => {
      const end = part.indexOf('\n');
      return [part.slice(0, end), part.slice(end + 1)];
    }),
  );
  return Object.fromEntries(
    steps.map(({ name }, index) => [
      name,
      {
        code: Number(left.get(`${name}.code`)),
        stdout: outputs[index] ?? '',
        changes: changesIn(left.get(`${name}.trace`) ?? ''),
        entries: entries[index] ?? new Map(),
      },
    ]),
  );
}

const phasesOf = ({ stdout }: Told): readonly PhasePlan[] => JSON.parse(stdout).phases;
const decisionsOf = (told: Told) => Object.fromEntries(phasesOf(told).map(({ phase, decision }) => [phase, decision]));
const outputsOf = (told: Told) => phasesOf(told).flatMap(({ outputs }) => outputs);

const init = ['init', '-o', 'json', ...config];

describe('init --dry-run as an ordinary user, on a node without a cluster', () => {
  let told: Readonly<Record<string, Told>>;
  let dry: Told;
  let run: Told;
  let now: Date;
  // Without systemd the files of a kubelet are made all the same.
  const skipped = hostPhases.filter((phase) => phase !== 'kubelet-start');

  beforeAll(() => {
    now = new Date();
    told = onNode([
      { name: 'dry', words: [...init, '--dry-run', '--skip-phases', 'preflight'], as: nobody, isTraced: true },
      { name: 'checked', words: [...init, '--dry-run'], as: nobody, isTraced: true },
      { name: 'text', words: ['init', ...config, '--dry-run', '--skip-phases', 'preflight'], as: nobody },
      { name: 'work', words: ['plan', 'init', ...config, '--exit-code'], as: nobody, isTraced: true },
      { name: 'run', words: [...init, '--skip-phases', skipped.join()], isTraced: true },
    ]);
    ({ dry, run } = told as { readonly dry: Told; readonly run: Told });
  });

  test('ends well, and is one document of its schema', () => {
    expect(dry.code).toBe(0);
    expect(documentErrors(['dry-run'], dry.stdout)).toEqual([]);
  });

  test.each(['dry', 'checked', 'work'])(
    '%s: opens nothing for writing, and makes, renames, removes and changes nothing',
    (name) => {
      expect(told[name]?.changes).toEqual([]);
      expect([...(told[name]?.entries.keys() ?? [])]).toEqual([]);
    },
  );

  test('the trace sees a run write', () => {
    expect(run.code, run.stdout).toBe(0);
    expect(run.changes.length).toBeGreaterThan(100);
  });

  test('predicts what the run decides', () => {
    const decided = decisionsOf(run);
    expect(Object.keys(decided)).toHaveLength(21);
    expect(decisionsOf(dry)).toMatchObject(decided);
  });

  test('predicts which files there are, with their modes and owners', () => {
    const files = outputsOf(dry).filter(({ kind, action }) => kind === 'file' && action === 'created');
    const predicted = files.map(({ location, mode, owner }) => `${location} ${mode} ${owner}`);
    const made = [...run.entries].flatMap(([path, { stat }]) => {
      const [kind, mode, owner] = stat.split(' ');
      return kind === 'file' ? [`${path} 0${mode} ${owner === '0:0' ? 'root:root' : owner}`] : [];
    });
    expect(made.length).toBeGreaterThan(30);
    expect(predicted.toSorted()).toEqual(made.toSorted());
  });

  test('predicts to the byte what is not random', () => {
    const same = outputsOf(dry)
      .filter(({ location, after }) => after !== undefined && run.entries.get(location)?.text === after)
      .map(({ location }) => location);
    expect(same.toSorted()).toEqual([
      '/etc/kubernetes/manifests/etcd.yaml',
      '/etc/kubernetes/manifests/kube-apiserver.yaml',
      '/etc/kubernetes/manifests/kube-controller-manager.yaml',
      '/etc/kubernetes/manifests/kube-scheduler.yaml',
      '/var/lib/kubelet/config.yaml',
      '/var/lib/kubelet/instance-config.yaml',
      '/var/lib/kubelet/kubeadm-flags.env',
    ]);
  });

  test('predicts certificates and public keys but for keys, serial numbers, signatures and instants', () => {
    const predicted: NodeEntries = new Map(
      outputsOf(dry).flatMap(({ location, after }) =>
        after === undefined || !/\.(?:crt|pub)$/.test(location)
          ? []
          : [[location, { stat: 'file', text: after, modified: 0n }] as const],
      ),
    );
    const described = (node: DescribedNode) => ({
      certificates: node.certificates,
      publicKeys: Object.entries(node.keys)
        .filter(([path]) => path.endsWith('.pub'))
        .map(([path, { belongsTo: _, ...key }]) => [path, key]),
    });
    const actual = described(describeNode(run.entries, now));
    expect(Object.keys(actual.certificates)).toHaveLength(10);
    expect(actual.publicKeys).toHaveLength(1);
    expect(described(describeNode(predicted, now))).toEqual(actual);
  });

  test('shows nothing of keys and kubeconfigs, only that they are made', () => {
    const secrets = outputsOf(dry).filter(({ secret }) => secret);
    expect(secrets.filter(({ kind }) => kind === 'file').map(({ location }) => location)).toHaveLength(17);
    for (const output of secrets) expect(output).not.toHaveProperty('after');
    for (const { stdout } of [dry, told.text as Told]) {
      // As it is, and in Base64 at each of its three offsets.
      expect(stdout).not.toMatch(
        /PRIVATE KEY|UFJJVkFURSBLRV|BSSVZBVEUgS0VZ|QUklWQVRFIEtFW|client-key-data|client-certificate-data/,
      );
    }
    expect(told.text?.stdout).toContain('/etc/kubernetes/admin.conf (0600 root:root, secret, not shown)');
  });

  test('shows people what changes as unified diffs', () => {
    expect(told.text?.code).toBe(0);
    const lines = told.text?.stdout.split('\n') ?? [];
    const at = lines.findIndex((line) => line.endsWith('+++ /etc/kubernetes/manifests/etcd.yaml'));
    const text = run.entries.get('/etc/kubernetes/manifests/etcd.yaml')?.text ?? '';
    const count = text.trimEnd().split('\n').length;
    const prefix = '[dryrun] ';
    const hunk = lines.slice(at + 2, at + 2 + count).map((line) => line.slice(prefix.length).replace(/^ *\+/, ''));
    expect(hunk).toEqual(text.trimEnd().split('\n'));
  });

  test('says what preflight says, and what only root is told', () => {
    const { checked } = told as { readonly checked: Told };
    expect(documentErrors(['dry-run'], checked.stdout)).toEqual([]);
    const document = JSON.parse(checked.stdout);
    const [preflight] = document.phases;
    const about = Object.fromEntries(
      preflight.findings.map((finding: { artifact: string; severity: string; message: string }) => [
        finding.artifact,
        `${finding.severity}: ${finding.message}`,
      ]),
    );
    expect(about.IsPrivilegedUser).toBe('warning: the run itself needs root');
    // The node has no address to be reached by, and its kernel forwards nothing.
    expect(about['FileContent--proc-sys-net-ipv4-ip_forward']).toMatch(/^error: /);
    expect(preflight.decision).toBe('conflict');
    expect(checked.code).toBe(1);
    expect(document.error).toMatchObject({ code: 'CLI_PLAN_BLOCKED' });
    // The rest is told all the same.
    expect(document.phases.length).toBeGreaterThan(30);
  });

  test('a plan that finds work says so by its exit code', () => {
    expect(told.work?.code).toBe(5);
  });
});

describe('a node whose files are there', () => {
  let told: Readonly<Record<string, Told>>;
  const made = ['--skip-phases', hostPhases.join()];

  beforeAll(() => {
    told = onNode([
      { name: 'run', words: [...init, ...made] },
      { name: 'again', words: [...init, ...made, '--dry-run'], isTraced: true },
      { name: 'nothing', words: ['plan', ...init, ...made, '--exit-code'], isTraced: true },
      { name: 'plan', words: ['plan', ...init], as: nobody, isTraced: true },
      { name: 'verify', words: ['verify', '-o', 'json', ...config], as: nobody, isTraced: true },
      { name: 'certs', words: ['verify', 'certs', '-o', 'json', ...config], isTraced: true },
      { name: 'reset', words: ['reset', '-o', 'json', '--dry-run'], as: nobody, isTraced: true },
      { name: 'resetAll', words: ['plan', 'reset', '-o', 'json'], isTraced: true },
    ]);
  });

  test.each(['again', 'nothing', 'plan', 'verify', 'certs', 'reset', 'resetAll'])('%s touches nothing', (name) => {
    expect(told[name]?.changes).toEqual([]);
    expect(told[name]?.entries).toEqual(told.run?.entries);
    expect(told.run?.entries.size).toBeGreaterThan(30);
  });

  test('is kept, by a dry run and by a plan', () => {
    for (const name of ['again', 'nothing']) {
      const one = told[name] as Told;
      expect(one.code).toBe(0);
      expect(documentErrors(['dry-run'], one.stdout)).toEqual([]);
      expect([...new Set(Object.values(decisionsOf(one)))]).toEqual(['keep']);
    }
  });

  test('what an ordinary user may not read is unknown to a plan, and why', () => {
    const { plan } = told as { readonly plan: Told };
    expect(plan.code).toBe(0);
    expect(documentErrors(['dry-run'], plan.stdout)).toEqual([]);
    expect(decisionsOf(plan)).toMatchObject({
      'certs/ca': 'unknown',
      'etcd/local': 'unknown',
      'admin-access': 'unknown',
    });
    const unknown = outputsOf(plan).filter(({ action }) => action === 'unknown');
    expect(unknown.map(({ location }) => location)).toContain('/etc/kubernetes/pki/ca.key');
    for (const { location, reason } of unknown)
      expect(reason).toBe(`Cannot read ${location} as permission is denied (EACCES)`);
    expect(JSON.stringify(phasesOf(plan))).not.toContain('"conflict"');
  });

  test('and to verify, which then confirms nothing', () => {
    const { verify } = told as { readonly verify: Told };
    expect(documentErrors(['verify'], verify.stdout)).toEqual([]);
    const document = JSON.parse(verify.stdout);
    const ca = document.phases.find(({ phase }: PhasePlan) => phase === 'certs/ca');
    expect(ca).toMatchObject({
      verdict: 'unknown',
      unseen: [
        {
          location: '/etc/kubernetes/pki/ca.key',
          reason: 'Cannot read /etc/kubernetes/pki/ca.key as permission is denied (EACCES)',
        },
      ],
    });
    expect(verify.code).toBe(1);
  });

  test('is confirmed to root', () => {
    const { certs } = told as { readonly certs: Told };
    expect(certs.code).toBe(0);
    expect(documentErrors(['verify'], certs.stdout)).toEqual([]);
    const document = JSON.parse(certs.stdout);
    expect(document.phases.map(({ verdict }: { verdict: string }) => verdict)).toEqual(Array(11).fill('valid'));
  });

  test('reset tells what it would remove, which is what is there', () => {
    const { resetAll, reset } = told as { readonly resetAll: Told; readonly reset: Told };
    expect([resetAll.code, reset.code]).toEqual([0, 0]);
    for (const { stdout } of [resetAll, reset]) expect(documentErrors(['dry-run'], stdout)).toEqual([]);
    const removed = outputsOf(resetAll).filter(({ action }) => action === 'removed');
    const places = removed.map(({ location }) => location);
    const files = [...(told.run?.entries ?? [])]
      .filter(([, { stat }]) => stat.startsWith('file'))
      .map(([path]) => path);
    expect(files.filter((path) => !places.some((place) => path === place || path.startsWith(`${place}/`)))).toEqual([]);
    expect(outputsOf(reset).filter(({ action }) => action === 'unknown')).toMatchObject([
      { location: '/etc/kubernetes/manifests', reason: expect.stringContaining('permission is denied') },
    ]);
  });
});
