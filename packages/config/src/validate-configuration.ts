import type { Finding } from '@groundplane/errors';
import type { BootstrapToken, ClusterConfiguration, InitConfiguration } from './configuration-types.ts';
import type { Problem } from './decode-document.ts';
import { featureGates, isFeatureGate } from './feature-gates.ts';
import { problemFinding } from './findings.ts';
import { parseGoDuration } from './go-duration.ts';
import { validateEtcd } from './validate-etcd.ts';
import { siteLocalSubnets, validateSubnets } from './validate-subnets.ts';
import {
  argumentChecks,
  type Check,
  controlPlaneNodeChecks,
  given,
  listOf,
  nodeChecks,
  runChecks,
} from './value-check.ts';
import { valueRules } from './value-rules.ts';

/** The two documents that `init` works from. */
export interface InitDocuments {
  readonly init: InitConfiguration;
  readonly cluster: ClusterConfiguration;
}

/** kubeadm, apis/kubeadm/validation/validation.go, in its order. */
const checks: readonly Check<InitDocuments>[] = [
  ...nodeChecks<InitDocuments>(({ init }) => init.nodeRegistration),
  {
    path: 'dns.imageRepository',
    rule: valueRules.imageRepository,
    values: ({ cluster }) => given(cluster.dns.imageRepository),
  },
  {
    path: 'networking.dnsDomain',
    rule: valueRules.dnsSubdomain,
    values: ({ cluster }) => [cluster.networking.dnsDomain],
  },
  { path: 'apiServer.certSANs', rule: valueRules.certSan, values: ({ cluster }) => cluster.apiServer.certSANs },
  ...argumentChecks<InitDocuments>('apiServer.extraArgs', ({ cluster }) => cluster.apiServer.extraArgs),
  ...argumentChecks<InitDocuments>('controllerManager.extraArgs', ({ cluster }) => cluster.controllerManager.extraArgs),
  ...argumentChecks<InitDocuments>('scheduler.extraArgs', ({ cluster }) => cluster.scheduler.extraArgs),
  { path: 'certificatesDir', rule: valueRules.absolutePath, values: ({ cluster }) => [cluster.certificatesDir] },
  {
    path: 'featureGates',
    rule: (name) =>
      isFeatureGate(name)
        ? undefined
        : `it is not a valid feature name (known: ${Object.keys(featureGates).join(', ')})`,
    values: ({ cluster }) => Object.keys(cluster.featureGates),
  },
  { path: 'controlPlaneEndpoint', rule: valueRules.endpoint, values: ({ cluster }) => [cluster.controlPlaneEndpoint] },
  { path: 'imageRepository', rule: valueRules.imageRepository, values: ({ cluster }) => [cluster.imageRepository] },
  {
    path: 'etcd.local.dataDir',
    rule: valueRules.absolutePath,
    values: ({ cluster }) => listOf(cluster.etcd.local?.dataDir),
  },
  {
    path: 'etcd.local.serverCertSANs',
    rule: valueRules.certSan,
    values: ({ cluster }) => cluster.etcd.local?.serverCertSANs ?? [],
  },
  {
    path: 'etcd.local.peerCertSANs',
    rule: valueRules.certSan,
    values: ({ cluster }) => cluster.etcd.local?.peerCertSANs ?? [],
  },
  {
    path: 'etcd.local.imageRepository',
    rule: valueRules.imageRepository,
    values: ({ cluster }) => given(cluster.etcd.local?.imageRepository ?? ''),
  },
  ...argumentChecks<InitDocuments>('etcd.local.extraArgs', ({ cluster }) => cluster.etcd.local?.extraArgs),
  ...(['caFile', 'certFile', 'keyFile'] as const).map((file) => ({
    path: `etcd.external.${file}`,
    rule: valueRules.absolutePath,
    values: ({ cluster }: InitDocuments) => given(cluster.etcd.external?.[file] ?? ''),
  })),
  {
    path: 'encryptionAlgorithm',
    rule: valueRules.encryptionAlgorithm,
    values: ({ cluster }) => [cluster.encryptionAlgorithm],
  },
  ...controlPlaneNodeChecks<InitDocuments>('', ({ init }) => init),
];

/**
 * Holds an InitConfiguration and a ClusterConfiguration after defaulting to kubeadm's rules and collects everything
 * that is wrong. Values that are empty until resolved (node name, CRI socket, advertise address) are skipped.
 *
 * @returns errors and warnings; the artifact is the field path, for instance `networking.serviceSubnet`
 */
export function validateInitConfiguration(documents: InitDocuments): readonly Finding[] {
  const problems = [
    ...runChecks(checks, documents),
    ...documents.init.bootstrapTokens.flatMap(validateToken),
    ...validateSubnets(documents.cluster),
    ...validateEtcd(documents.cluster.etcd),
  ];
  return [
    ...problems.map(problemFinding),
    ...validityWarnings(documents.cluster),
    ...subnetWarnings(documents.cluster),
  ];
}

/** Rules of one bootstrap token (kubeadm, ValidateBootstrapTokens). */
export function validateToken(token: BootstrapToken, index: number): readonly Problem[] {
  // Rules name an entry of this list as kubeadm does, with a dot.
  const path = `bootstrapTokens.${index}`;
  const problems: Problem[] = [
    ...runChecks(
      [
        { path: `${path}.usages`, rule: valueRules.tokenUsage, values: () => token.usages },
        { path: `${path}.groups`, rule: valueRules.tokenGroup, values: () => token.groups },
      ],
      token,
    ),
  ];
  if (token.groups.length > 0 && !token.usages.includes('authentication')) {
    const reason = 'groups need the usage authentication (an empty list of groups is replaced by the default group)';
    problems.push({ path: `${path}.groups`, reason, value: token.groups });
  }
  if (token.expires !== undefined && token.ttl !== undefined) {
    const reason = 'ttl and expires exclude each other, and ttl has a default: use ttl alone';
    problems.push({ path, reason, value: { ttl: token.ttl, expires: token.expires } });
  }
  return problems;
}

const recommendedValidity = {
  certificateValidityPeriod: '8760h0m0s',
  caCertificateValidityPeriod: '87600h0m0s',
} as const;

function validityWarnings(cluster: ClusterConfiguration): readonly Finding[] {
  const period = (text: string | undefined) => parseGoDuration(text ?? '0s') ?? 0n;
  const warning = (path: string, reason: string, value: string): Finding => ({
    ...problemFinding({ path, reason, value }),
    code: 'CONFIG_VALIDITY_LONG',
    severity: 'warning',
  });
  const findings: Finding[] = [];
  for (const [path, recommended] of Object.entries(recommendedValidity)) {
    const value = cluster[path as keyof typeof recommendedValidity];
    if (value !== undefined && period(value) > period(recommended)) {
      findings.push(warning(path, `it is longer than the recommended ${recommended}`, value));
    }
  }
  const { certificateValidityPeriod: leaf, caCertificateValidityPeriod: ca } = cluster;
  if (leaf !== undefined && ca !== undefined && period(leaf) > period(ca)) {
    findings.push(warning('certificateValidityPeriod', `it is longer than caCertificateValidityPeriod ${ca}`, leaf));
  }
  return findings;
}

function subnetWarnings(cluster: ClusterConfiguration): readonly Finding[] {
  return siteLocalSubnets(cluster).map((subnet) => ({
    code: 'CONFIG_SUBNET_SITE_LOCAL',
    severity: 'warning',
    artifact: 'networking',
    message: `The subnet overlaps the site-local range fec0::/10 that RFC 3879 deprecates: ${subnet}`,
  }));
}
