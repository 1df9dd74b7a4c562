import { type Finding, hasErrors, isGroundplaneError, messageOf, type Severity } from '@groundplane/errors';
import {
  describeCertificate,
  noSubjectAlternativeNames,
  type Subject,
  type SubjectRole,
  splitCertificates,
  superusers,
  verifyCertificate,
} from '@groundplane/pki';
import { connectionRequirements, hasCertificate, withoutPassword } from './connection-requirements.ts';
import { type CurrentContext, type CurrentSections, currentContextOf, currentSectionsOf } from './current-context.ts';
import type { KubeconfigFindingCode } from './error-codes.ts';
import { parseKubeconfig } from './kubeconfig.ts';

export interface KubeconfigToVerify {
  /** What findings are about: an artifact id or a path. */
  readonly artifact: string;
  /** Text of the kubeconfig. */
  readonly kubeconfig: string;
  /** PEM of the cluster's CA, of which the kubeconfig's first CA must be the first certificate, or any of them. */
  readonly certificateAuthority: string;
  /** @default 'any' */
  readonly expectedAuthority?: 'first' | 'any' | undefined;
  /** How bad it is if the CA signed the client certificate although it may not. @default 'error' */
  readonly unfitIssuer?: Severity | undefined;
  /** URL that is expected; another one is only a warning. */
  readonly server: string;
  /** User and groups that are expected. */
  readonly subject: Subject;
  /** @default 'user' */
  readonly subjectRole?: SubjectRole | undefined;
  /** Contents of the files that the kubeconfig may refer to, by path. What is not given here is not judged. */
  readonly files?: Readonly<Record<string, string>> | undefined;
  readonly now: Date;
}

/**
 * Judges a kubeconfig, whoever made it: kubeadm's rule for existing files (CA ours, server only compared; kubeadm:
 * phases/kubeconfig, validateKubeConfig), and that its client certificate is valid, of our CA and belongs to its key.
 */
export async function verifyKubeconfig(subject: KubeconfigToVerify): Promise<readonly Finding[]> {
  const report = reporter(subject.artifact);
  let read: Current;
  try {
    read = currentOf(subject);
  } catch (thrown) {
    const code = isGroundplaneError(thrown) ? (thrown.code as KubeconfigFindingCode) : 'KUBECONFIG_UNREADABLE';
    return [report(code, 'error', messageOf(thrown), isGroundplaneError(thrown) ? thrown.hint : undefined)];
  }
  const { current, sections } = read;
  const authority = authorityFindings(current, subject, report);
  return [
    ...authority,
    ...serverFindings(current, subject, report),
    ...connectionFindings(sections, subject, report),
    ...(await impersonationFindings(current, sections, { subject, report })),
    ...unreadCertificateFindings(current, sections, { subject, report }),
    ...(await credentialFindings(current, subject, { report, isOurCluster: !hasErrors(authority) })),
  ];
}

/**
 * Judges what else is in a kubeconfig whose CA, server and client certificate somebody else judges: whether clients take it, whom it asks
 * as, and by which way. Of a text that is no kubeconfig nothing is said.
 */
export async function verifyConnection(
  subject: Pick<KubeconfigToVerify, 'artifact' | 'kubeconfig' | 'files'>,
): Promise<readonly Finding[]> {
  const report = reporter(subject.artifact);
  let read: Current;
  try {
    read = currentOf(subject);
  } catch (thrown) {
    if (!isGroundplaneError(thrown)) throw thrown;
    return [];
  }
  const { current, sections } = read;
  return [
    ...authorityElsewhere(current, subject, report),
    ...connectionFindings(sections, subject, report),
    ...(await impersonationFindings(current, sections, { subject, report })),
    ...unreadCertificateFindings(current, sections, { subject, report }),
  ];
}

interface Current {
  readonly current: CurrentContext;
  readonly sections: CurrentSections;
}

/** @throws what reading a kubeconfig throws */
function currentOf({ kubeconfig, files }: Pick<KubeconfigToVerify, 'kubeconfig' | 'files'>): Current {
  const parsed = parseKubeconfig(kubeconfig);
  return { current: currentContextOf(parsed, files), sections: currentSectionsOf(parsed) };
}

type Report = (code: KubeconfigFindingCode, severity: Severity, message: string, hint?: string) => Finding;

function reporter(artifact: string): Report {
  return (code, severity, message, hint) => ({
    code,
    severity,
    artifact,
    message,
    ...(hint === undefined ? {} : { hint }),
  });
}

function authorityElsewhere(
  { certificateAuthority, certificateAuthorityFile }: CurrentContext,
  { artifact }: Pick<KubeconfigToVerify, 'artifact'>,
  report: Report,
): readonly Finding[] {
  if (certificateAuthority !== undefined || certificateAuthorityFile === undefined) return [];
  const message = `The CA of the cluster was not compared as it is in a file of its own: ${certificateAuthorityFile}`;
  return [report('KUBECONFIG_CA_ELSEWHERE', 'warning', message, mending('warning', artifact))];
}

function authorityFindings(current: CurrentContext, subject: KubeconfigToVerify, report: Report): readonly Finding[] {
  const elsewhere = authorityElsewhere(current, subject, report);
  if (elsewhere.length > 0) return elsewhere;
  const { certificateAuthority, cluster } = current;
  const { certificateAuthority: expected, expectedAuthority, artifact } = subject;
  const hint = `Move ${artifact} away and run the phase that makes it, or set its CA: kubectl config set-cluster ${cluster} --embed-certs --certificate-authority CA --kubeconfig FILE`;
  const [first] = splitCertificates(certificateAuthority ?? '');
  if (first === undefined) {
    return [
      report(
        'KUBECONFIG_CA_UNREADABLE',
        'error',
        `Cannot use the kubeconfig as its cluster has no CA certificate that can be read: '${cluster}'`,
        hint,
      ),
    ];
  }
  const ours = splitCertificates(expected);
  if ((expectedAuthority === 'first' ? ours.slice(0, 1) : ours).includes(first)) return [];
  return [
    report(
      'KUBECONFIG_CA_DIFFERS',
      'error',
      `Cannot use the kubeconfig as the CA of its cluster is not the one of this cluster: '${cluster}'`,
      hint,
    ),
  ];
}

function serverFindings(
  { server, cluster }: CurrentContext,
  { server: expected, artifact }: KubeconfigToVerify,
  report: Report,
) {
  if (server === expected) return [];
  const hint = `If it is not meant, move ${artifact} away and run the phase that makes it, or set it: kubectl config set-cluster ${cluster} --server ${expected} --kubeconfig FILE`;
  return [
    report(
      'KUBECONFIG_SERVER_DIFFERS',
      'warning',
      `The kubeconfig has another server than expected, '${expected}': '${withoutPassword(server)}'`,
      hint,
    ),
  ];
}

function connectionFindings(
  sections: CurrentSections,
  { artifact, subjectRole }: Pick<KubeconfigToVerify, 'artifact' | 'subjectRole'>,
  report: Report,
): readonly Finding[] {
  return connectionRequirements.flatMap(({ code, severity, ofKnownUsers = false, problem }) => {
    const why = ofKnownUsers && subjectRole === 'free' ? undefined : problem(sections);
    if (why === undefined) return [];
    const message = severity === 'error' ? `Cannot use the kubeconfig as ${why}` : `The kubeconfig is unusual: ${why}`;
    return [report(code, severity, message, mending(severity, artifact))];
  });
}

/** How what is in a kubeconfig besides what is usual can be mended. */
function mending(severity: Severity, artifact: string): string {
  const condition = severity === 'error' ? '' : 'If it is not meant, ';
  const hint = `correct it: kubectl config view --raw --kubeconfig ${artifact}; or move ${artifact} away and run the phase that makes it`;
  return condition === '' ? `C${hint.slice(1)}` : `${condition}${hint}`;
}

async function impersonationFindings(
  { clientCertificate }: CurrentContext,
  { user }: CurrentSections,
  {
    subject,
    report,
  }: { readonly subject: Pick<KubeconfigToVerify, 'artifact' | 'subjectRole'>; readonly report: Report },
): Promise<readonly Finding[]> {
  if (typeof user.as !== 'string' || user.as === '') return [];
  const groups =
    clientCertificate === undefined
      ? []
      : await describeCertificate(clientCertificate).then(
          (description) => description.subject.organizations,
          () => [],
        );
  const severity = impersonationSeverity(subject.subjectRole ?? 'user', groups);
  const message =
    severity === 'error'
      ? `Cannot use the kubeconfig as it asks in the name of somebody else, and its user has no right to: ${user.as}`
      : `The kubeconfig asks in the name of somebody else: ${user.as}`;
  return [report('KUBECONFIG_IMPERSONATES', severity, message, mending(severity, subject.artifact))];
}

function impersonationSeverity(role: SubjectRole, groups: readonly string[]): Severity {
  return (role === 'user' || role === 'exact') && !groups.includes(superusers) ? 'error' : 'warning';
}

function unreadCertificateFindings(
  { clientCertificate }: CurrentContext,
  { user }: CurrentSections,
  {
    subject,
    report,
  }: { readonly subject: Pick<KubeconfigToVerify, 'artifact' | 'subjectRole'>; readonly report: Report },
): readonly Finding[] {
  const file = user['client-certificate'];
  if (!hasCertificate(user) || clientCertificate !== undefined) return [];
  const message = `The client certificate of the kubeconfig was not looked at as it is in a file of its own: ${file}`;
  return [report('KUBECONFIG_CREDENTIALS_UNJUDGED', 'warning', message, mending('warning', subject.artifact))];
}

async function credentialFindings(
  { clientCertificate, clientKey, user, hasCredentials }: CurrentContext,
  { artifact, certificateAuthority, subject, subjectRole = 'user', unfitIssuer, now }: KubeconfigToVerify,
  { report, isOurCluster }: { readonly report: Report; readonly isOurCluster: boolean },
): Promise<readonly Finding[]> {
  if (!hasCredentials) {
    return [
      report(
        'KUBECONFIG_CREDENTIALS_MISSING',
        'error',
        `Cannot use the kubeconfig as its user has no credentials: '${user}'`,
        `Move ${artifact} away and run the phase that makes it, or set them: kubectl config set-credentials ${user} --embed-certs --client-certificate CERTIFICATE --client-key KEY --kubeconfig FILE`,
      ),
    ];
  }
  if (clientCertificate === undefined) return [];
  return verifyCertificate({
    artifact,
    certificate: clientCertificate,
    key: clientKey,
    issuerCertificates: isOurCluster ? certificateAuthority : undefined,
    anchors: 'all',
    unfitIssuer,
    now,
    expected: {
      isCA: false,
      subject,
      subjectRole,
      extendedKeyUsages: ['clientAuth'],
      sans: noSubjectAlternativeNames,
      requiredSans: noSubjectAlternativeNames,
    },
  });
}
