import { describe, expect, it } from 'vitest';
import { confirm } from './confirm.ts';
import type { Invocation } from './invocation.ts';

type Input = ReturnType<Invocation['input']>;

async function asked(
  input: () => Input,
  { format, signal = new AbortController().signal }: { format?: string; signal?: AbortSignal } = {},
) {
  const written = { stdout: '', stderr: '' };
  const invocation = {
    flags: format === undefined ? {} : { output: format },
    output: {
      stdout: (text: string) => {
        written.stdout += text;
      },
      stderr: (text: string) => {
        written.stderr += text;
      },
    },
    input,
    signal,
  } as unknown as Invocation;
  const outcome = await confirm('[reset] Sure?', invocation).then(
    () => 'yes',
    (error: Error) => error.message,
  );
  return { outcome, ...written };
}

const typed = (...chunks: readonly (string | Uint8Array)[]) =>
  async function* () {
    yield* chunks;
  };

describe('confirm', () => {
  it.each([
    ['y', typed('y\n')],
    ['yes in any case', typed('YES\n')],
    ['yes without a line end', typed('yes')],
    ['yes in pieces and bytes', typed(new TextEncoder().encode('ye'), new TextEncoder().encode('s\r\n'))],
    ['yes before other lines', typed('y\nn\n')],
  ])('takes %s for a yes', async (_, input) => {
    expect(await asked(input)).toEqual({ outcome: 'yes', stdout: '[reset] Sure? [y/N]: ', stderr: '' });
  });

  it.each([
    ['n', typed('n\n'), 'the answer was not'],
    ['an empty line', typed('\n'), 'the answer was not'],
    ['yes with more', typed('yes please\n'), 'the answer was not'],
    ['the end of the input', typed(), 'standard input ended'],
    [
      'an input that cannot be read',
      () => {
        throw new Error('EBADF');
      },
      'standard input ended',
    ],
  ])('takes %s for a no', async (_, input, reason) => {
    const { outcome } = await asked(input);
    expect(outcome).toContain("won't proceed; the user didn't answer (Y|y) in order to continue");
    expect(outcome).toContain(reason);
  });

  it('keeps standard output free for a document', async () => {
    expect(await asked(typed('y\n'), { format: 'json' })).toMatchObject({
      stdout: '',
      stderr: '[reset] Sure? [y/N]: ',
    });
  });

  it('ends when the process is told to stop', async () => {
    const controller = new AbortController();
    const silent = async function* (): AsyncGenerator<string> {
      await new Promise(() => {});
    };
    const pending = asked(silent, { signal: controller.signal });
    controller.abort(new Error('stopped by SIGINT'));
    expect((await pending).outcome).toBe('stopped by SIGINT');
  });
});
