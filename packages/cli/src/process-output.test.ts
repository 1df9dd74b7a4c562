import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const url = new URL('../dist/process-output.js', import.meta.url).href;

/** A process that waits until it is told to stop, then ends in order. */
const waiter = `import { endProcess, processOutput, stopSignal } from '${url}';
  const signal = stopSignal(); processOutput().stdout('ready');
  await new Promise((resolve) => { const timer = setInterval(() => {}, 1000); signal.addEventListener('abort', () => { clearInterval(timer); resolve(); }); });
  processOutput().stdout(' ended'); endProcess(4);`;

const start = (script: string) => spawn(process.execPath, ['--input-type=module', '-e', script]);

describe('a process that is told to stop', () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('ends in order, and by the signal: %s', async (name) => {
    const child = start(waiter);
    let text = '';
    child.stdout.on('data', (data) => {
      if (text === '') child.kill(name);
      text += data;
    });
    const [code, signal] = await once(child, 'close');
    expect({ text, code, signal }).toEqual({ text: 'ready ended', code: null, signal: name });
  });

  it('goes on where it was started to ignore the signal', async () => {
    const child = start(`process.env.GROUNDPLANE_IGNORED_SIGNALS = 'SIGHUP SIGINT'; ${waiter}`);
    let text = '';
    child.stdout.on('data', (data) => {
      if (text === '') for (const name of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const) child.kill(name);
      text += data;
    });
    const [, signal] = await once(child, 'close');
    expect({ text, signal }).toEqual({ text: 'ready ended', signal: 'SIGTERM' });
  });

  /** Is busy while signals arrive, and would go on for long after the first of them. */
  const stubborn = `import { processOutput, stopSignal } from '${url}'; const signal = stopSignal();
    signal.addEventListener('abort', () => { processOutput().stdout(' told'); });
    setTimeout(() => { processOutput().stdout(' went on'); process.exit(4); }, 2000);
    processOutput().stdout('ready'); Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);`;

  it.each([
    ['SIGINT', 'SIGINT'],
    ['SIGTERM', 'SIGTERM'],
    ['SIGINT', 'SIGTERM'],
    ['SIGTERM', 'SIGHUP'],
  ] as const)('ends at once by the second signal, be both there before it looks: %s, %s', async (first, second) => {
    const child = start(stubborn);
    let text = '';
    child.stdout.on('data', (data) => {
      if (text === '') {
        child.kill(first);
        // The kernel hands on two that are the same as one, unless the first has been delivered.
        setTimeout(() => child.kill(second), 50);
      }
      text += data;
    });
    const [code, signal] = await once(child, 'close');
    expect({ text, code, signal: [first, second].includes(signal) }).toEqual({
      text: 'ready',
      code: null,
      signal: true,
    });
  });

  it.each([
    ['SIGINT', 'SIGINT'],
    ['SIGINT', 'SIGTERM'],
  ] as const)('ends at once by the second signal, be it busy after the first: %s, %s', async (first, second) => {
    const blocked = `import { processOutput, stopSignal } from '${url}';
      stopSignal().addEventListener('abort', () => { processOutput().stdout(' told'); Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5000);
        processOutput().stdout(' went on'); process.exit(4); });
      setInterval(() => {}, 1000); processOutput().stdout('ready');`;
    const child = start(blocked);
    let text = '';
    child.stdout.on('data', (data) => {
      child.kill(text === '' ? first : second);
      text += data;
    });
    const [code, signal] = await once(child, 'close');
    expect({ text, code, signal }).toEqual({ text: 'ready told', code: null, signal: second });
  });

  // The first process of a container is not ended by a signal that it sends to itself.
  it('ends with the code of the signal where that does not end it', async () => {
    const child = start(`process.kill = () => true; process.exitCode = 0; ${waiter}`);
    child.stdout.once('data', () => child.kill('SIGTERM'));
    expect((await once(child, 'close'))[0]).toBe(143);
  });
});

describe('a process whose output goes nowhere', () => {
  it('is told to stop when its reader has gone, and ends by SIGPIPE', async () => {
    const child =
      start(`import { endProcess, isUnread, processOutput, stopSignal } from '${url}'; process.stdin.resume();
      process.stdin.on('end', () => { const signal = stopSignal(); processOutput().stdout('x'.repeat(100000)); processOutput().stdout('x');
        processOutput().stderr(signal.aborted + ' ' + isUnread()); endProcess(3); });`);
    let text = '';
    child.stderr.on('data', (data) => {
      text += data;
    });
    child.stdout.destroy();
    child.stdin.end();
    const [, signal] = await once(child, 'close');
    expect({ text, signal }).toEqual({ text: 'true true', signal: 'SIGPIPE' });
  });

  it('goes on where the disk is full, and knows why', async () => {
    const script = `import { endProcess, lostOutput, processOutput, stopSignal } from '${url}'; const output = processOutput();
      output.stdout('a'); output.stdout('b'); output.stderr(lostOutput()?.code + ' ' + stopSignal().aborted); endProcess(3);`;
    const full = openSync('/dev/full', 'w');
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', full, 'pipe'] });
    let text = '';
    child.stderr?.on('data', (data) => {
      text += data;
    });
    const [code] = await once(child, 'close');
    expect({ text, code }).toEqual({ text: 'ENOSPC false', code: 3 });
  });
});
