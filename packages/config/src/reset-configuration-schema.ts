import type { ResetConfiguration } from './command-configuration-types.ts';
import { bool, type Field, list, string, struct } from './field-schema.ts';
import { timeouts } from './init-configuration-schema.ts';

/** kubeadm.k8s.io/v1beta4 and v1, types.go and defaults.go. */
export const resetConfiguration: Field<ResetConfiguration> = struct<ResetConfiguration>({
  cleanupTmpDir: bool(),
  certificatesDir: string({ default: '/etc/kubernetes/pki' }),
  criSocket: string(),
  dryRun: bool(),
  force: bool(),
  ignorePreflightErrors: list(string()),
  skipPhases: list(string()),
  unmountFlags: list(string()),
  timeouts,
});
