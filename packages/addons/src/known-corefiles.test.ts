import { describe, expect, it } from 'vitest';
import { defaultCorefile } from './default-corefile.ts';
import { isKnownCorefile, type KnownCorefile, knownCorefiles } from './known-corefiles.ts';

/** A Corefile as a kubeadm of that time wrote it. */
function corefileOf({ lines }: KnownCorefile): string {
  const text: string[] = ['.:53 {'];
  lines.forEach((line, index) => {
    const words = line
      .trim()
      .replace('kubernetes * ***', 'kubernetes cluster.local in-addr.arpa ip6.arpa')
      .replace(/^(forward|proxy) \. \*$/, '$1 . /etc/resolv.conf')
      .replace('*', 'cluster.local');
    const inBlock = line.startsWith(' ');
    const opens = !inBlock && lines[index + 1]?.startsWith(' ');
    const closes = inBlock && !lines[index + 1]?.startsWith(' ');
    text.push(`${inBlock ? '        ' : '    '}${words}${opens ? ' {' : ''}`, ...(closes ? ['    }'] : []));
  });
  return `${text.join('\n')}\n}\n`;
}

describe('isKnownCorefile()', () => {
  it.each(knownCorefiles)('knows the default that came with CoreDNS $coreDNS', (known) => {
    expect(isKnownCorefile(corefileOf(known))).toBe(true);
  });

  it('knows its own, for any domain', () => {
    expect(isKnownCorefile(defaultCorefile('cluster.local'))).toBe(true);
    expect(isKnownCorefile(defaultCorefile('a.b.example'))).toBe(true);
  });

  const own = defaultCorefile('cluster.local');
  const alike: Readonly<Record<string, string>> = {
    'another order': own.replace('    loop\n    reload\n', '    reload\n    loop\n'),
    'comments and blank lines': `# mine\n\n${own.replace('loop', 'loop # against loops')}`,
    'other indentation and line ends': own.replaceAll(/ {4}/g, '\t').replaceAll('\n', '\r\n'),
  };
  it.each(Object.entries(alike))('does not mind %s', (_, text) => {
    expect(isKnownCorefile(text)).toBe(true);
  });

  const changed: Readonly<Record<string, string>> = {
    nothing: '',
    'another server': own.replace('.:53', '.:5353'),
    'a second server': `${own}example.com:53 {\n    forward . 192.0.2.53\n}\n`,
    'a resolver of somebody': own.replace('/etc/resolv.conf', '192.0.2.53'),
    'a resolver beside the default one': own.replace('/etc/resolv.conf', '/etc/resolv.conf 192.0.2.53'),
    'a plugin more': own.replace('loop', 'loop\n    log'),
    'a plugin less': own.replace('    loadbalance\n', ''),
    'a plugin twice': own.replace('loop', 'loop\n    loop'),
    'another time to live': own.replace('ttl 30', 'ttl 60'),
    'an option more': own.replace('ttl 30', 'ttl 30\n       endpoint_pod_names'),
    'an option less': own.replace('       pods insecure\n', ''),
    'another cache': own.replace('cache 30', 'cache 300'),
    'a block in an option': own.replace('ttl 30', 'ttl 30 {\n a\n }'),
    'quoted words': own.replace('ttl 30', 'ttl "30"'),
    'an environment variable': own.replace('ttl 30', 'ttl {$TTL}'),
    'an import': own.replace('loop', 'loop\n    import more/*'),
    'a snippet': `(snip) {\n    log\n}\n${own}`,
    'a brace too few': own.trimEnd().slice(0, -1),
    'a brace too many': `${own}}\n`,
    'a block on one line': own.replace('health {\n       lameduck 5s\n    }', 'health { lameduck 5s }'),
  };
  it.each(Object.entries(changed))('does not take for a default: %s', (_, text) => {
    if (text !== '') expect(text).not.toBe(own);
    expect(isKnownCorefile(text)).toBe(false);
  });
});
