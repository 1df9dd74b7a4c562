import type { Finding } from '@groundplane/errors';
import { type AnyPhase, contract, optional, type VerifyState } from '@groundplane/phases';
import {
  type CertificateAuthorityName,
  type CertificateName,
  expectationOf,
  holdsPrivateKey,
  isAuthority,
  isOfEtcd,
  verifyCertificate,
} from '@groundplane/pki';
import { type CertificateArtifacts, certificateArtifacts, certificateArtifactsOf } from './artifacts.ts';
import { refuseExpiredAuthority } from './authority-validity.ts';
import {
  certificatePairDemands,
  publishedAuthorities,
  signerOf,
  signingFlag,
  wantedCertificate,
} from './certificate-demands.ts';
import { bootstrapError, bootstrapFinding } from './error-codes.ts';
import { findingsAbout, placeIn, withPlaceOf } from './findings-about.ts';
import { certificateFactsOf, type InitContext, keyAlgorithmOf } from './init-context.ts';
import { authorityLost } from './lost-authorities.ts';
import { serviceAccountPhase } from './service-account-phase.ts';
import { type AuthorityInputs, issuerOf, signingRequest, unfitIssuer } from './signing-requests.ts';

const init = contract<InitContext>();
const configurationFields = ['certificatesDir', 'encryptionAlgorithm'];

/** Fields that the names of a certificate depend on. */
const nameFields: Readonly<Partial<Record<CertificateName, readonly string[]>>> = {
  apiserver: ['nodeRegistration.name', 'localAPIEndpoint', 'networking', 'controlPlaneEndpoint', 'apiServer.certSANs'],
  'etcd-server': ['nodeRegistration.name', 'localAPIEndpoint', 'etcd.local.serverCertSANs'],
  'etcd-peer': ['nodeRegistration.name', 'localAPIEndpoint', 'etcd.local.peerCertSANs'],
};

/** One phase for each row of the certificate table (kubeadm: phases/certs), and one for the service account keys. */
export const certificatePhases: readonly AnyPhase<InitContext>[] = [
  ...certificateArtifacts.map((artifacts) =>
    isAuthority(artifacts.row) ? authorityPhase(artifacts, artifacts.row.name) : leafPhase(artifacts),
  ),
  serviceAccountPhase,
];

/** Why a certificate of etcd is not wanted: with external etcd somebody else has them. */
function withoutLocalEtcd({ row }: CertificateArtifacts) {
  return ({ cluster }: InitContext) =>
    isOfEtcd(row) && cluster.etcd.external !== undefined ? 'etcd is external' : undefined;
}

function authorityPhase(artifacts: CertificateArtifacts, name: CertificateAuthorityName): AnyPhase<InitContext> {
  const { row, certificate, key } = artifacts;
  return init.definePhase({
    name: `certs/${row.name}`,
    summary: `Generate the ${row.longName}`,
    configuration: [
      ...configurationFields,
      'caCertificateValidityPeriod',
      ...(row.signer === undefined ? [] : ['controllerManager.extraArgs']),
    ],
    inapplicable: withoutLocalEtcd(artifacts),
    keyAlgorithm: keyAlgorithmOf,
    // The key comes first, as it is written first; it may be absent where the CA is kept elsewhere.
    writes: { key: optional(key), certificate },
    render({ config, existing, now, issue, outputs }) {
      if (existing.certificate !== undefined) return outputs({ key: existing.key, certificate: existing.certificate });
      const lost = config.lostAuthorities?.[name];
      // With its key the same CA is made again, as kubeadm does, and what it signed stays good.
      if (lost !== undefined && !lost.hasKey) throw authorityLost(lost, config.certificatesElsewhere);
      const request = signingRequest(wantedCertificate(row, config, now), {
        name: row.name,
        issuer: 'self',
        key: existing.key,
      });
      return issue(request, (issued) => outputs({ key: issued.key, certificate: issued.certificate ?? '' }));
    },
    verify: (state) => verifyPair(artifacts, state),
    demands: (config) => certificatePairDemands(artifacts, config),
  });
}

function leafPhase(artifacts: CertificateArtifacts): AnyPhase<InitContext> {
  const { row, certificate, key } = artifacts;
  const authority = certificateArtifactsOf(row.issuer);
  return init.definePhase({
    name: `certs/${row.name}`,
    summary: `Generate the ${row.longName}`,
    configuration: [...configurationFields, 'certificateValidityPeriod', ...(nameFields[row.name] ?? [])],
    inapplicable: withoutLocalEtcd(artifacts),
    keyAlgorithm: keyAlgorithmOf,
    reads: { authority: authority.certificate, authorityKey: optional(authority.key) },
    writes: { key, certificate },
    async render({ config, inputs, existing, now, issue, outputs }) {
      if (existing.certificate !== undefined) {
        if (existing.key === undefined) throw certificateWithoutKey(artifacts, config);
        return outputs({ key: existing.key, certificate: existing.certificate });
      }
      const issuer = { certificate: inputs.authority, place: placeIn(config, authority.certificate) };
      await refuseExpiredAuthority(issuer, row.name, now);
      const request = signingRequest(wantedCertificate(row, config, now), {
        name: row.name,
        issuer: issuerOf(inputs, { name: row.issuer, keyPlace: placeIn(config, authority.key) }),
        key: existing.key,
      });
      return issue(request, (issued) => outputs({ key: issued.key, certificate: issued.certificate ?? '' }));
    },
    verify: (state) => verifyPair(artifacts, state, state.inputs),
    demands: (config) => certificatePairDemands(artifacts, config),
  });
}

interface Pair {
  readonly certificate: string;
  readonly key: string | undefined;
}

async function verifyPair(
  { row, certificate, key }: CertificateArtifacts,
  {
    config,
    outputs,
    now,
  }: Pick<VerifyState<InitContext, object, object>, 'config' | 'now'> & { readonly outputs: Pair },
  issuer?: AuthorityInputs,
): Promise<readonly Finding[]> {
  const place = placeIn(config, certificate);
  const expected = expectationOf(row, certificateFactsOf(config));
  const findings = await verifyCertificate({
    ...outputs,
    artifact: place,
    issuerCertificates: issuer?.authority,
    unfitIssuer: issuer && unfitIssuer(issuer),
    soleFor: outputs.key === undefined ? undefined : signerOf(row, config),
    expected,
    now,
  });
  const keyPlace = placeIn(config, key);
  const leaked = holdsPrivateKey(outputs.certificate)
    ? [keyInCertificateFile(place, publishedAuthorities.has(row.name))]
    : [];
  // A CA has no other one above it.
  const authorityPlace = () => placeIn(config, certificateArtifactsOf(row.issuer).certificate);
  const judged = findings.flatMap((finding) => {
    if (finding.code === 'PKI_KEY_UNREADABLE') return findingsAbout(keyPlace, [finding]);
    if (finding.code === 'PKI_CERTIFICATE_NOT_ALONE')
      return findingsAbout(place, [{ ...finding, hint: aloneHint(place) }]);
    if (finding.code !== 'PKI_KEY_MISMATCH') return findingsAbout(place, [withPlaceOf(authorityPlace, finding)]);
    const hint = `Compare: openssl x509 -noout -pubkey -in ${place}; openssl pkey -pubout -in ${keyPlace}`;
    return findingsAbout(place, [{ ...finding, message: `${finding.message}: ${keyPlace}`, hint }]);
  });
  return [...judged, ...leaked];
}

function keyInCertificateFile(place: string, isPublished: boolean): Finding {
  const consequence = isPublished ? 'the cluster shows the file to every pod' : 'everybody may read the file';
  return bootstrapFinding({
    code: 'BOOTSTRAP_KEY_PUBLIC',
    severity: 'warning',
    artifact: place,
    message: `${place} must not hold a private key beside its certificates, as ${consequence}`,
    hint: `Leave the certificates alone in ${place}, and replace that key, which others may have read`,
  });
}

function aloneHint(place: string): string {
  return `Leave the first certificate of ${place} alone in it, or put that one into another file of this folder and name it in controllerManager.extraArgs: ${signingFlag}`;
}

function certificateWithoutKey(artifacts: CertificateArtifacts, config: InitContext) {
  const [certificate, key] = [placeIn(config, artifacts.certificate), placeIn(config, artifacts.key)];
  return bootstrapError('BOOTSTRAP_KEY_MISSING', `Cannot use ${certificate} as its private key is missing: ${key}`, {
    hint: `Put ${key} back, or move ${certificate} away so that both are made anew`,
  });
}
