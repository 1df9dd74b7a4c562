import { spawn } from 'node:child_process';

/** What a finished child process left behind. `code` is 128 + n when signal n ended it. */
export interface CommandResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CommandOptions {
  /** Written to the child's standard input, which is then closed. Default: none. */
  readonly input?: string | Uint8Array;
  /** The whole environment of the child. Default: this process's. */
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
  /** After this many milliseconds the child is sent SIGKILL and the code is 124. */
  readonly timeoutMs?: number;
  /** Called with each piece of standard error as it comes. */
  readonly onStderr?: (text: string) => void;
}

const signalNumbers: Readonly<Record<string, number>> = { SIGHUP: 1, SIGINT: 2, SIGKILL: 9, SIGTERM: 15 };

/**
 * Runs one program to its end and returns its exit code and output, whatever the code is.
 *
 * @throws Error when the program cannot be started (its name is in the message).
 */
export function runCommand(argv: readonly string[], options: CommandOptions = {}): Promise<CommandResult> {
  const [program, ...rest] = argv;
  if (program === undefined) throw new TypeError('runCommand: argv is empty');
  return new Promise((resolve, reject) => {
    const child = spawn(program, rest, {
      cwd: options.cwd,
      env: options.env ?? process.env,
      stdio: [options.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    });
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    let timedOut = false;
    const timer =
      options.timeoutMs === undefined
        ? undefined
        : setTimeout(() => {
            timedOut = true;
            child.kill('SIGKILL');
            // A grandchild may hold the pipes open; do not wait for it.
            child.stdout?.destroy();
            child.stderr?.destroy();
          }, options.timeoutMs);
    child.stdout?.on('data', (piece: Buffer) => stdout.push(piece));
    child.stderr?.on('data', (piece: Buffer) => {
      stderr.push(piece);
      options.onStderr?.(piece.toString());
    });
    child.on('error', (cause) => {
      clearTimeout(timer);
      reject(new Error(`cannot run ${program}: ${cause.message}`, { cause }));
    });
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      resolve({
        code: timedOut ? 124 : (code ?? 128 + (signalNumbers[signal ?? ''] ?? 0)),
        stdout: Buffer.concat(stdout).toString(),
        stderr: Buffer.concat(stderr).toString(),
      });
    });
    // A child may end before it has read everything; its exit code tells more than EPIPE.
    child.stdin?.on('error', () => {});
    child.stdin?.end(options.input);
  });
}

/**
 * Runs one program that is expected to succeed and returns its standard output.
 *
 * @throws Error with the command, its exit code and the last lines of its output.
 */
export async function mustRun(argv: readonly string[], options: CommandOptions = {}): Promise<string> {
  const { code, stdout, stderr } = await runCommand(argv, options);
  if (code === 0) return stdout;
  const said = (stderr.trim() || stdout.trim()).split('\n').slice(-15).join('\n');
  throw new Error(`${argv.slice(0, 6).join(' ')} failed with exit code ${code}: ${said}`);
}
