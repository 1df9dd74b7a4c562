import type { Finding } from '@groundplane/errors';
import { artifactOf, isOptional } from './artifact.ts';
import { engineFindings } from './error-codes.ts';
import { loadMap, readOnlyCapabilities, statusFindings, valuesOf } from './evaluate.ts';
import type { WorkflowRequest } from './plan.ts';
import { selectPhases } from './selection.ts';
import { createWorld, placeOf } from './world.ts';

export interface PhaseVerdict {
  readonly phase: string;
  readonly findings: readonly Finding[];
}

/** Holds what is there to the verify of every selected phase, whoever made it. Changes nothing. */
export async function verifyWorkflow<C>(request: WorkflowRequest<C>): Promise<readonly PhaseVerdict[]> {
  const { workflow, config, ports } = request;
  const world = createWorld(workflow, config, ports, { apiTimeoutMs: 2_000 });
  const signal = request.signal ?? new AbortController().signal;
  const now = ports.clock.now();
  const verdicts: PhaseVerdict[] = [];
  for (const phase of selectPhases(workflow, request.selection)) {
    if (phase.inapplicable(config) !== undefined) continue;
    const inputs = await loadMap(phase.reads, phase, world);
    const outputs = await loadMap(phase.writes, phase, world);
    const findings: Finding[] = [];
    for (const [entries, loaded] of [
      [phase.reads, inputs],
      [phase.writes, outputs],
    ] as const) {
      for (const [key, entry] of Object.entries(entries)) {
        const artifact = artifactOf(entry);
        const state = loaded[key];
        if (state === undefined || world.locate(artifact).kind === 'state') continue;
        const place = placeOf(world, artifact);
        if (state.state === 'absent' && !isOptional(entry)) {
          findings.push({
            code: engineFindings.missing,
            severity: 'error',
            artifact: place,
            message: `${place} does not exist: ${artifact.description}`,
          });
        } else if (state.state === 'malformed') {
          findings.push({
            code: engineFindings.malformed,
            severity: 'error',
            artifact: place,
            message: `${place} is not a ${artifact.format.name}: ${state.reason}`,
          });
        } else if (state.state === 'unknown') {
          findings.push({
            code: engineFindings.unreadable,
            severity: 'error',
            artifact: place,
            message: `${place} cannot be read: ${state.reason}`,
          });
        } else if (entries === phase.writes) {
          findings.push(...statusFindings(artifact, state, world));
        }
      }
    }
    if (findings.every((finding) => finding.severity === 'warning')) {
      const state = { config, now, inputs: valuesOf(inputs), outputs: valuesOf(outputs) };
      findings.push(...(await phase.verify(state, await readOnlyCapabilities(phase, world, { signal }))));
    }
    verdicts.push({ phase: phase.name, findings });
  }
  return verdicts;
}
