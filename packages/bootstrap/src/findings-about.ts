import type { Finding } from '@groundplane/errors';
import { type Artifact, formatLocation } from '@groundplane/phases';
import { type InitContext, layoutOf } from './init-context.ts';

/** The place of an artifact on this node: an absolute path, or `ConfigMap kube-system/kubeadm-config`. */
export function placeIn(context: InitContext, artifact: Artifact<unknown>): string {
  return formatLocation(artifact.where(layoutOf(context)));
}

/** Findings of a library that judges contents, with the place of what they are about in front: people have to find it. */
export function findingsAbout(place: string, findings: readonly Finding[]): readonly Finding[] {
  return findings.map((finding) =>
    finding.message.includes(place)
      ? { ...finding, artifact: place }
      : { ...finding, artifact: place, message: `${place}: ${finding.message}` },
  );
}

/** A finding that says where the CA is that it speaks of. */
export function withPlaceOf(authority: string, finding: Finding): Finding {
  return { ...finding, hint: `${finding.hint === undefined ? '' : `${finding.hint}. `}The CA is ${authority}` };
}
