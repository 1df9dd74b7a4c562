import { connectionRequirements, type KubeconfigRow, kubeconfigOf, serverOf } from '@groundplane/kubeconfig';
import type { CertificateDemand, Demand, KubeconfigDemand } from '@groundplane/phases';
import { noSubjectAlternativeNames, type Subject } from '@groundplane/pki';
import { certificateArtifactsOf } from './artifacts.ts';
import {
  certificateDemand,
  certificateRules,
  keyDemand,
  rule,
  sentenceOf,
  subjectOf,
  wantedClientCertificate,
} from './certificate-demands.ts';
import { kubeletClientCertificate } from './discovery-artifacts.ts';
import { placeIn } from './findings-about.ts';
import { type InitContext, kubeconfigFactsOf } from './init-context.ts';
import { withSmallInitial } from './initial-letter.ts';
import { componentOf } from './kubeconfig-mounts.ts';

const authority = certificateArtifactsOf('ca').certificate.id;

/** What is asked of one kubeconfig file of a control-plane node. */
export function kubeconfigDemands(row: KubeconfigRow, config: InitContext): readonly Demand[] {
  const facts = kubeconfigFactsOf(config);
  const subject = row.subject(facts);
  const server = serverOf(row, facts);
  const made = kubeconfigDemand(row, config);
  const pem = placeIn(config, kubeletClientCertificate);
  return [
    {
      text: `Made here: a kubeconfig with the context ${made.contextName}, in which CA, client certificate and key are embedded: server ${server}; CA the first certificate of ${authority}; client certificate with ${sentenceOf(made.certificate)}`,
      kubeconfig: made,
    },
    rule(
      'KUBECONFIG_UNREADABLE',
      'error',
      'It is of apiVersion v1 and kind Config, its names are unique and its data are base64',
    ),
    rule(
      'KUBECONFIG_CONTEXT_MISSING',
      'error',
      'Its current context, and the cluster that it names, are in it; other contexts may be there too',
    ),
    rule(
      'KUBECONFIG_CA_UNREADABLE',
      'error',
      'The cluster of the current context has a CA certificate, embedded or in a file',
    ),
    rule(
      'KUBECONFIG_CA_DIFFERS',
      'error',
      `The embedded CA begins with the first certificate of ${authority}; where the key of the CA is elsewhere, with any of its certificates`,
    ),
    authorityElsewhereDemand(authority),
    ...(config.endpointIsAssumed ? [] : [rule('KUBECONFIG_SERVER_DIFFERS', 'warning', `Its server is ${server}`)]),
    rule(
      'KUBECONFIG_CREDENTIALS_MISSING',
      'error',
      'Its user has credentials: certificate and key, token, exec or auth-provider',
    ),
    ...connectionDemands(),
    unreadCertificateDemand(pem),
    impersonationDemand(row),
    ...(componentOf(row) === undefined
      ? []
      : [
          rule(
            'BOOTSTRAP_KUBECONFIG_FILE_NOT_MOUNTED',
            'warning',
            `Files and the plugin that it names are in the container of kube-${row.name} as the phases make it: images of Kubernetes hold none`,
          ),
        ]),
    ...certificateRules({
      isCA: false,
      subject,
      role: row.subjectRole,
      extendedKeyUsages: made.certificate.extendedKeyUsage,
      sans: noSubjectAlternativeNames,
      requiredSans: noSubjectAlternativeNames,
      issuer: authority,
      anchors: 'all',
      key: 'the key beside it',
    }).map((one) => ({ ...one, text: `Of its client certificate, if it has one: ${withSmallInitial(one.text)}` })),
    rule(
      'BOOTSTRAP_KUBELET_CERTIFICATE_LOST',
      'error',
      `Where its user has certificate and key in ${pem}, that file is there`,
    ),
  ];
}

/** @param place of the file with the CA that the kubeconfig is held to */
export function authorityElsewhereDemand(place: string): Demand {
  const text = `The CA is embedded, or its file is ${place}; that of another file is not compared`;
  return rule('KUBECONFIG_CA_ELSEWHERE', 'warning', text);
}

/** @param pem path of the kubelet's client certificate */
export function unreadCertificateDemand(pem: string): Demand {
  const text = `Its client certificate is embedded, or its file is ${pem}; that of another file is not looked at`;
  return rule('KUBECONFIG_CREDENTIALS_UNJUDGED', 'warning', text);
}

/** What `verifyKubeconfig` asks of server, proxy and credentials. */
export function connectionDemands({ ofKnownUser = true } = {}): readonly Demand[] {
  return connectionRequirements
    .filter(({ ofKnownUsers = false }) => ofKnownUser || !ofKnownUsers)
    .map(({ code, severity, demand }) => rule(code, severity, demand));
}

function impersonationDemand({ subjectRole }: KubeconfigRow): Demand {
  const code = 'KUBECONFIG_IMPERSONATES';
  return subjectRole === 'label'
    ? rule(code, 'warning', 'It asks in nobody else’s name (as)')
    : rule(
        code,
        'error',
        'It asks in nobody else’s name (as), which its user has no right to; with O=system:masters it is a warning',
      );
}

function kubeconfigDemand(row: KubeconfigRow, config: InitContext): KubeconfigDemand {
  const facts = kubeconfigFactsOf(config);
  const subject = row.subject(facts);
  const certificate = clientDemand(subject, config);
  // What the phase writes, around a certificate that is not there yet.
  const empty = {
    certificateAuthority: '-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----\n',
    client: { certificate: '', key: '' },
  };
  const { clusters, users, 'current-context': contextName } = kubeconfigOf(row, facts, empty);
  return {
    clusterName: clusters[0]?.name ?? '',
    userName: users[0]?.name ?? '',
    contextName,
    server: serverOf(row, facts),
    authority,
    user: subjectOf(subject),
    certificate,
    key: keyDemand(config),
  };
}

function clientDemand(subject: Subject, config: InitContext): CertificateDemand {
  const now = new Date(0);
  return certificateDemand(wantedClientCertificate(subject, config, now), { issuer: authority, now });
}
