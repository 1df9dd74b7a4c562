import type { ClusterConfiguration } from '@groundplane/config';
import type { Finding } from '@groundplane/errors';
import { bootstrapFinding } from './error-codes.ts';

/** Phase of an addon → field of the ClusterConfiguration that says whether the cluster does without. */
const addonTable = { 'addon/kube-proxy': 'proxy', 'addon/coredns': 'dns' } as const;

type AddonPhase = keyof typeof addonTable;

/** Why the cluster does without an addon; undefined if it does not. */
export function reasonDisabled(phase: AddonPhase, cluster: ClusterConfiguration): string | undefined {
  const field = addonTable[phase];
  return cluster[field].disabled ? `${field}.disabled is true` : undefined;
}

/**
 * Tells whoever asks for an addon that the configuration disables that it is left out. In `init` nobody asks for it.
 *
 * @param command `init phase addon coredns`
 */
export function disabledAddonWarnings(cluster: ClusterConfiguration, command: string): readonly Finding[] {
  const wanted = command
    .replace(/^init phase /, '')
    .replace(' ', '/')
    .replace(/\/all$/, '');
  return (Object.keys(addonTable) as AddonPhase[]).flatMap((phase) => {
    const reason = reasonDisabled(phase, cluster);
    if (reason === undefined || !`${phase}/`.startsWith(`${wanted}/`)) return [];
    return [
      bootstrapFinding({
        code: 'BOOTSTRAP_ADDON_DISABLED',
        severity: 'warning',
        artifact: phase,
        message: `${phase} is left out as ${reason}`,
        hint: `To install it, set ${addonTable[phase]}.disabled to false, and take ${phase} out of skipPhases`,
      }),
    ];
  });
}
