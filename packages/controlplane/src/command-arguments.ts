import type { ExtraArgument } from './control-plane-facts.ts';

/** A flag of our own with its value. */
export interface Flag {
  readonly name: string;
  readonly value: string;
}

/** The value of the last argument of that name, which is the one that counts; undefined if there is none. */
export function lastArgument(args: readonly ExtraArgument[] | undefined, name: string): ExtraArgument | undefined {
  return args?.findLast((argument) => argument.name === name);
}

/** The value that a user's argument makes of our own. */
export function mergedValue(own: string, argument: ExtraArgument): string {
  if (argument.mergeMethod === 'append') return `${own}${argument.value}`;
  if (argument.mergeMethod === 'prepend') return `${argument.value}${own}`;
  return argument.value;
}

/**
 * The arguments of a component: our flags sorted by name without those that the user sets, then the user's in their
 * order, repeated names included. Of an argument that merges only the last one of its name counts, within our flag.
 * Source: cmd/kubeadm/app/util/arguments.go.
 */
export function commandArguments(own: readonly Flag[], extra: readonly ExtraArgument[] = []): string[] {
  const sorted = [...own].sort(
    (left, right) => compareText(left.name, right.name) || compareText(left.value, right.value),
  );
  const kept = sorted.flatMap(({ name, value }) => {
    const override = lastArgument(extra, name);
    if (override === undefined) return [`--${name}=${value}`];
    return merges(override) ? [`--${name}=${mergedValue(value, override)}`] : [];
  });
  const added = extra.filter((argument) => !merges(argument)).map(({ name, value }) => `--${name}=${value}`);
  return [...kept, ...added];
}

/** Order of UTF-16 units, which for the names used here is byte order. */
export function compareText(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

function merges({ mergeMethod }: ExtraArgument): boolean {
  return mergeMethod === 'append' || mergeMethod === 'prepend';
}
