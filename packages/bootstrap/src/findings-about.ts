import type { Finding } from '@groundplane/errors';
import { type Artifact, formatLocation } from '@groundplane/phases';
import { type InitContext, layoutOf } from './init-context.ts';

/** The place of an artifact on this node: an absolute path, or `ConfigMap kube-system/kubeadm-config`. */
export function placeIn(context: InitContext, artifact: Artifact<unknown>): string {
  return formatLocation(artifact.where(layoutOf(context)));
}

/** Findings of a library that judges contents, with the place of what they are about in front, and in the commands that they advise: people have to find it. */
export function findingsAbout(place: string, findings: readonly Finding[]): readonly Finding[] {
  return findings.map(({ hint, ...finding }) => ({
    ...finding,
    artifact: place,
    message: finding.message.includes(place) ? finding.message : `${place}: ${finding.message}`,
    ...(hint === undefined ? {} : { hint: hint.replace(fileToLookAt, `$1 ${place}`) }),
  }));
}

/** Where a command takes the file that a finding is about, which the libraries do not know. */
const fileToLookAt = /(-in|--kubeconfig) FILE\b/g;

/** Verdicts that may as well be the fault of the CA. */
const aboutAuthority: ReadonlySet<string> = new Set([
  'KUBECONFIG_CA_DIFFERS',
  'PKI_CERTIFICATE_UNTRUSTED',
  'PKI_ISSUER_OUTSIDE_VALIDITY',
]);

/** The finding, with the place of the CA if it may be about that. Not all that is judged has a CA, so its place is asked for only then. */
export function withPlaceOf(authorityPlace: () => string, finding: Finding): Finding {
  if (!aboutAuthority.has(finding.code)) return finding;
  return { ...finding, hint: `${finding.hint === undefined ? '' : `${finding.hint}. `}The CA is ${authorityPlace()}` };
}
