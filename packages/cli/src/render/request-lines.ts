import type { CertificateNeed, RequestedCertificate } from '@groundplane/bootstrap';
import { findingLines } from './people-lines.ts';

interface RequestLinesOptions {
  readonly dryRun: boolean;
  readonly certificatesDir: string;
  /** Words with a blank in front that the next command needs as well. */
  readonly flags: string;
}

/** What `certs requests` tells people. */
export function requestLines(
  requested: readonly RequestedCertificate[],
  { dryRun, certificatesDir, flags }: RequestLinesOptions,
): readonly string[] {
  if (requested.length === 0)
    return [`No CA has its key elsewhere, the phases make everything themselves: ${certificatesDir}`];
  const needed = requested.filter(({ need }) => need.state !== 'valid');
  const valid = requested.length - needed.length;
  const there = valid === 0 ? '' : `; ${valid} of ${requested.length} are there and valid`;
  if (needed.length === 0) return [`Nothing is needed, all of ${requested.length} are there and valid`];
  const isOpen = needed.some(({ request }) => request !== undefined);
  return [
    `Needed: ${needed.length}${there}`,
    ...needed.flatMap((one) => ['', ...linesOf(one, flags)]),
    '',
    ...(isOpen ? [`Have the requests signed as they are, then: groundplane certs import${flags} FILE…`] : []),
    ...(dryRun ? [`Nothing was written. To make keys and requests: groundplane certs requests${flags}`] : []),
  ];
}

const stateWords: Readonly<Record<CertificateNeed['state'], string>> = {
  missing: 'missing',
  requested: 'waits for its certificate',
  valid: 'valid',
  wrong: 'is there and wrong',
};

function linesOf({ need, key, request }: RequestedCertificate, flags: string): readonly string[] {
  const { name, kind, place, keyPlace, authority, authorityPlace, phases, usedBy, demand, state, findings } = need;
  const names = demand === undefined ? [] : [...demand.dnsNames, ...demand.ipAddresses];
  const subject =
    demand && [...(demand.subject.O ?? []).map((one) => `O=${one}`), `CN=${demand.subject.CN}`].join(', ');
  const row = (title: string, text: string | undefined) =>
    text === undefined || text === '' ? [] : [`  ${title.padEnd(12)} ${text}`];
  const made = key === undefined ? '' : ` (${key})`;
  return [
    `${name}: ${state === 'missing' && key === 'created' ? (kind === 'service-account' ? 'was made here, nobody signs it' : stateWords.requested) : stateWords[state]}`,
    ...row('belongs in', place),
    ...(keyPlace === undefined ? [] : row('key', keyPlace === place ? `inside${made}` : `${keyPlace}${made}`)),
    ...row('request', request && `${request.place} (${request.action})`),
    ...row('signed by', authority && `${authority}, ${authorityPlace}`),
    ...row('subject', subject),
    ...row('names', names.join(', ')),
    ...row('usages', demand && [...demand.keyUsage, ...demand.extendedKeyUsage].join(', ')),
    ...row('valid for', demand && `${Number(demand.validityDays.toFixed(3))} days`),
    ...row('for', usedBy.join(', ')),
    ...row('phase', phases.join(', ')),
    ...(kind === 'authority' && state === 'missing'
      ? row('bring', `the certificate of the CA, without its key: groundplane certs import${flags} ${name}.crt`)
      : []),
    ...(kind === 'service-account' && key === 'created'
      ? row('note', 'every control-plane node needs the same pair')
      : []),
    ...findings.flatMap(findingLines).map((line) => `  ${line}`),
  ];
}
