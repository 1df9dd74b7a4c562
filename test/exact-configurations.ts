import { algorithms, folders, foreign, names, networks, validity } from './exact-certificate-rows.ts';
import {
  type ConfigurationRow,
  type ExactConfiguration,
  exactConfiguration,
  manifestPhases,
} from './exact-configuration.ts';
import { etcd, flags, images, metrics, patching } from './exact-manifest-rows.ts';
import { settings } from './exact-settings-rows.ts';

/** Name → configuration. Those of one kind stand together. */
export const exactConfigurations: Readonly<Record<string, ExactConfiguration>> = Object.fromEntries([
  ...rowsOf([algorithms, names, networks, etcd, folders, validity, flags, foreign], {}),
  ...rowsOf([metrics, images, patching, settings], { phases: manifestPhases }),
]);

function rowsOf(
  groups: readonly Readonly<Record<string, ConfigurationRow>>[],
  fallback: ConfigurationRow,
): readonly (readonly [string, ExactConfiguration])[] {
  return groups
    .flatMap((rows) => Object.entries(rows))
    .map(([name, row]) => [name, exactConfiguration({ ...fallback, ...row })]);
}
