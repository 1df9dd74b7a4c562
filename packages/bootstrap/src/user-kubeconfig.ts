import { errorsOf, type Finding, messageOf } from '@groundplane/errors';
import {
  buildKubeconfig,
  controlPlaneEndpointUrl,
  stringifyKubeconfig,
  verifyKubeconfig,
} from '@groundplane/kubeconfig';
import { momentOfAnswer, type SuppliedPorts } from '@groundplane/phases';
import { clientCertificateRequest, describeCertificate, firstCertificate } from '@groundplane/pki';
import { certificateArtifactsOf } from './artifacts.ts';
import { refuseExpiredAuthority } from './authority-validity.ts';
import { bootstrapError, bootstrapFinding } from './error-codes.ts';
import { placeIn } from './findings-about.ts';
import { type InitContext, keyAlgorithmOf, kubeconfigFactsOf } from './init-context.ts';
import { readText } from './read-text.ts';
import { issuerOf, signingRequest } from './signing-requests.ts';

export interface UserKubeconfigRequest {
  readonly context: InitContext;
  readonly ports: SuppliedPorts;
  /** The user, and the common name of its certificate. */
  readonly clientName: string;
  /** Groups of the user. */
  readonly organizations: readonly string[];
  /** In place of a certificate. Secret. */
  readonly token?: string | undefined;
  /** How long the certificate is valid from now on, in milliseconds. */
  readonly validityMs: number;
  readonly now: Date;
}

export interface UserKubeconfig {
  /** YAML. Secret. */
  readonly kubeconfig: string;
  readonly warnings: readonly Finding[];
}

const authority = certificateArtifactsOf('ca');

/**
 * A kubeconfig for one more user of the cluster (kubeadm: phases/kubeconfig, WriteKubeConfigWithClientCert, WriteKubeConfigWithToken). Writes
 * nothing to the node.
 *
 * @throws GroundplaneError BOOTSTRAP_USER_KUBECONFIG_IMPOSSIBLE if the CA, or without a signer its key, is not here; BOOTSTRAP_AUTHORITY_EXPIRED; what the signer throws
 */
export async function userKubeconfig(request: UserKubeconfigRequest): Promise<UserKubeconfig> {
  const { context, clientName, token, now } = request;
  const place = placeIn(context, authority.certificate);
  const certificate = await authorityAt(place, request.ports);
  const facts = kubeconfigFactsOf(context);
  const parts = {
    clusterName: facts.clusterName,
    server: controlPlaneEndpointUrl(facts.controlPlaneEndpoint, facts),
    certificateAuthority: firstCertificate(certificate),
    user: clientName,
  };
  if (token !== undefined)
    return { kubeconfig: stringifyKubeconfig(buildKubeconfig({ ...parts, token })), warnings: [] };
  await refuseExpiredAuthority({ certificate, place }, `the certificate of ${clientName}`, now);
  const issued = await issueFor(request, certificate);
  const user = { clientCertificate: issued.certificate, clientKey: issued.key };
  const kubeconfig = stringifyKubeconfig(buildKubeconfig({ ...parts, ...user }));
  await refuseAnswer(request, { kubeconfig, certificate, server: parts.server });
  return {
    kubeconfig,
    warnings: [...(issued.remarks ?? []), ...(await lifetimeWarnings(request, certificate, issued.certificate))],
  };
}

async function authorityAt(place: string, { host }: SuppliedPorts): Promise<string> {
  const impossible = (reason: string, cause?: unknown) =>
    bootstrapError(
      'BOOTSTRAP_USER_KUBECONFIG_IMPOSSIBLE',
      `couldn't create a kubeconfig; the CA files couldn't be loaded: ${place}: ${reason}`,
      {
        cause,
        hint: 'Run it on a control-plane node as root, or name the folder of the CA as certificatesDir in --config FILE',
      },
    );
  let certificate: string | undefined;
  try {
    certificate = await readText(host, place);
    if (certificate !== undefined) await describeCertificate(certificate);
  } catch (thrown) {
    throw impossible(messageOf(thrown), thrown);
  }
  if (certificate === undefined) throw impossible('there is no such file');
  return certificate;
}

async function issueFor(request: UserKubeconfigRequest, certificate: string) {
  const { context, ports, clientName, organizations, validityMs, now } = request;
  const keyPlace = placeIn(context, authority.key);
  const key = await readText(ports.host, keyPlace);
  const { notBefore: issuerNotBefore } = await describeCertificate(certificate);
  const wanted = clientCertificateRequest(
    { commonName: clientName, organizations },
    {
      now,
      validityPeriods: { certificate: validityMs, authority: validityMs },
      keyAlgorithm: keyAlgorithmOf(context),
      issuerNotBefore,
      begin: 'issuer',
    },
  );
  const asked = signingRequest(wanted, {
    name: clientName,
    issuer: issuerOf({ authority: certificate, authorityKey: key }, { name: 'ca', keyPlace }),
  });
  if (!ports.signer.canIssue(asked)) {
    throw bootstrapError(
      'BOOTSTRAP_USER_KUBECONFIG_IMPOSSIBLE',
      `couldn't create a kubeconfig; the CA files couldn't be loaded: ${keyPlace}: there is no such file`,
      {
        hint: 'Put the key of the CA there, have a signer sign it (--signer-command, or signer in the GroundplaneConfiguration of --config), or give the user a token: --token',
      },
    );
  }
  const [issued] = ports.signer.issue([asked]);
  if (issued === undefined) throw new TypeError('a signer that gives no answer');
  return issued;
}

/** What somebody else has signed is held to what was asked before anybody gets it. */
async function refuseAnswer(
  { clientName, organizations, ports }: UserKubeconfigRequest,
  made: { readonly kubeconfig: string; readonly certificate: string; readonly server: string },
): Promise<void> {
  const { name } = ports.signer;
  if (name === undefined) return;
  const { kubeconfig, certificate: certificateAuthority, server } = made;
  const subject = { commonName: clientName, organizations };
  const now = momentOfAnswer(ports.clock);
  const judged = { artifact: clientName, kubeconfig, certificateAuthority, server, subject, now };
  const errors = errorsOf(await verifyKubeconfig(judged));
  if (errors.length === 0) return;
  throw bootstrapError(
    'BOOTSTRAP_SIGNER_FAILED',
    `Cannot use the answer of the signer '${name}' to '${clientName}': ${errors.map(({ message }) => message).join('; ')}`,
    { findings: errors, hint: 'Run it again when the signer is in order' },
  );
}

async function lifetimeWarnings(
  { clientName }: UserKubeconfigRequest,
  certificate: string,
  issued: string | undefined,
): Promise<readonly Finding[]> {
  const { notAfter } = await describeCertificate(certificate);
  const { notAfter: end } = await describeCertificate(issued ?? '');
  if (end <= notAfter) return [];
  return [
    bootstrapFinding({
      code: 'BOOTSTRAP_CERTIFICATE_OUTLIVES_ISSUER',
      severity: 'warning',
      artifact: clientName,
      message: `The certificate of ${clientName} is valid longer than its CA, and nobody trusts it from then on: ${notAfter.toISOString()}`,
      hint: 'Give a shorter --validity-period',
    }),
  ];
}
