import { kubeconfigTable } from '@groundplane/kubeconfig';
import type { Artifact, SuppliedPorts } from '@groundplane/phases';
import { certificateTable, createSigningRequest, generatePrivateKey, isAuthority } from '@groundplane/pki';
import { certificateArtifactsOf, kubeconfigArtifact } from './artifacts.ts';
import { wantedCertificate, wantedClientCertificate } from './certificate-demands.ts';
import { bootstrapError } from './error-codes.ts';
import { requestArtifactOf } from './exchange-artifacts.ts';
import { type ExchangeReport, writeExchanged } from './exchange-file.ts';
import { placeIn } from './findings-about.ts';
import { type InitContext, keyAlgorithmOf, kubeconfigFactsOf, layoutOf } from './init-context.ts';
import { partialKubeconfig } from './request-certificates.ts';

export interface GenerationRequest extends ExchangeReport {
  readonly context: InitContext;
  readonly ports: SuppliedPorts;
  readonly now: Date;
}

/** What was made in one folder. */
export interface GeneratedRequests {
  readonly directory: string;
  /** Paths below it without ending, or names of kubeconfig files. */
  readonly names: readonly string[];
}

/**
 * Keys and signing requests for all that a control-plane node has, whatever is there (kubeadm: phases/certs, CreateDefaultKeysAndCSRFiles;
 * phases/kubeconfig, CreateDefaultKubeConfigsAndCSRFiles). The requests ask for no usages, as kubeadm's do.
 *
 * @throws GroundplaneError BOOTSTRAP_REQUEST_IN_THE_WAY before the first write if one of the files exists
 */
export async function generateSigningRequests(request: GenerationRequest): Promise<readonly GeneratedRequests[]> {
  const { context, ports, now } = request;
  const algorithm = keyAlgorithmOf(context);
  const { pki, kubernetes } = layoutOf(context);
  const certificates = certificateTable
    .filter((row) => !isAuthority(row))
    .map((row) => ({
      ...filesOf(row.name, certificateArtifactsOf(row.name).key, context),
      name: row.baseName,
      wanted: wantedCertificate(row, context, now),
      inTheWay: `key or CSR ${pki}/${row.baseName}`,
      keyFile: (key: string) => key,
    }));
  const kubeconfigs = kubeconfigTable.map((row) => {
    const files = filesOf(row.fileName, kubeconfigArtifact(row.fileName), context);
    return {
      ...files,
      name: row.fileName,
      wanted: wantedClientCertificate(row.subject(kubeconfigFactsOf(context)), context, now),
      inTheWay: `kube config: ${files.keyPlace}`,
      keyFile: (key: string) => partialKubeconfig(row, context, key),
    };
  });
  const all = [...certificates, ...kubeconfigs];
  for (const { keyPlace, requestPlace, inTheWay } of all)
    for (const path of [keyPlace, requestPlace])
      if ((await ports.host.files.status(path, { followLinks: false })) !== undefined)
        throw bootstrapError('BOOTSTRAP_REQUEST_IN_THE_WAY', `file already exists: ${inTheWay}`, {
          hint: `Move it away; or use the keys that are there: groundplane certs requests`,
          details: { path },
        });
  const made = await Promise.all(
    all.map(async (one) => {
      const key = await generatePrivateKey(algorithm);
      return {
        ...one,
        key: one.keyFile(key),
        csr: await createSigningRequest({ subject: one.wanted.subject, sans: one.wanted.sans }, key),
      };
    }),
  );
  for (const { keyArtifact, keyPlace, requestArtifact, requestPlace, key, csr } of made) {
    await writeExchanged({ artifact: keyArtifact, place: keyPlace, text: key, action: 'created' }, request);
    await writeExchanged({ artifact: requestArtifact, place: requestPlace, text: csr, action: 'created' }, request);
  }
  return [
    { directory: pki, names: certificates.map(({ name }) => name) },
    { directory: kubernetes, names: kubeconfigs.map(({ name }) => name) },
  ];
}

/** The file with the key, and the one with the request for it. */
function filesOf(name: string, keyArtifact: Artifact<unknown>, context: InitContext) {
  const requestArtifact = requestArtifactOf(name);
  return {
    keyArtifact,
    keyPlace: placeIn(context, keyArtifact),
    requestArtifact,
    requestPlace: placeIn(context, requestArtifact),
  };
}
