import { componentPath, type Machine } from '@groundplane/testbed';

/** What became of one test of the suite. */
export interface SuiteResult {
  readonly name: string;
  readonly state: string;
  /** Why it failed. */
  readonly failure?: string;
}

interface SpecReport {
  readonly LeafNodeType: string;
  readonly ContainerHierarchyTexts: readonly string[] | null;
  readonly LeafNodeText: string;
  readonly State: string;
  readonly Failure?: { readonly Message: string };
}

const program = '/root/e2e_kubeadm.test';
const report = '/root/e2e-report.json';

/**
 * Runs the Kubernetes project's own tests for what kubeadm makes, on a control-plane machine.
 *
 * @param skip words in the names of tests that are left out
 * @returns the results by name
 * @throws Error with the end of the suite's output if it left no report
 */
export async function runSuite(
  machine: Machine,
  { skip }: { readonly skip?: string } = {},
): Promise<readonly SuiteResult[]> {
  await machine.copyIn(componentPath('e2e_kubeadm.test'), program);
  const { code, stdout, stderr } = await machine.exec(
    [
      program,
      '--kubeconfig=/etc/kubernetes/admin.conf',
      '--provider=skeleton',
      '--ginkgo.no-color',
      `--ginkgo.json-report=${report}`,
      ...(skip === undefined ? [] : [`--ginkgo.skip=${skip}`]),
    ],
    { timeoutMs: 300_000 },
  );
  const text = await machine.readFile(report).catch((cause: Error) => {
    const end = `${stdout}${stderr}`.slice(-3_000);
    throw new Error(`the suite on ${machine.name} ended with code ${code} and no report: ${end}`, { cause });
  });
  const suites = JSON.parse(text) as readonly { readonly SpecReports: readonly SpecReport[] }[];
  return suites
    .flatMap(({ SpecReports }) => SpecReports)
    .filter(({ LeafNodeType, State }) => LeafNodeType === 'It' || State === 'failed')
    .map(({ ContainerHierarchyTexts, LeafNodeText, State, Failure }) => ({
      name: [...(ContainerHierarchyTexts ?? []), LeafNodeText].join(' '),
      state: State,
      ...(Failure ? { failure: Failure.Message } : {}),
    }))
    .toSorted((a, b) => a.name.localeCompare(b.name));
}
