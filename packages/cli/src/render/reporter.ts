import { type Finding, isGroundplaneError, messageOf, warningsOf, withholdTokens } from '@groundplane/errors';
import { systemClock } from '@groundplane/host';
import { type Event, isBlocked, type Plan, type Product, type RunResult } from '@groundplane/phases';
import { type Invocation, textFlag } from '../invocation.ts';
import { ReportedError } from '../reported-error.ts';
import { awaitedThings } from './awaited-things.ts';
import { beforeFirstPhase, errorDocument, withMessage } from './error-lines.ts';
import { kubeadmRenderer } from './kubeadm-lines.ts';
import { liveLine } from './live-line.ts';
import { peopleLines } from './people-lines.ts';
import { planLines } from './plan-lines.ts';
import type { RenderedLine } from './rendered-line.ts';
import { jsonText, withheldData } from './shown-text.ts';
import { waitingFilter } from './waiting-filter.ts';
import { warningLines } from './warning-lines.ts';

/** What is about to run, for the first line. */
export interface RunHeader {
  readonly workflow: string;
  readonly nodeName: string;
  /** Absent where no version matters. */
  readonly kubernetesVersion?: string;
  /** The phase that was asked for, `certs/ca` or `certs/all`; absent for the whole workflow. */
  readonly phase?: string;
  /** True if nothing is to be changed. */
  readonly dryRun: boolean;
}

/** Where the files are that a dry run wrote for people to look at. */
export interface DryRunFiles {
  readonly directory: string;
  /** What would be written where on the node, and which file it is now. */
  readonly files: readonly { readonly location: string; readonly file: string }[];
}

/** How a workflow's run is told to whoever asked for it. */
export interface Reporter {
  readonly begin: (header: RunHeader, warnings: readonly Finding[]) => void;
  readonly event: (event: Event) => void;
  /** Ends a dry run, unless the plan is blocked: then {@link fail} does. */
  readonly plan: (plan: Plan, files?: DryRunFiles) => void;
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
function documentReporter({ output, path }: Invocation): Reporter {
  const { monotonicMs } = systemClock();
  const start = monotonicMs();
  const warnings: Finding[] = [];
  const phases: Event[] = [];
  const results: Product[] = [];
  let blocked: Plan | undefined;
  const print = (document: unknown) => output.stdout(`${jsonText(document, 2)}\n`);
  return {
    begin: (_, found) => void warnings.push(...warningsOf(found)),
    event: (event) => {
      if (event.type === 'finding') warnings.push(...warningsOf([event.finding]));
      if (event.type === 'result') results.push(productOf(event));
      if (event.type === 'phase-finished' || event.type === 'phase-failed') phases.push(withoutTokens(event));
    },
    plan: (plan, files) => {
      if (isBlocked(plan)) blocked = plan;
      else print({ ...plan, ...(files === undefined ? {} : { dryRun: files }), warnings });
    },
    finish: (result) => print({ ...result, warnings }),
    fail: (error) => {
      const done = blocked ?? { workflow: path[0], phases: phases.map(({ type: _, ...phase }) => phase) };
      const durationMs = Math.round(monotonicMs() - start);
      // What was handed back before the failure is there, and may be of use.
      const handedBack = results.length === 0 ? {} : { results };
      print({ ...done, ...handedBack, durationMs, warnings, error: errorDocument(error) });
      return new ReportedError(phases.length === 0 ? beforeFirstPhase(error) : error);
    },
  };
}

/** An event that tells of an error is held to the rule of errors. */
function withoutTokens(event: Event): Event {
  return event.type === 'phase-failed' ? withheldData(event, withholdTokens) : event;
}

function productOf({ type: _, ...product }: Extract<Event, { type: 'result' }>): Product {
  return product;
}

/** One JSON line per event while it runs; the last one says how it ended. */
function linesReporter({ output }: Invocation): Reporter {
  let started = false;
  const print = (line: unknown) => output.stdout(`${jsonText(line)}\n`);
  return {
    begin: (header, warnings) => {
      print({ type: 'run', ...header });
      for (const finding of warnings) print({ type: 'finding', finding });
    },
    event: (event) => {
      started ||= event.type === 'phase-started';
      print(withoutTokens(event));
    },
    plan: (plan, files) => {
      for (const phase of plan.phases) print({ type: 'plan', ...phase });
      if (files !== undefined) print({ type: 'dry-run', ...files });
    },
    finish: () => {},
    fail: (error) => {
      print({ type: 'error', ...errorDocument(error) });
      return new ReportedError(started ? error : beforeFirstPhase(error));
    },
  };
}

function peopleReporter({ output }: Invocation): Reporter {
  const live = liveLine(output);
  const awaited = awaitedThings();
  const say = waitingFilter();
  let started = false;
  let nameWidth = 0;
  const print = (lines: readonly RenderedLine[]) => live.print(lines);
  return {
    begin: ({ workflow, nodeName, kubernetesVersion, dryRun }, warnings) => {
      const what = dryRun ? `What ${workflow} would do` : `Running ${workflow}`;
      const version = kubernetesVersion === undefined ? '' : ` with Kubernetes ${kubernetesVersion}`;
      print([{ stream: 'stdout', text: `${what} on ${nodeName}${version}` }]);
      print(warningLines('groundplane', warnings).map((text) => ({ stream: 'stderr', text })));
    },
    event: (event) => {
      if (event.type === 'workflow-started') nameWidth = Math.max(0, ...event.phases.map((name) => name.length));
      started ||= event.type === 'phase-started';
      awaited.note(event);
      if (live.active && event.type === 'waiting') return live.show(awaited.forms(event));
      if (live.active && event.type === 'phase-started') return live.show([`${event.phase}: ${event.summary}`]);
      if (event.type === 'waiting' && !say(event)) return;
      print(peopleLines(event, { nameWidth }));
    },
    plan: (plan, files) =>
      print([...planLines(plan), ...writtenLines(files)].map((text) => ({ stream: 'stdout', text }))),
    finish: (_, closing) => print(closing.map((text) => ({ stream: 'stdout', text }))),
    fail: (error) => {
      live.print([]);
      return started ? error : beforeFirstPhase(error);
    },
  };
}

function kubeadmReporter({ output }: Invocation): Reporter {
  let render = kubeadmRenderer();
  const say = waitingFilter();
  let started = false;
  let failed: string | undefined;
  const print = (lines: readonly RenderedLine[]) => {
    for (const { stream, text } of lines) output[stream](`${text}\n`);
  };
  return {
    begin: ({ workflow, kubernetesVersion, phase }, warnings) => {
      render = kubeadmRenderer(phase);
      print(warningLines('kubeadm', warnings).map((text) => ({ stream: 'stderr', text })));
      if (workflow === 'init' && phase === undefined)
        print([{ stream: 'stdout', text: `[init] Using Kubernetes version: ${kubernetesVersion}` }]);
    },
    event: (event) => {
      if (event.type === 'waiting' && !say(event)) return;
      started ||= event.type === 'phase-started';
      if (event.type === 'phase-failed') failed = event.phase;
      print(render(event));
    },
    plan: (plan, files) => {
      const lines = [...planLines(plan), ...writtenLines(files)];
      print(lines.map((text) => ({ stream: 'stdout', text: `[dryrun] ${text.trimStart()}` })));
    },
    finish: (_, closing) => print(closing.map((text) => ({ stream: 'stdout', text }))),
    fail: (error) => {
      const told = started ? error : beforeFirstPhase(error);
      return failed === undefined ? told : ofPhase(failed, told);
    },
  };
}

function writtenLines(files: DryRunFiles | undefined): readonly string[] {
  if (files === undefined) return [];
  return files.files.length === 0
    ? [`Nothing would be written, so nothing was written to the "${files.directory}" directory`]
    : [
        `Wrote what would be written to the "${files.directory}" directory`,
        ...files.files.map(({ location, file }) => `  ${location} is ${file}`),
      ];
}

/** An error as kubeadm wraps it (cmd/phases/workflow/runner.go). */
function ofPhase(phase: string, error: unknown): unknown {
  const message = `error execution phase ${phase}: ${messageOf(error)}`;
  return isGroundplaneError(error) ? withMessage(error, message) : new Error(message, { cause: error });
}
