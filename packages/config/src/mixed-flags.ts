import { configError } from './error-codes.ts';
import type { FlagValues } from './flag.ts';

/** kubeadm, validation.go, isAllowedFlag: besides these, every flag that starts with `skip-`. */
const allowedWithConfig: ReadonlySet<string> = new Set([
  'config',
  'ignore-preflight-errors',
  'dry-run',
  'kubeconfig',
  'node-name',
  'kubeconfig-dir',
  'upload-certs',
  'print-manifest',
  'allow-missing-template-keys',
  'output',
  'show-managed-fields',
  'print-join-command',
  'rootfs',
  'v',
  'log-file',
  'yes',
]);

/** True if a flag may be given together with `--config`. Flags that kubeadm does not have are for their owner to judge. */
export function isAllowedWithConfig(name: string): boolean {
  return allowedWithConfig.has(name) || name.startsWith('skip-');
}

/**
 * The flags among `given` that `--config` does not allow beside it, sorted.
 *
 * @param given names of flags set on the command line; without `config` nothing is mixed
 */
export function mixedFlags(given: readonly string[]): readonly string[] {
  return given.includes('config') ? given.filter((name) => !isAllowedWithConfig(name)).toSorted() : [];
}

/**
 * Holds the flags that were given to kubeadm's rule (validation.go, ValidateMixedArguments).
 *
 * @param text of the file that `--config` names; undefined without one
 * @throws GroundplaneError CONFIG_MIXED_ARGUMENTS
 */
export function refuseMixedFlags(flags: FlagValues, text: string | undefined): void {
  const given = Object.keys(flags).filter((name) => flags[name] !== undefined);
  const mixed = mixedFlags(text === undefined ? given : [...given, 'config']);
  if (mixed.length === 0) return;
  throw configError('CONFIG_MIXED_ARGUMENTS', `can not mix '--config' with arguments [${mixed.join(' ')}]`, {
    hint: 'Put these settings into the configuration file, or leave --config out',
    details: { flags: mixed },
  });
}
