import { type Finding, hasErrors } from '@groundplane/errors';
import { type CurrentContext, currentContextOf, parseKubeconfig } from '@groundplane/kubeconfig';
import type { Demand, Host } from '@groundplane/phases';
import { noSubjectAlternativeNames, verifyCertificate } from '@groundplane/pki';
import { certificateRules, rule } from './certificate-demands.ts';
import { kubeletClientCertificate } from './discovery-artifacts.ts';
import { bootstrapFinding } from './error-codes.ts';
import { filePathOf } from './file-path-of.ts';
import { findingsAbout } from './findings-about.ts';
import { withSmallInitial } from './initial-letter.ts';
import { joinedAuthority, joinedKubeconfig } from './join-artifacts.ts';
import { type JoinContext, joinLayoutOf, nodeNameOf } from './join-context.ts';
import type { KubeletCredentials } from './joined-kubelet.ts';
import { silently } from './node-facts.ts';
import { patchedKubelet } from './patched-documents.ts';
import { readText } from './read-text.ts';
import { withClientFile } from './rotatable-kubeconfig.ts';
import { waitingKey } from './waiting-kubeconfig.ts';

/**
 * Reads what kubelet.conf names beside the files of phases: somebody has brought it. Relative paths count from its folder, as for clients.
 *
 * @returns contents by path as it stands there; `null` for a file that is not there. One that nobody may read is left out
 */
export async function kubeletConfFiles(
  context: JoinContext,
  host: Host,
): Promise<NonNullable<JoinContext['kubeletConfFiles']>> {
  const layout = joinLayoutOf(context);
  const place = filePathOf(joinedKubeconfig, layout);
  const known = new Set([joinedAuthority, kubeletClientCertificate].map((artifact) => filePathOf(artifact, layout)));
  const paths = await silently(async () => {
    const text = await readText(host, place);
    return text === undefined ? [] : currentContextOf(parseKubeconfig(text)).files;
  });
  const folder = place.slice(0, place.lastIndexOf('/'));
  const contents: Record<string, string | null> = {};
  for (const path of (paths ?? []).filter((one) => !known.has(one))) {
    const absolute = path.startsWith('/') ? path : `${folder}/${path}`;
    const content = await silently(async () => ({ text: (await readText(host, absolute)) ?? null }));
    if (content !== undefined) contents[path] = content.text;
  }
  return contents;
}

/** What was found in those files. */
export function readConfFiles({
  kubeletConfFiles = {},
}: Pick<JoinContext, 'kubeletConfFiles'>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(kubeletConfFiles).flatMap(([path, text]) => (text === null ? [] : [[path, text]])),
  );
}

/** What the current context of kubelet.conf comes to, with all that was read of its files. */
export function kubeletContext(
  { kubeconfig = '', certificate }: KubeletCredentials,
  context: JoinContext,
): CurrentContext {
  const path = filePathOf(kubeletClientCertificate, joinLayoutOf(context));
  const own = certificate === undefined ? {} : { [path]: certificate };
  return currentContextOf(parseKubeconfig(kubeconfig), { ...readConfFiles(context), ...own });
}

/** What is asked of a client certificate that somebody has brought in kubelet.conf, or in a file that it names. */
export function placedKubeletDemands(context: JoinContext): readonly Demand[] {
  return [
    ...[
      ...certificateRules({
        isCA: false,
        ...expectation(context),
        role: 'user',
        issuer: joinedAuthority.id,
        anchors: 'all',
      }),
      rule('PKI_KEY_MISMATCH', 'error', 'Its public key is that of the key beside it'),
    ].map((demand) => ({
      ...demand,
      text: `Where somebody has brought its client certificate: ${withSmallInitial(demand.text)}`,
    })),
    rule(
      'BOOTSTRAP_KUBELET_CERTIFICATE_AWAITED',
      'error',
      'It does not hold a key alone, whose certificate is still to come',
    ),
    rule(
      'BOOTSTRAP_KUBELET_CERTIFICATE_UNFIT',
      'error',
      'Where somebody has brought its client certificate, the kubelet has no other one of an earlier cluster, which it would take first',
    ),
  ];
}

/**
 * Judges a client certificate that somebody has brought: the kubelet goes by it, and asks for none. What the kubelet has got by itself is the
 * affair of its membership.
 */
export async function placedKubeletFindings(
  credentials: KubeletCredentials,
  context: JoinContext,
  now: Date,
): Promise<readonly Finding[]> {
  const layout = joinLayoutOf(context);
  const ownPath = filePathOf(kubeletClientCertificate, layout);
  const place = filePathOf(joinedKubeconfig, layout);
  if (credentials.kubeconfig !== undefined && waitingKey(credentials.kubeconfig) !== undefined) return [waiting(place)];
  const current = await silently(async () => kubeletContext(credentials, context));
  if (current?.clientCertificate === undefined || current.files.includes(ownPath)) return [];
  const judge = (certificate: string, key: string | undefined) =>
    verifyCertificate({
      artifact: place,
      certificate,
      key,
      issuerCertificates: context.certificateAuthority,
      anchors: 'all',
      now,
      expected: {
        isCA: false,
        ...expectation(context),
        subjectRole: 'user',
      },
    });
  const hint = `Have it made again by whoever keeps the CA, or move ${place} away: the kubelet then asks the cluster for its certificate`;
  const findings = await judge(current.clientCertificate, current.clientKey);
  if (hasErrors(findings) || !rotates(context) || credentials.certificate === undefined)
    return findingsAbout(place, findings).map((finding) => ({ ...finding, hint }));
  const ofEarlier = (await judge(credentials.certificate, undefined)).filter(
    ({ severity, code }) => severity === 'error' && code !== 'PKI_CERTIFICATE_NOT_YET_VALID',
  );
  // One that has expired is not taken.
  if (ofEarlier.length === 0 || ofEarlier.some(({ code }) => code === 'PKI_CERTIFICATE_EXPIRED'))
    return findingsAbout(place, findings).map((finding) => ({ ...finding, hint }));
  return [
    bootstrapFinding({
      code: 'BOOTSTRAP_KUBELET_CERTIFICATE_UNFIT',
      severity: 'error',
      artifact: ownPath,
      message: `Cannot join with the certificate of ${place} as the kubelet has another one that it takes first, and that is not good for this cluster: ${ownPath}: ${ofEarlier.map(({ message }) => message).join('; ')}`,
      hint: `Remove what an earlier cluster has left: rm ${ownPath}`,
    }),
  ];
}

/** The kubelet would write its own over it, and the key would be lost. */
function waiting(place: string): Finding {
  return bootstrapFinding({
    code: 'BOOTSTRAP_KUBELET_CERTIFICATE_AWAITED',
    severity: 'error',
    artifact: place,
    message: `Cannot join as ${place} waits for its certificate: it holds the key of a signing request alone`,
    hint: `When it is signed: groundplane certs import --workflow join FILE. Or move ${place} away: the kubelet then asks the cluster for its certificate`,
  });
}

/**
 * The kubeconfig of a kubelet that has taken over a certificate that somebody has brought, and renews it: it names the file in which the kubelet
 * keeps it, as otherwise no kubelet would start any more when the one that was brought has expired (k8s.io/kubernetes:
 * pkg/kubelet/certificate/bootstrap, isClientConfigStillValid).
 *
 * @returns undefined where nothing is to be changed
 */
export async function renewableKubeletConf(
  credentials: KubeletCredentials,
  context: JoinContext,
  now: Date,
): Promise<string | undefined> {
  const { kubeconfig, certificate } = credentials;
  const ownPath = filePathOf(kubeletClientCertificate, joinLayoutOf(context));
  if (kubeconfig === undefined || certificate === undefined || !rotates(context)) return undefined;
  const current = await silently(async () => kubeletContext(credentials, context));
  if (current?.clientCertificate === undefined || current.files.includes(ownPath)) return undefined;
  if (hasErrors(await placedKubeletFindings(credentials, context, now))) return undefined;
  return withClientFile(kubeconfig, ownPath);
}

/** Whether the kubelet looks for a certificate of its own, and renews it. */
function rotates(context: JoinContext): boolean {
  return patchedKubelet(context).rotateCertificates === true;
}

function expectation(context: JoinContext) {
  return {
    subject: { commonName: `system:node:${nodeNameOf(context)}`, organizations: ['system:nodes'] },
    extendedKeyUsages: ['clientAuth'],
    sans: noSubjectAlternativeNames,
    requiredSans: noSubjectAlternativeNames,
  };
}
