import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { systemCode } from './error-codes.ts';
import type { Environment } from './run-program.ts';

export interface ProgramQuestion {
  /** Written to its standard input, which then ends. */
  readonly input: string;
  /** The whole environment of the program; PATH says where it is. */
  readonly environment: Environment;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** More bytes of standard output than this are no answer. */
  readonly maximumBytes: number;
}

/** How a program ended that was asked something. */
export type ProgramAnswer =
  | { readonly ended: 'done'; readonly stdout: string; readonly stderr: string }
  | {
      readonly ended: 'failed' | 'killed' | 'timeout' | 'stopped' | 'overflow';
      /** Why there is no answer: `it ended with exit code 3`, `it was killed: SIGSEGV` */
      readonly reason: string;
      readonly stderr: string;
    }
  /** It was never running. */
  | { readonly ended: 'unstarted'; readonly reason: string };

/** The last bytes of standard error that are kept: what went wrong is mostly said last. */
const keptErrors = 16 * 1024;

/** From being told to end until it is killed, and from its own end until its pipes are no longer waited for. */
const graceMs = 1000;

/**
 * Asks a program something: text in, text out. It runs without a shell, in a process group and a session of its own, so that it has no terminal and that
 * what it has started ends with it. Never rejects.
 *
 * @param command the program, as PATH finds it, and its arguments
 */
export async function askProgram(
  [program = '', ...args]: readonly string[],
  { input, environment, timeoutMs, signal, maximumBytes }: ProgramQuestion,
): Promise<ProgramAnswer> {
  if (signal?.aborted) return { ended: 'unstarted', reason: 'the run was told to stop' };
  const { spawn } = await import('node:child_process');
  return new Promise((resolve) => {
    let child: ChildProcessWithoutNullStreams;
    try {
      child = spawn(program, args, { cwd: '/', detached: true, env: { ...environment }, stdio: 'pipe' });
    } catch (thrown) {
      // A name with a zero byte, say.
      return resolve(unstarted(thrown));
    }
    const answer: Buffer[] = [];
    let size = 0;
    let errors = Buffer.alloc(0);
    let cut: { readonly ended: 'timeout' | 'stopped' | 'overflow'; readonly reason: string } | undefined;
    const timers: NodeJS.Timeout[] = [];
    const after = (ms: number, action: () => void) => timers.push(setTimeout(action, ms));
    const kill = (by: NodeJS.Signals) => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, by);
      } catch {
        // All of the group have ended.
      }
    };
    const killNow = () => kill('SIGKILL');
    const end = (ended: 'timeout' | 'stopped' | 'overflow', reason: string) => {
      if (cut !== undefined) return;
      cut = { ended, reason };
      kill('SIGTERM');
      after(graceMs, killNow);
    };
    const stop = () => end('stopped', 'the run was told to stop');
    signal?.addEventListener('abort', stop, { once: true });
    // Nothing that was asked outlives who asked.
    process.once('exit', killNow);
    after(timeoutMs, () => end('timeout', `it did not end within ${timeoutMs / 1000} s`));

    child.stdout.on('data', (piece: Buffer) => {
      size += piece.length;
      if (size > maximumBytes) end('overflow', `it printed more than ${maximumBytes} bytes`);
      else answer.push(piece);
    });
    child.stderr.on('data', (piece: Buffer) => {
      errors = Buffer.concat([errors, piece]).subarray(-keptErrors);
    });
    // One that does not read its input ends before it is written.
    child.stdin.on('error', () => {});
    child.stdin.end(input);

    const settle = (result: ProgramAnswer) => {
      for (const timer of timers) clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
      process.removeListener('exit', killNow);
      for (const stream of child.stdio) stream?.destroy();
      resolve(result);
    };
    const finish = (code: number | null, by: NodeJS.Signals | null) => {
      const stderr = errors.toString('utf8');
      if (cut !== undefined) settle({ ...cut, stderr });
      else if (by !== null) settle({ ended: 'killed', reason: `it was killed: ${by}`, stderr });
      else if (code !== 0) settle({ ended: 'failed', reason: `it ended with exit code ${code}`, stderr });
      else settle({ ended: 'done', stdout: Buffer.concat(answer).toString('utf8'), stderr });
    };
    child.once('error', (thrown) => {
      if (child.pid === undefined) settle(unstarted(thrown));
    });
    child.once('close', finish);
    // Something that it left behind may hold its pipes for ever.
    child.once('exit', (code, by) =>
      after(graceMs, () => {
        killNow();
        finish(code, by);
      }),
    );
  });
}

function unstarted(thrown: unknown): ProgramAnswer {
  const code = systemCode(thrown);
  const reason = reasons[code ?? ''] ?? (thrown instanceof Error ? thrown.message : String(thrown));
  return { ended: 'unstarted', reason };
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such program, or none that its first line names',
  EACCES: 'it is no program that may be run',
  ENOEXEC: 'it is no program, and has no first line that names one',
};
