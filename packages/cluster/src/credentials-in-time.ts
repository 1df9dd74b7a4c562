import type { RequestOptions } from 'node:https';
import { messageOf, timeText } from '@groundplane/errors';
import { clusterError } from './error-codes.ts';
import { systemCodeOf } from './system-code.ts';

/** What a request shows of who sends it. May run a program. */
export interface Credentials {
  applyToHTTPSOptions(options: RequestOptions): Promise<void>;
}

export interface Plugin {
  readonly command: string;
  /** Ends the program that runs, if one does. */
  stop(): void;
}

/** Codes of a program that there is not, or that cannot be started. */
const unstartable: ReadonlySet<string | undefined> = new Set(['ENOENT', 'EACCES', 'ENOEXEC', 'ENOTDIR']);

/**
 * The credentials that a kubeconfig leads to, within a time. A program of exec that is not done by then is ended.
 *
 * @throws GroundplaneError CLUSTER_PLUGIN_MISSING, CLUSTER_PLUGIN_FAILED; for what is no program the error that was met
 */
export async function credentialsInTime(
  credentials: Credentials,
  options: { readonly plugin: Plugin | undefined; readonly timeoutMs: number },
): Promise<RequestOptions> {
  const { plugin, timeoutMs } = options;
  const identity: RequestOptions = {};
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(failed(plugin, `nothing came within ${timeText(timeoutMs)}`));
      plugin?.stop();
    }, timeoutMs);
  });
  try {
    await Promise.race([credentials.applyToHTTPSOptions(identity), late]);
    return identity;
  } catch (thrown) {
    const code = systemCodeOf(thrown);
    if (plugin === undefined || code?.startsWith('CLUSTER_')) throw thrown;
    if (unstartable.has(code)) throw missing(plugin, messageOf(thrown));
    throw failed(plugin, lastLine(messageOf(thrown)));
  } finally {
    clearTimeout(timer);
  }
}

const longestLine = 300;

/** Of what the program wrote for people. */
function lastLine(text: string): string {
  const line = text.trim().split('\n').at(-1)?.trim() ?? '';
  return line === '' ? 'it failed without a word' : line.slice(0, longestLine);
}

function missing({ command }: Plugin, why: string) {
  return clusterError(
    'CLUSTER_PLUGIN_MISSING',
    `Cannot run the program that the kubeconfig names under exec as ${why}: ${command}`,
    {
      hint: 'install it, or give its absolute path in the kubeconfig',
    },
  );
}

function failed(plugin: Plugin | undefined, why: string) {
  const source = plugin === undefined ? 'its auth-provider' : `the program under exec: ${plugin.command}`;
  return clusterError(
    'CLUSTER_PLUGIN_FAILED',
    `Cannot get the credentials of the kubeconfig as ${why}; they come from ${source}`,
    {
      hint: 'run the program by hand, without a terminal, to see what it waits for',
    },
  );
}
