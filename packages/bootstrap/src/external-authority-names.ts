import type { SuppliedPorts } from '@groundplane/phases';
import { type CertificateAuthorityName, certificateTable, isAuthority } from '@groundplane/pki';
import { certificateArtifactsOf, kubeconfigArtifacts, leafArtifactsOf } from './artifacts.ts';
import { placeIn } from './findings-about.ts';
import type { InitContext } from './init-context.ts';

/** All CAs of a control-plane node. */
export const certificateAuthorityNames: readonly CertificateAuthorityName[] = certificateTable
  .filter(isAuthority)
  .map(({ name }) => name);

/**
 * The CAs whose keys are kept elsewhere, as far as a node tells: the certificate is there without the key; or neither is there, and keys wait
 * for certificates of this CA; or nothing of any CA is there, so that somebody who asks for certificates begins with all of them.
 */
export async function externalAuthorityNames(
  context: InitContext,
  { host: { files } }: SuppliedPorts,
): Promise<readonly CertificateAuthorityName[]> {
  const has = async (path: string) => (await files.status(path)) !== undefined;
  const rows = certificateTable
    .filter(isAuthority)
    .filter(({ name }) => name !== 'etcd-ca' || !context.cluster.etcd.external);
  const states = await Promise.all(
    rows.map(async ({ name }) => {
      const { certificate, key } = certificateArtifactsOf(name);
      const waiting = await Promise.all(
        leafArtifactsOf(name).map(
          async (leaf) => (await has(placeIn(context, leaf.key))) && !(await has(placeIn(context, leaf.certificate))),
        ),
      );
      return {
        name,
        hasCertificate: await has(placeIn(context, certificate)),
        hasKey: await has(placeIn(context, key)),
        waits: waiting.includes(true),
      };
    }),
  );
  const places = Object.values(kubeconfigArtifacts).map((artifact) => placeIn(context, artifact));
  const isEmpty =
    states.every(({ hasCertificate, hasKey, waits }) => !hasCertificate && !hasKey && !waits) &&
    !(await Promise.all(places.map(has))).includes(true);
  return states
    .filter(({ hasCertificate, hasKey, waits }) => !hasKey && (hasCertificate || waits || isEmpty))
    .map(({ name }) => name);
}
