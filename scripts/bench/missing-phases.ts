/**
 * The phases that kubeadm's `init` has and ours has not yet, as `--skip-phases` wants them, so that both do the same work.
 *
 * @param kubeadmHelp what `kubeadm init --help` prints
 * @param ourPhases what `groundplane phases list` prints: a phase's id begins each line
 * @throws Error if either text lists no phase
 */
export function missingPhases(kubeadmHelp: string, ourPhases: string): readonly string[] {
  const ours = ourPhases.split('\n').flatMap((line) => /^([a-z][\w/-]*)(?:\s|$)/.exec(line)?.[1] ?? []);
  const theirs = kubeadmPhases(kubeadmHelp);
  if (ours.length === 0) throw new Error(`groundplane phases list names no phase: ${ourPhases}`);
  const isOurs = (id: string) => ours.some((phase) => phase === id || phase.startsWith(`${id}/`));
  return theirs.filter((id) => {
    const parent = id.includes('/') ? id.slice(0, id.indexOf('/')) : undefined;
    // A skipped phase takes its parts with it.
    return !isOurs(id) && (parent === undefined || isOurs(parent));
  });
}

/** The phases in the help's first code block, which shows the parts of one below it, each after a slash. */
function kubeadmPhases(help: string): readonly string[] {
  const block = help.split('```')[1] ?? '';
  const phases: string[] = [];
  let parent = '';
  for (const line of block.split('\n')) {
    const [, slash, name] = /^\s*(\/?)([a-z][\w-]*)\s/.exec(line) ?? [];
    if (name === undefined) continue;
    if (slash === '') parent = name;
    phases.push(slash === '' ? name : `${parent}/${name}`);
  }
  if (phases.length === 0) throw new Error(`kubeadm init --help names no phase: ${help.slice(0, 200)}`);
  return phases;
}
