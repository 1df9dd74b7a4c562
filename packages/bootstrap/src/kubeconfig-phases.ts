import type { Finding } from '@groundplane/errors';
import {
  type KubeconfigRow,
  kubeconfigOf,
  kubeconfigTable,
  serverOf,
  stringifyKubeconfig,
  verifyKubeconfig,
} from '@groundplane/kubeconfig';
import { type AnyPhase, contract, optional } from '@groundplane/phases';
import { clientCertificateRequest, validityOf } from '@groundplane/pki';
import { certificateArtifactsOf, kubeconfigArtifact } from './artifacts.ts';
import { refuseExpiredAuthority } from './authority-validity.ts';
import { requestOptionsOf } from './certificate-demands.ts';
import { kubeletClientCertificate } from './discovery-artifacts.ts';
import { bootstrapFinding } from './error-codes.ts';
import { findingsAbout, placeIn, withPlaceOf } from './findings-about.ts';
import { type InitContext, keyAlgorithmOf, kubeconfigFactsOf } from './init-context.ts';
import { kubeconfigDemands } from './kubeconfig-demands.ts';
import { mountFindings } from './kubeconfig-mounts.ts';
import { refersTo } from './rotatable-kubeconfig.ts';
import { exchangeRemedy, issuerOf, signingRequest, unfitIssuer } from './signing-requests.ts';
import { waitingKey } from './waiting-kubeconfig.ts';

const init = contract<InitContext>();
const authority = certificateArtifactsOf('ca');

/** One phase for each kubeconfig file of a control-plane node (kubeadm: phases/kubeconfig). */
export const kubeconfigPhases: readonly AnyPhase<InitContext>[] = kubeconfigTable.map(kubeconfigPhase);

function kubeconfigPhase(row: KubeconfigRow): AnyPhase<InitContext> {
  const artifact = kubeconfigArtifact(row.fileName);
  return init.definePhase({
    name: `kubeconfig/${row.name}`,
    summary: `Generate a ${row.longName}`,
    configuration: [
      'clusterName',
      'controlPlaneEndpoint',
      'localAPIEndpoint',
      'certificatesDir',
      'encryptionAlgorithm',
      'certificateValidityPeriod',
    ],
    keyAlgorithm: keyAlgorithmOf,
    inapplicable: ({ adminKubeconfig }) =>
      row.name === 'admin' && adminKubeconfig !== undefined ? 'another kubeconfig is used in its place' : undefined,
    reads: {
      authority: authority.certificate,
      authorityKey: optional(authority.key),
      // kubelet.conf comes to name it, and whatever else names it is judged by it.
      kubeletPem: optional(kubeletClientCertificate),
    },
    writes: { kubeconfig: artifact },
    demands: (config) => ({ kubeconfig: kubeconfigDemands(row, config) }),
    async render({ config, inputs, now, issue, outputs }) {
      const facts = kubeconfigFactsOf(config);
      const issuer = { certificate: inputs.authority, place: placeIn(config, authority.certificate) };
      await refuseExpiredAuthority(issuer, row.fileName, now);
      const { notBefore: issuerNotBefore } = await validityOf(inputs.authority);
      const wanted = clientCertificateRequest(row.subject(facts), {
        ...requestOptionsOf(config, now),
        issuerNotBefore,
        begin: 'issuer',
      });
      const request = signingRequest(wanted, {
        name: row.fileName,
        issuer: issuerOf(inputs, { name: 'ca', keyPlace: placeIn(config, authority.key) }),
      });
      return issue(request, ({ certificate = '', key }) => {
        const credentials = { certificateAuthority: inputs.authority, client: { certificate, key } };
        return outputs({ kubeconfig: stringifyKubeconfig(kubeconfigOf(row, facts, credentials)) });
      });
    },
    async verify({ config, inputs, outputs, now }) {
      const facts = kubeconfigFactsOf(config);
      const place = placeIn(config, artifact);
      const pem = placeIn(config, kubeletClientCertificate);
      if (inputs.kubeletPem === undefined && refersTo(outputs.kubeconfig, pem)) return [lostCertificate(place, pem)];
      const findings = await verifyKubeconfig({
        artifact: place,
        kubeconfig: outputs.kubeconfig,
        certificateAuthority: inputs.authority,
        // With an external CA kubeadm takes each certificate of its file, else the first, which is what it embeds.
        expectedAuthority: inputs.authorityKey === undefined ? 'any' : 'first',
        files: {
          [placeIn(config, authority.certificate)]: inputs.authority,
          ...(inputs.kubeletPem === undefined ? {} : { [pem]: inputs.kubeletPem }),
        },
        unfitIssuer: unfitIssuer(inputs),
        server: serverOf(row, facts),
        subject: row.subject(facts),
        subjectRole: row.subjectRole,
        now,
      });
      const isAssumed = ({ code }: Finding) =>
        config.endpointIsAssumed === true && code === 'KUBECONFIG_SERVER_DIFFERS';
      const authorityPlace = () => placeIn(config, authority.certificate);
      const waits = inputs.authorityKey === undefined && waitingKey(outputs.kubeconfig) !== undefined;
      const relevant = waits ? awaited(findings, place) : findings;
      return [
        ...findingsAbout(
          place,
          relevant.filter((finding) => !isAssumed(finding)).map((finding) => withPlaceOf(authorityPlace, finding)),
        ),
        ...mountFindings(outputs.kubeconfig, { row, place, config }),
      ];
    },
  });
}

/** Whoever moved it away would lose the key that a request at the CA is for. */
function awaited(findings: readonly Finding[], place: string): readonly Finding[] {
  const missing = findings.filter(({ code }) => code === 'KUBECONFIG_CREDENTIALS_MISSING');
  if (missing.length === 0) return findings;
  const message = `${place} waits for the certificate of its key`;
  return missing.map((finding) => ({ ...finding, message, hint: `Have your CA sign it: ${exchangeRemedy}` }));
}

function lostCertificate(place: string, pem: string) {
  return bootstrapFinding({
    code: 'BOOTSTRAP_KUBELET_CERTIFICATE_LOST',
    severity: 'error',
    artifact: place,
    message: `${place} names a client certificate that is not there: ${pem}`,
    hint: `Move ${place} away and run the phase that makes it, with a new certificate`,
  });
}
