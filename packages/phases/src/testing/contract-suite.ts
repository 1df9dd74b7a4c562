import { artifactOf, formatLocation } from '../artifact.ts';
import { outputsOf } from '../declarations.ts';
import type { AnyPhase } from '../phase.ts';
import { type ContractSubject, type Laboratory, laboratory } from './contract-laboratory.ts';
import { predictingCases } from './contract-predicting.ts';
import { errorsIn } from './contract-questions.ts';
import { replacingCases } from './contract-replacing.ts';
import { resumingCases } from './contract-resuming.ts';
import { secretCases } from './contract-secrets.ts';
import { tamperingCases } from './contract-tampering.ts';
import { demand, listed } from './contract-violation.ts';

export interface ContractCase {
  readonly name: string;
  /** @throws ContractViolation that says which promise was not kept */
  run(): Promise<void>;
}

/**
 * The promises of the phase contract, as cases for any test runner, for every phase of a workflow that the configuration asks
 * for. The cases share two complete runs and work on copies of their worlds one after another: do not run them concurrently.
 *
 * @example for (const { name, run } of contractSuite({ workflow, config, world })) test(name, run);
 */
export function contractSuite<C>(subject: ContractSubject<C>): readonly ContractCase[] {
  const lab = laboratory(subject);
  const phases = subject.workflow.phases.filter((phase) => phase.inapplicable(subject.config) === undefined);
  return [...workflowCases(lab), ...predictingCases(lab, phases), ...phases.flatMap((phase) => phaseCases(lab, phase))];
}

function workflowCases<C>(lab: Laboratory<C>): readonly ContractCase[] {
  return [
    {
      name: 'a plan and a verify change nothing, sign nothing and restart nothing',
      run: async () => {
        const fresh = lab.subject.world(4);
        const done = (await lab.record('first')).ports;
        done.memory.restore((await lab.record('first')).final);
        for (const ports of [fresh, done]) {
          const { writes, signed } = ports.memory;
          const before = [writes.length, signed.length];
          await lab.plain.plan(ports);
          await lab.plain.verify(ports);
          demand(writes.length === before[0], () => `A change was made while planning: ${writes.at(-1)?.location}`);
          demand(signed.length === before[1], 'The signer was asked while planning');
        }
      },
    },
    {
      name: 'a second run changes nothing, signs nothing and restarts nothing',
      run: async () => {
        const { ports, final } = await lab.record('first');
        ports.memory.restore(final);
        const { writes, signed } = ports.memory;
        const before = [writes.length, signed.length];
        await lab.plain.completes(ports, 'A second run');
        const errors = errorsIn(await lab.plain.verify(ports));
        demand(errors.length === 0, () => `What the second run left does not verify:${listed(errors)}`);
        const made = writes.slice(before[0]).map(({ action, location }) => `${action} ${location}`);
        demand(made.length === 0, () => `The second run did: ${made.join(', ')}`);
        demand(signed.length === before[1], 'The second run asked the signer');
      },
    },
  ];
}

function phaseCases<C>(lab: Laboratory<C>, phase: AnyPhase<C>): readonly ContractCase[] {
  return [
    {
      name: `${phase.name}: what a run leaves passes its verify`,
      run: async () => {
        const { ports, final } = await lab.record('first');
        ports.memory.restore(final);
        const errors = errorsIn((await lab.verify(ports)).filter((verdict) => verdict.phase === phase.name));
        demand(errors.length === 0, () => `What the run left does not verify:${listed(errors)}`);
      },
    },
    {
      name: `${phase.name}: the next plan keeps what it made`,
      run: async () => {
        const { ports, final } = await lab.record('first');
        ports.memory.restore(final);
        const plan = await lab.plan(ports);
        const own = plan.phases.filter((planned) => planned.phase === phase.name);
        demand(
          lab.keepsAll({ ...plan, phases: own }),
          () => `The next plan says ${own[0]?.decision}: ${own[0]?.reason ?? ''}${listed(own[0]?.findings ?? [])}`,
        );
      },
    },
    {
      name: `${phase.name}: nothing undeclared is written`,
      run: async () => {
        const { steps } = await lab.record('first');
        const layout = lab.subject.workflow.layout(lab.subject.config);
        const artifacts = [...Object.values(outputsOf(phase)).map(artifactOf), ...phase.removes];
        const places = artifacts.map((artifact) => artifact.where(layout));
        const declared = new Set(places.map(formatLocation));
        const families = places
          .filter(({ kind }) => kind === 'objects')
          .map((place) => formatLocation(place).slice(0, -1));
        for (const { record } of steps.filter((step) => step.phase === phase.name)) {
          if (['restart', 'stop', 'pull', 'unmount', 'remove-sandbox'].includes(record.action)) continue;
          const inFamily = families.some((start) => record.location.startsWith(start));
          demand(declared.has(record.location) || inFamily, `${record.action} ${record.location} is not declared`);
        }
      },
    },
    ...secretCases(lab, phase.name),
    ...tamperingCases(lab, phase.name),
    ...resumingCases(lab, phase.name),
    ...replacingCases(lab, phase),
  ];
}
