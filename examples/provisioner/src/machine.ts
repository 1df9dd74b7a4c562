import { spawn } from 'node:child_process';

export interface CommandResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A machine that can be told to do something. */
export interface Machine {
  /** Runs a command as root. */
  exec(argv: readonly string[], options?: { readonly input?: string | Uint8Array }): Promise<CommandResult>;
}

/** A machine that root reaches by ssh. */
export function sshMachine(host: string): Machine {
  const quoted = (word: string) => `'${word.replaceAll("'", `'\\''`)}'`;
  return {
    exec: (argv, { input = '' } = {}) =>
      new Promise((resolve, reject) => {
        const child = spawn('ssh', ['-o', 'BatchMode=yes', `root@${host}`, argv.map(quoted).join(' ')]);
        const said = { stdout: '', stderr: '' };
        child.stdout.on('data', (piece) => {
          said.stdout += piece;
        });
        child.stderr.on('data', (piece) => {
          said.stderr += piece;
        });
        child.on('error', reject);
        child.on('close', (code) => resolve({ code: code ?? 128, ...said }));
        child.stdin.end(input);
      }),
  };
}
