import type { Finding } from '@groundplane/errors';
import type { PhaseEvaluation } from './evaluate-selection.ts';
import type { Product, Report } from './events.ts';
import { type Journal, openJournal } from './journal.ts';
import type { Issued, SigningRequest } from './ports.ts';
import type { RunRequest } from './run.ts';
import { createWorld, type World } from './world.ts';

/** What the phases of one run share. */
export interface Session<C> {
  readonly request: RunRequest<C>;
  readonly planned: readonly PhaseEvaluation<C>[];
  readonly world: World;
  /** The one instant of the run. */
  readonly now: Date;
  readonly report: Report;
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
  const report = request.report ?? (() => {});
  const reported = new Set<string>();
  const results: Product[] = [];
  return {
    request,
    planned,
    now,
    report,
    world: createWorld(request.workflow, request.config, request.ports),
    signal: request.signal ?? new AbortController().signal,
    journal: request.journal === undefined ? undefined : openJournal(request.ports.host.files, request.journal),
    issued: new Map(),
    results,
    handBack(product) {
      results.push(product);
      report({ type: 'result', ...product });
    },
    reportFindings(phase, findings) {
      for (const finding of findings) {
        const key = findingKey(finding);
        if (reported.has(key)) continue;
        reported.add(key);
        report({ type: 'finding', phase, finding });
      }
    },
  };
}

/** What makes two findings the same one. */
export function findingKey(finding: Finding): string {
  return `${finding.code} ${finding.artifact} ${finding.message}`;
}
