import { initWorkflow, type ResolvedInit, resolveInit, webCryptoSigner } from '@groundplane/bootstrap';
import { initCommands, knownCriSockets, type ReadInitConfiguration } from '@groundplane/config';
import { runWorkflow, type Selection, type Signer, type SuppliedPorts } from '@groundplane/phases';
import type { Invocation } from '../invocation.ts';
import { localPorts } from '../local-ports.ts';
import type { NodeHost } from '../node-host.ts';
import { ownStatePaths, withNodeLock } from '../node-lock.ts';
import { namingFile } from '../read-config-file.ts';
import { closingLines } from '../render/closing-lines.ts';
import { type Reporter, reporterFor } from '../render/reporter.ts';
import { printWarnings } from '../render/warning-lines.ts';
import { type InitInput, initInput } from './init-input.ts';

/** What was done about the command already. */
export interface InitHeadStart {
  readonly input?: InitInput;
  /** What the input comes to, where it was read already. */
  readonly read?: ReadInitConfiguration;
  readonly signer?: Signer;
}

/**
 * Runs `init`, or one of its phases (`init phase certs ca`, `init phase certs all`).
 *
 * @throws GroundplaneError of the engine, the configuration, the adapters
 */
export async function runInit(invocation: Invocation, headStart: InitHeadStart = {}): Promise<void> {
  // A list of manifests is no report about a run.
  if (invocation.flags['print-manifest'] === true) return printOnly(invocation);
  const reporter = reporterFor(invocation);
  try {
    await initOrPhase(invocation, { reporter, headStart });
  } catch (error) {
    throw reporter.fail(error);
  }
}

interface Prepared {
  readonly node: NodeHost;
  readonly ports: SuppliedPorts;
  readonly resolved: ResolvedInit;
  /** `certs/ca` or `certs/all`; absent for the whole workflow. */
  readonly phase: string | undefined;
}

/** Reads the configuration, and asks the machine what it leaves open. */
async function prepare(
  invocation: Invocation,
  { input, read, signer = webCryptoSigner() }: InitHeadStart = {},
): Promise<Prepared> {
  const { path } = invocation;
  const { node, flags, text, path: config } = input ?? (await initInput(invocation));
  let criSocket: string = knownCriSockets[0];
  const ports = localPorts({ node, criSocket: () => criSocket, signer });
  const command = path.join(' ');
  const resolved = await namingFile(config, () =>
    resolveInit({
      configText: text,
      flags,
      read,
      ports,
      workingDirectory: node.absolute('.'),
      // A phase that the flag table does not know looks for the runtime, as the whole workflow does.
      command: initCommands.some((known) => known.command === command) ? command : initWorkflow.name,
    }),
  );
  criSocket = resolved.context.init.nodeRegistration.criSocket;
  return { node, ports, resolved, phase: path.length > 2 ? path.slice(2).join('/') : undefined };
}

async function printOnly(invocation: Invocation): Promise<void> {
  const { node, resolved, phase = '' } = await prepare(invocation);
  printWarnings(invocation, resolved.warnings);
  const { printManifests } = await import('./print-manifests.ts');
  await printManifests(invocation, { context: resolved.context, phase, node });
}

async function initOrPhase(
  invocation: Invocation,
  { reporter, headStart }: { readonly reporter: Reporter; readonly headStart: InitHeadStart },
): Promise<void> {
  const { program, release, path, output, signal } = invocation;
  const command = path.join(' ');
  const { node, ports, resolved, phase } = await prepare(invocation, headStart);
  const { context, skipPhases, dryRun, warnings } = resolved;
  const selection: Selection = { ...(phase === undefined ? {} : { only: [phase] }), skip: skipPhases };
  const nodeName = context.init.nodeRegistration.name;
  const { kubernetesVersion } = context.cluster;
  reporter.begin(
    { workflow: command, nodeName, kubernetesVersion, ...(phase === undefined ? {} : { phase }), dryRun },
    warnings,
  );

  const request = { workflow: initWorkflow, config: context, ports, selection, signal };
  if (dryRun) return (await import('./dry-run.ts')).dryRun(request, { node, reporter });
  const actor = `${program} ${release.manifest.version} (pid ${process.pid})`;
  const { lock, optional, journal } = ownStatePaths();
  const turn = {
    path: lock && (await node.locate(lock)),
    optional,
    who: `${program} ${command}`,
    waiting: (message: string) => output.stderr(`${message}\n`),
    signal,
  };
  const result = await withNodeLock(turn, () =>
    runWorkflow({ ...request, actor, report: reporter.event, ...(journal === undefined ? {} : { journal }) }),
  );
  reporter.finish(
    result,
    phase === undefined
      ? closingLines({ program, result, adminKubeconfig: `${context.kubeconfigDirectory}/admin.conf` })
      : [],
  );
}
