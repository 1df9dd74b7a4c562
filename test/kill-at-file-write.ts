import type { CommandResult, Machine } from '@groundplane/testbed';

/** Right before the nth file gets its name, or right after it. */
export interface FileWrite {
  readonly at: 'before' | 'after';
  readonly write: number;
}

export interface FileWriteOptions {
  /** Names of files that the program does not write. */
  readonly others?: readonly string[];
  /** How many there are already, from runs before. @default 0 */
  readonly there?: number;
}

/** An injection into the call that gives a file its name. */
const strace = (injection: string) => [
  ...['strace', '-qq', '-o', '/root/strace.out'],
  ...['-e', `inject=rename,renameat,renameat2:${injection}`],
];

const countScript = (others: readonly string[]) =>
  [
    'find /etc/kubernetes /var/lib/kubelet -xdev -type f ! -name ".*"',
    ...others.map((name) => `! -name ${name}`),
    '\\( -path "/etc/*" -o -name "*.yaml" -o -name "*.env" \\) 2>/dev/null | wc -l',
  ].join(' ');

/** Files that were written in whole; hidden leftovers of an interrupted write are not counted. */
export async function writtenFiles(machine: Machine, others: readonly string[] = []): Promise<number> {
  return Number((await machine.exec(['sh', '-c', countScript(others)])).stdout.trim());
}

/** Runs a command until it writes its nth file, and kills it there. */
export async function killAtFileWrite(
  machine: Machine,
  words: readonly string[],
  { at, write, others = [], there = 0 }: FileWrite & FileWriteOptions,
): Promise<CommandResult> {
  const when = write - there;
  // A signal injected at the nth rename leaves exactly the nth write undone.
  if (at === 'before')
    return machine.exec([...strace(`signal=SIGKILL:when=${when}`), ...words], { timeoutMs: 120_000 });
  // The nth rename is done, and its process is held still until it is killed: nothing comes after the nth write.
  const reached = `[ "$(${countScript(others)})" = ${write} ]`;
  return killWhen(machine, [...strace(`delay_exit=60000000:when=${when}`)], words, reached);
}

/** Runs a command under a tracer, or none, and kills both when a condition of the shell is met. */
export async function killWhen(
  machine: Machine,
  tracer: readonly string[],
  words: readonly string[],
  condition: string,
): Promise<CommandResult> {
  // The shell becomes the command itself, so its own process id is the one to kill.
  const noted = (name: string) => ['sh', '-c', `echo $$ >/root/${name}.pid; exec "$@"`, 'sh'];
  await machine.exec(['rm', '-f', '/root/outer.pid', '/root/inner.pid']);
  const running = machine.exec([...noted('outer'), ...tracer, ...noted('inner'), ...words], { timeoutMs: 120_000 });
  // strace would sleep out its minute; it lets go of nobody who lives.
  const script = `until [ -s /root/inner.pid ] && ${condition}; do sleep 0.05; done; kill -9 "$(cat /root/inner.pid)"; kill -9 "$(cat /root/outer.pid)" || true`;
  const killer = await machine.exec(['sh', '-c', script], { timeoutMs: 120_000 });
  if (killer.code !== 0) throw new Error(`cannot kill ${words.join(' ')} at the point: ${killer.stderr}`);
  return running;
}
