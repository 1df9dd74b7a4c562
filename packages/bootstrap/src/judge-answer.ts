import type { Finding, Severity } from '@groundplane/errors';
import { parseKubeconfig, stringifyKubeconfig } from '@groundplane/kubeconfig';
import {
  type CertificateRequest,
  completeChain,
  describeCertificate,
  encodeBase64,
  firstCertificate,
  normalizeIpAddress,
  publicKeysOf,
  splitCertificates,
  weaknessOf,
} from '@groundplane/pki';
import { signingUsages } from './answer-difference.ts';
import type { KnownNeed } from './certificate-need.ts';
import { type NeedsRequest, verdictOfCertificate, verdictOfKubeconfig } from './certificate-needs.ts';
import { bootstrapFinding } from './error-codes.ts';
import type { Answer } from './read-answers.ts';

export interface JudgeRequest extends Pick<NeedsRequest, 'context' | 'ports' | 'now'> {
  /** PEM of the file of the CA that has to have signed it; absent if it is not here. */
  readonly authority: string | undefined;
  /** PEM of certificates that may be intermediates. */
  readonly pool: readonly string[];
  /** How long certificates have to be valid at least, in milliseconds. @default what the request asks for */
  readonly minimumValidityMs?: number | undefined;
}

export interface JudgedAnswer {
  readonly findings: readonly Finding[];
  /** PEM of the certificate and the intermediates behind it. */
  readonly chain: readonly string[];
  /** Text of the file that it belongs into. Secret for kubeconfigs. */
  readonly text: string;
}

/** Holds an answer to its request, and to what the phases ask of what is in place. Errors are reasons to refuse it. */
export async function judgeAnswer(answer: Answer, need: KnownNeed, request: JudgeRequest): Promise<JudgedAnswer> {
  const { authority, pool, now } = request;
  const { certificate } = answer;
  const anchors = authority === undefined ? [] : anchorsOf(need, authority);
  const chain = await completeChain({ certificate, candidates: pool, anchors, now });
  const text = need.row === undefined ? chain.join('') : completedKubeconfig(need, { chain, authority });
  const own = [
    ...purposeFindings(answer, need),
    ...excessFindings(answer, need),
    ...(await validityFindings(answer, need, { ...request, above: [...chain.slice(1), ...anchors] })),
    ...(await strengthFindings(chain, need)),
  ];
  if (authority === undefined) return { findings: [withoutAuthority(need), ...own], chain, text };
  const verdict = await verdictOf(text, need, { ...request, authority });
  return { findings: [...verdict.map((finding) => asAnswer(finding, need)), ...own], chain, text };
}

/** As the phases have it: kubeconfigs are held to each certificate of the file of the CA, others to the first. */
function anchorsOf({ kind }: KnownNeed, authority: string): readonly string[] {
  return kind === 'kubeconfig' ? splitCertificates(authority) : [firstCertificate(authority)];
}

function verdictOf(
  text: string,
  { name, row, key }: KnownNeed,
  { context, ports, now, authority }: Pick<JudgeRequest, 'context' | 'ports' | 'now'> & { readonly authority: string },
): Promise<readonly Finding[]> {
  if (row !== undefined) return verdictOfKubeconfig(row, { context, ports, now, authority, kubeconfig: text });
  return verdictOfCertificate(name, { context, now, authority, certificate: text, key });
}

/** What becomes of a kubeconfig that waits for its certificate; whatever else is in it stays. */
function completedKubeconfig(
  { row, content }: KnownNeed,
  { chain, authority }: { readonly chain: readonly string[]; readonly authority: string | undefined },
): string {
  if (row === undefined || content === undefined) throw new TypeError('it is no kubeconfig that waits');
  const certificateAuthority = authority === undefined ? undefined : firstCertificate(authority);
  const partial = parseKubeconfig(content);
  const data = (pem: string) => encodeBase64(new TextEncoder().encode(pem));
  return stringifyKubeconfig({
    ...partial,
    clusters: partial.clusters.map(({ name, cluster }) => ({
      name,
      cluster: {
        ...cluster,
        ...(certificateAuthority === undefined ||
        cluster['certificate-authority-data'] ||
        cluster['certificate-authority']
          ? {}
          : { 'certificate-authority-data': data(certificateAuthority) }),
      },
    })),
    users: partial.users.map(({ name, user }) => ({
      name,
      user: { ...user, 'client-certificate-data': data(chain.join('')) },
    })),
  });
}

/** Warnings of the phases about what somebody else laid down that are reasons to refuse what was asked for with these very words. */
const refusals: ReadonlySet<string> = new Set([
  'PKI_CERTIFICATE_NOT_YET_VALID',
  'PKI_ISSUER_OUTSIDE_VALIDITY',
  'PKI_CERTIFICATE_UNTRUSTED',
  'PKI_CERTIFICATE_EXPIRED',
  'PKI_CERTIFICATE_CANNOT_SIGN',
  'PKI_KEY_WEAK',
  'PKI_SAN_MISSING',
]);

/** Hints of the phases speak of what is in place; an answer is not yet. */
export function asAnswer(finding: Finding, need: KnownNeed): Finding {
  const isRefusal =
    refusals.has(finding.code) || (finding.code === 'PKI_SUBJECT_DIFFERS' && need.kind === 'kubeconfig');
  const { hint: _, ...rest } = finding;
  if (finding.severity === 'warning' && !isRefusal) return finding;
  const along =
    finding.code === 'PKI_CERTIFICATE_UNTRUSTED' && need.authority !== undefined
      ? `. If an intermediate CA below ${need.authorityPlace} has signed it, import the certificate of that CA along instead`
      : '';
  return { ...rest, severity: 'error', hint: `${signAgain(need)}${along}` };
}

function signAgain({ name, kind }: KnownNeed): string {
  return kind === 'authority'
    ? 'Bring another certificate of the CA'
    : `Have the request of ${name} signed again as it is, and import the answer: groundplane certs requests`;
}

function withoutAuthority(need: KnownNeed): Finding {
  return bootstrapFinding({
    code: 'BOOTSTRAP_ANSWER_UNTRUSTED',
    severity: 'error',
    artifact: need.place,
    message: `Cannot verify the certificate of ${need.name} as the certificate of its CA is not here: ${need.authorityPlace}`,
    hint: `Import that too, in a file of this name or with --authority ${need.authority}=FILE`,
  });
}

function purposeFindings({ description }: Answer, need: KnownNeed): readonly Finding[] {
  const { isCA, keyUsages, subjectText } = description;
  const findings: Finding[] = [];
  if (isCA)
    findings.push(
      bootstrapFinding({
        code: 'BOOTSTRAP_ANSWER_IS_CA',
        severity: 'error',
        artifact: need.place,
        message: `Cannot take the certificate for ${need.name} as it may sign others, its basic constraints say CA:TRUE: ${subjectText}`,
        hint: signAgain(need),
      }),
    );
  if (keyUsages !== undefined && !keyUsages.includes('digitalSignature'))
    findings.push({
      code: 'PKI_USAGE_MISSING',
      severity: 'error',
      artifact: need.place,
      message: `Cannot use the certificate for ${need.name} as its key usage lacks digitalSignature: ${keyUsages.join(', ') || 'none'}`,
      hint: signAgain(need),
    });
  return findings;
}

type Excess = (asked: CertificateRequest, said: Answer['description']) => readonly string[];

/**
 * What a certificate may not say beyond its request. Names and groups decide who its owner is to a cluster. For usages some CAs have a
 * template; what its owner may do does not depend on them.
 */
const excesses: readonly { readonly what: string; readonly severity: Severity; readonly of: Excess }[] = [
  {
    what: 'names',
    severity: 'error',
    of: (asked, said) => [
      ...beyond(asked.sans.dnsNames, said.sans.dnsNames, (name) => name.toLowerCase()),
      ...beyond(asked.sans.ipAddresses, said.sans.ipAddresses, (address) => normalizeIpAddress(address) ?? address),
      ...said.otherNames,
    ],
  },
  {
    what: 'an identifier of a user',
    severity: 'error',
    of: (_, { userIdentifier }) => (userIdentifier === undefined ? [] : [userIdentifier]),
  },
  {
    what: 'usages of a CA',
    severity: 'error',
    of: (_, { isCA, keyUsages }) => (isCA ? [] : signingUsages(keyUsages)),
  },
  {
    what: 'groups',
    severity: 'error',
    of: (asked, said) => beyond(asked.subject.organizations, said.subject.organizations),
  },
  {
    what: 'extended key usages',
    severity: 'warning',
    of: (asked, said) => beyond(asked.extendedKeyUsages, said.extendedKeyUsages),
  },
];

function beyond(
  asked: readonly string[],
  said: readonly string[],
  spelled: (text: string) => string = (text) => text,
): readonly string[] {
  const known = new Set(asked.map(spelled));
  return said.filter((one) => !known.has(spelled(one)));
}

function excessFindings({ description }: Answer, need: KnownNeed): readonly Finding[] {
  const { request, name, place } = need;
  if (request === undefined) return [];
  return excesses.flatMap(({ what, severity, of }) => {
    const extra = of(request, description);
    if (extra.length === 0) return [];
    const verdict = severity === 'error' ? 'Cannot take the certificate for' : 'The certificate for';
    return [
      bootstrapFinding({
        code: 'BOOTSTRAP_ANSWER_EXTRA',
        severity,
        artifact: place,
        message: `${verdict} ${name} ${severity === 'error' ? 'as it has' : 'has'} ${what} that were not asked for: ${extra.join(', ')}`,
        hint: signAgain(need),
      }),
    ];
  });
}

/** Some CAs count a second less, or begin and end with a day. */
const tolerated = 0.01;

/** How much of it may be gone when it is brought, on its way from one desk to the next. */
const spent = 0.1;

/** Nobody trusts it for longer than the CAs above it. */
async function validityFindings(
  { description: { notBefore, notAfter, subjectText } }: Answer,
  need: KnownNeed,
  {
    now,
    minimumValidityMs,
    above,
  }: Pick<JudgeRequest, 'now' | 'minimumValidityMs'> & { readonly above: readonly string[] },
): Promise<readonly Finding[]> {
  const asked = (need.demand?.validityDays ?? 0) * dayMs;
  const signers = await Promise.all(above.map(describeCertificate));
  const first = signers.toSorted((one, other) => one.notAfter.getTime() - other.notAfter.getTime())[0];
  const end = first !== undefined && first.notAfter < notAfter ? first.notAfter : notAfter;
  const lifetime = notAfter.getTime() - notBefore.getTime();
  const left = end.getTime() - now.getTime();
  // What is over is told as that.
  const isLeft = (least: number) => left <= 0 || left >= least;
  const isShort =
    minimumValidityMs === undefined
      ? lifetime < asked * (1 - tolerated) || !isLeft(asked * (1 - spent))
      : lifetime < minimumValidityMs || !isLeft(minimumValidityMs);
  if (isShort)
    return [
      bootstrapFinding({
        code: 'BOOTSTRAP_ANSWER_TOO_SHORT',
        severity: 'error',
        artifact: need.place,
        message: `Cannot take the certificate for ${need.name} as it is to be valid for ${days(minimumValidityMs ?? asked)}: ${days(Math.min(lifetime, left))}, until ${end.toISOString()}${end === notAfter ? '' : `, with its CA '${first?.subjectText}'`}`,
        hint: 'Have it signed for longer, set certificateValidityPeriod to what the CA grants, or allow it: --min-validity',
      }),
    ];
  if (end === notAfter) return [];
  return [
    bootstrapFinding({
      code: 'BOOTSTRAP_CERTIFICATE_OUTLIVES_ISSUER',
      severity: 'warning',
      artifact: need.place,
      message: `The certificate for ${need.name} is valid longer than its CA '${first?.subjectText}', and nobody trusts it from then on: ${end.toISOString()}`,
      hint: `Have the CA renewed before; the certificate is ${subjectText}`,
    }),
  ];
}

const dayMs = 86_400_000;

function days(milliseconds: number): string {
  return milliseconds < 2 * dayMs
    ? `${Number((milliseconds / 3_600_000).toFixed(2))} hours`
    : `${Number((milliseconds / dayMs).toFixed(2))} days`;
}

/** The leaf is judged by its phase. */
async function strengthFindings([, ...intermediates]: readonly string[], need: KnownNeed): Promise<readonly Finding[]> {
  const findings = intermediates.map(async (certificate): Promise<readonly Finding[]> => {
    const [publicKey = ''] = await publicKeysOf(certificate);
    const weakness = weaknessOf(publicKey, { isShown: true });
    if (weakness === undefined) return [];
    const { subjectText } = await describeCertificate(certificate);
    const message = `Cannot rely on the certificate for ${need.name} as ${weakness.reason}, and such is the key of the intermediate CA '${subjectText}': ${weakness.value}`;
    return [{ code: 'PKI_KEY_WEAK', severity: 'error', artifact: need.place, message, hint: signAgain(need) }];
  });
  return (await Promise.all(findings)).flat();
}
