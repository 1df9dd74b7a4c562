import { webCryptoSigner } from '@groundplane/bootstrap';
import { type ReadInitConfiguration, readInitConfiguration } from '@groundplane/config';
import type { Signer } from '@groundplane/phases';
import type { Invocation } from '../invocation.ts';
import { type WorkflowInput, workflowInput } from './workflow-input.ts';

/** As many as are made at the same time before it is known how many are wanted. */
const headStart = 3;

/**
 * `init phase certs all`. Keys take longer than all else, so where there are no certificates yet the first ones are begun before the rest of
 * the program is loaded.
 *
 * @throws as `init`
 */
export async function runCertificates(invocation: Invocation): Promise<void> {
  // Whoever has others sign is in no such hurry.
  if (invocation.flags['signer-command'] !== undefined) return (await import('./run-init.ts')).runInit(invocation);
  const signer = webCryptoSigner();
  const begun = await begin(invocation, signer);
  const { runInit } = await import('./run-init.ts');
  const isOurs = begun !== undefined && begun.read.groundplane?.signer === undefined;
  await runInit(invocation, { ...(isOurs ? { signer } : {}), ...begun });
}

interface Begun {
  readonly input: WorkflowInput;
  readonly read: ReadInitConfiguration;
}

/** @returns nothing if something is wrong with the input, which is told in its place */
async function begin(invocation: Invocation, signer: Signer): Promise<Begun | undefined> {
  try {
    const input = await workflowInput(invocation);
    const read = readInitConfiguration(input.text, { flags: input.flags });
    const { cluster, run } = read;
    const { certificatesDir, encryptionAlgorithm } = cluster;
    const existing = await input.node.host.files.status(certificatesDir);
    const isEmpty = existing === undefined || (await input.node.host.files.list(certificatesDir))?.length === 0;
    if (isEmpty && !run.dryRun && read.groundplane?.signer === undefined)
      signer.announce?.(Array.from({ length: headStart }, () => encryptionAlgorithm));
    return { input, read };
  } catch {
    return undefined;
  }
}
