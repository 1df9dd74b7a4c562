import type { Artifact, Layout } from './artifact.ts';
import { checkWorkflow } from './check-workflow.ts';
import type { AnyPhase } from './phase.ts';

/** An ordered list of phases over one configuration type, checked. */
export interface Workflow<in C> {
  readonly name: string;
  readonly summary: string;
  readonly layout: (config: C) => Layout;
  /** URL of this node's API server, for phases that connect `local`. */
  readonly localEndpoint?: ((config: C) => string | undefined) | undefined;
  /** How long API calls go on retrying passing faults, in milliseconds. */
  readonly apiTimeoutMs?: ((config: C) => number) | undefined;
  /** What its configuration is resolved from, whichever phase is asked for; read, and nothing else. */
  readonly resolvedFrom: readonly Artifact<unknown>[];
  /** Phase → what else is looked for when it is asked for: whether it is there, and nothing else. */
  readonly lookedFor: Readonly<Record<string, readonly Artifact<unknown>[]>>;
  readonly phases: readonly AnyPhase<C>[];
}

export interface WorkflowDefinition<C> {
  readonly name: string;
  readonly summary: string;
  readonly layout: (config: C) => Layout;
  readonly localEndpoint?: (config: C) => string | undefined;
  readonly apiTimeoutMs?: (config: C) => number;
  readonly resolvedFrom?: readonly Artifact<unknown>[];
  readonly lookedFor?: Readonly<Record<string, readonly Artifact<unknown>[]>>;
  readonly phases: readonly AnyPhase<NoInfer<C>>[];
}

/**
 * Checks a workflow when it is loaded and returns it.
 *
 * @throws GroundplaneError PHASES_WORKFLOW_INVALID: a name given twice, two creators of one artifact, two artifacts at one
 * path or object, two artifacts of one id, two outputs of one key, a read that nothing earlier writes and that is not external,
 * a cycle, an amendment of something that nothing earlier creates, an artifact that its phase has no means to reach
 */
export function defineWorkflow<C>(definition: WorkflowDefinition<C>): Workflow<C> {
  checkWorkflow(definition.name, definition.phases);
  return {
    name: definition.name,
    summary: definition.summary,
    layout: definition.layout,
    localEndpoint: definition.localEndpoint,
    apiTimeoutMs: definition.apiTimeoutMs,
    resolvedFrom: definition.resolvedFrom ?? [],
    lookedFor: definition.lookedFor ?? {},
    phases: definition.phases,
  };
}
