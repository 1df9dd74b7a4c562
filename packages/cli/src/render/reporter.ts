import { type Finding, GroundplaneError, isGroundplaneError, messageOf } from '@groundplane/errors';
import type { Event, Plan, RunResult } from '@groundplane/phases';
import { type Invocation, textFlag } from '../invocation.ts';
import { ReportedError } from '../reported-error.ts';
import { errorDocument } from './error-lines.ts';
import { kubeadmRenderer } from './kubeadm-lines.ts';
import { liveLine } from './live-line.ts';
import { findingLines, peopleLines, waitingText } from './people-lines.ts';
import { planLines } from './plan-lines.ts';
import type { RenderedLine } from './rendered-line.ts';
import { waitingFilter } from './waiting-filter.ts';

/** What is about to run, for the first line. */
export interface RunHeader {
  readonly workflow: string;
  readonly nodeName: string;
  readonly kubernetesVersion: string;
  /** The phase that was asked for, `certs/ca` or `certs/all`; absent for the whole workflow. */
  readonly phase?: string;
  /** True if nothing is to be changed. */
  readonly dryRun: boolean;
}

/** How a workflow's run is told to whoever asked for it. */
export interface Reporter {
  readonly begin: (header: RunHeader, warnings: readonly Finding[]) => void;
  readonly event: (event: Event) => void;
  /** Ends a dry run. */
  readonly plan: (plan: Plan) => void;
  /** Ends a run; `closing` is what people are told at the end. */
  readonly finish: (result: RunResult, closing: readonly string[]) => void;
  /** Ends a run that failed. @returns what is to be thrown */
  readonly fail: (error: unknown) => unknown;
}

/** The reporter for `--output` and the name that the program was called by. */
export function reporterFor(invocation: Invocation): Reporter {
  switch (textFlag(invocation, 'output')) {
    case 'json':
      return documentReporter(invocation);
    case 'jsonl':
      return linesReporter(invocation);
    default:
      return invocation.program === 'kubeadm' ? kubeadmReporter(invocation) : peopleReporter(invocation);
  }
}

/** One JSON document at the end, whether the run succeeded or not. */
function documentReporter({ output }: Invocation): Reporter {
  const warnings: Finding[] = [];
  const phases: Event[] = [];
  const print = (document: unknown) => output.stdout(`${JSON.stringify(document, undefined, 2)}\n`);
  return {
    begin: (_, found) => void warnings.push(...found),
    event: (event) => {
      if (event.type === 'finding') warnings.push(event.finding);
      if (event.type === 'phase-finished' || event.type === 'phase-failed') phases.push(event);
    },
    plan: (plan) => print({ ...plan, warnings }),
    finish: (result) => print({ ...result, warnings }),
    fail: (error) => {
      print({ phases: phases.map(({ type: _, ...phase }) => phase), warnings, error: errorDocument(error) });
      return new ReportedError(error);
    },
  };
}

/** One JSON line per event while it runs; the last one says how it ended. */
function linesReporter({ output }: Invocation): Reporter {
  const print = (line: unknown) => output.stdout(`${JSON.stringify(line)}\n`);
  return {
    begin: (header, warnings) => {
      print({ type: 'run', ...header });
      for (const finding of warnings) print({ type: 'finding', finding });
    },
    event: print,
    plan: (plan) => {
      for (const phase of plan.phases) print({ type: 'plan', ...phase });
    },
    finish: () => {},
    fail: (error) => {
      print({ type: 'error', ...errorDocument(error) });
      return new ReportedError(error);
    },
  };
}

function peopleReporter({ output }: Invocation): Reporter {
  const live = liveLine(output);
  const say = waitingFilter();
  let nameWidth = 0;
  const print = (lines: readonly RenderedLine[]) => live.print(lines);
  return {
    begin: ({ workflow, nodeName, kubernetesVersion, dryRun }, warnings) => {
      const what = dryRun ? `What ${workflow} would do` : `Running ${workflow}`;
      print([{ stream: 'stdout', text: `${what} on ${nodeName} with Kubernetes ${kubernetesVersion}` }]);
      print(warnings.flatMap(findingLines).map((text) => ({ stream: 'stderr', text })));
    },
    event: (event) => {
      if (event.type === 'workflow-started') nameWidth = Math.max(0, ...event.phases.map((name) => name.length));
      if (live.active && event.type === 'waiting') return live.show(waitingText(event));
      if (live.active && event.type === 'phase-started') return live.show(`${event.phase}: ${event.summary}`);
      if (event.type === 'waiting' && !say(event)) return;
      print(peopleLines(event, { nameWidth }));
    },
    plan: (plan) => print(planLines(plan).map((text) => ({ stream: 'stdout', text }))),
    finish: (_, closing) => print(closing.map((text) => ({ stream: 'stdout', text }))),
    fail: (error) => {
      live.print([]);
      return error;
    },
  };
}

function kubeadmReporter({ output }: Invocation): Reporter {
  let render = kubeadmRenderer();
  const say = waitingFilter();
  let failed: string | undefined;
  const print = (lines: readonly RenderedLine[]) => {
    for (const { stream, text } of lines) output[stream](`${text}\n`);
  };
  return {
    begin: ({ kubernetesVersion, phase }, warnings) => {
      render = kubeadmRenderer(phase);
      print(warnings.map(({ message }) => ({ stream: 'stderr', text: `WARNING: ${message}` })));
      if (phase === undefined)
        print([{ stream: 'stdout', text: `[init] Using Kubernetes version: ${kubernetesVersion}` }]);
    },
    event: (event) => {
      if (event.type === 'waiting' && !say(event)) return;
      if (event.type === 'phase-failed') failed = event.phase;
      print(render(event));
    },
    plan: (plan) => print(planLines(plan).map((text) => ({ stream: 'stdout', text: `[dryrun] ${text.trimStart()}` }))),
    finish: (_, closing) => print(closing.map((text) => ({ stream: 'stdout', text }))),
    fail: (error) => (failed === undefined ? error : ofPhase(failed, error)),
  };
}

/** An error as kubeadm wraps it (cmd/phases/workflow/runner.go). */
function ofPhase(phase: string, error: unknown): unknown {
  const message = `error execution phase ${phase}: ${messageOf(error)}`;
  if (!isGroundplaneError(error)) return new Error(message, { cause: error });
  const { code, kind, hint, details, findings } = error;
  return new GroundplaneError(code, message, {
    kind,
    details,
    findings,
    cause: error,
    ...(hint === undefined ? {} : { hint }),
  });
}
