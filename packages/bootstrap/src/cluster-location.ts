import type { ClusterLocation } from '@groundplane/discovery';
import { currentContextOf, parseKubeconfig } from '@groundplane/kubeconfig';
import { certificateArtifactsOf } from './artifacts.ts';
import { bootstrapError } from './error-codes.ts';
import { placeIn } from './findings-about.ts';
import type { InitContext } from './init-context.ts';

/** Where other nodes reach the cluster, which is not the address that this node uses, and the CA that they are to trust. */
export interface AdminView {
  /** Text of admin.conf. */
  readonly admin: string;
  /** PEM of our `ca.crt`, to which admin.conf may refer. */
  readonly authority: string | undefined;
}

/** @throws GroundplaneError BOOTSTRAP_CLUSTER_UNKNOWN if admin.conf holds no CA; KUBECONFIG_UNREADABLE, KUBECONFIG_CONTEXT_MISSING */
export function clusterLocation({ admin, authority }: AdminView, config: InitContext): ClusterLocation {
  const place = placeIn(config, certificateArtifactsOf('ca').certificate);
  const { server, cluster, certificateAuthority, certificateAuthorityFile } = currentContextOf(
    parseKubeconfig(admin),
    authority === undefined ? {} : { [place]: authority },
  );
  if (certificateAuthority !== undefined) return { server, certificateAuthority };
  throw bootstrapError(
    'BOOTSTRAP_CLUSTER_UNKNOWN',
    `Cannot tell others which CA to trust as admin.conf does not hold it: ${certificateAuthorityFile ?? 'it names none'}`,
    { hint: `Embed it: kubectl config set-cluster ${cluster} --embed-certs --certificate-authority ${place}` },
  );
}
