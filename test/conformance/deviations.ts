import type { CaseStep } from './case-step.ts';

/** A step where kubeadm is wrong or silent: what holds for us instead. */
export interface Deviation {
  readonly case: string;
  readonly steps: readonly number[];
  /** First column of the row of docs/differences.md that gives the reason. */
  readonly row: string;
  /** Replaces the step's own expectation; of `facts`, each label by itself. */
  readonly expected: Pick<Partial<CaseStep>, 'exit' | 'outputMentions' | 'outputLacks' | 'facts'>;
}

/** What these CAs are in the cases: throw-away keys that everybody can read. */
const readableKey = 'ca.key is open to more users than it may be';

export const deviations: readonly Deviation[] = [
  {
    case: 'ca-certificate-properties',
    steps: [14, 16],
    row: 'CA certificate that is no CA',
    expected: { exit: 1, outputMentions: ['/etc/kubernetes/pki/ca.crt', 'CA:TRUE'], facts: { 'admin.conf': null } },
  },
  {
    case: 'ca-expired-or-not-yet-valid',
    steps: [1],
    row: 'expired certificate, wrong CA, missing required SAN',
    expected: {
      exit: 1,
      outputMentions: ['apiserver', 'its CA has expired: 2021-01-01T00:00:00'],
      facts: { 'pki/apiserver.crt': null, 'admin.conf': null },
    },
  },
  {
    case: 'ca-expired-or-not-yet-valid',
    steps: [3],
    row: 'private key readable by others',
    expected: { outputMentions: [`WARNING: /etc/kubernetes/pki/${readableKey}`], outputLacks: ['expired', 'valid'] },
  },
  {
    case: 'partial-leaf-states',
    steps: [2],
    row: 'certificate without its key',
    expected: {
      exit: 1,
      outputMentions: ['apiserver.crt', 'its private key is missing: /etc/kubernetes/pki/apiserver.key'],
    },
  },
  {
    case: 'partial-leaf-states',
    steps: [3],
    row: 'key without its certificate',
    expected: {
      exit: 0,
      outputMentions: [],
      facts: {
        files: { 'pki/apiserver.crt': { mode: '0o644', type: 'file' } },
        'pki/apiserver.crt is for the key pki/apiserver.key': true,
        'pki/apiserver.crt is signed by pki/ca.crt': true,
      },
    },
  },
  {
    case: 'partial-leaf-states',
    steps: [7],
    row: 'key without its certificate',
    expected: {
      exit: 0,
      outputMentions: [],
      facts: {
        files: { 'pki/ca.crt': { mode: '0o644', type: 'file' } },
        'pki/ca.crt is for the key pki/ca.key': true,
        'pki/apiserver.crt is signed by pki/ca.crt': true,
      },
    },
  },
  {
    case: 'api-versions-and-kinds',
    steps: [12],
    row: 'warnings that say the same',
    expected: { outputMentions: ['example.com/v1, Kind=Foo'], facts: { 'warning lines on stderr': 1 } },
  },
  {
    case: 'unknown-wrong-case-duplicate-fields',
    steps: [8],
    row: 'warnings that say the same',
    expected: { outputMentions: ['unknown field "maxPodz"'], facts: { 'warning lines on stderr': 1 } },
  },
];

/** What is expected of us in a step. */
export function expectationOf(caseName: string, step: CaseStep): CaseStep {
  const found = deviations.find((one) => one.case === caseName && one.steps.includes(step.step));
  if (found === undefined) return step;
  return { ...step, ...found.expected, facts: { ...step.facts, ...found.expected.facts } };
}
