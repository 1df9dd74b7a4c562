import type { Finding } from '@groundplane/errors';
import type { Host } from '@groundplane/phases';
import { bootstrapFinding } from './error-codes.ts';
import type { JoinContext } from './join-context.ts';
import { silently } from './node-facts.ts';
import { patchedKubelet } from './patched-documents.ts';

/**
 * Path of the CA by which the kubelet of this node would know its clients, if there is no such file and join makes none: its place
 * is that of the cluster's nodes, which `caCertPath` need not be. Undefined if nothing is missing, or nobody knows.
 */
export async function missingClientAuthority(context: JoinContext, host: Host): Promise<string | undefined> {
  const path = patchedKubelet(context).authentication?.x509?.clientCAFile;
  if (path === undefined || path === '' || path === context.join.caCertPath) return undefined;
  // What cannot be looked at is not called missing.
  const look = await silently(async () => ({ status: await host.files.status(path) }));
  return look !== undefined && look.status === undefined ? path : undefined;
}

/** @param path undefined if nothing is missing */
export function clientAuthorityFindings(path: string | undefined, { join }: JoinContext): readonly Finding[] {
  if (path === undefined) return [];
  return [
    bootstrapFinding({
      code: 'BOOTSTRAP_KUBELET_CLIENT_CA_MISSING',
      severity: 'error',
      artifact: path,
      message: `The kubelet would not start as its configuration, which is that of the cluster, names a CA that is not here and that join does not put there (authentication.x509.clientCAFile): ${path}`,
      hint: `Set caCertPath of the JoinConfiguration to ${path} in place of ${join.caCertPath}, put the CA of the cluster there, or patch clientCAFile (patches, kubeletconfiguration)`,
    }),
  ];
}
