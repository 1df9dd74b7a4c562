import { clusterError } from './error-codes.ts';

/**
 * The JSON object that an answer of the API server is.
 *
 * @param options.what for the message: `get ConfigMap kube-system/kubeadm-config`
 * @throws GroundplaneError CLUSTER_ANSWER_INVALID
 */
export function parseAnswer<T extends object>(
  text: string,
  { what, server }: { readonly what: string; readonly server: string },
): T {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // Said below.
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as T;
  throw clusterError('CLUSTER_ANSWER_INVALID', `Cannot ${what} as the answer is no JSON object: ${server}`, {
    details: { server },
    hint: 'check that an API server listens there: curl -k https://HOST:PORT/version',
  });
}
