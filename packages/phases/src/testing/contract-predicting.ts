import { artifactOf, formatLocation } from '../artifact.ts';
import { octal } from '../artifact-mode.ts';
import { creatorsOf, needsOf } from '../declarations.ts';
import type { AnyPhase } from '../phase.ts';
import type { PhasePlan, Plan } from '../plan.ts';
import type { PlannedOutput } from '../planned-output.ts';
import type { Signer } from '../ports.ts';
import { predictWorkflow } from '../predict.ts';
import type { Laboratory } from './contract-laboratory.ts';
import { type RecordedOutput, secretsIn } from './contract-recording.ts';
import { demand, listed } from './contract-violation.ts';
import { outputsOfWorkflow, readArtifact, removeArtifact } from './contract-world.ts';
import { withoutServerFields } from './memory-cluster.ts';
import type { MemoryPorts } from './memory-ports.ts';
import { sameJson } from './server-side-apply.ts';

/** What makes a prediction worth reading: it leaves the world alone, uses no key of it, and comes true. */
export function predictingCases<C>(lab: Laboratory<C>, phases: readonly AnyPhase<C>[]) {
  const { workflow, config, world, secrets = [] } = lab.subject;
  const predictWith = async (ports: MemoryPorts, signer: Signer): Promise<Plan> => {
    const { writes, signed } = ports.memory;
    const before = [writes.length, signed.length];
    const prediction = await predictWorkflow({ workflow, config, ports, signer });
    demand(writes.length === before[0], () => `A change was made while predicting: ${writes.at(-1)?.location}`);
    demand(signed.length === before[1], "The world's own signer was asked while predicting");
    const text = JSON.stringify(prediction);
    for (const secret of secrets)
      demand(!text.includes(secret), `the prediction shows secret bytes (they begin with ${secret.slice(0, 4)}…)`);
    return prediction;
  };
  const known = new Map<number, Promise<Plan>>();
  /** Of a fresh world, with keys of another one. */
  const fresh = (number: number): Promise<Plan> => {
    const found = known.get(number) ?? predictWith(world(1), world(number).signer);
    known.set(number, found);
    return found;
  };
  const ofPhase = async (number: number, name: string): Promise<PhasePlan | undefined> =>
    (await fresh(number)).phases.find(({ phase }) => phase === name);

  const effects = new Set(
    workflow.phases.filter(({ kind, foresee }) => kind === 'effect' && foresee === undefined).map(({ name }) => name),
  );
  const creators = creatorsOf(workflow.phases);
  const needsEffects = (phase: AnyPhase<C>) =>
    needsOf(phase).some((need) => effects.has(creators.get(artifactOf(need).id) ?? ''));

  return [
    {
      name: 'a prediction of a finished world keeps all',
      run: async () => {
        const { ports, final } = await lab.record('first');
        ports.memory.restore(final);
        const prediction = await predictWith(ports, world(5).signer);
        demand(lab.keepsAll(prediction), () => {
          const open = prediction.phases.filter(({ decision }) => !['keep', 'inapplicable'].includes(decision));
          return `It says ${open.map(({ phase, decision, reason = '' }) => `${phase} ${decision} ${reason}`).join(', ')}`;
        });
      },
    },
    ...phases.flatMap((phase) => [
      {
        name: `${phase.name}: predicted where its outputs are gone, it uses no key that is there`,
        run: async () => {
          const first = await lab.record('first');
          const { ports, final } = first;
          ports.memory.restore(final);
          const own = outputsOfWorkflow(workflow, config).filter((output) => output.phase === phase.name);
          for (const { location } of own) removeArtifact(ports.memory, location);
          // What is gone may well be asked for; what is left is not to be used.
          const left = [...ports.memory.paths()].map((path) => ports.memory.text(path) ?? '').join('\n');
          const real = secretsIn(first).filter((secret) => left.includes(secret));
          const { signer } = world(5);
          const issue: Signer['issue'] = (requests) => {
            const asked = JSON.stringify(requests);
            demand(!real.some((secret) => asked.includes(secret)), 'A key that is there was used in a prediction');
            return signer.issue(requests);
          };
          await predictWith(ports, { ...signer, issue });
        },
      },
      ...(phase.kind === 'pure'
        ? [
            {
              name: `${phase.name}: a run does what was predicted`,
              run: async () => {
                const first = await lab.record('first');
                const [one, other] = [await ofPhase(5, phase.name), await ofPhase(6, phase.name)];
                if (one === undefined || other === undefined) return;
                // What effects make, and do not foresee, is known only then.
                if (one.decision === 'deferred' && needsEffects(phase)) return;
                const decision = first.decisions.get(phase.name);
                demand(
                  one.decision === decision,
                  () =>
                    `${one.decision} was predicted (${one.reason ?? ''}), and it was ${decision}${listed(one.findings)}`,
                );
                first.ports.memory.restore(first.final);
                const recorded = [...first.outputs, ...first.passing].filter((output) => output.phase === phase.name);
                for (const output of recorded) demandPredicted(output, { one, other, ports: first.ports });
                const places = new Set(recorded.map(({ place }) => place));
                const more = one.outputs.filter(({ action, location }) => action !== 'absent' && !places.has(location));
                demand(more.length === 0, () => `It was predicted, and is not there: ${more[0]?.location}`);
              },
            },
          ]
        : []),
    ]),
  ];
}

interface Predicted {
  /** Predicted with different keys: where both say the same, nothing in it is random. */
  readonly one: PhasePlan;
  readonly other: PhasePlan;
  readonly ports: MemoryPorts;
}

function demandPredicted(output: RecordedOutput, { one, other, ports }: Predicted): void {
  const of = ({ outputs }: PhasePlan): PlannedOutput | undefined =>
    outputs.find(({ artifact }) => artifact === output.artifact.id);
  const [predicted, again] = [of(one), of(other)];
  const { place, location, artifact, bytes } = output;
  demand(predicted?.location === formatLocation(location), `${place} was written, and not predicted`);
  if (location.kind === 'file' && readArtifact(ports.memory, location) !== undefined) {
    const mode = octal(ports.memory.mode(location.path) ?? 0);
    demand(predicted.mode === mode, `${place} was predicted with mode ${predicted.mode}, and has ${mode}`);
  }
  if (artifact.secret) {
    demand(!('after' in predicted) && !('before' in predicted), `${place} is secret, and the prediction shows it`);
    return;
  }
  const { after } = predicted;
  if (location.kind === 'directory' || after === undefined || after !== again?.after) return;
  const isSame =
    location.kind === 'file'
      ? after === new TextDecoder().decode(bytes)
      : isWithin(JSON.parse(after), withoutServerFields(JSON.parse(new TextDecoder().decode(bytes))));
  demand(isSame, () => `${place} was predicted otherwise than it was written: ${after}`);
}

/** True if the object has all that was predicted: an API server adds defaults. */
function isWithin(predicted: unknown, actual: unknown): boolean {
  if (typeof predicted !== 'object' || predicted === null || Array.isArray(predicted))
    return sameJson(predicted, actual);
  if (typeof actual !== 'object' || actual === null) return false;
  const there = actual as Readonly<Record<string, unknown>>;
  return Object.entries(predicted).every(([key, value]) => isWithin(value, there[key]));
}
