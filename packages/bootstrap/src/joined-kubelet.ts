import type { Finding } from '@groundplane/errors';
import { messageOf } from '@groundplane/errors';
import type { CurrentContext } from '@groundplane/kubeconfig';
import type { Demand } from '@groundplane/phases';
import { describeCertificate, isPair } from '@groundplane/pki';
import { haveCommonAuthority } from './authority-match.ts';
import { kubeletClientCertificate } from './discovery-artifacts.ts';
import { bootstrapFinding } from './error-codes.ts';
import { filePathOf } from './file-path-of.ts';
import { joinedKubeconfig } from './join-artifacts.ts';
import { type JoinContext, joinLayoutOf, nodeNameOf } from './join-context.ts';
import { kubeletContext } from './placed-kubelet-conf.ts';

/** The kubelet's own files, as far as they are there. */
export interface KubeletCredentials {
  /** Text of kubelet.conf. */
  readonly kubeconfig: string | undefined;
  /** PEM of its client certificate and key. */
  readonly certificate: string | undefined;
}

/**
 * How far the kubelet of this node has come: `joined` it is a member of the cluster, or was made one by somebody else · `awaited` it
 * has no certificate that is valid, so it has to ask for one · `foreign` what is there belongs to another cluster or node.
 */
export type KubeletMembership =
  | { readonly state: 'joined' }
  | { readonly state: 'awaited'; readonly reason: string }
  | { readonly state: 'foreign'; readonly finding: Finding };

/** What is asked of kubelet.conf on a node of this cluster. */
export function membershipDemands(context: JoinContext): readonly Demand[] {
  const foreign = (text: string): Demand => ({ text, code: 'BOOTSTRAP_NODE_OF_ANOTHER_CLUSTER', severity: 'error' });
  return [
    foreign(`Its server is ${context.server}`),
    foreign('The CA of its cluster has a public key in common with that of this cluster'),
    foreign(`Its client certificate, if it has one, is that of system:node:${nodeNameOf(context)}`),
  ];
}

/**
 * Judges kubelet.conf and what it refers to. The kubelet writes the file before it has a certificate, and asks for another one if
 * that has expired or cannot be read (k8s.io/kubernetes pkg/kubelet/certificate/bootstrap).
 */
export async function kubeletMembership(
  { kubeconfig, certificate }: KubeletCredentials,
  context: JoinContext,
  now: Date,
): Promise<KubeletMembership> {
  const layout = joinLayoutOf(context);
  const path = filePathOf(joinedKubeconfig, layout);
  const certificatePath = filePathOf(kubeletClientCertificate, layout);
  const awaited = (reason: string): KubeletMembership => ({ state: 'awaited', reason });
  if (kubeconfig === undefined) return awaited(`the kubelet has not written ${path} yet`);
  let current: CurrentContext;
  try {
    current = kubeletContext({ kubeconfig, certificate }, context);
  } catch (thrown) {
    return awaited(`${path} cannot be used: ${messageOf(thrown)}`);
  }
  const difference = await clusterDifference(current, context);
  if (difference !== undefined) return foreign(path, difference.reason, difference.hint?.replace('FILE', path));
  const { clientCertificate, clientCertificateFile, clientKey, files, hasCredentials } = current;
  if (!hasCredentials) return awaited(`${path} holds no credentials`);
  const missing = files.find((name) => context.kubeletConfFiles?.[name] === null);
  if (missing !== undefined) return awaited(`${path} names a file that is not there: ${missing}`);
  if (clientCertificate === undefined) {
    if (files.includes(certificatePath)) return awaited(`the kubelet has no ${certificatePath} yet`);
    // A kubelet that may ask for a certificate goes by no other credentials.
    if (clientCertificateFile === undefined)
      return awaited(`${path} holds no client certificate, so that the kubelet asks for one`);
    // What nobody could look at is the affair of whoever made the file.
    return { state: 'joined' };
  }
  const called = files.includes(certificatePath) ? `its certificate, ${certificatePath},` : 'its certificate';
  return certificateMembership({ clientCertificate, clientKey, path, called }, context, now);
}

/** Why a kubeconfig is not one of this cluster. */
async function clusterDifference(current: CurrentContext, context: JoinContext): Promise<Difference | undefined> {
  const { certificateAuthority, cluster, server } = current;
  if (certificateAuthority !== undefined && !(await isSameCluster(certificateAuthority, context)))
    return { reason: 'it trusts another CA' };
  const isSameServer = URL.parse(server)?.href === URL.parse(context.server)?.href;
  if (isSameServer) return undefined;
  return {
    reason: `its server is ${server}, and that of this cluster ${context.server}`,
    ...(certificateAuthority === undefined
      ? {}
      : {
          hint: `If it is meant for this cluster, have it name that server: kubectl config set-cluster ${cluster} --server ${context.server} --kubeconfig FILE. `,
        }),
  };
}

interface Difference {
  readonly reason: string;
  /** What may be meant beside another cluster, with a blank behind it. */
  readonly hint?: string;
}

async function isSameCluster(certificateAuthority: string, context: JoinContext): Promise<boolean> {
  try {
    return await haveCommonAuthority(certificateAuthority, context.certificateAuthority);
  } catch {
    return false;
  }
}

interface ClientCertificate {
  readonly clientCertificate: string;
  readonly clientKey: string | undefined;
  /** Of the kubeconfig. */
  readonly path: string;
  /** What people call it in a sentence. */
  readonly called: string;
}

async function certificateMembership(
  { clientCertificate, clientKey, path, called }: ClientCertificate,
  context: JoinContext,
  now: Date,
): Promise<KubeletMembership> {
  try {
    const { subject, notAfter } = await describeCertificate(clientCertificate);
    const wanted = `system:node:${nodeNameOf(context)}`;
    if (subject.commonName !== wanted)
      return foreign(
        path,
        `${called} is that of ${subject.commonName}, and this node is to be ${wanted}`,
        nameHint(subject.commonName),
      );
    if (notAfter < now)
      return { state: 'awaited', reason: `the certificate of the kubelet expired at ${notAfter.toISOString()}` };
    if (clientKey !== undefined && !(await isPair(clientCertificate, clientKey)))
      return { state: 'awaited', reason: 'the certificate and the key of the kubelet do not belong together' };
    return { state: 'joined' };
  } catch (thrown) {
    return { state: 'awaited', reason: `the certificate of the kubelet cannot be read: ${messageOf(thrown)}` };
  }
}

/** Names of nodes may have been mixed up as well as clusters. */
function nameHint(commonName: string): string {
  const name = commonName.startsWith('system:node:') ? commonName.slice('system:node:'.length) : '';
  return name === '' ? '' : `If this node is to have that name: --node-name ${name}. `;
}

function foreign(path: string, reason: string, hint = ''): KubeletMembership {
  return {
    state: 'foreign',
    finding: bootstrapFinding({
      code: 'BOOTSTRAP_NODE_OF_ANOTHER_CLUSTER',
      severity: 'error',
      artifact: path,
      message: `Cannot join as this machine is a node already, by a kubeconfig that is not of this cluster and node: ${path}: ${reason}`,
      hint: `${hint}If it is to leave the other cluster, clean it up first: groundplane reset`,
    }),
  };
}
