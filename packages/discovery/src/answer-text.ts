import type { HttpsResult } from './discovery-ports.ts';
import { type DiscoveryErrorCode, discoveryError } from './error-codes.ts';

/** What a status of the API server means to a node that asks for cluster-info. */
const statusReasons: Readonly<Record<number, string>> = {
  401: 'the API server takes no requests of strangers, its anonymous authentication is off',
  403: 'the API server does not let strangers read it yet, or not at all',
  404: 'it is not there yet',
  429: 'the API server is overloaded',
  503: 'the API server is not ready',
};

const faultCodes = {
  unreachable: 'DISCOVERY_UNREACHABLE',
  timeout: 'DISCOVERY_UNREACHABLE',
  'cut-short': 'DISCOVERY_UNREACHABLE',
  untrusted: 'DISCOVERY_UNTRUSTED',
  'too-large': 'DISCOVERY_ANSWER_INVALID',
  foreign: 'DISCOVERY_ANSWER_INVALID',
} as const;

/** What somebody at the machine that joins can do. */
export const faultHints: Partial<Record<DiscoveryErrorCode, string>> = {
  DISCOVERY_UNREACHABLE: 'Check the address and the way to it: firewall, load balancer, HTTPS_PROXY and NO_PROXY',
  DISCOVERY_UNTRUSTED:
    'Another server may answer at this address. If not, compare the clock of this host with the time: timedatectl',
  DISCOVERY_ANSWER_INVALID: 'Check what listens there: curl -k https://HOST:PORT/version',
};

/**
 * The body of an answer of status 200.
 *
 * @param options.what what was to be read: `cluster-info`
 * @throws DISCOVERY_UNREACHABLE, DISCOVERY_UNTRUSTED, DISCOVERY_ANSWER_INVALID, DISCOVERY_REDIRECTED, DISCOVERY_REFUSED
 */
export function answerText(result: HttpsResult, options: { readonly what: string; readonly from: string }): string {
  const { what, from } = options;
  if ('fault' in result) {
    const code = faultCodes[result.fault];
    const hint = faultHints[code];
    throw discoveryError(code, `Cannot read ${what} from ${from} as ${result.reason}`, {
      ...(hint === undefined ? {} : { hint }),
      details: { fault: result.fault },
    });
  }
  const { status, text, location = '' } = result;
  if (status === 200) return text;
  if (status >= 300 && status < 400) {
    throw redirected({ what, from, status, location });
  }
  const reason = statusReasons[status];
  throw discoveryError(
    'DISCOVERY_REFUSED',
    `Cannot read ${what} from ${from} as ${reason ?? 'the server refuses it'}: HTTP status ${status}`,
    { details: { status } },
  );
}

export function redirected(options: {
  readonly what: string;
  readonly from: string;
  readonly status: number;
  readonly location: string;
}) {
  const { what, from, status, location } = options;
  return discoveryError(
    'DISCOVERY_REDIRECTED',
    `Cannot read ${what} from ${from} as the server redirects, with status ${status}, to ${shown(location)}`,
    { hint: 'Give the place itself, if it is to be trusted', details: { status } },
  );
}

/** A text of somebody whom we do not trust. */
function shown(text: string): string {
  return JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}…` : text);
}
