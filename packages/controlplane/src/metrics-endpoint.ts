import type { ProbeEndpoint } from './component-table.ts';

/** What a URL says about where to connect; parts that it does not have are empty. */
interface Authority {
  readonly scheme: string;
  /** Without brackets. */
  readonly host: string;
  readonly port: string;
}

/**
 * Where the first of etcd's metrics URLs leads; what it does not say is taken from `standard`, and all of it if it is no URL.
 * Source: kubeadm's GetEtcdProbeEndpoint, which reads it by the rules of Go's net/url.
 *
 * @param urls value of `--listen-metrics-urls`: URLs separated by commas
 */
export function metricsEndpoint(urls: string, standard: ProbeEndpoint): ProbeEndpoint {
  const [first = ''] = urls.split(',');
  const authority = authorityOf(first);
  if (authority === undefined) return standard;
  const port = Number(authority.port);
  return {
    host: authority.host === '' ? standard.host : authority.host,
    port: port >= 1 && port <= 65535 ? port : standard.port,
    scheme: authority.scheme === 'https' ? 'HTTPS' : 'HTTP',
  };
}

/** Undefined for what Go does not take as a URL. */
function authorityOf(url: string): Authority | undefined {
  const [before = ''] = url.split('#');
  if (/[\u0000-\u001f\u007f]/.test(before) || before.startsWith(':')) return undefined;
  const [, scheme = '', afterScheme = ''] = /^(?:([a-z][a-z0-9+.-]*):)?([\s\S]*)$/i.exec(before) ?? [];
  const [rest = ''] = afterScheme.split('?');
  const none = { scheme: scheme.toLowerCase(), host: '', port: '' };
  if (!rest.startsWith('/')) {
    // With a scheme the rest is opaque; without one a colon in the first segment looks like a scheme that is none.
    return scheme === '' && (rest.split('/')[0] ?? '').includes(':') ? undefined : none;
  }
  const hasAuthority = rest.startsWith('//') && (scheme !== '' || !rest.startsWith('///'));
  const [authority = ''] = hasAuthority ? rest.slice(2).split('/') : [];
  if (!isEscaped(rest.slice(hasAuthority ? 2 + authority.length : 0))) return undefined;
  const at = authority.lastIndexOf('@');
  if (at >= 0 && !/^(?:[\w.~:!$&'()*+,;=@-]|%[0-9a-f]{2})*$/i.test(authority.slice(0, at))) return undefined;
  const address = /^(\[[^[]*\]|[^[:]*)(?::(\d*))?$/.exec(authority.slice(at + 1));
  const host = address === null ? undefined : unescapedHost(address[1] ?? '');
  return host === undefined ? undefined : { ...none, host, port: address?.[2] ?? '' };
}

function isEscaped(path: string): boolean {
  return !/%(?![0-9a-f]{2})/i.test(path);
}

/** In a name only what is not ASCII may be escaped, in an IPv6 address the percent sign before its zone. */
function unescapedHost(host: string): string | undefined {
  if (!/^(?:[^\u0000-\u007f]|[\w!"$&'()*+,.;:<=>~[\]-]|%(?:25|[89a-f][0-9a-f]))*$/i.test(host)) return undefined;
  const inBrackets = /^\[(.*)\]$/.exec(host)?.[1];
  if (inBrackets !== undefined && !/^[0-9a-f:.]*:[0-9a-f:.]*(?:%25.+)?$/i.test(inBrackets)) return undefined;
  try {
    return decodeURIComponent(inBrackets ?? host);
  } catch {
    return undefined;
  }
}
