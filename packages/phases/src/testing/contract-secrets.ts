import { octal } from '../artifact-mode.ts';
import type { Laboratory } from './contract-laboratory.ts';
import { demand } from './contract-violation.ts';
import { outputsOfWorkflow } from './contract-world.ts';

/** What keeps secret files closed. */
export function secretCases<C>(lab: Laboratory<C>, phase: string) {
  const secretFiles = async () =>
    (await lab.record('first')).outputs.flatMap(({ phase: creator, artifact, location }) =>
      creator === phase && artifact.secret && location.kind === 'file' ? [{ artifact, path: location.path }] : [],
    );
  const declared = outputsOfWorkflow(lab.subject.workflow, lab.subject.config);
  if (!declared.some((output) => output.phase === phase && output.artifact.secret && output.location.kind === 'file'))
    return [];
  return [
    {
      name: `${phase}: secrets get their mode`,
      run: async () => {
        const { ports, final } = await lab.record('first');
        ports.memory.restore(final);
        for (const { artifact, path } of await secretFiles()) {
          const mode = ports.memory.mode(path) ?? 0;
          demand(mode === (artifact.mode ?? 0o644), `${path} has mode ${octal(mode)}, not that of its artifact`);
          demand((mode & 0o007) === 0, `${path} is secret and open to everybody: mode ${octal(mode)}`);
        }
      },
    },
    {
      name: `${phase}: a secret that is opened to others is noticed`,
      run: async () => {
        const { ports, final } = await lab.record('first');
        for (const { path } of await secretFiles()) {
          ports.memory.restore(final);
          ports.memory.chmod(path, 0o644);
          const findings = (await lab.verify(ports)).flatMap((verdict) => verdict.findings);
          demand(
            findings.some(({ artifact }) => artifact === path),
            `${path} was opened to others, and verify does not name it`,
          );
        }
      },
    },
  ];
}
