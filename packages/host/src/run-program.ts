export type Environment = Readonly<Record<string, string | undefined>>;

export interface ProgramResult {
  /** Exit code; 127 when the program cannot be started, 128 and the signal's number when a signal ended it. */
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** More than any program that we ask prints; what comes after it is dropped. */
const maximumOutput = 4 * 1024 * 1024;

/** Runs a program without a shell and without standard input. Never rejects. Killed after `timeoutMs` (default one minute). */
export async function runProgram(
  program: string,
  args: readonly string[],
  options: { readonly environment: Environment; readonly timeoutMs?: number },
): Promise<ProgramResult> {
  // Loaded when it is needed: most commands run no program.
  const { spawn } = await import('node:child_process');
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...options.environment },
      timeout: options.timeoutMs ?? 60_000,
      killSignal: 'SIGKILL',
    });
    const stdout = collect(child.stdout);
    const stderr = collect(child.stderr);
    child.on('error', (error) => resolve({ code: 127, stdout: '', stderr: error.message }));
    child.on('close', (code, signal) => {
      const exitCode = code ?? 128 + signalNumber(signal);
      resolve({ code: exitCode, stdout: stdout(), stderr: stderr() });
    });
  });
}

function collect(stream: NodeJS.ReadableStream): () => string {
  const chunks: Buffer[] = [];
  let size = 0;
  stream.on('data', (chunk: Buffer) => {
    if (size >= maximumOutput) return;
    chunks.push(chunk);
    size += chunk.length;
  });
  return () => Buffer.concat(chunks).toString('utf8');
}

function signalNumber(signal: NodeJS.Signals | null): number {
  return signal === 'SIGTERM' ? 15 : 9;
}
