import { knownCriSockets } from '@groundplane/config';
import { cliError } from '../error-codes.ts';
import { type Invocation, textFlag } from '../invocation.ts';
import type { NodeHost } from '../node-host.ts';

/** What the configuration may depend on of this machine, as plain data. */
type HostFacts = {
  readonly hostName: string;
  readonly addresses: Awaited<ReturnType<NodeHost['host']['facts']['addresses']>>;
  readonly criSockets: readonly string[];
};

/**
 * The value of a flag that a command cannot do without (kubeadm: cmd/config.go).
 *
 * @throws GroundplaneError CLI_FLAG_MANDATORY
 */
export function mandatoryFlag(invocation: Invocation, name: string): string {
  const value = textFlag(invocation, name) ?? '';
  if (value === '') throw cliError('CLI_FLAG_MANDATORY', `the --${name} flag is mandatory`);
  return value;
}

/** @param options.sockets whether the container runtime is looked for, too */
export async function hostFacts({ host: { facts } }: NodeHost, { sockets = false } = {}): Promise<HostFacts> {
  const [hostName, addresses, criSockets] = await Promise.all([
    facts.hostName(),
    facts.addresses(),
    sockets ? facts.sockets(knownCriSockets) : [],
  ]);
  return { hostName, addresses, criSockets };
}

/** Those of the files that are not there. */
export async function missingFiles({ host, absolute }: NodeHost, paths: readonly string[]): Promise<readonly string[]> {
  const missing = await Promise.all(
    paths.map(async (path) => ((await host.files.status(absolute(path))) === undefined ? [path] : [])),
  );
  return missing.flat();
}
