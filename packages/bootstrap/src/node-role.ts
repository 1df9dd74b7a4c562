import { artifactOf, type Host, type Layout, type Workflow } from '@groundplane/phases';
import { filePathOf } from './file-path-of.ts';
import { initWorkflow } from './init-workflow.ts';
import { joinedAuthority } from './join-artifacts.ts';
import { joinWorkflow } from './join-workflow.ts';
import { usualLayout } from './usual-layout.ts';

/** What a machine is in a cluster, by what is on it; `none` it is in none · `unknown` who asks may not look. */
export type NodeRole = 'control-plane' | 'worker' | 'none' | 'unknown';

function filesOf<C>({ phases }: Workflow<C>, layout: Layout): readonly string[] {
  return phases
    .flatMap(({ writes }) => Object.values(writes))
    .map((entry) => artifactOf(entry).where(layout))
    .flatMap((location) => (location.kind === 'file' ? [location.path] : []));
}

/**
 * A machine with a file that only a control-plane node has is one, be it half made; then one that join leaves counts. The certificate
 * of a CA alone says nothing: it is put there beforehand for either.
 */
export async function nodeRole({ files }: Host, layout: Layout = usualLayout): Promise<NodeRole> {
  const joined = filesOf(joinWorkflow, layout);
  const own = filesOf(initWorkflow, layout).filter((path) => !joined.includes(path));
  const authority = filePathOf(joinedAuthority, layout);
  let hidden = false;
  for (const [role, paths] of [
    ['control-plane', own],
    ['worker', joined.filter((path) => path !== authority)],
  ] as const) {
    for (const path of paths) {
      try {
        if ((await files.status(path)) !== undefined) return role;
      } catch {
        hidden = true;
      }
    }
  }
  return hidden ? 'unknown' : 'none';
}
