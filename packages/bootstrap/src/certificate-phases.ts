import type { Finding } from '@groundplane/errors';
import { type AnyPhase, contract, optional, type SigningRequest } from '@groundplane/phases';
import {
  certificateRequest,
  expectationOf,
  isAuthority,
  publicKeyOf,
  serviceAccountKeyPair,
  verifyCertificate,
} from '@groundplane/pki';
import {
  type CertificateArtifacts,
  certificateArtifacts,
  certificateArtifactsOf,
  serviceAccountKey,
  serviceAccountPublicKey,
} from './artifacts.ts';
import { refuseInvalidAuthority } from './authority-validity.ts';
import { bootstrapError, bootstrapFinding } from './error-codes.ts';
import { certificateFactsOf, type InitContext, keyAlgorithmOf, validityPeriodsOf } from './init-context.ts';

const init = contract<InitContext>();
const configurationFields = [
  'certificatesDir',
  'encryptionAlgorithm',
  'certificateValidityPeriod',
  'caCertificateValidityPeriod',
];

/** One phase for each row of the certificate table (kubeadm: phases/certs), and one for the service account keys. */
export const certificatePhases: readonly AnyPhase<InitContext>[] = [
  ...certificateArtifacts.map((artifacts) =>
    isAuthority(artifacts.row) ? authorityPhase(artifacts) : leafPhase(artifacts),
  ),
  serviceAccountPhase(),
];

/** Why a certificate of etcd is not wanted: with external etcd somebody else has them. */
function withoutLocalEtcd({ row }: CertificateArtifacts) {
  const ofEtcd = row.name === 'etcd-ca' || row.issuer === 'etcd-ca';
  return ({ cluster }: InitContext) => (ofEtcd && cluster.etcd.external !== undefined ? 'etcd is external' : undefined);
}

function authorityPhase(artifacts: CertificateArtifacts): AnyPhase<InitContext> {
  const { row, certificate, key } = artifacts;
  return init.definePhase({
    name: `certs/${row.name}`,
    summary: `Generate the ${row.longName}`,
    configuration: configurationFields,
    inapplicable: withoutLocalEtcd(artifacts),
    keyAlgorithm: keyAlgorithmOf,
    // The key comes first, as it is written first; it may be absent where the CA is kept elsewhere.
    writes: { key: optional(key), certificate },
    render({ config, existing, now, issue, outputs }) {
      if (existing.certificate !== undefined) return outputs({ key: existing.key, certificate: existing.certificate });
      return issue(signingRequest(artifacts, config, now, { issuer: 'self', key: existing.key }), (issued) =>
        outputs({ key: issued.key, certificate: issued.certificate ?? '' }),
      );
    },
    verify: ({ config, outputs, now }) => verifyPair(artifacts, outputs, undefined, config, now),
  });
}

function leafPhase(artifacts: CertificateArtifacts): AnyPhase<InitContext> {
  const { row, certificate, key } = artifacts;
  const authority = certificateArtifactsOf(row.issuer);
  return init.definePhase({
    name: `certs/${row.name}`,
    summary: `Generate the ${row.longName}`,
    configuration: [...configurationFields, ...(row.requiredSans === row.sans ? [] : ['apiServer.certSANs'])],
    inapplicable: withoutLocalEtcd(artifacts),
    keyAlgorithm: keyAlgorithmOf,
    reads: { authority: authority.certificate, authorityKey: optional(authority.key) },
    writes: { key, certificate },
    async render({ config, inputs, existing, now, issue, outputs }) {
      if (existing.certificate !== undefined && existing.key === undefined) throw certificateWithoutKey(artifacts);
      if (existing.certificate !== undefined && existing.key !== undefined) {
        return outputs({ key: existing.key, certificate: existing.certificate });
      }
      await refuseInvalidAuthority(inputs.authority, row.name, now);
      const issuer = {
        certificate: inputs.authority,
        ...(inputs.authorityKey === undefined ? {} : { key: inputs.authorityKey }),
      };
      return issue(signingRequest(artifacts, config, now, { issuer, key: existing.key }), (issued) =>
        outputs({ key: issued.key, certificate: issued.certificate ?? '' }),
      );
    },
    verify: ({ config, inputs, outputs, now }) => verifyPair(artifacts, outputs, inputs.authority, config, now),
  });
}

function serviceAccountPhase(): AnyPhase<InitContext> {
  const { name, longName } = serviceAccountKeyPair;
  return init.definePhase({
    name: `certs/${name}`,
    summary: `Generate ${longName}`,
    configuration: ['certificatesDir', 'encryptionAlgorithm'],
    keyAlgorithm: keyAlgorithmOf,
    writes: { key: serviceAccountKey, publicKey: serviceAccountPublicKey },
    async render({ config, existing, issue, outputs }) {
      if (existing.key !== undefined)
        return outputs({ key: existing.key, publicKey: existing.publicKey ?? (await publicKeyOf(existing.key)) });
      if (existing.publicKey !== undefined) {
        throw bootstrapError(
          'BOOTSTRAP_KEY_MISSING',
          `Cannot make sa.key as sa.pub is there already and would no longer match`,
          {
            hint: 'Put the private key of sa.pub back, or move sa.pub away',
          },
        );
      }
      return issue({ name, algorithm: keyAlgorithmOf(config) }, async ({ key }) =>
        outputs({ key, publicKey: await publicKeyOf(key) }),
      );
    },
    async verify({ outputs }) {
      const expected = await publicKeyOf(outputs.key).catch(() => undefined);
      if (expected !== undefined && samePem(expected, outputs.publicKey)) return [];
      return [
        bootstrapFinding({
          code: 'BOOTSTRAP_KEY_PAIR_MISMATCH',
          severity: 'error',
          artifact: serviceAccountPublicKey.id,
          message: 'sa.pub is not the public half of sa.key, so service account tokens would not verify',
          hint: 'Make it anew: openssl pkey -in sa.key -pubout -out sa.pub',
        }),
      ];
    },
  });
}

function signingRequest(
  { row }: CertificateArtifacts,
  config: InitContext,
  now: Date,
  {
    issuer,
    key,
  }: {
    readonly issuer: 'self' | { readonly certificate: string; readonly key?: string };
    readonly key: string | undefined;
  },
): SigningRequest {
  const algorithm = keyAlgorithmOf(config);
  const wanted = certificateRequest(row, certificateFactsOf(config), {
    now,
    keyAlgorithm: algorithm,
    validityPeriods: validityPeriodsOf(config),
  });
  return {
    name: row.name,
    algorithm,
    ...(key === undefined ? {} : { key }),
    certificate: {
      commonName: wanted.subject.commonName,
      organizations: wanted.subject.organizations,
      dnsNames: wanted.sans.dnsNames,
      ipAddresses: wanted.sans.ipAddresses,
      usages: wanted.extendedKeyUsages,
      isCA: wanted.isCA,
      notBefore: wanted.notBefore,
      notAfter: wanted.notAfter,
      issuer,
    },
  };
}

function verifyPair(
  { row, certificate }: CertificateArtifacts,
  outputs: { readonly certificate: string; readonly key: string | undefined },
  authority: string | undefined,
  config: InitContext,
  now: Date,
): Promise<readonly Finding[]> {
  return verifyCertificate({
    artifact: certificate.id,
    certificate: outputs.certificate,
    key: outputs.key,
    issuerCertificates: authority,
    expected: expectationOf(row, certificateFactsOf(config)),
    now,
  });
}

function certificateWithoutKey({ row }: CertificateArtifacts) {
  return bootstrapError(
    'BOOTSTRAP_KEY_MISSING',
    `Cannot use ${row.baseName}.crt as its private key is missing: ${row.baseName}.key`,
    {
      hint: `Put ${row.baseName}.key back, or move ${row.baseName}.crt away so that both are made anew`,
    },
  );
}

function samePem(one: string, other: string): boolean {
  const squeeze = (text: string) => text.replace(/\s+/g, '');
  return squeeze(one) === squeeze(other);
}
