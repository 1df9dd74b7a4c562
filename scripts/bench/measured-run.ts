import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Measurement } from './benchmark.ts';

/** The program that measures a command; see its own comment. */
export const measureProgram = fileURLToPath(new URL('measure.pl', import.meta.url));

/**
 * Shows the command a host on which it can leave nothing behind but in the folder `$1`: /run is empty, /etc is a copy without
 * /etc/kubernetes, and this and /var/lib lie in that folder, so on the same disk as the rest of what it writes.
 */
const isolation = [
  'set -e',
  'mkdir -p "$1/var-lib"',
  'cp -a /etc "$1/etc"',
  'rm -rf "$1/etc/kubernetes"',
  'mount --bind "$1/var-lib" /var/lib',
  'mount -t tmpfs tmpfs /run',
  'mount --bind "$1/etc" /etc',
  'shift',
  'exec "$@"',
].join('\n');

/**
 * Runs a command on this host in mounts of its own, and measures it.
 *
 * @param scratch a folder made for this run, which will hold what the command writes: `etc` and `var-lib` are its /etc and /var/lib
 * @throws Error with what the command said if it fails
 */
export async function measureOnHost(argv: readonly string[], scratch: string): Promise<Measurement> {
  const isolated = ['unshare', '--mount', '--propagation', 'private', 'sh', '-c', isolation, 'sh', scratch];
  return measurementIn(await capture([...isolated, 'perl', measureProgram, ...argv]), argv);
}

/** What a command printed on both of its outputs. */
export interface Captured {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command to its end, whatever its code. */
export function capture(argv: readonly string[]): Promise<Captured> {
  const [program = '', ...args] = argv;
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: '/', stdio: ['ignore', 'pipe', 'pipe'] });
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    child.stdout.on('data', (piece: Buffer) => stdout.push(piece));
    child.stderr.on('data', (piece: Buffer) => stderr.push(piece));
    child.on('error', (cause) => reject(new Error(`cannot run ${program}: ${cause.message}`, { cause })));
    child.on('close', (code) =>
      resolve({
        code: code ?? 128,
        stdout: Buffer.concat(stdout).toString(),
        stderr: Buffer.concat(stderr).toString(),
      }),
    );
  });
}

/**
 * Reads the line that {@link measureProgram} ends with.
 *
 * @throws Error if there is none, or the measured command failed
 */
export function measurementIn(output: Captured, argv: readonly string[]): Measurement {
  const [, code, seconds, kibibytes] = /\n@measured (\d+) ([\d.]+) (\d+)\n$/.exec(output.stdout) ?? [];
  if (code === '0') return { seconds: Number(seconds), bytes: Number(kibibytes) * 1024 };
  const said = `${output.stdout}\n${output.stderr}`.trim().split('\n').slice(-20).join('\n');
  throw new Error(
    `cannot measure as the command failed with exit code ${code ?? output.code}: ${argv.join(' ')}\n${said}`,
  );
}
