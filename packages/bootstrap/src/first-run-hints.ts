import type { Finding } from '@groundplane/errors';

/** Checks that ask for the absence of something: on a node it may well be the node's own (kubeadm: preflight/checks.go). */
export const asksForAbsence = /^(?:FileAvailable|DirAvailable|Port)-/;

/** What a machine is that is part of a cluster, by what is on it. */
export type Membership = 'control-plane' | 'worker';

const goOn: Readonly<Record<Membership, string>> = {
  'control-plane':
    'This machine is a control-plane node already. To go on with it give the configuration that it was made with: --config FILE',
  worker:
    'This machine is a node of a cluster already. To go on with its join give the configuration that it joined with: --config FILE',
};

const giveUp: Readonly<Record<Membership, string>> = {
  'control-plane': 'Only to give it up, which loses its keys and the data of its etcd: groundplane reset',
  worker: 'Only to take it out of that cluster: groundplane reset',
};

/**
 * Findings of checks of a machine, with hints that go by what the machine is: where it is a node already nothing is in its own way, if it
 * is known by which configuration.
 *
 * @param membership undefined for a machine that is no node
 */
export function withMembershipHints(
  findings: readonly Finding[],
  membership: Membership | undefined,
): readonly Finding[] {
  if (membership === undefined) return findings;
  return findings.map((finding) =>
    asksForAbsence.test(finding.artifact)
      ? { ...finding, hint: `${goOn[membership]}. ${giveUp[membership]}` }
      : finding,
  );
}
