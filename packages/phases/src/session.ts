import type { Finding } from '@groundplane/errors';
import type { PhaseEvaluation } from './evaluate-selection.ts';
import type { Product, Report } from './events.ts';
import { type Journal, openJournal } from './journal.ts';
import type { Issued, SigningRequest } from './ports.ts';
import { reportingTo } from './reporting.ts';
import type { RunRequest } from './run.ts';
import { type StoppablePorts, signalOf, stoppablePorts } from './stopping.ts';
import { createWorld, type World } from './world.ts';

/** What the phases of one run share. */
export interface Session<C> {
  /** Its ports are those of the run: what hangs is given up after the signal has aborted. */
  readonly request: RunRequest<C>;
  readonly planned: readonly PhaseEvaluation<C>[];
  readonly world: World;
  /** The same for what is taken back: calls may have been given up, and it goes on although the run was told to stop. */
  readonly undoing: () => Session<C>;
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
  readonly handBack: (product: Product) => void;
  /** Reports the findings that were not reported before. */
  readonly reportFindings: (phase: string, findings: readonly Finding[]) => void;
}

export function createSession<C>(
  request: RunRequest<C>,
  planned: readonly PhaseEvaluation<C>[],
  now: Date,
): Session<C> {
  const { report, tell } = reportingTo(request.report);
  const signal = signalOf(request);
  const reported = new Set<string>();
  const results: Product[] = [];
  const issued: Session<C>['issued'] = new Map();

  function sessionOf(
    { ports, requireNothingLeft }: StoppablePorts,
    own: Pick<Session<C>, 'report' | 'signal'>,
  ): Session<C> {
    return {
      ...own,
      request: { ...request, ports },
      planned,
      now,
      tell,
      world: createWorld(request.workflow, request.config, ports),
      undoing,
      requireNothingLeft,
      journal: request.journal === undefined ? undefined : openJournal(ports.host.files, request.journal),
      issued,
      results,
      handBack(product) {
        results.push(product);
        own.report({ type: 'result', ...product });
      },
      reportFindings(phase, findings) {
        for (const finding of findings) {
          const key = findingKey(finding);
          if (reported.has(key)) continue;
          reported.add(key);
          own.report({ type: 'finding', phase, finding });
        }
      },
    };
  }

  function undoing(): Session<C> {
    // What is told has no listener that may end it.
    return sessionOf(stoppablePorts(request.ports, signal), { report: tell, signal: new AbortController().signal });
  }

  return sessionOf(stoppablePorts(request.ports, signal), { report, signal });
}

/** What makes two findings the same one. */
export function findingKey(finding: Finding): string {
  return `${finding.code} ${finding.artifact} ${finding.message}`;
}
