import { encodeBase64 } from '@groundplane/pki';
import type { TokenParts } from './bootstrap-token.ts';

/**
 * The signature of a token over the kubeconfig in cluster-info: a compact JWS whose payload is left out (RFC 7515,
 * appendix F), HS256 with the 16 ASCII bytes of the secret as key (k8s.io/cluster-bootstrap, token/jws). JOSE libraries
 * refuse so short a key.
 *
 * @param kubeconfig the exact text of the ConfigMap's value
 * @returns `header..signature`, base64url without padding
 */
export async function detachedSignature(kubeconfig: string, { id, secret }: TokenParts): Promise<string> {
  const encoder = new TextEncoder();
  const header = base64url(encoder.encode(`{"alg":"HS256","kid":"${id}"}`));
  const content = encoder.encode(`${header}.${base64url(encoder.encode(kubeconfig))}`);
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), algorithm, false, ['sign']);
  return `${header}..${base64url(new Uint8Array(await crypto.subtle.sign('HMAC', key, content)))}`;
}

/**
 * True if a signature is the very one that {@link detachedSignature} gives: a header in another order or with more in it
 * is refused even if it was signed with the right key. How long it takes does not tell where a wrong one differs.
 */
export async function isSignedBy(
  kubeconfig: string,
  options: { readonly signature: string; readonly token: TokenParts },
): Promise<boolean> {
  return isSameText(options.signature, await detachedSignature(kubeconfig, options.token));
}

function isSameText(one: string, other: string): boolean {
  if (one.length !== other.length) return false;
  let difference = 0;
  for (let at = 0; at < one.length; at += 1) difference |= one.charCodeAt(at) ^ other.charCodeAt(at);
  return difference === 0;
}

function base64url(bytes: Uint8Array): string {
  return encodeBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
