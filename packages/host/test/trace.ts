import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Runs a child script of this folder under strace. One thread does all file operations: strace counts `when=` per thread. */
export function traced(
  script: string,
  args: readonly string[],
  options: { readonly strace: readonly string[]; readonly input?: string },
): {
  readonly signal: NodeJS.Signals | null;
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
} {
  const command = ['-f', ...options.strace, process.execPath, join(import.meta.dirname, script), ...args];
  return spawnSync('strace', command, {
    encoding: 'utf8',
    input: options.input ?? '',
    env: { ...process.env, UV_THREADPOOL_SIZE: '1' },
  });
}

/** System calls of a trace written with `-o`, as `name(arguments) = result` without process ids; interrupted halves are joined. */
export function systemCalls(file: string): readonly string[] {
  const calls: string[] = [];
  const unfinished = new Map<string, string>();
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    const [, pid, text] = /^(\d+)\s+(.*)$/.exec(line) ?? [];
    if (pid === undefined || text === undefined) continue;
    const resumed = /^<\.\.\. \w+ resumed>(.*)$/.exec(text);
    if (text.endsWith('<unfinished ...>')) unfinished.set(pid, text.replace(/ *<unfinished \.\.\.>$/, ''));
    else calls.push(resumed === null ? text : `${unfinished.get(pid) ?? ''}${resumed[1] ?? ''}`);
  }
  return calls;
}
