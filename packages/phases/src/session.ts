import type { Finding } from '@groundplane/errors';
import type { PhaseEvaluation } from './evaluate-selection.ts';
import type { Product, Report } from './events.ts';
import { type Journal, openJournal } from './journal.ts';
import type { Issued, SigningRequest } from './ports.ts';
import { reportingTo } from './reporting.ts';
import type { RunRequest } from './run.ts';
import { signalOf, stoppablePorts } from './stopping.ts';
import { createWorld, type World } from './world.ts';

/** What the phases of one run share. */
export interface Session<C> {
  /** Its ports are those of the run: what hangs is given up after the signal has aborted. */
  readonly request: RunRequest<C>;
  readonly planned: readonly PhaseEvaluation<C>[];
  readonly world: World;
  /** For what is taken back, after a call may have been given up. */
  readonly worldToUndo: () => World;
  /** @throws GroundplaneError PHASES_ABORTED if a call was given up, whatever a phase made of that */
  readonly requireNothingLeft: () => void;
  /** The one instant of the run. */
  readonly now: Date;
  readonly report: Report;
  /** Reports what a failing listener is not to stand in the way of. */
  readonly tell: Report;
  readonly signal: AbortSignal;
  /** Absent where none is kept. */
  readonly journal: Journal | undefined;
  /** Answers that were asked for ahead of their phase, by phase name. */
  readonly issued: Map<string, { readonly request: SigningRequest; readonly answer: Promise<Issued> }>;
  /** What the phases have handed back so far. */
  readonly results: readonly Product[];
  /** Reports a product, and keeps it for the run's result. */
  readonly handBack: (product: Product, to: Report) => void;
  /** Reports the findings that were not reported before. */
  readonly reportFindings: (phase: string, findings: readonly Finding[], to?: Report) => void;
}

export function createSession<C>(
  request: RunRequest<C>,
  planned: readonly PhaseEvaluation<C>[],
  now: Date,
): Session<C> {
  const { report, tell } = reportingTo(request.report);
  const signal = signalOf(request);
  const { ports, requireNothingLeft } = stoppablePorts(request.ports, signal);
  const worldOf = (through: RunRequest<C>['ports']) => createWorld(request.workflow, request.config, through);
  const reported = new Set<string>();
  const results: Product[] = [];
  return {
    request: { ...request, ports },
    planned,
    now,
    report,
    tell,
    world: worldOf(ports),
    worldToUndo: () => worldOf(stoppablePorts(request.ports, signal).ports),
    requireNothingLeft,
    signal,
    journal: request.journal === undefined ? undefined : openJournal(ports.host.files, request.journal),
    issued: new Map(),
    results,
    handBack(product, to) {
      results.push(product);
      to({ type: 'result', ...product });
    },
    reportFindings(phase, findings, to = report) {
      for (const finding of findings) {
        const key = findingKey(finding);
        if (reported.has(key)) continue;
        reported.add(key);
        to({ type: 'finding', phase, finding });
      }
    },
  };
}

/** What makes two findings the same one. */
export function findingKey(finding: Finding): string {
  return `${finding.code} ${finding.artifact} ${finding.message}`;
}
