import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { documentErrors, lineErrors, lineTypes } from './output-validator.ts';
import { programIn } from './program-call.ts';

const root = mkdtempSync(join(tmpdir(), 'groundplane-plan-'));
const home = mkdtempSync(join(tmpdir(), 'groundplane-program-'));
afterAll(() => {
  for (const folder of [root, home]) rmSync(folder, { recursive: true });
});
const call = programIn(() => home);
const version = '--kubernetes-version=v1.37.2';
const here = [version, `--rootfs=${root}`];
const certificates = ['preflight', 'kubelet-start', 'wait-control-plane', 'upload-config', 'mark-control-plane'];
const skip = `--skip-phases=${[...certificates, 'bootstrap-token', 'kubelet-finalize', 'addon', 'show-join-command'].join()}`;

beforeAll(() => {
  mkdirSync(join(root, 'etc'));
});

describe('plan', () => {
  it('is one document of its schema, and makes nothing', () => {
    const { status, stdout } = call('groundplane', ['plan', 'init', '-o', 'json', skip, ...here]);
    expect(status).toBe(0);
    expect(documentErrors(['dry-run'], stdout)).toEqual([]);
    const document = JSON.parse(stdout);
    expect(document).toMatchObject({ command: 'plan init', workflow: 'init', basis: 'evaluated' });
    expect(document.phases.find(({ phase }: { phase: string }) => phase === 'certs/apiserver')).toMatchObject({
      decision: 'deferred',
    });
    expect(readdirSync(join(root, 'etc'))).toEqual([]);
  });

  it('is a line for each phase', () => {
    const { stdout } = call('groundplane', ['plan', 'init', '-o', 'jsonl', skip, ...here]);
    expect(lineErrors(['event'], stdout)).toEqual([]);
    expect([...new Set(lineTypes(stdout))].filter((type) => type !== 'finding')).toEqual(['run', 'plan']);
  });

  it.each([
    ['a plan', ['plan', 'init', skip, ...here], 0],
    ['a plan that is to say so', ['plan', 'init', '--exit-code', skip, ...here], 5],
    ['no workflow', ['plan'], 2],
    ['a flag of the run', ['plan', 'init', '--dry-run', ...here], 2],
  ])('ends as it should: %s', (_, words, status) => {
    expect(call('groundplane', words).status).toBe(status);
  });
});

describe('--dry-run', () => {
  it('is one document of its schema, and makes nothing', () => {
    const { status, stdout } = call('groundplane', ['init', '--dry-run', '-o', 'json', skip, ...here]);
    expect(status).toBe(0);
    expect(documentErrors(['dry-run'], stdout)).toEqual([]);
    expect(JSON.parse(stdout)).toMatchObject({ command: 'init', basis: 'predicted' });
    expect(readdirSync(join(root, 'etc'))).toEqual([]);
  });

  it('shows people the whole text of what is new', () => {
    const { stdout } = call('groundplane', ['init', '--dry-run', skip, ...here]);
    expect(stdout).toContain('        +++ /etc/kubernetes/manifests/etcd.yaml\n');
    expect(stdout).toContain('        +kind: Pod\n');
    expect(stdout).toContain('        +subject: CN=kubernetes\n');
    expect(stdout).not.toContain('PRIVATE KEY');
    expect(stdout).toMatch(/\nPlan: \d+ create, .*\n$/);
  });
});

describe('verify', () => {
  it('names what is missing', () => {
    const { status, stdout, stderr } = call('groundplane', ['verify', 'certs/ca', '-o', 'json', ...here]);
    expect(status).toBe(3);
    expect(documentErrors(['verify'], stdout)).toEqual([]);
    expect(JSON.parse(stdout)).toMatchObject({
      phases: [{ phase: 'certs/ca', verdict: 'invalid' }],
      error: { code: 'CLI_VERIFY_FAILED' },
    });
    expect(stderr).toContain('/etc/kubernetes/pki/ca.crt is needed and does not exist');
  });

  it('tells of each phase where the key of a CA is kept elsewhere, and what it signs is missing', () => {
    const outside = join(root, 'external');
    const pki = join(outside, 'etc/kubernetes/pki');
    const there = [version, `--rootfs=${outside}`];
    mkdirSync(outside);
    expect(call('groundplane', ['init', 'phase', 'certs', 'ca', ...there]).status).toBe(0);
    rmSync(join(pki, 'ca.key'));
    const { status, stdout } = call('groundplane', ['verify', 'certs', '-o', 'json', ...there]);
    expect(status).toBe(3);
    const { phases, error } = JSON.parse(stdout);
    expect(error.code).toBe('CLI_VERIFY_FAILED');
    const verdicts = Object.fromEntries(phases.map((one: Record<string, string>) => [one.phase, one.verdict]));
    expect(verdicts).toMatchObject({ 'certs/ca': 'valid', 'certs/apiserver': 'invalid', 'certs/etcd-ca': 'invalid' });
  });

  it('is a line, and another one for the error', () => {
    const { stdout } = call('groundplane', ['verify', 'certs/ca', '-o', 'jsonl', ...here]);
    expect(lineErrors(['verify', 'event'], stdout)).toEqual([]);
    expect(lineTypes(stdout)).toEqual(['verify', 'error']);
  });

  it('says to people what it makes of each phase', () => {
    const { stdout } = call('groundplane', ['verify', 'certs', ...here]);
    expect(stdout).toMatch(/^ {2}certs\/ca +not valid\n/);
  });

  it('takes the names of phases as runs do, whatever their case', () => {
    const { status, stdout } = call('groundplane', ['verify', 'certs/ALL', ...here]);
    expect(status).toBe(3);
    expect(stdout).toMatch(/^ {2}certs\/ca +not valid\n/);
  });

  it('has the flags of the workflows, without those that are about doing', () => {
    const { stdout } = call('groundplane', ['verify', '--help']);
    expect(stdout).toMatch(/--skip-phases /);
    expect(stdout).not.toMatch(
      /--force|--skip-token-print|--skip-certificate-key-print|--dry-run|[Cc]onfirm|Empty the folder/,
    );
  });

  describe('of a node that nobody says anything about', () => {
    const place = (role: string) => {
      const node = mkdtempSync(join(root, `${role}-`));
      const file = { worker: 'kubelet.conf', 'control-plane': 'admin.conf', none: 'none' }[role] ?? role;
      mkdirSync(join(node, 'etc/kubernetes'), { recursive: true });
      writeFileSync(join(node, 'etc/kubernetes', file), '');
      return `--rootfs=${node}`;
    };

    it.each<[string, readonly string[], string, string]>([
      ['worker', [], 'join', ', as this is a worker node'],
      ['worker', ['kubelet-start'], 'join', ', as this is a worker node'],
      ['worker', ['certs', '--workflow=init'], 'init', ''],
      ['worker', ['certs', version], 'init', ''],
      ['control-plane', [], 'init', ', as this is a control-plane node'],
      ['control-plane', ['kubelet-wait-bootstrap', '--workflow=join'], 'join', ''],
      ['none', ['certs/ca', version], 'init', ''],
      ['none', ['certs/ca'], 'init', ''],
      ['none', ['cleanup-node'], 'reset', ', which has the phase cleanup-node'],
    ])('goes by its role, and by the phase: %s %j', (role, words, workflow, why) => {
      const where = place(role);
      const { stdout } = call('groundplane', ['verify', ...words, where, '-o', 'json']);
      expect(documentErrors(['verify'], stdout), stdout.slice(0, 500)).toEqual([]);
      expect(JSON.parse(stdout).workflow).toBe(workflow);
      const { stderr } = call('groundplane', ['verify', ...words, where]);
      expect(stderr).toContain(`held to the phases of ${workflow}${why}\n`);
      if (workflow === 'join') expect(stdout + stderr).not.toMatch(/init phase/);
    });

    it('goes on to what the only workflow with the phase says of a machine that is no node', () => {
      const { status, stderr } = call('groundplane', ['verify', 'kubelet-wait-bootstrap', place('none')]);
      expect([status, stderr]).toEqual([
        3,
        expect.stringContaining('Cannot go on with a join as there is no /var/lib'),
      ]);
    });

    it.each([
      ['worker', 'certs/ca', 'init'],
      ['control-plane', 'kubelet-wait-bootstrap', 'join'],
      ['control-plane', 'cleanup-node', 'reset'],
    ])(
      'refuses a phase that such a node does not have, and says which workflow has it: %s %s',
      (role, phase, other) => {
        const { status, stderr } = call('groundplane', ['verify', phase, place(role)]);
        expect(status).toBe(2);
        expect(stderr).toContain(`as this is a ${role} node, and has none of this name: ${phase}`);
        expect(stderr).toContain(`groundplane verify ${phase} --workflow=${other}`);
      },
    );
  });

  it.each<[string, readonly string[], string]>([
    ['a phase that is not there', ['nonsense'], 'nonsense'],
    ['a flag that is about doing', ['--workflow=reset', '--force'], 'unknown flag: --force'],
    ['a flag of another workflow', ['--workflow=reset', version], 'unknown flag: --kubernetes-version'],
    ['a workflow that is not there', ['--workflow=upgrade'], 'upgrade'],
  ])('refuses %s', (_, words, text) => {
    const { status, stderr } = call('groundplane', ['verify', ...words, `--rootfs=${root}`]);
    expect([status, stderr]).toEqual([2, expect.stringContaining(text)]);
  });
});
