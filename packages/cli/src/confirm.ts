import { cliError } from './error-codes.ts';
import { type Invocation, textFlag } from './invocation.ts';

/**
 * Asks a question on the terminal and goes on if it is answered with yes; the answer is the first line of standard input.
 *
 * @param question without its ending, for instance `[reset] Are you sure you want to proceed?`
 * @throws GroundplaneError CLI_NOT_CONFIRMED
 */
export async function confirm(question: string, invocation: Invocation): Promise<void> {
  const isData = ['json', 'jsonl'].includes(textFlag(invocation, 'output') ?? 'text');
  invocation.output[isData ? 'stderr' : 'stdout'](`${question} [y/N]: `);
  const answer = await Promise.race([firstLine(invocation.input), aborted(invocation.signal)]);
  if (/^y(es)?$/i.test(answer ?? '')) return;
  const reason = answer === undefined ? 'standard input ended without an answer' : 'the answer was not y or yes';
  // kubeadm: cmd/util/cmdutil.go, InteractivelyConfirmAction
  throw cliError(
    'CLI_NOT_CONFIRMED',
    `won't proceed; the user didn't answer (Y|y) in order to continue: ${reason}, nothing was changed`,
    { hint: 'Answer y, or give --force to run without the question' },
  );
}

/** @returns undefined if the input ends before anything comes, or there is none */
async function firstLine(input: Invocation['input']): Promise<string | undefined> {
  const decoder = new TextDecoder();
  let text = '';
  try {
    for await (const chunk of input()) {
      text += typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
      if (text.includes('\n')) break;
    }
  } catch {
    // A closed input is one that ends.
  }
  return text === '' ? undefined : text.split(/\r?\n/, 1)[0];
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
