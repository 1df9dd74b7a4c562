import type { Event } from '@groundplane/phases';

type Told<T extends Event['type']> = Extract<Event, { type: T }>;
type Artifact = Omit<Told<'artifact'>, 'type' | 'phase'>;
type Ended = Omit<Told<'phase-finished'>, 'type'> | Omit<Told<'phase-failed'>, 'type'>;

/** A phase as the document of a run that failed lists it. */
export type CollectedPhase = Ended & {
  /** What it did before it ended, or failed. */
  readonly artifacts: readonly Artifact[];
  /** Present if it did something and took it back, as the run failed. */
  readonly undone?: true;
};

/** The phases of a run so far, out of its events. */
export interface CollectedPhases {
  note(event: Event): void;
  phases(): readonly CollectedPhase[];
}

export function collectedPhases(): CollectedPhases {
  const artifacts = new Map<string, Artifact[]>();
  const ended = new Map<string, Ended>();
  const undone = new Set<string>();
  return {
    note(event) {
      if (event.type === 'artifact') {
        const { type: _, phase, ...artifact } = event;
        artifacts.set(phase, [...(artifacts.get(phase) ?? []), artifact]);
      }
      if (event.type === 'phase-undone') undone.add(event.phase);
      if (event.type === 'phase-finished' || event.type === 'phase-failed') {
        const { type: _, ...phase } = event;
        ended.set(phase.phase, phase);
      }
    },
    phases: () =>
      [...ended.values()].map((phase) => ({
        ...phase,
        artifacts: artifacts.get(phase.phase) ?? [],
        ...(undone.has(phase.phase) ? { undone: true } : {}),
      })),
  };
}
