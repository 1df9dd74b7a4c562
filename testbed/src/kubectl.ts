import type { ExecOptions, Machine } from './machine.ts';
import type { CommandResult } from './run-command.ts';

/** Runs kubectl as the administrator on a control-plane machine. */
export function kubectlOn(
  machine: Machine,
  args: readonly string[],
  options: ExecOptions = {},
): Promise<CommandResult> {
  return machine.exec(['kubectl', '--kubeconfig', '/etc/kubernetes/admin.conf', ...args], options);
}

/**
 * What kubectl printed, run as the administrator on a control-plane machine.
 *
 * @throws Error with what it said if it failed
 */
export async function kubectlOutput(
  machine: Machine,
  args: readonly string[],
  options: ExecOptions = {},
): Promise<string> {
  return (await succeeding(machine, ['kubectl', '--kubeconfig', '/etc/kubernetes/admin.conf', ...args], options))
    .stdout;
}

/**
 * Runs a command that is expected to succeed on a machine.
 *
 * @throws Error with what it said if it failed
 */
export async function succeeding(
  machine: Machine,
  argv: readonly string[],
  options: ExecOptions = {},
): Promise<CommandResult> {
  const result = await machine.exec(argv, { timeoutMs: 600_000, ...options });
  if (result.code === 0) return result;
  throw new Error(
    `${argv.slice(0, 6).join(' ')} on ${machine.name} failed with exit code ${result.code}:\n${result.stdout}${result.stderr}`,
  );
}
