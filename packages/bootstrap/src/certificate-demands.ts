import type { Severity } from '@groundplane/errors';
import type { CertificateDemand, Demand, KeyDemand } from '@groundplane/phases';
import {
  type CertificateName,
  type CertificateRequest,
  type CertificateRow,
  certificateRequest,
  clientCertificateRequest,
  expectationOf,
  isAuthority,
  privateKeyEncoding,
  type RequestOptions,
  requestedKeyUsages,
  type Subject,
  type SubjectRole,
} from '@groundplane/pki';
import { type CertificateArtifacts, certificateArtifactsOf } from './artifacts.ts';
import { placeIn } from './findings-about.ts';
import { certificateFactsOf, type InitContext, keyAlgorithmOf, validityPeriodsOf } from './init-context.ts';

const dayMs = 86_400_000;
const encodings = ['PKCS#1', 'SEC1', 'PKCS#8'] as const;

/** What verification asks of the certificate and the key of one row of the certificate table, and what the phase itself makes. */
export function certificatePairDemands(
  { row, certificate, key }: CertificateArtifacts,
  config: InitContext,
): { readonly certificate: readonly Demand[]; readonly key: readonly Demand[] } {
  const now = new Date(0);
  const algorithm = keyAlgorithmOf(config);
  const request = wantedCertificate(row, config, now);
  const expected = expectationOf(row, certificateFactsOf(config));
  const issuer = isAuthority(row) ? null : certificateArtifactsOf(row.issuer).certificate.id;
  const made = certificateDemand(request, { issuer, now });
  const readers = row.usedBy.join(', ');
  return {
    certificate: [
      { text: `Made here: ${sentenceOf(made)}; it is for ${readers}`, certificate: made },
      ...certificateRules({
        ...expected,
        issuer,
        role: expected.subjectRole,
        key: key.id,
        signer: signerOf(row, config),
      }),
      rule(
        'BOOTSTRAP_KEY_PUBLIC',
        'warning',
        `No private key is in the file${publishedAuthorities.has(row.name) ? ', which the cluster publishes whole' : ''}`,
      ),
    ],
    key: [
      {
        text: `Made here: a key of ${algorithm} in ${privateKeyEncoding(algorithm)} form; other RSA and ECDSA (P-256, P-384, P-521) keys will do`,
        key: keyDemand(config, certificate.id),
      },
      ...privateKeyRules(certificate.id),
    ],
  };
}

/**
 * CAs whose files are published as they are, in the ConfigMaps kube-root-ca.crt and extension-apiserver-authentication (k8s.io/kubernetes,
 * cmd/kube-controller-manager, readCA; pkg/controlplane/controller/clusterauthenticationtrust).
 */
export const publishedAuthorities: ReadonlySet<CertificateName> = new Set(['ca', 'front-proxy-ca']);

/** Names the certificate that kube-controller-manager signs with. */
export const signingFlag = 'cluster-signing-cert-file';

/**
 * The component that signs with a CA whose key is on the node; it takes a file of one certificate. Undefined if there is none, or if extraArgs
 * name another file.
 */
export function signerOf({ name, signer }: CertificateRow, config: InitContext): string | undefined {
  const file = config.cluster.controllerManager.extraArgs.findLast((argument) => argument.name === signingFlag)?.value;
  const isOwn = file === undefined || file === placeIn(config, certificateArtifactsOf(name).certificate);
  return isOwn ? signer : undefined;
}

/** The private key that phases make. */
export function keyDemand(config: InitContext, matches?: string): KeyDemand {
  const algorithm = keyAlgorithmOf(config);
  return {
    type: 'private',
    algorithm,
    encoding: privateKeyEncoding(algorithm),
    encodings,
    ...(matches === undefined ? {} : { matches }),
  };
}

/** What a certificate of the table is to be, as the configuration has it. */
export function wantedCertificate(row: CertificateRow, config: InitContext, now: Date): CertificateRequest {
  return certificateRequest(row, certificateFactsOf(config), requestOptionsOf(config, now));
}

/** What a client certificate is to be, as the configuration has it. */
export function wantedClientCertificate(subject: Subject, config: InitContext, now: Date): CertificateRequest {
  return clientCertificateRequest(subject, requestOptionsOf(config, now));
}

/** What the configuration says about every request. */
export function requestOptionsOf(config: InitContext, now: Date): RequestOptions {
  return { now, keyAlgorithm: keyAlgorithmOf(config), validityPeriods: validityPeriodsOf(config) };
}

/** A request as those read it who answer it with another tool. */
export function certificateDemand(
  request: CertificateRequest,
  { issuer, now }: { readonly issuer: string | null; readonly now: Date },
): CertificateDemand {
  return {
    subject: subjectOf(request.subject),
    dnsNames: request.sans.dnsNames,
    ipAddresses: request.sans.ipAddresses,
    keyUsage: requestedKeyUsages(request),
    extendedKeyUsage: request.extendedKeyUsages,
    isAuthority: request.isCA,
    issuer,
    keyAlgorithm: request.keyAlgorithm,
    validityDays: (request.notAfter.getTime() - now.getTime()) / dayMs,
    // Verification asks whether the certificate and its CA are valid now.
    notLongerThanIssuer: false,
  };
}

export function subjectOf({ commonName, organizations }: Subject): CertificateDemand['subject'] {
  return { CN: commonName, ...(organizations.length === 0 ? {} : { O: organizations }) };
}

/** What a certificate is held to, whoever made it. */
export interface HeldTo {
  readonly isCA: boolean;
  readonly subject: Subject;
  readonly role: SubjectRole;
  readonly extendedKeyUsages: readonly string[];
  readonly sans: CertificateRequest['sans'];
  readonly requiredSans: CertificateRequest['sans'];
  /** Id of the artifact with the certificate of its CA; `null` for a CA. */
  readonly issuer: string | null;
  /** Whether the first certificate of the CA's file alone counts, or each. @default 'first' */
  readonly anchors?: 'first' | 'all';
  /** Id of the artifact with its private key, if that is another one. */
  readonly key?: string;
  /** The component that signs with it if its key is here. */
  readonly signer?: string | undefined;
}

/** What `verifyCertificate` of pki asks, one sentence for each kind of finding. */
export function certificateRules(held: HeldTo): readonly Demand[] {
  const { isCA, issuer, key, role, signer, subject, extendedKeyUsages } = held;
  const usages = extendedKeyUsages.join(' and ');
  const required = namesOf(held.requiredSans);
  const others = namesOf(held.sans).filter((name) => !required.includes(name));
  const lax: Severity = isCA ? 'warning' : 'error';
  return [
    rule(
      'PKI_CERTIFICATE_UNREADABLE',
      'error',
      `The first certificate of the file is X.509, its serial number not negative${behind(issuer)}`,
    ),
    ...(isCA
      ? [
          rule('PKI_CERTIFICATE_NOT_CA', 'error', 'Its basic constraints say CA:TRUE'),
          rule('PKI_CERTIFICATE_CANNOT_SIGN', 'warning', 'Its key usage holds keyCertSign, or it has none'),
        ]
      : []),
    ...(signer === undefined
      ? []
      : [
          rule(
            'PKI_CERTIFICATE_NOT_ALONE',
            'error',
            `Where ${key} is on the node, the file holds this certificate alone, as ${signer} signs with it; without the key others may stand behind it`,
          ),
        ]),
    rule('PKI_CERTIFICATE_EXPIRED', lax, 'It has not expired'),
    rule('PKI_CERTIFICATE_NOT_YET_VALID', lax, 'Its validity has begun'),
    ...(issuer === null ? [] : issuerRules(issuer, held.anchors)),
    ...(key === undefined ? [] : [rule('PKI_KEY_MISMATCH', 'error', `Its public key is that of ${key}`)]),
    ...strengthRules,
    ...(usages === ''
      ? []
      : [
          rule(
            'PKI_USAGE_MISSING',
            lax,
            `Its extended key usage holds ${usages}, or it has none, or anyExtendedKeyUsage`,
          ),
        ]),
    ...subjectRules(subject, role),
    ...(required.length === 0
      ? []
      : [
          rule(
            'PKI_SAN_MISSING',
            'error',
            `Its subject alternative names cover ${required.join(', ')}; a wildcard covers one label`,
          ),
        ]),
    ...(others.length === 0
      ? []
      : [rule('PKI_SAN_MISSING', 'warning', `Its subject alternative names cover ${others.join(', ')} too`)]),
  ];
}

function behind(issuer: string | null): string {
  return issuer === null ? '' : ', with the certificates of intermediate CAs behind it, if there are any';
}

const keyText = 'Its key is one of ECDSA, or of RSA with at least';

const strengthRules: readonly Demand[] = [
  rule(
    'PKI_KEY_WEAK',
    'error',
    `${keyText} 1024 bits and an exponent below 2^31, and at most 8192 bits but for a CA: Kubernetes refuses others`,
  ),
  rule('PKI_KEY_WEAK', 'warning', `${keyText} 2048 bits`),
];

function issuerRules(issuer: string, anchors: HeldTo['anchors'] = 'first'): readonly Demand[] {
  const anchor = anchors === 'first' ? 'the first certificate' : 'a certificate';
  return [
    rule(
      'PKI_CERTIFICATE_UNTRUSTED',
      'error',
      `It is signed by the key of ${anchor} of ${issuer}, or by intermediate CAs below it: names equal byte by byte, no SHA-1, no critical extension that Kubernetes does not know`,
    ),
    rule(
      'PKI_CERTIFICATE_UNTRUSTED',
      'warning',
      `By its key usage, path length and name constraints that CA may sign it; where the key of the CA is elsewhere this is a must`,
    ),
    rule('PKI_ISSUER_OUTSIDE_VALIDITY', 'error', `The certificate of ${issuer} has not expired; it may outlive that`),
  ];
}

function subjectRules(subject: Subject, role: SubjectRole): readonly Demand[] {
  const wanted = textOf(subjectOf(subject));
  const code = 'PKI_SUBJECT_DIFFERS';
  switch (role) {
    case 'free':
      return [];
    case 'exact':
      return [rule(code, 'error', `Its subject is ${wanted}, as the flags of kube-apiserver name it`)];
    case 'user':
      return [
        rule(code, 'error', `Its subject has ${wanted}, or O=system:masters: it is the user that RBAC knows`),
        rule(code, 'warning', `Its subject has ${wanted}; with O=system:masters in its place it may do everything`),
      ];
    case 'label':
      return [rule(code, 'warning', `Its subject is ${wanted}`)];
  }
}

/** What is asked of a private key, one sentence for each kind of finding. */
export function privateKeyRules(certificate: string): readonly Demand[] {
  return [
    rule('PKI_KEY_UNREADABLE', 'error', 'It is an RSA or ECDSA key in PKCS#1, SEC1 or PKCS#8 form and not encrypted'),
    rule('PKI_KEY_MISMATCH', 'error', `It belongs to the certificate in ${certificate}`),
  ];
}

export function rule(code: string, severity: Severity, text: string): Demand {
  return { text, code, severity };
}

function namesOf({ dnsNames, ipAddresses }: CertificateRequest['sans']): readonly string[] {
  return [...dnsNames, ...ipAddresses];
}

/** `O=system:nodes, CN=system:node:node-1` */
function textOf({ CN, O = [] }: CertificateDemand['subject']): string {
  return [...O.map((organization) => `O=${organization}`), `CN=${CN}`].join(', ');
}

/** The certificate in words. */
export function sentenceOf(certificate: CertificateDemand): string {
  const { subject, issuer, isAuthority: isCA, keyAlgorithm, validityDays } = certificate;
  const names = [
    ...certificate.dnsNames.map((name) => `DNS:${name}`),
    ...certificate.ipAddresses.map((address) => `IP:${address}`),
  ];
  return [
    `subject ${textOf(subject)}`,
    issuer === null ? 'signed by itself' : `signed by ${issuer}`,
    isCA ? 'CA:TRUE' : 'CA:FALSE',
    `key usage ${certificate.keyUsage.join(', ')}`,
    ...(certificate.extendedKeyUsage.length === 0
      ? []
      : [`extended key usage ${certificate.extendedKeyUsage.join(', ')}`]),
    ...(names.length === 0 ? [] : [`subject alternative names ${names.join(', ')}`]),
    `a key of ${keyAlgorithm}`,
    `valid for ${Number(validityDays.toFixed(3))} days`,
  ].join('; ');
}
