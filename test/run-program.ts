import { spawn } from 'node:child_process';

export interface RunOptions {
  readonly cwd: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly input?: string;
}

export interface ProgramResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program to its end, whatever its exit code. */
export function runProgram(program: string, args: readonly string[], options: RunOptions): Promise<ProgramResult> {
  return new Promise((resolve, reject) => {
    const { cwd, env = process.env, input } = options;
    const child = spawn(program, args, { cwd, env, stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'] });
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    child.stdout?.on('data', (piece: Buffer) => stdout.push(piece));
    child.stderr?.on('data', (piece: Buffer) => stderr.push(piece));
    child.on('error', (cause) => reject(new Error(`cannot run ${program}: ${cause.message}`, { cause })));
    child.on('close', (code) =>
      resolve({
        code: code ?? 128,
        stdout: Buffer.concat(stdout).toString(),
        stderr: Buffer.concat(stderr).toString(),
      }),
    );
    child.stdin?.end(input);
  });
}

/**
 * Runs a program that is expected to succeed and returns its standard output.
 *
 * @throws Error with the exit code and all that it said
 */
export async function mustRun(program: string, args: readonly string[], options: RunOptions): Promise<string> {
  const { code, stdout, stderr } = await runProgram(program, args, options);
  if (code === 0) return stdout;
  throw new Error(`${program} ${args.slice(0, 4).join(' ')} failed with exit code ${code}:\n${stdout}${stderr}`);
}
