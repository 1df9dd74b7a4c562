import type { Finding } from '@groundplane/errors';
import { verifyConnection } from '@groundplane/kubeconfig';
import type { Demand } from '@groundplane/phases';
import { rule } from './certificate-demands.ts';
import { kubeletClientCertificate } from './discovery-artifacts.ts';
import { filePathOf } from './file-path-of.ts';
import { findingsAbout } from './findings-about.ts';
import { joinedKubeconfig } from './join-artifacts.ts';
import { type JoinContext, joinLayoutOf } from './join-context.ts';
import type { KubeletCredentials } from './joined-kubelet.ts';
import { authorityElsewhereDemand, connectionDemands } from './kubeconfig-demands.ts';
import { placedKubeletDemands, placedKubeletFindings, readConfFiles } from './placed-kubelet-conf.ts';

/** What is asked of the fields of kubelet.conf on a node that has joined, besides whose it is. */
export function kubeletConfDemands(context: JoinContext): readonly Demand[] {
  return [
    authorityElsewhereDemand(context.join.caCertPath),
    ...connectionDemands(),
    rule(
      'KUBECONFIG_CREDENTIALS_UNJUDGED',
      'warning',
      'Its client certificate is embedded, or in a file that is there and can be read',
    ),
    ...placedKubeletDemands(context),
    rule('KUBECONFIG_IMPERSONATES', 'error', 'It asks in nobody else’s name (as), which a kubelet has no right to'),
  ];
}

/** Judges those fields. Of a file that is not there, or is no kubeconfig, nothing is said: the kubelet writes it again. */
export async function kubeletConfFindings(
  credentials: KubeletCredentials,
  context: JoinContext,
  now: Date,
): Promise<readonly Finding[]> {
  const { kubeconfig, certificate } = credentials;
  if (kubeconfig === undefined) return [];
  const layout = joinLayoutOf(context);
  const artifact = filePathOf(joinedKubeconfig, layout);
  const files = {
    ...readConfFiles(context),
    // Which CA is in the file of the phases is the affair of the file itself, and whether there is a certificate that of the kubelet.
    [context.join.caCertPath]: context.certificateAuthority,
    [filePathOf(kubeletClientCertificate, layout)]: certificate ?? '',
  };
  return [
    ...findingsAbout(artifact, await verifyConnection({ artifact, kubeconfig, files })),
    ...(await placedKubeletFindings(credentials, context, now)),
  ];
}
