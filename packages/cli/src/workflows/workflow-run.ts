import type { GroundplaneConfiguration } from '@groundplane/config';
import type { Finding } from '@groundplane/errors';
import type { PhaseVerdict, Product, RunResult, SuppliedPorts, Workflow } from '@groundplane/phases';
import type { WorkflowInput } from '../handlers/workflow-input.ts';
import type { Invocation, ProgramName } from '../invocation.ts';

/** What a command comes to: from here on everything is plain data. */
export interface Resolved<C> {
  readonly context: C;
  readonly skipPhases: readonly string[];
  readonly dryRun: boolean;
  readonly warnings: readonly Finding[];
}

export interface ResolveRequest {
  readonly input: WorkflowInput;
  readonly ports: SuppliedPorts;
  /** `join`, or the command of one of its phases, `join phase preflight`. */
  readonly command: string;
  readonly invocation: Invocation;
  /** True where what is missing is a verdict, and no obstacle. */
  readonly looksOnly?: boolean;
  /** Told what is waited for meanwhile, and on whose account. */
  readonly progress: (phase: string, message: string) => void;
}

export interface ClosingFacts<C> {
  readonly program: ProgramName;
  readonly context: C;
  readonly result: RunResult;
  /** The phase that was asked for; absent for the whole workflow. */
  readonly phase: string | undefined;
}

/** A question that is asked before the phases run. */
export interface Confirmation<C> {
  /** Said before it. */
  readonly warning: string;
  /** Without its ending: `[reset] Are you sure you want to proceed?` */
  readonly question: string;
  /** The phase on whose account it is asked: not without it. */
  readonly phase: string;
  readonly isNeeded: (context: C) => boolean;
  /** The context after it was answered with yes. */
  readonly given: (context: C) => C;
}

/** What the command line needs to run a workflow. */
export interface WorkflowRun<C> {
  readonly workflow: Workflow<C>;
  /** Reads the configuration, and asks the machine what it leaves open. */
  readonly resolve: (request: ResolveRequest) => Promise<Resolved<C>>;
  /** Socket of the container runtime. */
  readonly criSocket: (context: C) => string;
  /** Gives findings about what is missing hints that go by what is there. @default as they are */
  readonly remedied?: (
    verdicts: readonly PhaseVerdict[],
    found: { readonly context: C; readonly host: SuppliedPorts['host'] },
  ) => Promise<readonly PhaseVerdict[]>;
  readonly nodeName: (context: C) => string;
  /** True if its phases have certificates signed, by whom the command line or the file says. */
  readonly signs?: true;
  /** Settings that kubeadm does not have; undefined where nobody gave any. */
  readonly settings: (context: C) => GroundplaneConfiguration | undefined;
  /** Absent where no version matters. */
  readonly kubernetesVersion?: (context: C) => string;
  /** Names the folder that a dry run writes into (kubeadm: constants.go). */
  readonly dryRunVariable?: string;
  readonly confirmation?: Confirmation<C>;
  /** What a phase hands back although all is there already and it need not run: callers read it each time. */
  readonly keptProducts?: (context: C, phase: string) => readonly Product[];
  /** What people are told at the end. */
  readonly closing: (facts: ClosingFacts<C>) => readonly string[];
  /** Why phases of kubeadm's are not here, for those who ask for one. */
  readonly missing: { readonly reason: string; readonly hint: string };
}
