import type { FlagValue } from '../src/index.ts';

/** One command line and what becomes of it. Peer tests hold the verdict to the real kubeadm. */
export interface ArgumentCase {
  readonly name: string;
  readonly line: readonly string[];
  /** Words of the command that is found, and the flags that were given. */
  readonly accepted?: {
    readonly command: string;
    readonly flags?: Readonly<Record<string, FlagValue>>;
    /** Its other arguments. */
    readonly words?: readonly string[];
    readonly help?: true;
  };
  /** kubeadm's message after `error: `; its first line where there are more. */
  readonly rejected?: string;
  /** The command does nothing but print, so that the peer may run the line as it is. */
  readonly harmless?: true;
  /** Text that the real command prints when it runs the line. */
  readonly prints?: RegExp;
  /** First line on stderr, where the line is accepted nevertheless and help follows it there. */
  readonly complains?: string;
}

const dryRun = (text: string, value: boolean): ArgumentCase => ({
  name: `boolean written ${text}`,
  line: ['init', `--dry-run=${text}`],
  accepted: { command: 'init', flags: { 'dry-run': value } },
});

const notBool = (text: string): ArgumentCase => ({
  name: `boolean written ${JSON.stringify(text)} is refused`,
  line: ['init', `--dry-run=${text}`],
  rejected: `invalid argument ${JSON.stringify(text)} for "--dry-run" flag: strconv.ParseBool: parsing ${JSON.stringify(text)}: invalid syntax`,
});

const port = (text: string, value: number): ArgumentCase => ({
  name: `integer written ${text}`,
  line: ['init', `--apiserver-bind-port=${text}`],
  accepted: { command: 'init', flags: { 'apiserver-bind-port': value } },
});

const notPort = (text: string, complaint = 'invalid syntax'): ArgumentCase => ({
  name: `integer written ${JSON.stringify(text)} is refused`,
  line: ['init', `--apiserver-bind-port=${text}`],
  rejected: `invalid argument ${JSON.stringify(text)} for "--apiserver-bind-port" flag: strconv.ParseInt: parsing ${JSON.stringify(text)}: ${complaint}`,
});

const ttl = (text: string): ArgumentCase => ({
  name: `duration written ${text}`,
  line: ['init', `--token-ttl=${text}`],
  accepted: { command: 'init', flags: { 'token-ttl': text } },
});

const notTtl = (text: string, complaint: string): ArgumentCase => ({
  name: `duration written ${JSON.stringify(text)} is refused`,
  line: ['init', `--token-ttl=${text}`],
  rejected: `invalid argument ${JSON.stringify(text)} for "--token-ttl" flag: time: ${complaint}`,
});

const list = (name: string, values: readonly string[], ...words: readonly string[]): ArgumentCase => ({
  name,
  line: ['init', ...words],
  accepted: { command: 'init', flags: { 'skip-phases': values } },
});

const version = (
  name: string,
  words: readonly string[],
  prints: RegExp,
  flags: Readonly<Record<string, FlagValue>>,
): ArgumentCase => ({
  name,
  line: words,
  accepted: { command: 'version', flags },
  harmless: true,
  prints,
});

const unknown = (name: string, line: readonly string[], rejected: string): ArgumentCase => ({ name, line, rejected });

const short = /^v1\.37\.2\n$/;

const endpoint = '192.0.2.10:6443';

/** Commands of other workflows, and those that take other arguments than flags. */
const workflowCases: readonly ArgumentCase[] = [
  {
    name: 'join with an endpoint before its flags',
    line: ['join', endpoint, '--token=a', '--control-plane=false'],
    accepted: { command: 'join', flags: { token: 'a', 'control-plane': false }, words: [endpoint] },
  },
  {
    name: 'join with an endpoint behind a boolean',
    line: ['join', '--control-plane', endpoint],
    accepted: { command: 'join', flags: { 'control-plane': true }, words: [endpoint] },
  },
  {
    name: 'join with an endpoint behind lists of pins',
    line: ['join', '--discovery-token-ca-cert-hash', 'sha256:a', '--discovery-token-ca-cert-hash=sha256:b', endpoint],
    accepted: {
      command: 'join',
      flags: { 'discovery-token-ca-cert-hash': ['sha256:a', 'sha256:b'] },
      words: [endpoint],
    },
  },
  {
    name: 'join with an endpoint behind --',
    line: ['join', '--token=a', '--', endpoint],
    accepted: { command: 'join', flags: { token: 'a' }, words: [endpoint] },
  },
  {
    name: 'join with two endpoints',
    line: ['join', endpoint, '192.0.2.11:6443'],
    rejected: 'accepts at most 1 arg(s), received 2',
    harmless: true,
  },
  {
    name: 'a phase of join with an endpoint',
    line: ['join', 'phase', 'preflight', endpoint],
    accepted: { command: 'join phase preflight', words: [endpoint] },
  },
  {
    name: 'a phase of join to which the endpoint is of no use',
    line: ['join', 'phase', 'kubelet-wait-bootstrap', endpoint],
    accepted: { command: 'join phase kubelet-wait-bootstrap', words: [endpoint] },
  },
  {
    name: 'an unknown phase of join',
    line: ['join', 'phase', 'bogus'],
    rejected: 'unknown command "bogus" for "kubeadm join phase"',
    harmless: true,
  },
  {
    name: 'a flag of join that its phase has not',
    line: ['join', 'phase', 'kubelet-start', '--control-plane'],
    rejected: 'unknown flag: --control-plane',
  },
  {
    name: 'the shorthand of --force with another one',
    line: ['reset', '-fv5'],
    accepted: { command: 'reset', flags: { force: true, v: 5 } },
  },
  {
    name: 'an alias of a phase of reset',
    line: ['reset', 'phase', 'cleanupnode', '--cleanup-tmp-dir'],
    accepted: { command: 'reset phase cleanup-node', flags: { 'cleanup-tmp-dir': true } },
  },
  {
    name: 'an alias with a dash',
    line: ['reset', 'phase', 'pre-flight', '-f=0'],
    accepted: { command: 'reset phase preflight', flags: { force: false } },
  },
  {
    name: 'a flag of reset that its phase has not',
    line: ['reset', 'phase', 'cleanup-node', '--force'],
    rejected: 'unknown flag: --force',
  },
  {
    name: 'a token to create',
    line: ['token', 'create', 'a.b', '--ttl=1h', '--usages=signing', '--usages', 'authentication'],
    accepted: {
      command: 'token create',
      flags: { ttl: '1h', usages: ['signing', 'authentication'] },
      words: ['a.b'],
    },
  },
  {
    name: 'several tokens to delete',
    line: ['token', 'delete', 'a', 'b', 'c'],
    accepted: { command: 'token delete', words: ['a', 'b', 'c'] },
  },
  {
    name: 'a flag of the parent between the words',
    line: ['token', '--kubeconfig=/a', 'list', '--dry-run'],
    accepted: { command: 'token list', flags: { kubeconfig: '/a', 'dry-run': true } },
  },
  {
    name: 'a boolean of the parent between the words',
    line: ['token', '--dry-run', 'create'],
    accepted: { command: 'token create', flags: { 'dry-run': true } },
  },
  {
    name: 'token generate takes no argument',
    line: ['token', 'generate', 'extra'],
    rejected: 'unknown command "extra" for "kubeadm token generate"',
    harmless: true,
  },
  {
    name: 'token list takes no argument',
    line: ['token', 'list', 'extra', '--kubeconfig=/nonexistent'],
    rejected: 'unknown command "extra" for "kubeadm token list"',
    harmless: true,
  },
  {
    name: 'a ttl that is no duration',
    line: ['token', 'create', '--ttl=1d'],
    rejected: 'invalid argument "1d" for "--ttl" flag: time: unknown unit "d" in duration "1d"',
  },
  {
    name: 'a generated token',
    line: ['token', 'generate', '--v=1'],
    accepted: { command: 'token generate', flags: { v: 1 } },
    harmless: true,
    prints: /^[a-z0-9]{6}\.[a-z0-9]{16}\n$/,
  },
];

export const argumentCases: readonly ArgumentCase[] = [
  ...workflowCases,
  // Booleans
  ...['true', 'TRUE', 'True', 't', 'T', '1'].map((text) => dryRun(text, true)),
  ...['false', 'FALSE', 'False', 'f', 'F', '0'].map((text) => dryRun(text, false)),
  ...['maybe', 'yes', 'no', 'on', 'tRUE', '', ' true', '2'].map(notBool),
  {
    name: 'a boolean takes no following word',
    line: ['init', 'phase', 'certs', 'ca', '--dry-run', 'false'],
    rejected: 'unknown command "false" for "kubeadm init phase certs ca"',
    harmless: true,
  },
  {
    name: 'the last of repeated booleans counts',
    line: ['init', '--dry-run', '--dry-run=false'],
    accepted: { command: 'init', flags: { 'dry-run': false } },
  },
  unknown('there is no --no- form', ['init', '--no-dry-run'], 'unknown flag: --no-dry-run'),

  // Names
  unknown('underscores are no dashes', ['init', '--cert_dir=/tmp'], 'unknown flag: --cert_dir'),
  unknown('names are not abbreviated', ['init', '--dry'], 'unknown flag: --dry'),
  unknown('names have their case', ['init', '--Dry-Run'], 'unknown flag: --Dry-Run'),
  unknown('an unknown flag with a value', ['version', '--bogus=1'], 'unknown flag: --bogus'),
  unknown('a flag of another command', ['version', '--cert-dir=/tmp'], 'unknown flag: --cert-dir'),
  unknown('a long name with one dash', ['init', '-config=x'], "unknown shorthand flag: 'c' in -config=x"),
  unknown('an unknown shorthand', ['version', '-x'], "unknown shorthand flag: 'x' in -x"),
  unknown('an unknown shorthand in a group', ['version', '-hx'], "unknown shorthand flag: 'x' in -x"),
  unknown('three dashes', ['init', '---dry-run'], 'bad flag syntax: ---dry-run'),
  unknown('no name', ['init', '--=x'], 'bad flag syntax: --=x'),
  unknown('a quote among shorthands', ['version', "-'"], "unknown shorthand flag: '\\'' in -'"),

  // Values
  {
    name: 'value after =',
    line: ['init', '--node-name=a'],
    accepted: { command: 'init', flags: { 'node-name': 'a' } },
  },
  {
    name: 'value in the next word',
    line: ['init', '--node-name', 'a'],
    accepted: { command: 'init', flags: { 'node-name': 'a' } },
  },
  {
    name: 'value that holds =',
    line: ['init', '--feature-gates=A=true,B=false'],
    accepted: { command: 'init', flags: { 'feature-gates': 'A=true,B=false' } },
  },
  {
    name: 'empty value after =',
    line: ['init', '--node-name='],
    accepted: { command: 'init', flags: { 'node-name': '' } },
  },
  {
    name: 'empty value in the next word',
    line: ['init', '--node-name', ''],
    accepted: { command: 'init', flags: { 'node-name': '' } },
  },
  {
    name: 'the next word is the value even if it is a flag',
    line: ['init', '--node-name', '--dry-run'],
    accepted: { command: 'init', flags: { 'node-name': '--dry-run' } },
  },
  {
    name: 'the next word is the value even if it is --',
    line: ['init', '--node-name', '--'],
    accepted: { command: 'init', flags: { 'node-name': '--' } },
  },
  {
    name: 'the last of repeated texts counts',
    line: ['init', '--node-name=a', '--node-name=b'],
    accepted: { command: 'init', flags: { 'node-name': 'b' } },
  },
  unknown('no value at the end', ['init', '--node-name'], 'flag needs an argument: --node-name'),
  unknown('no value for a list', ['init', '--skip-phases'], 'flag needs an argument: --skip-phases'),
  unknown('no value for a shorthand', ['version', '-o'], "flag needs an argument: 'o' in -o"),

  // Integers
  port('7443', 7443),
  port('0x1b', 27),
  port('0b101', 5),
  port('0o17', 15),
  port('017', 15),
  port('1_000', 1000),
  port('-1', -1),
  port('+5', 5),
  port('2147483647', 2147483647),
  ...['x', '', '1.5', '1e3', '08', '1_', '_1', '0x', ' 1', '1__0', '--1'].map((text) => notPort(text)),
  notPort('2147483648', 'value out of range'),
  notPort('-2147483649', 'value out of range'),
  {
    name: 'negative integer in the next word',
    line: ['init', '--apiserver-bind-port', '-1'],
    accepted: { command: 'init', flags: { 'apiserver-bind-port': -1 } },
  },

  // Durations
  ...['24h', '0', '1h30m', '-5s', '+1m', '1.5h', '.5s', '1.s', '100us', '100µs', '1m0.25s'].map(ttl),
  notTtl('x', 'invalid duration "x"'),
  notTtl('', 'invalid duration ""'),
  notTtl('5', 'missing unit in duration "5"'),
  notTtl('1h5', 'missing unit in duration "1h5"'),
  notTtl('5d', 'unknown unit "d" in duration "5d"'),
  notTtl('1hour', 'unknown unit "hour" in duration "1hour"'),
  notTtl('1 h', 'unknown unit " h" in duration "1 h"'),
  notTtl('.', 'invalid duration "."'),
  notTtl('-', 'invalid duration "-"'),
  notTtl('9999999h', 'invalid duration "9999999h"'),

  // Lists
  list('a list of one', ['certs'], '--skip-phases=certs'),
  list('a list in the next word', ['certs', 'etcd'], '--skip-phases', 'certs,etcd'),
  list('repeated lists add up', ['a', 'b', 'c'], '--skip-phases=a,b', '--skip-phases', 'c'),
  list('an empty list', [], '--skip-phases='),
  list('empty elements stay', ['', 'a', ''], '--skip-phases=,a,'),
  list('spaces stay', [' a', ' b '], '--skip-phases= a, b '),
  list('quotes hold a comma', ['a,b', 'c'], '--skip-phases="a,b",c'),
  list('doubled quotes', ['a"b'], '--skip-phases="a""b"'),
  list('only the first line counts', ['a', 'b'], '--skip-phases=a,b\nc'),
  list('a line end inside quotes', ['a\nb'], '--skip-phases="a\nb"'),
  {
    name: 'a list does not swallow the words after it',
    line: ['init', '--skip-phases', 'certs', 'phase', 'certs', 'ca', '--help'],
    // The command is found behind the list; it has no such flag.
    rejected: 'unknown flag: --skip-phases',
    harmless: true,
  },
  {
    name: 'a bare quote in a list',
    line: ['init', '--skip-phases=a"b'],
    rejected:
      'invalid argument "a\\"b" for "--skip-phases" flag: parse error on line 1, column 2: bare " in non-quoted-field',
  },
  {
    name: 'an open quote in a list',
    line: ['init', '--skip-phases="a'],
    rejected:
      'invalid argument "\\"a" for "--skip-phases" flag: parse error on line 1, column 3: extraneous or missing " in quoted-field',
  },
  {
    name: 'text after a closing quote in a list',
    line: ['init', '--skip-phases="a"b'],
    rejected:
      'invalid argument "\\"a\\"b" for "--skip-phases" flag: parse error on line 1, column 3: extraneous or missing " in quoted-field',
  },
  {
    name: 'a list of a line end only',
    line: ['init', '--skip-phases=\n'],
    rejected: 'invalid argument "\\n" for "--skip-phases" flag: EOF',
  },

  // kubeadm's own list of arguments
  {
    name: 'extra arguments',
    line: [
      'init',
      'phase',
      'control-plane',
      'apiserver',
      '--apiserver-extra-args=a=b,c=',
      '--apiserver-extra-args',
      'd=e',
    ],
    accepted: {
      command: 'init phase control-plane apiserver',
      flags: { 'apiserver-extra-args': ['a=b', 'c=', 'd=e'] },
    },
  },
  {
    name: 'extra arguments with a second =',
    line: ['init', 'phase', 'control-plane', 'apiserver', '--apiserver-extra-args=a=b=c'],
    rejected:
      'invalid argument "a=b=c" for "--apiserver-extra-args" flag: malformed key=value pair in flag value: a=b=c',
  },
  {
    name: 'extra arguments without =',
    line: ['init', 'phase', 'control-plane', 'all', '--scheduler-extra-args', 'a'],
    rejected: 'invalid argument "a" for "--scheduler-extra-args" flag: malformed key=value pair in flag value: a',
  },
  unknown(
    'extra arguments of another component',
    ['init', 'phase', 'control-plane', 'scheduler', '--apiserver-extra-args=a=b'],
    'unknown flag: --apiserver-extra-args',
  ),
  unknown(
    'extra arguments of the whole init',
    ['init', '--apiserver-extra-args=a=b'],
    'unknown flag: --apiserver-extra-args',
  ),

  // Shorthands
  version('shorthand and value in one word', ['version', '-oshort'], short, { output: 'short' }),
  version('shorthand with =', ['version', '-o=short'], short, { output: 'short' }),
  version('shorthand and value in two words', ['version', '-o', 'short'], short, { output: 'short' }),
  version('long name and value in two words', ['version', '--output', 'short'], short, { output: 'short' }),
  version('shorthand of an integer', ['version', '-v5', '-oshort'], short, { v: 5, output: 'short' }),
  version('shorthand of an integer with =', ['version', '-v=5', '-o=short'], short, { v: 5, output: 'short' }),
  version('shorthand of a negative integer', ['version', '-v', '-1', '-o', 'short'], short, { v: -1, output: 'short' }),
  {
    name: 'a shorthand takes = alone as its value',
    line: ['version', '-o='],
    accepted: { command: 'version', flags: { output: '=' } },
  },
  {
    name: 'help inside a group of shorthands',
    line: ['version', '-hoshort'],
    accepted: { command: 'version', flags: { output: 'short' }, help: true },
    harmless: true,
  },
  {
    name: 'help switched off',
    line: ['version', '--help=false', '-h=0', '-oshort'],
    accepted: { command: 'version', flags: { output: 'short' } },
    harmless: true,
    prints: short,
  },
  unknown(
    'help that is no boolean',
    ['version', '-h=x'],
    'invalid argument "x" for "-h, --help" flag: strconv.ParseBool: parsing "x": invalid syntax',
  ),

  // Persistent flags
  version('persistent flag before the command', ['--v=5', 'version', '-o', 'short'], short, { v: 5, output: 'short' }),
  version('persistent flag and value before the command', ['-v', '5', 'version', '-o', 'short'], short, {
    v: 5,
    output: 'short',
  }),
  version('persistent flag after the command', ['version', '--vmodule=a=1,b=2', '-oshort'], short, {
    vmodule: 'a=1,b=2',
    output: 'short',
  }),
  version('an empty root is none', ['--rootfs=', 'version', '-oshort'], short, { rootfs: '', output: 'short' }),
  version("the command's flag before it, with =", ['--output=short', 'version'], short, { output: 'short' }),
  version("the command's flag before it, in two words", ['--output', 'short', 'version'], short, { output: 'short' }),
  version('persistent flags on both sides, the last counts', ['--v=1', 'version', '--v=2', '-oshort'], short, {
    v: 2,
    output: 'short',
  }),
  {
    name: 'a boolean before the command swallows it',
    line: ['--dry-run', 'init', '--help'],
    rejected: 'unknown flag: --dry-run',
  },
  {
    name: 'a boolean with = before the command does not',
    line: ['--dry-run=true', 'init', '--help'],
    accepted: { command: 'init', flags: { 'dry-run': true }, help: true },
  },
  {
    name: 'flags between the words of a command',
    line: ['--v=1', 'init', '--v', '2', 'phase', '-v=3', 'certs', '-v4', 'ca', '--cert-dir=/a'],
    accepted: { command: 'init phase certs ca', flags: { v: 4, 'cert-dir': '/a' } },
  },
  unknown(
    'verbosity in hexadecimal',
    ['--v=0x5', 'version'],
    'invalid argument "0x5" for "-v, --v" flag: strconv.ParseInt: parsing "0x5": invalid syntax',
  ),
  unknown(
    'verbosity that is no number',
    ['version', '-vx'],
    'invalid argument "x" for "-v, --v" flag: strconv.ParseInt: parsing "x": invalid syntax',
  ),
  unknown(
    'verbosity out of range',
    ['version', '--v=2147483648'],
    'invalid argument "2147483648" for "-v, --v" flag: strconv.ParseInt: parsing "2147483648": value out of range',
  ),
  unknown(
    'module levels without a level',
    ['version', '--vmodule=a'],
    'invalid argument "a" for "--vmodule" flag: syntax error: expect comma-separated list of filename=N',
  ),
  unknown(
    'module levels below zero',
    ['version', '--vmodule=a=-1'],
    'invalid argument "a=-1" for "--vmodule" flag: negative value for vmodule level',
  ),

  // -- and positional arguments
  version('-- at the end', ['version', '-oshort', '--'], short, { output: 'short' }),
  {
    name: 'a flag after -- is an argument',
    line: ['version', '--', '-oshort'],
    rejected: 'unknown command "-oshort" for "kubeadm version"',
    harmless: true,
  },
  {
    name: 'a command that takes no arguments',
    line: ['version', 'extra'],
    rejected: 'unknown command "extra" for "kubeadm version"',
    harmless: true,
  },
  {
    name: 'an empty argument is one',
    line: ['version', ''],
    rejected: 'unknown command "" for "kubeadm version"',
    harmless: true,
  },
  {
    name: 'a single dash is an argument',
    line: ['version', '-'],
    rejected: 'unknown command "-" for "kubeadm version"',
    harmless: true,
  },
  {
    name: 'help wins over a superfluous argument',
    line: ['version', 'extra', '--help'],
    accepted: { command: 'version', flags: {}, help: true },
    harmless: true,
  },
  {
    name: 'a wrong flag wins over help',
    line: ['version', '--help', '--bogus'],
    rejected: 'unknown flag: --bogus',
    harmless: true,
  },

  // Commands
  { name: 'nothing at all', line: [], accepted: { command: '', flags: {}, help: true }, harmless: true },
  { name: 'help of the program', line: ['--help'], accepted: { command: '', flags: {}, help: true }, harmless: true },
  { name: 'the help command', line: ['help'], accepted: { command: '', flags: {}, help: true }, harmless: true },
  {
    name: 'the help command with a topic',
    line: ['help', 'init', 'phase', 'certs'],
    accepted: { command: 'init phase certs', flags: {}, help: true },
    harmless: true,
  },
  {
    name: 'the help command with flags',
    line: ['--v=1', 'help', 'version'],
    accepted: { command: 'version', flags: { v: 1 }, help: true },
    harmless: true,
  },
  {
    name: 'the help command with a topic that does not exist',
    line: ['help', 'bogus', 'x'],
    accepted: { command: '', flags: {}, help: true },
    harmless: true,
    complains: 'Unknown help topic [`bogus` `x`]',
  },
  { name: 'an unknown command', line: ['bogus'], rejected: 'unknown command "bogus" for "kubeadm"', harmless: true },
  {
    name: 'commands have their case',
    line: ['Version'],
    rejected: 'unknown command "Version" for "kubeadm"',
    harmless: true,
  },
  {
    name: 'commands are not abbreviated',
    line: ['versio'],
    rejected: 'unknown command "versio" for "kubeadm"',
    harmless: true,
  },
  {
    name: 'an unknown command comes before a wrong flag',
    line: ['bogus', '--v=x'],
    rejected: 'unknown command "bogus" for "kubeadm"',
    harmless: true,
  },
  {
    name: 'an unknown phase',
    line: ['init', 'phase', 'bogus'],
    rejected: 'unknown command "bogus" for "kubeadm init phase"',
    harmless: true,
  },
  {
    name: 'an unknown certificate',
    line: ['init', 'phase', 'certs', 'bogus'],
    rejected: 'unknown command "bogus" for "kubeadm init phase certs"',
    harmless: true,
  },
  {
    name: 'phases are not written with a slash',
    line: ['init', 'phase', 'certs/ca'],
    rejected: 'unknown command "certs/ca" for "kubeadm init phase"',
    harmless: true,
  },
  {
    name: 'etcd has no selector',
    line: ['init', 'phase', 'etcd', 'all'],
    rejected: 'unknown command "all" for "kubeadm init phase etcd"',
    harmless: true,
  },
  {
    name: 'init takes no argument',
    line: ['init', 'extra', '--dry-run', '--cert-dir=/nonexistent/groundplane'],
    rejected: 'unknown command "extra" for "kubeadm init"',
    harmless: true,
  },
  {
    name: 'a selector of all children',
    line: ['init', 'phase', 'certs', 'all', '--cert-dir=/a', '--help'],
    accepted: { command: 'init phase certs all', flags: { 'cert-dir': '/a' }, help: true },
  },
  {
    name: 'an alias of a parent',
    line: ['init', 'phase', 'uploadconfig', 'kubelet', '--kubeconfig=/a', '--help'],
    accepted: { command: 'init phase upload-config kubelet', flags: { kubeconfig: '/a' }, help: true },
  },
  {
    name: 'a parent takes no flags of its children',
    line: ['init', 'phase', 'certs', '--cert-dir=/a'],
    rejected: 'unknown flag: --cert-dir',
    harmless: true,
  },
  {
    name: 'a flag that only some phases have',
    line: ['init', 'phase', 'certs', 'ca', '--apiserver-cert-extra-sans=a'],
    rejected: 'unknown flag: --apiserver-cert-extra-sans',
    harmless: true,
  },
  {
    name: 'a phase with hardly any flags',
    line: ['init', 'phase', 'wait-control-plane', '--cert-dir=/a'],
    rejected: 'unknown flag: --cert-dir',
    harmless: true,
  },
  {
    name: 'whole init has no --kubeconfig-dir',
    line: ['init', '--kubeconfig-dir=/a'],
    rejected: 'unknown flag: --kubeconfig-dir',
  },
];
