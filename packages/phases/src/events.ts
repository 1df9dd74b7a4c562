import type { Finding } from '@groundplane/errors';

/**
 * What the plan says about one phase.
 * `create` nothing is there · `keep` all is there and verifies · `complete` a part is there · `replace` it differs ·
 * `act` an effect has work to do · `conflict` what is there contradicts the request · `external` only another signer can answer ·
 * `deferred` an input is made by an earlier planned phase · `inapplicable` the configuration does not ask for it.
 */
export type Decision =
  | 'create'
  | 'keep'
  | 'complete'
  | 'replace'
  | 'act'
  | 'conflict'
  | 'external'
  | 'deferred'
  | 'inapplicable';

/** What was done to one artifact. */
export type ArtifactAction = 'created' | 'replaced' | 'extended' | 'kept' | 'removed';

/** A value as JSON has it. */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [name: string]: JsonValue | undefined };

/** Something that was asked for and that a phase hands back: a join command, a certificate key. */
export interface Product {
  readonly phase: string;
  /** What it is, `joinCommand`; a phase may hand back several of one name. */
  readonly name: string;
  readonly value: JsonValue;
  /** True if it belongs to those who asked for it and to nobody else: it goes to stdout, never to a log. */
  readonly secret?: true;
}

/** All that a run reports, in order. Callers depend on `type` and the fields; texts may change. */
export type Event =
  | { readonly type: 'workflow-started'; readonly workflow: string; readonly phases: readonly string[] }
  | { readonly type: 'phase-started'; readonly phase: string; readonly summary: string }
  | {
      readonly type: 'artifact';
      readonly phase: string;
      readonly artifact: string;
      readonly location: string;
      readonly action: ArtifactAction;
    }
  | { readonly type: 'progress'; readonly phase: string; readonly message: string }
  /** Something is awaited. Repeated while the reason changes, and at least every few seconds. */
  | {
      readonly type: 'waiting';
      readonly phase: string;
      readonly subject: string;
      readonly reason: string;
      readonly elapsedMs: number;
      readonly timeoutMs: number;
    }
  /** A product of the run; the result of the run lists it too. */
  | ({ readonly type: 'result' } & Product)
  | { readonly type: 'finding'; readonly phase: string; readonly finding: Finding }
  | {
      readonly type: 'phase-finished';
      readonly phase: string;
      readonly decision: Decision;
      readonly durationMs: number;
    }
  | {
      readonly type: 'phase-failed';
      readonly phase: string;
      readonly code: string;
      readonly message: string;
      readonly durationMs: number;
    }
  | { readonly type: 'phase-undone'; readonly phase: string }
  | { readonly type: 'workflow-finished'; readonly workflow: string; readonly durationMs: number };

export type Report = (event: Event) => void;
