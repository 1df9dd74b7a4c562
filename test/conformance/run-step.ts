import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runProgram } from '../run-program.ts';
import type { CaseStep } from './case-step.ts';

/** What a step left. */
export interface StepResult {
  readonly exit: number;
  readonly stdout: string;
  readonly stderr: string;
  /** A copy of /etc/kubernetes as it was in the end; absent if the sandbox did not get that far. */
  readonly artifacts: string;
}

export interface StepOptions {
  /** The folder with the inputs of the case. */
  readonly caseFolder: string;
  /** The script that makes the surroundings. */
  readonly sandbox: string;
  /** Path of the program that stands for `TOOL`. */
  readonly tool: string;
}

/** Runs a step in its sandbox and hands what it left to `judge`; then that is removed. */
export async function runStep<T>(step: CaseStep, options: StepOptions, judge: (result: StepResult) => T): Promise<T> {
  const { caseFolder, sandbox, tool } = options;
  const scratch = mkdtempSync(join(tmpdir(), 'groundplane-case-'));
  try {
    const artifacts = join(scratch, 'artifacts');
    const args = ['-c', caseFolder, '-o', artifacts, '-H', step.host ?? 'node-a'];
    if (step.extraPreparation !== undefined) {
      const script = join(scratch, 'prepare.sh');
      writeFileSync(script, step.extraPreparation.replaceAll('TOOL', tool));
      args.push('-p', script);
    }
    if (step.env !== undefined) args.push('-E', step.env);
    const command = ['bash', '-c', step.run.replaceAll('TOOL', tool)];
    // Steps run side by side, and one node has one lock.
    const env = { ...process.env, GROUNDPLANE_STATE_DIR: join(scratch, 'state') };
    const { code, stdout, stderr } = await runProgram(sandbox, [...args, '--', ...command], { cwd: scratch, env });
    return judge({ exit: code, stdout, stderr, artifacts });
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
