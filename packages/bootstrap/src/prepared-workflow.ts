import type { Finding } from '@groundplane/errors';
import {
  type PhaseVerdict,
  type Plan,
  planWorkflow,
  predictWorkflow,
  type Report,
  type RunResult,
  runWorkflow,
  type Selection,
  type SuppliedPorts,
  verifyWorkflow,
  type Workflow,
} from '@groundplane/phases';
import { bootstrapError } from './error-codes.ts';
import { requirePhaseOptions } from './require-preparation.ts';
import { webCryptoSigner } from './web-crypto-signer.ts';

export interface PhaseOptions {
  /** Other phases than those that were asked for at first. */
  readonly selection?: Selection | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface RunOptions extends PhaseOptions {
  /**
   * Called with each event, in order, while the phases run. What it throws ends the run with PHASES_INTERNAL and that as `cause`; a promise
   * that it returns is not waited for, and ends the run at the next event if it is rejected.
   */
  readonly report?: Report | undefined;
}

/**
 * A workflow whose configuration is complete: what had to be detected, made up or asked for is fixed in `context`. Its phases can be
 * planned, verified and run as often as wanted, all of them or some; whatever one of them leaves the next finds on the node.
 *
 * Each method throws PHASES_ABORTED soon after its signal has aborted, also where a port hangs, and a TypeError for options of other types.
 */
export interface PreparedWorkflow<C> {
  /** For `describeWorkflow`, `graphOf` and others of `@groundplane/phases`. */
  readonly workflow: Workflow<C>;
  /** Plain data. Holds secrets: tokens, the key of shared certificates. */
  readonly context: C;
  /** What is doubtful about the configuration. */
  readonly warnings: readonly Finding[];
  /** True if the configuration asks for a dry run: then it can be planned and verified, and is not run. */
  readonly dryRun: boolean;
  /** Says what a run would do, phase by phase; see `isBlocked`. Writes nothing, signs nothing. */
  plan(options?: PhaseOptions): Promise<Plan>;
  /**
   * Says what a run would do to its end, with what the phases would leave for each other: keys and certificates are made with WebCrypto
   * and thrown away. Writes nothing, and asks the signer for nothing.
   */
  predict(options?: PhaseOptions): Promise<Plan>;
  /** Holds what is there to what the phases demand of it, whoever made it. Writes nothing. */
  verify(options?: PhaseOptions): Promise<readonly PhaseVerdict[]>;
  /**
   * Plans all selected phases, and runs them if nothing stands against it.
   *
   * @throws GroundplaneError of a kind: `conflict`, nothing was written; `timeout` or `unavailable`, some phases may be done, and running
   *   again goes on; PHASES_ABORTED if the signal aborted: a phase in progress comes to its end as long as the ports answer, and where one
   *   does not, the message names the call, and says of a change that nobody knows whether it will be done; BOOTSTRAP_DRY_RUN if `dryRun` is set;
   *   what kept the preparation from looking at what a run has to know
   */
  run(options?: RunOptions): Promise<RunResult>;
}

export interface Preparation<C> {
  readonly workflow: Workflow<C>;
  readonly resolved: {
    readonly context: C;
    /** What a plan and a verdict go by, where it is something else. */
    readonly planContext?: C;
    readonly skipPhases: readonly string[];
    readonly dryRun: boolean;
    readonly warnings: readonly Finding[];
  };
  /** What stands against a run, and against nothing that only looks. */
  readonly obstacle?: { readonly thrown: unknown };
  readonly ports: SuppliedPorts;
  readonly selection: Selection | undefined;
  /** Who runs it and where that is written down. */
  readonly actor: string;
  readonly journal: string | undefined;
}

export function preparedWorkflow<C>(preparation: Preparation<C>): PreparedWorkflow<C> {
  const { workflow, ports, resolved, obstacle, actor, journal } = preparation;
  const { context, planContext = context, warnings, dryRun } = resolved;
  const request = (call: string, options: PhaseOptions) => {
    requirePhaseOptions(call, options);
    const { selection = preparation.selection, signal } = options;
    return {
      workflow,
      config: planContext,
      ports,
      selection: effective(selection, resolved.skipPhases),
      ...(signal === undefined ? {} : { signal }),
    };
  };
  return {
    workflow,
    context,
    warnings,
    dryRun,
    plan: async (options = {}) => planWorkflow(request('plan', options)),
    predict: async (options = {}) => predictWorkflow({ ...request('predict', options), signer: webCryptoSigner() }),
    verify: async (options = {}) => verifyWorkflow(request('verify', options)),
    run: async (options = {}) => {
      const asked = request('run', options);
      if (dryRun) throw dryRunAsked(workflow.name);
      if (obstacle !== undefined) throw obstacle.thrown;
      const { report } = options;
      return runWorkflow({
        ...asked,
        config: context,
        actor,
        ...(report === undefined ? {} : { report }),
        ...(journal === undefined ? {} : { journal }),
      });
    },
  };
}

/** What the configuration skips is skipped by the whole workflow alone: whoever names phases means them. */
function effective({ only, skip = [] }: Selection = {}, skippedByConfiguration: readonly string[]): Selection {
  return only === undefined ? { skip: [...skip, ...skippedByConfiguration] } : { only, skip };
}

function dryRunAsked(workflow: string) {
  return bootstrapError('BOOTSTRAP_DRY_RUN', `Cannot run ${workflow} as its configuration asks for a dry run`, {
    hint: 'Plan it instead, or leave dryRun out of the configuration',
  });
}
