import type { Finding } from '@groundplane/errors';
import type { ResetConfiguration, UpgradeConfiguration } from './command-configuration-types.ts';
import { problemFinding } from './findings.ts';
import { type Check, given, listOf, runChecks } from './value-check.ts';
import { valueRules } from './value-rules.ts';

const resetChecks: readonly Check<ResetConfiguration>[] = [
  { path: 'criSocket', rule: valueRules.criSocket, values: ({ criSocket }) => given(criSocket) },
  { path: 'certificatesDir', rule: valueRules.absolutePath, values: ({ certificatesDir }) => [certificatesDir] },
  { path: 'unmountFlags', rule: valueRules.unmountFlag, values: ({ unmountFlags }) => unmountFlags },
];

const upgradeChecks: readonly Check<UpgradeConfiguration>[] = (['apply', 'node'] as const).flatMap((section) => [
  {
    path: `${section}.patches.directory`,
    rule: valueRules.absolutePath,
    values: (upgrade: UpgradeConfiguration) => listOf(upgrade[section].patches?.directory),
  },
  {
    path: `${section}.imagePullPolicy`,
    rule: valueRules.imagePullPolicy,
    values: (upgrade: UpgradeConfiguration) => [upgrade[section].imagePullPolicy],
  },
]);

/** Holds a ResetConfiguration after defaulting to kubeadm's rules; a socket that is empty until resolved is skipped. */
export function validateResetConfiguration(reset: ResetConfiguration): readonly Finding[] {
  return runChecks(resetChecks, reset).map(problemFinding);
}

/** Holds an UpgradeConfiguration after defaulting to kubeadm's rules. */
export function validateUpgradeConfiguration(upgrade: UpgradeConfiguration): readonly Finding[] {
  return runChecks(upgradeChecks, upgrade).map(problemFinding);
}
