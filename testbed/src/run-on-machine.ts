import { spawn } from 'node:child_process';
import { succeeding } from './kubectl.ts';
import type { Machine } from './machine.ts';
import { execArguments } from './machine-exec.ts';
import { testbedIdentity } from './testbed-identity.ts';

/** Runs a command that is expected to succeed on a machine, and returns what it printed. */
export type RunOn = (machine: Machine, argv: readonly string[]) => Promise<string>;

/** Shows nothing. @throws Error with what the command said if it fails */
export const collected: RunOn = async (machine, argv) => (await succeeding(machine, argv)).stdout;

/** Shows what the command prints as it comes. @throws Error if it fails */
export const shown: RunOn = (machine, argv) => {
  const [program = '', ...rest] = execArguments(testbedIdentity(), machine.name, argv, {});
  return new Promise((resolve, reject) => {
    const child = spawn(program, rest, { stdio: ['ignore', 'pipe', 'inherit'] });
    const pieces: Buffer[] = [];
    child.stdout.on('data', (piece: Buffer) => {
      pieces.push(piece);
      process.stdout.write(piece);
    });
    child.once('error', reject);
    child.once('close', (code) =>
      code === 0
        ? resolve(Buffer.concat(pieces).toString())
        : reject(new Error(`${argv.slice(0, 4).join(' ')} on ${machine.name} failed with exit code ${code}`)),
    );
  });
};
