import type { AnyPhase, Workflow } from '@groundplane/phases';

/**
 * Names of the phases that can be made before their machine is there: they neither act on it nor ask the cluster, so all that
 * they write are files. Where all phases of a group are, it is named as a whole: `certs`.
 */
export function phasesAhead<C>({ phases }: Workflow<C>): readonly string[] {
  const groups = new Set(phases.map(({ name }) => groupOf(name)));
  return [...groups].flatMap((group) => {
    const members = phases.filter(({ name }) => groupOf(name) === group);
    return members.every(isAhead) ? [group] : members.filter(isAhead).map(({ name }) => name);
  });
}

function isAhead<C>({ uses, connect }: AnyPhase<C>): boolean {
  return uses.length === 0 && connect === undefined;
}

function groupOf(name: string): string {
  return name.split('/')[0] ?? name;
}
