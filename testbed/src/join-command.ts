/** What one node tells another that is to join: the arguments of `join`, as printed. */
export type JoinArguments = readonly string[];

/**
 * Finds the command with which a worker joins in what `init` or `token create --print-join-command` printed, by whichever
 * of the two tools: a line with `join HOST:PORT --token …`, continued by backslashes.
 *
 * @returns its arguments without the program and `join`
 * @throws Error if there is none
 */
export function joinArgumentsIn(output: string): JoinArguments {
  const commands = output
    .replaceAll(/\\\r?\n/g, ' ')
    .split('\n')
    .flatMap((line) => /(?:^|\s)(?:kubeadm|groundplane) join (\S+:\d+ .*)$/.exec(line)?.[1] ?? [])
    .map((command) => command.trim().split(/\s+/))
    .filter((words) => words.includes('--token') && !words.includes('--control-plane'));
  const last = commands.at(-1);
  if (last) return last;
  throw new Error(`no command to join a worker was printed: ${output.slice(-2_000)}`);
}
