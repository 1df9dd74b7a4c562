import type {
  UpgradeApply,
  UpgradeConfiguration,
  UpgradeDiff,
  UpgradeNode,
  UpgradePlan,
} from './command-configuration-types.ts';
import type { ImagePullPolicy } from './configuration-types.ts';
import { bool, type Field, int64, list, string, struct } from './field-schema.ts';
import { patches, timeouts } from './init-configuration-schema.ts';

const unset = bool({ optional: true });
const onUnlessGiven = bool({ optional: true, default: true });
const imagePullPolicy = string<ImagePullPolicy>({ default: 'IfNotPresent' });

/** kubeadm.k8s.io/v1beta4 and v1, types.go and defaults.go. */
export const upgradeConfiguration: Field<UpgradeConfiguration> = struct<UpgradeConfiguration>({
  apply: struct<UpgradeApply>({
    kubernetesVersion: string(),
    allowExperimentalUpgrades: unset,
    allowRCUpgrades: unset,
    certificateRenewal: onUnlessGiven,
    dryRun: unset,
    etcdUpgrade: onUnlessGiven,
    forceUpgrade: unset,
    ignorePreflightErrors: list(string()),
    patches,
    printConfig: unset,
    skipPhases: list(string()),
    imagePullPolicy,
    imagePullSerial: onUnlessGiven,
  }),
  diff: struct<UpgradeDiff>({ kubernetesVersion: string(), contextLines: int64() }),
  node: struct<UpgradeNode>({
    certificateRenewal: onUnlessGiven,
    dryRun: unset,
    etcdUpgrade: onUnlessGiven,
    ignorePreflightErrors: list(string()),
    skipPhases: list(string()),
    patches,
    imagePullPolicy,
    imagePullSerial: onUnlessGiven,
  }),
  plan: struct<UpgradePlan>({
    kubernetesVersion: string(),
    allowExperimentalUpgrades: unset,
    allowRCUpgrades: unset,
    dryRun: unset,
    etcdUpgrade: onUnlessGiven,
    ignorePreflightErrors: list(string()),
    printConfig: unset,
  }),
  timeouts,
});
