import { kubeconfigTable } from '@groundplane/kubeconfig';
import type { SuppliedPorts } from '@groundplane/phases';
import { certificateTable, createSigningRequest, generatePrivateKey, isAuthority } from '@groundplane/pki';
import { certificateArtifactsOf, kubeconfigArtifact } from './artifacts.ts';
import { wantedCertificate, wantedClientCertificate } from './certificate-demands.ts';
import { bootstrapError } from './error-codes.ts';
import { requestArtifactOf } from './exchange-artifacts.ts';
import { placeIn } from './findings-about.ts';
import { type InitContext, keyAlgorithmOf, kubeconfigFactsOf, layoutOf } from './init-context.ts';
import { partialKubeconfig } from './request-certificates.ts';

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
export async function generateSigningRequests(
  context: InitContext,
  { host: { files } }: SuppliedPorts,
  now: Date,
): Promise<readonly GeneratedRequests[]> {
  const algorithm = keyAlgorithmOf(context);
  const { pki, kubernetes } = layoutOf(context);
  const certificates = certificateTable
    .filter((row) => !isAuthority(row))
    .map((row) => {
      const keyPlace = placeIn(context, certificateArtifactsOf(row.name).key);
      const { subject, sans } = wantedCertificate(row, context, now);
      const inTheWay = `key or CSR ${pki}/${row.baseName}`;
      const requestPlace = placeIn(context, requestArtifactOf(row.name));
      return { name: row.baseName, keyPlace, requestPlace, subject, sans, inTheWay, keyFile: (key: string) => key };
    });
  const kubeconfigs = kubeconfigTable.map((row) => {
    const keyPlace = placeIn(context, kubeconfigArtifact(row.fileName));
    const { subject, sans } = wantedClientCertificate(row.subject(kubeconfigFactsOf(context)), context, now);
    const keyFile = (key: string) => partialKubeconfig(row, context, key);
    const inTheWay = `kube config: ${keyPlace}`;
    const requestPlace = placeIn(context, requestArtifactOf(row.fileName));
    return { name: row.fileName, keyPlace, requestPlace, subject, sans, inTheWay, keyFile };
  });
  const all = [...certificates, ...kubeconfigs];
  for (const { keyPlace, requestPlace, inTheWay } of all)
    for (const path of [keyPlace, requestPlace])
      if ((await files.status(path, { followLinks: false })) !== undefined)
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
        request: await createSigningRequest({ subject: one.subject, sans: one.sans }, key),
      };
    }),
  );
  const writing = { mode: 0o600 };
  for (const { keyPlace, requestPlace, key, request } of made) {
    await files.write(keyPlace, new TextEncoder().encode(key), writing);
    await files.write(requestPlace, new TextEncoder().encode(request), writing);
  }
  return [
    { directory: pki, names: certificates.map(({ name }) => name) },
    { directory: kubernetes, names: kubeconfigs.map(({ name }) => name) },
  ];
}
