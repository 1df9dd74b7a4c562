import type { Finding } from '@groundplane/errors';
import type { Artifact } from './artifact.ts';
import type { ArtifactAction, Decision } from './events.ts';
import type { Draft } from './phase.ts';
import type { SigningRequest } from './ports.ts';
import type { Loaded } from './world.ts';

/**
 * What is to happen to one output. Beside what is done to artifacts: `conflict` it contradicts the request · `pending` known
 * only when the signer or the phase itself has made it · `absent` not wanted.
 */
export type OutputAction = ArtifactAction | 'conflict' | 'deferred' | 'pending' | 'absent';

export interface OutputPlan {
  readonly key: string;
  readonly artifact: Artifact<unknown>;
  readonly location: string;
  readonly action: OutputAction;
  /** What would be written; absent while a signer still has to answer, and for kept ones. */
  readonly value?: unknown;
  readonly existing: Loaded;
}

/** What one phase has to do. */
export interface Evaluation {
  readonly decision: Decision;
  readonly outputs: readonly OutputPlan[];
  readonly findings: readonly Finding[];
  /** True if the `run` of an effect has to be called; a removal alone does not ask for it. */
  readonly acts: boolean;
  /** Why it is deferred or inapplicable, or what an effect has to do. */
  readonly reason?: string;
  /** True if it is deferred as something cannot be looked at, or cannot by this user. */
  readonly unknown?: true;
  /** Ids of the outputs whose values are not known, where that is not what the outputs say. */
  readonly pending?: readonly string[];
  readonly request?: { readonly request: SigningRequest; readonly draft: Extract<Draft, { kind: 'request' }> };
  readonly state: {
    readonly inputs: Readonly<Record<string, unknown>>;
    readonly outputs: Readonly<Record<string, unknown>>;
  };
}

export interface EvaluateOptions {
  readonly now: Date;
  /** Ids of artifacts that earlier planned phases are going to write; their values are not known yet. */
  readonly deferred: ReadonlySet<string>;
  /** Those of them that may not come to be written after all, as what their phases have to do is not known. */
  readonly doubtful?: ReadonlySet<string>;
  /** Those of them whose phases refuse to make them: nothing that exists is made useless. */
  readonly refused?: ReadonlySet<string>;
  /** Ids of artifacts that a prediction has changed: what depends on them is not asked of the live world. */
  readonly predicted?: ReadonlySet<string>;
  /** True while the whole selection is planned, false when the phase's turn has come. */
  readonly planning: boolean;
  /** True if it is only looked: what this user has no right to read is then unknown, and not wrong. */
  readonly looking?: boolean;
  readonly signal: AbortSignal;
}
