const schemePattern = /^([a-zA-Z][a-zA-Z0-9+.-]*):/;
const badEscape = /%(?![0-9a-fA-F]{2})/;
const hostCharacters = /^[\w.~!$&'()*+,;=:[\]<>"%\u0080-\uffff-]*$/;

/**
 * The scheme of a URL as Go's net/url.Parse sees it, in lower case; empty if there is none.
 * Unlike WHATWG URLs nothing is normalised and `host:port` without slashes is a scheme with an opaque rest.
 *
 * @returns undefined if Go refuses the text
 */
export function goUrlScheme(text: string): string | undefined {
  if (/[\u0000-\u001f\u007f]/.test(text) || text.startsWith(':')) return undefined;
  const hash = text.indexOf('#');
  if (hash >= 0 && badEscape.test(text.slice(hash))) return undefined;
  const url = hash < 0 ? text : text.slice(0, hash);
  const scheme = schemePattern.exec(url)?.[1] ?? '';
  const rest = url.slice(scheme === '' ? 0 : scheme.length + 1).split('?', 1)[0] ?? '';
  if (!rest.startsWith('/')) {
    if (scheme !== '') return scheme.toLowerCase();
    if ((rest.split('/', 1)[0] ?? '').includes(':')) return undefined;
  }
  const hasAuthority = rest.startsWith('//') && (scheme !== '' || !rest.startsWith('///'));
  const authority = hasAuthority ? (/^\/\/([^/]*)/.exec(rest)?.[1] ?? '') : '';
  const path = hasAuthority ? rest.slice(2 + authority.length) : rest;
  return isAuthority(authority) && !badEscape.test(path) ? scheme.toLowerCase() : undefined;
}

function isAuthority(authority: string): boolean {
  const at = authority.lastIndexOf('@');
  const host = authority.slice(at + 1);
  if (at >= 0 && !/^[\w.~!$&'()*+,;=:@%-]*$/.test(authority.slice(0, at))) return false;
  if (badEscape.test(host) || !hostCharacters.test(host)) return false;
  const close = host.lastIndexOf(']');
  if (host.startsWith('[')) return close > 0 && isOptionalPort(host.slice(close + 1));
  const colon = host.lastIndexOf(':');
  return colon < 0 || isOptionalPort(host.slice(colon));
}

/**
 * The path of a URL as Go's net/url.Parse sees it, with escapes decoded; empty for a URL such as `file:name`, whose rest
 * is opaque. For texts that {@link goUrlScheme} accepts.
 */
export function goUrlPath(text: string): string {
  const url = text.split(/[?#]/, 1)[0] ?? '';
  const scheme = schemePattern.exec(url)?.[0] ?? '';
  const rest = url.slice(scheme.length);
  if (scheme !== '' && !rest.startsWith('/')) return '';
  const path = rest.replace(/^\/\/[^/]*/, '');
  try {
    return decodeURIComponent(path);
  } catch {
    // The escapes are bytes that are no UTF-8, which no text can hold.
    return path;
  }
}

/** Empty, or a colon with digits, as few as none. */
function isOptionalPort(text: string): boolean {
  return text === '' || /^:[0-9]*$/.test(text);
}
