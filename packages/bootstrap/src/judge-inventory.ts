import type { Finding, Severity } from '@groundplane/errors';
import { verifyKubeconfig } from '@groundplane/kubeconfig';
import {
  type CertificateExpectation,
  type ChainLink,
  certificateTable,
  expectationOf,
  noSubjectAlternativeNames,
  verifyCertificate,
} from '@groundplane/pki';
import type { InventoryRow } from './certificate-inventory-rows.ts';
import { type BootstrapFindingCode, bootstrapFinding } from './error-codes.ts';
import { findingsAbout } from './findings-about.ts';
import { certificateFactsOf, type InitContext } from './init-context.ts';
import type { FurtherCertificate, InventoryState } from './inventory-contents.ts';
import { exchangeRemedy } from './signing-requests.ts';

/** One place with all that it is judged by. */
export interface JudgedPlace {
  readonly row: InventoryRow;
  readonly state: InventoryState;
  readonly reason?: string;
  /** Text of the file. Secret for kubeconfigs. */
  readonly file: string | undefined;
  /** PEM of the certificate and those behind it. */
  readonly certificate: string | undefined;
  /** PEM of its key, if it could be read. Secret. */
  readonly key: string | undefined;
  /** PEM of the CA in a kubeconfig. */
  readonly trusted: string | undefined;
  /** PEM of the CA that its users hold it to. */
  readonly authority: string | undefined;
  readonly files: Readonly<Record<string, string>>;
  readonly chain: readonly ChainLink[];
  readonly further: readonly FurtherCertificate[];
  readonly keyIsMissing: boolean;
  /** Whether the key of its CA is kept elsewhere. */
  readonly externallyManaged: boolean;
  readonly context: InitContext;
  readonly namesCompared: boolean;
  readonly now: Date;
}

/** Everything that is to be said about the certificate at one place; nothing about one that may be missing and is. */
export async function inventoryFindings(place: JudgedPlace): Promise<readonly Finding[]> {
  const { row, state, reason = '' } = place;
  if (state === 'missing') {
    return row.optional
      ? []
      : [
          {
            ...finding(row, 'BOOTSTRAP_CERTIFICATE_MISSING', 'error', `Cannot find ${row.path}: ${reason}`),
            ...wayOn(place),
          },
        ];
  }
  if (state === 'unreadable') {
    return [
      finding(row, 'BOOTSTRAP_CERTIFICATE_UNREADABLE', 'error', `Cannot read ${row.path} as a certificate: ${reason}`),
    ];
  }
  const verdicts = await verdictsOf(place);
  return [
    ...findingsAbout(row.path, verdicts),
    ...unverifiedFindings(place),
    ...keyFindings(place),
    ...timeFindings(place),
    ...outlivingFindings(place),
  ];
}

/** What the phases make needs no words; for what they cannot, somebody else has to be asked. */
function wayOn({ externallyManaged }: JudgedPlace): Pick<Finding, 'hint'> {
  return externallyManaged ? { hint: `Have your CA sign it: ${exchangeRemedy}` } : {};
}

/** Codes that say that the signatures do not lead to a CA that counts. */
const distrusting: ReadonlySet<string> = new Set([
  'PKI_CERTIFICATE_UNTRUSTED',
  'PKI_ISSUER_OUTSIDE_VALIDITY',
  'KUBECONFIG_CA_DIFFERS',
]);

/** Whether none of the findings says that the certificate is not trusted. */
export function isVerified(findings: readonly Finding[]): boolean {
  return !findings.some(({ code, severity }) => severity === 'error' && distrusting.has(code));
}

/** Of the verdicts on a kubeconfig those about its certificates; others are about how it is used. */
const ofCertificates =
  /^(?:PKI_|KUBECONFIG_CA_|KUBECONFIG_(?:UNREADABLE|CONTEXT_MISSING|CREDENTIALS_MISSING|CREDENTIALS_UNJUDGED)$)/;

async function verdictsOf(place: JudgedPlace): Promise<readonly Finding[]> {
  const { row, file = '', certificate, key, authority, files, now } = place;
  const expected = expectationFor(place);
  if (row.kind === 'kubeconfig') {
    const { subject, subjectRole } = expected;
    const { trusted } = place;
    // Without the CA of the node the kubeconfig is held to its own.
    const certificateAuthority = authority ?? trusted;
    if (certificateAuthority === undefined) return [];
    const findings = await verifyKubeconfig({
      artifact: row.path,
      kubeconfig: file,
      certificateAuthority,
      files,
      server: '',
      subject,
      subjectRole,
      now,
    });
    return findings.filter(({ code }) => ofCertificates.test(code));
  }
  if (certificate === undefined) return [];
  return verifyCertificate({
    artifact: row.path,
    certificate,
    ...(key === undefined ? {} : { key }),
    issuerCertificates: authority,
    anchors: 'all',
    expected,
    now,
  });
}

function expectationFor({ row, context, namesCompared }: JudgedPlace): CertificateExpectation {
  const listed = certificateTable.find(({ name }) => name === row.name);
  if (listed !== undefined && row.subject === undefined) {
    const expected = expectationOf(listed, certificateFactsOf(context));
    if (namesCompared) return expected;
    const { subjectRole } = expected;
    const none = noSubjectAlternativeNames;
    return { ...expected, sans: none, requiredSans: none, subjectRole: subjectRole === 'label' ? 'free' : subjectRole };
  }
  const isCA = row.kind === 'authority';
  const { subject, subjectRole = 'free' } = row;
  return {
    isCA,
    subject: subject ?? { commonName: '', organizations: [] },
    subjectRole: subject === undefined || !namesCompared ? 'free' : subjectRole,
    extendedKeyUsages: isCA ? [] : [row.name === 'kubelet-server' ? 'serverAuth' : 'clientAuth'],
    sans: noSubjectAlternativeNames,
    requiredSans: noSubjectAlternativeNames,
  };
}

function unverifiedFindings({ row, authority, chain }: JudgedPlace): readonly Finding[] {
  if (row.authority === undefined || authority !== undefined || chain.length === 0) return [];
  const message = `Cannot tell whether ${row.path} is trusted as its CA is not here: ${row.authority}`;
  return [finding(row, 'BOOTSTRAP_CERTIFICATE_UNVERIFIED', 'warning', message, 'Put the certificate of the CA back')];
}

function keyFindings({ row, keyIsMissing }: JudgedPlace): readonly Finding[] {
  // A CA may have its key elsewhere.
  if (!keyIsMissing || row.kind === 'authority') return [];
  const message = `Cannot use ${row.path} as its private key is missing: ${row.keyPath}`;
  return [finding(row, 'BOOTSTRAP_CERTIFICATE_KEY_MISSING', 'error', message, `Put ${row.keyPath} back`)];
}

const day = 24 * 3600 * 1000;
/** How long before its end a certificate is said to expire soon; those of short lives are when a third of it is left. */
const soon: Readonly<Record<'authority' | 'other', number>> = { authority: 180 * day, other: 30 * day };

function timeFindings({ row, chain, further, now }: JudgedPlace): readonly Finding[] {
  const isAuthority = row.kind === 'authority';
  // Others of the chain are judged where they are.
  const shown = [
    ...chain
      .filter((link, index) => index === 0 || link.role === 'intermediate')
      .map((link) => ({ link, isCA: link.isCA })),
    ...further.filter((one) => one.in === 'file').map(({ certificate: link }) => ({ link, isCA: isAuthority })),
  ];
  return shown.flatMap(({ link, isCA }, index) => {
    const left = link.notAfter.getTime() - now.getTime();
    const life = link.notAfter.getTime() - link.notBefore.getTime();
    const name = index === 0 ? row.path : `'${link.subjectText}' in ${row.path}`;
    const hint = isCA ? 'Have the CA signed again with the same key, or make a new one' : 'Renew it';
    if (left < 0) {
      // Of the first one the verdict says so.
      if (index === 0) return [];
      return [
        finding(
          row,
          'BOOTSTRAP_CERTIFICATE_EXPIRES_SOON',
          'warning',
          `${name} expired on ${link.notAfter.toISOString()}`,
          hint,
        ),
      ];
    }
    if (left >= Math.min(soon[isCA ? 'authority' : 'other'], life / 3)) return [];
    return [
      finding(
        row,
        'BOOTSTRAP_CERTIFICATE_EXPIRES_SOON',
        'warning',
        `${name} expires on ${link.notAfter.toISOString()}`,
        hint,
      ),
    ];
  });
}

function outlivingFindings({ row, chain }: JudgedPlace): readonly Finding[] {
  const [leaf, ...above] = chain;
  const first = above.toSorted((one, other) => one.notAfter.getTime() - other.notAfter.getTime())[0];
  if (leaf === undefined || first === undefined || leaf.notAfter <= first.notAfter) return [];
  const message = `${row.path} is valid longer than its CA '${first.subjectText}', and nobody trusts it from then on: ${leaf.notAfter.toISOString()} is after ${first.notAfter.toISOString()}`;
  return [finding(row, 'BOOTSTRAP_CERTIFICATE_OUTLIVES_ISSUER', 'warning', message, 'Renew the CA before it expires')];
}

function finding(
  { path }: InventoryRow,
  code: BootstrapFindingCode,
  severity: Severity,
  message: string,
  hint?: string,
): Finding {
  return bootstrapFinding({ code, severity, artifact: path, message, ...(hint === undefined ? {} : { hint }) });
}
