import { webCryptoSigner } from '@groundplane/bootstrap';
import type { ReadInitConfiguration } from '@groundplane/config';
import type { Invocation } from '../invocation.ts';
import { printWarnings } from '../render/warning-lines.ts';
import { initRun } from '../workflows/init-run.ts';
import { type HeadStart, phaseOf, prepare, runWorkflowCommand } from './run-workflow.ts';

export interface InitHeadStart extends HeadStart {
  /** What the input comes to, where it was read already. */
  readonly read?: ReadInitConfiguration;
}

/**
 * Runs `init`, or one of its phases.
 *
 * @throws as {@link runWorkflowCommand}
 */
export async function runInit(invocation: Invocation, { read, ...headStart }: InitHeadStart = {}): Promise<void> {
  // A list of manifests is no report about a run.
  if (invocation.flags['print-manifest'] === true) return printOnly(invocation);
  await runWorkflowCommand(invocation, initRun(read), headStart);
}

async function printOnly(invocation: Invocation): Promise<void> {
  const { node, resolved } = await prepare(invocation, initRun(), { signer: webCryptoSigner() });
  printWarnings(invocation, resolved.warnings);
  const { printManifests } = await import('./print-manifests.ts');
  await printManifests(invocation, { context: resolved.context, phase: phaseOf(invocation) ?? '', node });
}
