import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';

const url = new URL('../dist/process-output.js', import.meta.url).href;

/** A process that waits until it is told to stop, then ends in order. */
const waiter = `import { endProcess, processOutput, stopSignal } from '${url}';
  const signal = stopSignal(); processOutput().stdout('ready');
  await new Promise((resolve) => { const timer = setInterval(() => {}, 1000); signal.addEventListener('abort', () => { clearInterval(timer); resolve(); }); });
  processOutput().stdout(' ended'); endProcess(4);`;

describe('a process that is told to stop', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)('ends in order, and by the signal: %s', async (name) => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', waiter]);
    let text = '';
    child.stdout.on('data', (data) => {
      if (text === '') child.kill(name);
      text += data;
    });
    const [code, signal] = await once(child, 'close');
    expect({ text, code, signal }).toEqual({ text: 'ready ended', code: null, signal: name });
  });

  it('ends with its code otherwise, and with a reader that has gone', async () => {
    const script = `import { endProcess, processOutput } from '${url}'; process.stdin.resume();
      process.stdin.on('end', () => { processOutput().stdout('x'.repeat(100000)); endProcess(3); });`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script]);
    child.stdout.destroy();
    child.stdin.end();
    const [code] = await once(child, 'close');
    expect(code).toBe(3);
  });
});
