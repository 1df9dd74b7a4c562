import { type CorefileDirective, parseCorefile } from './parse-corefile.ts';

/** A default Corefile: `*` stands for one word, `***` for all further ones of the line. */
export interface KnownCorefile {
  /** First version of CoreDNS that it came with. */
  readonly coreDNS: string;
  /** Lines of the one server `.:53`; indented ones belong to the block of the line above. */
  readonly lines: readonly string[];
}

const kubernetes = (...options: readonly string[]) => ['kubernetes * ***', ...options.map((option) => ` ${option}`)];
const reverse = 'fallthrough in-addr.arpa ip6.arpa';
const oldKubernetes = kubernetes('pods insecure', 'upstream', reverse);
const newKubernetes = kubernetes('pods insecure', reverse, 'ttl 30');
const metrics = 'prometheus :9153';
const lameduck = ['health', ' lameduck 5s'];
const ending = ['loop', 'reload', 'loadbalance'];
const limitedForward = ['forward . *', ' max_concurrent 1000'];
const uncached = ['cache 30', ' disable success *', ' disable denial *'];

/**
 * The Corefiles that kubeadm has ever written, oldest first. Source: the releases of github.com/coredns/corefile-migration 1.0.34
 * that have a default of their own; the last is kubeadm's since the cluster domain is no longer cached, which that table lacks.
 */
export const knownCorefiles: readonly KnownCorefile[] = [
  { coreDNS: '1.1.3', lines: ['errors', 'health', ...oldKubernetes, metrics, 'proxy . *', 'cache 30', 'reload'] },
  { coreDNS: '1.2.2', lines: ['errors', 'health', ...oldKubernetes, metrics, 'proxy . *', 'cache 30', ...ending] },
  {
    coreDNS: '1.3.1',
    lines: ['errors', 'health', ...oldKubernetes, ' ttl 30', metrics, 'forward . *', 'cache 30', ...ending],
  },
  {
    coreDNS: '1.6.2',
    lines: ['errors', 'health', 'ready', ...newKubernetes, metrics, 'forward . *', 'cache 30', ...ending],
  },
  {
    coreDNS: '1.6.5',
    lines: ['errors', ...lameduck, 'ready', ...newKubernetes, metrics, 'forward . *', 'cache 30', ...ending],
  },
  {
    coreDNS: '1.7.0',
    lines: ['errors', ...lameduck, 'ready', ...newKubernetes, metrics, ...limitedForward, 'cache 30', ...ending],
  },
  {
    coreDNS: '1.11.3',
    lines: ['errors', ...lameduck, 'ready', ...newKubernetes, metrics, ...limitedForward, ...uncached, ...ending],
  },
];

/** Where kubeadm's own Corefiles send what is not of the cluster. */
const resolver = '/etc/resolv.conf';

/**
 * True for a Corefile that nobody has changed: it says what a known default says, in any order. Unlike kubeadm, names are sent to the
 * node's resolver or it is a change: whoever entered servers of their own means them.
 */
export function isKnownCorefile(corefile: string): boolean {
  const servers = parseCorefile(corefile);
  if (servers?.length !== 1) return false;
  const [server] = servers;
  if (server === undefined || server.words.join(' ') !== '.:53' || !sendsToResolver(server.block)) return false;
  return knownCorefiles.some(({ lines }) => matchesAll(server.block, patternsOf(lines)));
}

function sendsToResolver(plugins: readonly CorefileDirective[]): boolean {
  return plugins.every(({ words: [name, , ...targets] }) => {
    return (name !== 'forward' && name !== 'proxy') || targets.join(' ') === resolver;
  });
}

function patternsOf(lines: readonly string[]): readonly CorefileDirective[] {
  const plugins: { words: readonly string[]; block: CorefileDirective[] }[] = [];
  for (const line of lines) {
    const directive = { words: line.trim().split(' '), block: [] };
    if (line.startsWith(' ')) plugins.at(-1)?.block.push(directive);
    else plugins.push(directive);
  }
  return plugins;
}

/** True if each directive has a pattern of its own. No two patterns of one default match one directive, so greed does no harm. */
function matchesAll(directives: readonly CorefileDirective[], patterns: readonly CorefileDirective[]): boolean {
  const left = [...patterns];
  return (
    directives.every((directive) => {
      const at = left.findIndex((pattern) => matches(directive, pattern));
      return at >= 0 && left.splice(at, 1).length === 1;
    }) && left.length === 0
  );
}

function matches(directive: CorefileDirective, pattern: CorefileDirective): boolean {
  const rest = pattern.words.indexOf('***');
  const fixed = rest < 0 ? pattern.words : pattern.words.slice(0, rest);
  if (rest < 0 ? directive.words.length !== fixed.length : directive.words.length < fixed.length) return false;
  return (
    fixed.every((word, index) => word === '*' || word === directive.words[index]) &&
    matchesAll(directive.block, pattern.block)
  );
}
