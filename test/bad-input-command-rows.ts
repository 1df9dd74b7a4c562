import { type BadInput, configuration } from './bad-input-row.ts';

const certs = 'init phase certs ca';
const usage = { code: 2 } as const;

/** A flag that is refused by both commands that have it. */
function flag(name: string, word: string, says: readonly RegExp[], mends: RegExp): BadInput {
  return { name, commands: [`init ${word}`, `${certs} ${word}`], says, mends, ...usage };
}

/** Only the whole `init` has the flag. */
function initFlag(name: string, word: string, says: readonly RegExp[], mends: RegExp): BadInput {
  // In the private trees no interface is there whose address could be chosen.
  const address = word.includes('advertise-address') ? '' : ' --apiserver-advertise-address=192.0.2.10';
  return { name, commands: [`init ${word}${address}`], says, mends, ...usage };
}

/** What is wrong with the words of the command line. */
export const commandRows: readonly BadInput[] = [
  flag('unknown flag', '--frobnicate=1', [/unknown flag: --frobnicate/], /--help/),
  flag('unknown short flag', '-X', [/unknown shorthand flag: 'X' in -X/], /--help/),
  flag('misspelt flag', '--cert-dri=/tmp', [/unknown flag: --cert-dri/], /--cert-dir/),
  flag('flag without its value', '--cert-dir', [/flag needs an argument: --cert-dir/], /--help/),
  flag('flag syntax', '---', [/bad flag syntax: ---/], /--help/),
  initFlag(
    'port that is no number',
    '--apiserver-bind-port=abc',
    [/"abc".*--apiserver-bind-port/],
    /invalid syntax|number/,
  ),
  initFlag('port out of range', '--apiserver-bind-port=70000', [/bindPort.*70000/i], /1.*65535/),
  initFlag('boolean that is none', '--skip-token-print=maybe', [/"maybe".*--skip-token-print/], /invalid syntax|true/),
  initFlag('duration without unit', '--token-ttl=5', [/"5".*--token-ttl/], /unit/),
  initFlag('token', '--token=secret', [/token/i], /a-z0-9|format|form/),
  initFlag('unknown phase to skip', '--skip-phases=frob', [/invalid phase name: frob/], /certs\/ca/),
  initFlag('unknown feature gate', '--feature-gates=Frob=true', [/Frob/], /NodeLocalCRISocket|known|ControlPlane/),
  initFlag('feature gate without a value', '--feature-gates=Frob', [/Frob/], /=true|true or false|form|bool/),
  initFlag('address', '--apiserver-advertise-address=300.1.1.1', [/300\.1\.1\.1/], /IP|address/),
  initFlag('control-plane endpoint', '--control-plane-endpoint=a_b:99999', [/a_b:99999/], /host|DNS|port/i),
  initFlag('impossible CIDR of services', '--service-cidr=10.96.0.0/40', [/10\.96\.0\.0\/40/], /CIDR/),
  initFlag('service CIDR too small', '--service-cidr=10.96.0.0/31', [/10\.96\.0\.0\/31/], /required 10/),
  initFlag('impossible CIDR of pods', '--pod-network-cidr=10.244.0.0', [/10\.244\.0\.0/], /CIDR/),
  initFlag('DNS domain', '--service-dns-domain=-frob-', [/-frob-/], /DNS|lower case|RFC/),
  initFlag('node name', '--node-name=Frob_1', [/frob_1/i], /RFC 1123|lower case|DNS/),
  initFlag('SAN that is neither IP nor DNS', '--apiserver-cert-extra-sans=a,not/a/name', [/not\/a\/name/], /IP|DNS/),
  initFlag('version', '--kubernetes-version=frob', [/frob/], /version/),
  initFlag('version too old', '--kubernetes-version=v1.20.0', [/1\.20\.0/], /1\.36/),
  {
    ...initFlag('CRI socket of no kind', '--cri-socket=frob://x', [/frob:\/\/x/], /--cri-socket|--ignore-preflight/),
    code: 3,
  },
  initFlag('check to ignore beside all', '--ignore-preflight-errors=all,Swap', [/all/], /individual|only|leave/),
  {
    name: 'unknown phase',
    commands: ['init phase frob', 'init phase certs frob'],
    says: [/unknown command.*frob|frob.*unknown/],
    mends: /--help|Did you mean/,
    ...usage,
  },
  {
    name: 'phase without a name',
    commands: ['init phase', 'init phase certs'],
    says: [/subcommand is required/],
    mends: /--help|certs/,
    ...usage,
  },
  {
    name: 'word that belongs to nothing',
    commands: ['init frob', `${certs} frob`],
    says: [/frob/],
    mends: /--help|no argument|accepts/,
    ...usage,
  },
  {
    name: 'flags beside a configuration',
    files: { 'config.yaml': configuration },
    commands: [`${certs} --config @/config.yaml --cert-dir @/pki`],
    says: [/can not mix '--config' with arguments \[cert-dir\]/],
    mends: /configuration file/,
    ...usage,
  },
  flag('output format', '--output=xml', [/xml/], /text.*json|json/),
  flag('configuration that is not there', '--config=@/none.yaml', [/none\.yaml/], /no such file/),
];
