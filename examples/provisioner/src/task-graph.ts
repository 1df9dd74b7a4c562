/** One thing to do. Doing it again when it is done already changes nothing. */
export interface Task {
  readonly name: string;
  /** Names of tasks that have to be done before. */
  readonly after?: readonly string[];
  readonly run: () => Promise<void>;
}

/**
 * Runs each task as soon as those that it comes after are done, others meanwhile. After a failure no further task begins.
 *
 * @param done told the name of each task that has ended well
 * @throws TypeError for an unknown name or a circle, before any task begins; what the first task that fails throws, when none runs any more
 */
export async function runTasks(tasks: readonly Task[], done: (name: string) => void = () => {}): Promise<void> {
  const ordered = inOrder(tasks);
  const started = new Map<string, Promise<void>>();
  let failure: { readonly error: unknown } | undefined;
  for (const task of ordered) {
    const before = (task.after ?? []).map((name) => started.get(name));
    const begin = async () => {
      await Promise.all(before);
      if (failure !== undefined) return;
      try {
        await task.run();
        done(task.name);
      } catch (error) {
        failure ??= { error };
      }
    };
    started.set(task.name, begin());
  }
  await Promise.all(started.values());
  if (failure !== undefined) throw failure.error;
}

/** Tasks, each after those that it needs. */
function inOrder(tasks: readonly Task[]): readonly Task[] {
  const byName = new Map(tasks.map((task) => [task.name, task]));
  const ordered = new Set<Task>();
  const visit = (task: Task, path: readonly string[]): void => {
    if (ordered.has(task)) return;
    if (path.includes(task.name))
      throw new TypeError(`Cannot order tasks as they wait for each other: ${path.join(', ')}`);
    for (const name of task.after ?? []) {
      const needed = byName.get(name);
      if (needed === undefined)
        throw new TypeError(`Cannot order tasks as ${task.name} comes after an unknown one: ${name}`);
      visit(needed, [...path, task.name]);
    }
    ordered.add(task);
  };
  for (const task of tasks) visit(task, []);
  return [...ordered];
}
