import { type Finding, isGroundplaneError, messageOf, warningsOf, withholdTokens } from '@groundplane/errors';
import { systemClock } from '@groundplane/host';
import type { Event, Plan, Product, RunResult } from '@groundplane/phases';
import { dataFormat } from '../arguments/data-format.ts';
import { errorWithGivenFlags, withGivenFlags } from '../given-flags.ts';
import type { Invocation, Output } from '../invocation.ts';
import { type LockHolder, lockWaitText } from '../node-lock.ts';
import { ReportedError } from '../reported-error.ts';
import { awaitedThings } from './awaited-things.ts';
import { collectedPhases } from './collected-phases.ts';
import { beforeFirstPhase, errorDocument, withMessage } from './error-lines.ts';
import { kubeadmRenderer } from './kubeadm-lines.ts';
import { liveLine } from './live-line.ts';
import { outputVersion } from './output-version.ts';
import { peopleLines } from './people-lines.ts';
import { distinct, planLines } from './plan-lines.ts';
import { printDocument, printEvent, type ResultDocument, type ResultLine } from './print-document.ts';
import type { RenderedLine } from './rendered-line.ts';
import { withheldData } from './shown-text.ts';
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

export interface PlanTold {
  /** Absent where nothing was written. */
  readonly files?: DryRunFiles;
  /** True if the command fails, be it as the plan is blocked; {@link Reporter.fail} ends it then. */
  readonly failing: boolean;
}

/** How a workflow's run is told to whoever asked for it. */
export interface Reporter {
  readonly begin: (header: RunHeader, warnings: readonly Finding[]) => void;
  /** Told once, if the run has to wait for another command on the node. */
  readonly lockWait: (holder: LockHolder) => void;
  readonly event: (event: Event) => void;
  /** Tells a plan; it ends the run, unless the command goes on to fail. */
  readonly plan: (plan: Plan, told: PlanTold) => void;
  /** Ends a run; `closing` is what people are told at the end. */
  readonly finish: (result: RunResult, closing: readonly string[]) => void;
  /** Ends a run that failed. @returns what is to be thrown */
  readonly fail: (error: unknown) => unknown;
}

/** The reporter for `--output` and the name that the program was called by. */
export function reporterFor(invocation: Invocation): Reporter {
  const reporter = reporterOf(invocation);
  const told = (finding: Finding) => withGivenFlags(finding, invocation);
  return {
    ...reporter,
    event: (event) => reporter.event(event.type === 'finding' ? { ...event, finding: told(event.finding) } : event),
    plan: (plan, options) =>
      reporter.plan(
        { ...plan, phases: plan.phases.map((phase) => ({ ...phase, findings: phase.findings.map(told) })) },
        options,
      ),
    fail: (error) => reporter.fail(errorWithGivenFlags(error, invocation)),
  };
}

function reporterOf(invocation: Invocation): Reporter {
  switch (dataFormat(invocation.flags.output)) {
    case 'json':
      return documentReporter(invocation);
    case 'jsonl':
      return linesReporter(invocation);
    default:
      return invocation.program === 'kubeadm' ? kubeadmReporter(invocation) : peopleReporter(invocation);
  }
}

/** One JSON document at the end, whether the run succeeded or not. */
function documentReporter(invocation: Invocation): Reporter {
  const { output, path } = invocation;
  const { monotonicMs } = systemClock();
  const start = monotonicMs();
  const warnings: Finding[] = [];
  const done = collectedPhases();
  const results: Product[] = [];
  let failing: Plan | undefined;
  const print = (document: ResultDocument) => printDocument(invocation, { command: path.join(' '), ...document });
  /** Those about the configuration, and those of the phases of a plan, each once. */
  const allWarnings = (plan: Plan | undefined) =>
    distinct([...warnings, ...warningsOf(plan?.phases.flatMap(({ findings }) => findings) ?? [])]);
  return {
    begin: (_, found) => void warnings.push(...warningsOf(found)),
    lockWait: toldOnStderr(output),
    event: (event) => {
      if (event.type === 'finding') warnings.push(...warningsOf([event.finding]));
      if (event.type === 'result') results.push(productOf(event));
      done.note(withoutTokens(event));
    },
    plan: (plan, { files, failing: fails }) => {
      if (fails) failing = plan;
      else print({ ...plan, ...(files === undefined ? {} : { dryRun: files }), warnings: allWarnings(plan) });
    },
    finish: (result) => print({ ...result, warnings }),
    fail: (error) => {
      const phases = done.phases();
      const durationMs = Math.round(monotonicMs() - start);
      // What was handed back before the failure is there, and may be of use.
      const ran = { workflow: workflowIn(path), durationMs, phases, results };
      print({ ...(failing ?? ran), warnings: allWarnings(failing), error: errorDocument(error) });
      return new ReportedError(phases.length === 0 ? beforeFirstPhase(error) : error);
    },
  };
}

/** `init` of the commands `init phase certs ca` and `plan init`. */
function workflowIn([first, second]: readonly string[]): string | undefined {
  return first === 'plan' ? second : first;
}

function toldOnStderr({ stderr }: Output): Reporter['lockWait'] {
  return (holder) => stderr(`${lockWaitText(holder)}\n`);
}

/** An event that tells of an error is held to the rule of errors. */
function withoutTokens(event: Event): Event {
  return event.type === 'phase-failed' ? withheldData(event, withholdTokens) : event;
}

function productOf({ type: _, ...product }: Extract<Event, { type: 'result' }>): Product {
  return product;
}

/** One JSON line per event while it runs; the last one says how it ended. */
function linesReporter({ output, path }: Invocation): Reporter {
  let started = false;
  const print = <L extends ResultLine>(line: L) => printEvent(output, line);
  return {
    begin: ({ workflow: command, ...header }, warnings) => {
      print({ type: 'run', outputVersion, command, workflow: workflowIn(path), ...header });
      for (const finding of warnings) print({ type: 'finding', finding });
    },
    lockWait: (holder) => print({ type: 'lock-wait', message: lockWaitText(holder), holder }),
    event: (event) => {
      started ||= event.type === 'phase-started';
      print(withoutTokens(event));
    },
    plan: (plan, { files }) => {
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
      const what = dryRun ? `What ${workflow.replace(/^plan /, '')} would do` : `Running ${workflow}`;
      const version = kubernetesVersion === undefined ? '' : ` with Kubernetes ${kubernetesVersion}`;
      print([{ stream: 'stdout', text: `${what} on ${nodeName}${version}` }]);
      print(warningLines('groundplane', warnings).map((text) => ({ stream: 'stderr', text })));
    },
    lockWait: toldOnStderr(output),
    event: (event) => {
      if (event.type === 'workflow-started') nameWidth = Math.max(0, ...event.phases.map((name) => name.length));
      started ||= event.type === 'phase-started';
      awaited.note(event);
      if (live.active && event.type === 'waiting') return live.show(awaited.forms(event));
      if (live.active && event.type === 'phase-started') return live.show([`${event.phase}: ${event.summary}`]);
      if (event.type === 'waiting' && !say(event)) return;
      print(peopleLines(event, { nameWidth }));
    },
    plan: (plan, { files }) =>
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
    lockWait: toldOnStderr(output),
    event: (event) => {
      if (event.type === 'waiting' && !say(event)) return;
      started ||= event.type === 'phase-started';
      if (event.type === 'phase-failed') failed = event.phase;
      print(render(event));
    },
    plan: (plan, { files }) => {
      const lines = [...planLines(plan), ...writtenLines(files)];
      print(lines.map((text) => ({ stream: 'stdout', text: `[dryrun] ${text.replace(/^ {2}/, '')}` })));
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
