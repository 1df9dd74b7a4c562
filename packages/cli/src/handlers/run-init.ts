import { initWorkflow, resolveInit, webCryptoSigner } from '@groundplane/bootstrap';
import { initCommands, knownCriSockets, mixedFlags } from '@groundplane/config';
import { errorsOf } from '@groundplane/errors';
import { isBlocked, planWorkflow, runWorkflow, type Selection } from '@groundplane/phases';
import { cliError } from '../error-codes.ts';
import { type Invocation, textFlag } from '../invocation.ts';
import { localPorts } from '../local-ports.ts';
import { ownStatePaths, withNodeLock } from '../node-lock.ts';
import { closingLines } from '../render/closing-lines.ts';
import { standing } from '../render/error-lines.ts';
import { distinct } from '../render/plan-lines.ts';
import { type Reporter, reporterFor } from '../render/reporter.ts';

/** Flags that are ours or that concern this process only; the configuration does not see them. */
const ownFlags: ReadonlySet<string> = new Set(['output', 'v']);

/**
 * Runs `init`, or one of its phases (`init phase certs ca`, `init phase certs all`).
 *
 * @throws GroundplaneError of the engine, the configuration, the adapters; CLI_ROOTFS_UNSUPPORTED
 */
export async function runInit(invocation: Invocation): Promise<void> {
  const reporter = reporterFor(invocation);
  try {
    await initOrPhase(invocation, reporter);
  } catch (error) {
    throw reporter.fail(error);
  }
}

async function initOrPhase(invocation: Invocation, reporter: Reporter): Promise<void> {
  const { program, release, path, signal } = invocation;
  const rootfs = textFlag(invocation, 'rootfs') ?? '';
  if (rootfs !== '') {
    throw cliError(
      'CLI_ROOTFS_UNSUPPORTED',
      `Cannot work inside another root as this release does not do that yet: --rootfs=${rootfs}`,
    );
  }
  let criSocket: string = knownCriSockets[0];
  const ports = localPorts({ criSocket: () => criSocket, signer: webCryptoSigner() });
  const phase = path.length > 2 ? path.slice(2).join('/') : undefined;
  const command = path.join(' ');
  const flags = Object.fromEntries(Object.entries(invocation.flags).filter(([name]) => !ownFlags.has(name)));
  // Flags that may not stand beside --config are refused by resolveInit, whatever the file is; kubeadm does not read it first.
  const mixed = mixedFlags(Object.keys(flags)).length > 0;
  const configText = mixed ? '' : await readConfigFile(invocation, ports.host.files);
  const { context, skipPhases, dryRun, warnings } = await resolveInit({
    configText,
    flags,
    ports,
    workingDirectory: process.cwd(),
    // A phase that the flag table does not know looks for the runtime, as the whole workflow does.
    command: initCommands.some((known) => known.command === command) ? command : initWorkflow.name,
  });
  criSocket = context.init.nodeRegistration.criSocket;

  const selection: Selection = { ...(phase === undefined ? {} : { only: [phase] }), skip: skipPhases };
  const nodeName = context.init.nodeRegistration.name;
  const { kubernetesVersion } = context.cluster;
  reporter.begin(
    { workflow: command, nodeName, kubernetesVersion, ...(phase === undefined ? {} : { phase }), dryRun },
    warnings,
  );

  const request = { workflow: initWorkflow, config: context, ports, selection, signal };
  if (dryRun) {
    const plan = await planWorkflow(request);
    reporter.plan(plan);
    if (isBlocked(plan)) {
      const findings = distinct(plan.phases.flatMap((planned) => errorsOf(planned.findings)));
      throw cliError(
        'CLI_PLAN_BLOCKED',
        `Cannot run ${initWorkflow.name}: ${standing(findings.length)}, nothing was changed`,
        { findings },
      );
    }
    return;
  }
  const actor = `${program} ${release.manifest.version} (pid ${process.pid})`;
  const { lock, journal } = ownStatePaths();
  const result = await withNodeLock(lock, `${program} ${command}`, () =>
    runWorkflow({ ...request, actor, report: reporter.event, ...(journal === undefined ? {} : { journal }) }),
  );
  reporter.finish(
    result,
    phase === undefined
      ? closingLines({ program, result, adminKubeconfig: `${context.kubeconfigDirectory}/admin.conf` })
      : [],
  );
}

/** The text of the file that `--config` names; undefined without the flag. */
async function readConfigFile(
  invocation: Invocation,
  files: ReturnType<typeof localPorts>['host']['files'],
): Promise<string | undefined> {
  const path = textFlag(invocation, 'config') ?? '';
  if (path === '') return undefined;
  const file = await files.read(path.startsWith('/') ? path : `${process.cwd()}/${path}`);
  if (file === undefined) {
    throw cliError('CLI_FILE_UNREADABLE', `unable to read config from ${path}: there is no such file`, {
      details: { path },
    });
  }
  return new TextDecoder().decode(file.bytes);
}
