import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type InstalledPrograms, installPrograms } from './installed-programs.ts';
import { caseFolder, onSandboxNode, tolerant } from './sandbox-node.ts';
import { unusualDocuments } from './unusual-documents.ts';

// What somebody without rights is told of a node that the real kubeadm has made, as far as files go, on a machine that it had to be told
// to take as it is; and root of that machine.

let programs: InstalledPrograms;
beforeAll(async () => {
  programs = await installPrograms();
});
afterAll(() => programs?.remove());

interface Answer {
  readonly status: number;
  readonly document: {
    readonly error?: { readonly code: string };
    readonly phases: readonly {
      readonly phase: string;
      readonly verdict?: string;
      readonly decision?: string;
      readonly findings: readonly { readonly severity: string; readonly artifact: string; readonly message: string }[];
      readonly unseen?: readonly { readonly reason: string }[];
    }[];
  };
}

const config = `${caseFolder}/config.yaml`;
const documents = unusualDocuments('unix:///run/no-runtime.sock');

/** What `groundplane` answers on a finished node; to an ordinary user, unless told otherwise. */
function asked(
  commands: readonly string[],
  { closed = [], uid = 65_534 }: { readonly closed?: readonly string[]; readonly uid?: number } = {},
): readonly Answer[] {
  const made = ['certs all', 'kubeconfig all', 'etcd local', 'control-plane all', 'kubelet-start'].map((phase) => [
    programs.kubeadm,
    ...`init phase ${phase} --config ${config}`.split(' '),
  ]);
  const ask = (command: string) =>
    tolerant(`setpriv --reuid ${uid} --regid ${uid} --clear-groups ${programs.groundplane} ${command} -o json`);
  const { outputs, statuses } = onSandboxNode({
    files: { 'config.yaml': documents },
    steps: [...made, ['chmod', '700', '/var/lib/kubelet', ...closed], ...commands.map(ask)],
  });
  return commands.map((_, index): Answer => {
    const at = made.length + 1 + index;
    return { status: statuses[at] ?? -1, document: JSON.parse(outputs[at] ?? '') as Answer['document'] };
  });
}

const errorsIn = ({ document: { phases } }: Answer) =>
  phases.flatMap(({ phase, findings }) =>
    findings
      .filter(({ severity }) => severity === 'error')
      .map(({ artifact, message }) => `${phase} ${artifact}: ${message}`),
  );
const phaseOf = ({ document: { phases } }: Answer, name: string) => phases.find(({ phase }) => phase === name);

describe('an ordinary user on a node of kubeadm', () => {
  test('is told by verify what may not be seen, and of nothing that it is wrong', () => {
    const answers = asked(['verify', `verify --config ${config}`, 'verify certs', 'verify preflight']);
    for (const answer of answers) {
      expect(errorsIn(answer)).toEqual([]);
      expect(answer).toMatchObject({ status: 4, document: { error: { code: 'CLI_VERIFY_INCOMPLETE' } } });
      const verdicts = answer.document.phases.filter(({ verdict }) => verdict !== 'inapplicable');
      expect(verdicts.filter(({ verdict }) => verdict === 'invalid')).toEqual([]);
      for (const { phase, verdict, unseen = [] } of verdicts) {
        if (verdict === 'unknown') expect(unseen, phase).not.toEqual([]);
      }
    }
    const [whole] = answers;
    expect(whole && phaseOf(whole, 'kubeconfig/admin')?.unseen?.map(({ reason }) => reason)).toContain(
      'Cannot read /etc/kubernetes/admin.conf as permission is denied (EACCES)',
    );
  });

  test.each([
    ['open', [], 'act'],
    ['closed', ['/etc/kubernetes'], 'unknown'],
  ])('is told by plan reset what it would do, and what is not known: %s', (_, closed, cleanup) => {
    const [answer] = asked(['plan reset'], { closed });
    if (answer === undefined) throw new Error('plan reset was not asked');
    expect(answer.status).toBe(0);
    expect(errorsIn(answer)).toEqual([]);
    expect(JSON.stringify(answer.document)).not.toContain('not root');
    expect(phaseOf(answer, 'preflight')?.decision).toBe('deferred');
    expect(phaseOf(answer, 'remove-etcd-member')).toMatchObject({
      decision: 'unknown',
      reason: expect.stringMatching(/^Cannot \w+ \/etc\/kubernetes\/\S+ as permission is denied \(EACCES\)$/),
    });
    expect(phaseOf(answer, 'cleanup-node')?.decision).toBe(cleanup);
  });
});

test('root is warned of the machine that was taken as it is, whatever the configuration says', () => {
  const answers = asked(['verify preflight', `verify preflight --config ${config}`], { uid: 0 });
  for (const answer of answers) {
    expect(answer.status).toBe(0);
    const preflight = phaseOf(answer, 'preflight');
    expect(preflight?.verdict).toBe('valid');
    expect(preflight?.findings).toContainEqual(
      expect.objectContaining({
        severity: 'warning',
        artifact: 'CRI',
        message: expect.stringMatching(/ \(the node was made nevertheless\)$/),
      }),
    );
  }
});
