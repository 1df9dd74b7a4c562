import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import type { ExecOptions } from './machine.ts';
import { runcState } from './machine-record.ts';
import { type CommandResult, mustRun, runCommand } from './run-command.ts';
import type { TestbedIdentity } from './testbed-identity.ts';

/** The argv on the host that runs a command in a machine. */
export function execArguments(
  identity: TestbedIdentity,
  name: string,
  argv: readonly string[],
  options: Pick<ExecOptions, 'env' | 'timeoutMs' | 'cwd'> & { readonly tty?: boolean } = {},
): readonly string[] {
  const env = Object.entries(options.env ?? {}).flatMap(([key, value]) => ['--env', `${key}=${value}`]);
  // Ends the command inside: ending `runc exec` alone would leave it running.
  const limit = options.timeoutMs ? ['timeout', '--kill-after=5', String(options.timeoutMs / 1000)] : [];
  return [
    'runc',
    '--root',
    runcState(identity),
    'exec',
    ...(options.tty ? ['--tty'] : []),
    ...(options.cwd ? ['--cwd', options.cwd] : []),
    ...env,
    name,
    ...limit,
    ...argv,
  ];
}

/** Runs a command in a machine, and collects what it says. */
export function execInMachine(
  identity: TestbedIdentity,
  name: string,
  argv: readonly string[],
  options: ExecOptions = {},
): Promise<CommandResult> {
  return runCommand(execArguments(identity, name, argv, options), {
    ...(options.input === undefined ? {} : { input: options.input }),
    ...(options.timeoutMs === undefined ? {} : { timeoutMs: options.timeoutMs + 10_000 }),
  });
}

/** Runs a command in a machine on our own standard input, output and terminal; returns its exit code. */
export function attachToMachine(
  identity: TestbedIdentity,
  name: string,
  argv: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<number> {
  const tty = Boolean(process.stdin.isTTY && process.stdout.isTTY);
  const terminal: Record<string, string> = tty ? { TERM: process.env.TERM ?? 'xterm' } : {};
  const [program = '', ...rest] = execArguments(identity, name, argv, { tty, env: { ...terminal, ...env } });
  return new Promise((resolvePromise, reject) => {
    const child = spawn(program, rest, { stdio: 'inherit' });
    child.once('error', reject);
    child.once('close', (code) => resolvePromise(code ?? 137));
  });
}

/** Runs `from | to` without a shell. */
async function pipe(from: readonly string[], to: readonly string[]): Promise<void> {
  const [fromProgram = '', ...fromRest] = from;
  const [toProgram = '', ...toRest] = to;
  const source = spawn(fromProgram, fromRest, { stdio: ['ignore', 'pipe', 'pipe'] });
  const sink = spawn(toProgram, toRest, { stdio: ['pipe', 'ignore', 'pipe'] });
  // The sink may end early; its exit code and words tell more than EPIPE.
  sink.stdin.on('error', () => source.stdout.destroy());
  source.stdout.pipe(sink.stdin);
  const said: string[] = [];
  for (const child of [source, sink]) child.stderr?.on('data', (piece: Buffer) => said.push(piece.toString()));
  const ends = [source, sink].map(
    (child) =>
      new Promise<number>((resolvePromise, reject) => {
        child.once('error', reject);
        child.once('close', (code) => resolvePromise(code ?? 137));
      }),
  );
  const codes = await Promise.all(ends);
  if (codes.some((code) => code !== 0)) throw new Error(said.join('').trim() || `exit codes ${codes.join(', ')}`);
}

/** Unpacks a tar from standard input and copies its one entry `$1` to `$2`, as cp does. */
const placeScript = [
  'set -e',
  'work=$(mktemp -d)',
  'trap \'rm -rf "$work"\' EXIT',
  'tar -x --no-same-owner -p -C "$work"',
  'mkdir -p "$(dirname "$2")"',
  'cp -a "$work/$1" "$2"',
].join('\n');

export async function copyIn(
  identity: TestbedIdentity,
  name: string,
  source: string,
  destination: string,
): Promise<void> {
  const from = resolve(source);
  if (!existsSync(from)) throw new Error(`cannot copy ${source} to ${name}: there is no such file on the host`);
  const pack = ['tar', '-c', '-C', dirname(from), basename(from)];
  const place = execArguments(identity, name, ['sh', '-c', placeScript, 'sh', basename(from), destination]);
  await pipe(pack, place).catch((cause: Error) => {
    throw new Error(`cannot copy ${source} to ${name}:${destination}: ${cause.message}`, { cause });
  });
}

export async function copyOut(
  identity: TestbedIdentity,
  name: string,
  source: string,
  destination: string,
): Promise<void> {
  const pack = execArguments(identity, name, ['tar', '-c', '-C', dirname(source), basename(source)]);
  const place = ['sh', '-c', placeScript, 'sh', basename(source), resolve(destination)];
  await pipe(pack, place).catch((cause: Error) => {
    throw new Error(`cannot copy ${name}:${source} to ${destination}: ${cause.message}`, { cause });
  });
}

export async function writeMachineFile(
  identity: TestbedIdentity,
  name: string,
  path: string,
  content: string | Uint8Array,
  mode: number,
): Promise<void> {
  const script =
    'set -e; mkdir -p "$(dirname "$1")"; umask 077; cat > "$1.new"; chmod "$2" "$1.new"; mv -T "$1.new" "$1"';
  const argv = ['sh', '-c', script, 'sh', path, mode.toString(8)];
  await mustRun(execArguments(identity, name, argv), { input: content });
}

export async function readMachineFile(identity: TestbedIdentity, name: string, path: string): Promise<string> {
  const { code, stdout, stderr } = await execInMachine(identity, name, ['cat', '--', path]);
  if (code === 0) return stdout;
  throw new Error(`cannot read ${name}:${path}: ${stderr.trim()}`);
}
