import type { Finding } from '@groundplane/errors';
import {
  instanceConfigDocument,
  type KubeletExpectations,
  kubeadmFlagsEnv,
  kubeletConfigFile as kubeletConfigText,
  kubeletFlags,
  parseKubeletConfig,
  type RegistrationTaint,
} from '@groundplane/kubelet';
import { applyPatches } from '@groundplane/patches';
import type { Artifact, Host, Layout } from '@groundplane/phases';
import { kubeletConfigFile, kubeletFlagsFile, kubeletInstanceConfig } from './artifacts.ts';
import { filePathOf } from './file-path-of.ts';
import type { InitContext } from './init-context.ts';
import { initSystemMissing, kubeletUnitFindings } from './kubelet-unit.ts';
import { kubeletConfigFindings, patchedKubelet } from './patched-documents.ts';

const unit = 'kubelet';

/** The files of a kubelet, whichever workflow starts it. */
export const kubeletFiles = {
  flags: kubeletFlagsFile,
  instanceConfig: kubeletInstanceConfig,
  config: kubeletConfigFile,
};

/** Their contents (kubeadm, phases/kubelet). */
export function kubeletFileContents(
  config: InitContext,
  existing: { readonly instanceConfig: string | undefined },
  { taints = [] }: { readonly taints?: readonly RegistrationTaint[] } = {},
): Readonly<Record<keyof typeof kubeletFiles, string>> {
  const { name, criSocket, kubeletExtraArgs } = config.init.nodeRegistration;
  const { hostName, resolvConf } = config.machine;
  const instanceConfig = keepsAdministratorsPart(existing.instanceConfig, criSocket);
  return {
    flags: kubeadmFlagsEnv(kubeletFlags({ nodeName: name, hostName, taints, extraArgs: kubeletExtraArgs })),
    instanceConfig,
    config: kubeletConfigText(config.kubelet, {
      instanceConfig,
      patch: (document) => applyPatches('kubeletconfiguration', document, config.patches),
      ...(resolvConf === undefined ? {} : { resolvConf }),
    }),
  };
}

/** An instance configuration that names our socket already stays as it is: an administrator may have added to it. */
function keepsAdministratorsPart(existing: string | undefined, criSocket: string): string {
  if (
    existing !== undefined &&
    parseKubeletConfig(existing, 'instance-config.yaml').containerRuntimeEndpoint === criSocket
  )
    return existing;
  return instanceConfigDocument(criSocket);
}

export interface RunningKubelet {
  readonly host: Host;
  readonly layout: Layout;
  /** What it reads when it starts, beside its files: if one is younger than its process, it has to start again. */
  readonly readAtStart: readonly Artifact<unknown>[];
}

/** What its configuration is held to. */
export function kubeletExpectations(config: InitContext): KubeletExpectations {
  const { init, kubelet } = config;
  // Its health is asked for where the patched configuration says.
  const { healthzBindAddress, healthzPort } = patchedKubelet(config);
  return {
    ...(healthzBindAddress === undefined ? {} : { healthzBindAddress }),
    ...(healthzPort === undefined ? {} : { healthzPort }),
    containerRuntimeEndpoint: init.nodeRegistration.criSocket,
    clientCAFile: kubelet.authentication.x509.clientCAFile,
    staticPodPath: kubelet.staticPodPath,
  };
}

/** Whether the kubelet runs, with the files that are there, and these are what later phases rely on. */
export async function runningKubeletFindings(
  config: InitContext,
  { host, layout, readAtStart }: RunningKubelet,
): Promise<readonly Finding[]> {
  const read = [...Object.values(kubeletFiles), ...readAtStart];
  const [status, content, ...files] = await Promise.all([
    host.services.status(unit),
    host.files.read(filePathOf(kubeletConfigFile, layout)),
    ...read.map((artifact) => host.files.status(filePathOf(artifact, layout))),
  ]);
  const findings =
    content === undefined
      ? []
      : kubeletConfigFindings(parseKubeletConfig(new TextDecoder().decode(content.bytes)), {
          context: config,
          expectations: kubeletExpectations(config),
        });
  const youngestFileMs = Math.max(...files.map((file) => file?.modifiedMs ?? 0));
  return [...findings, ...kubeletUnitFindings({ status, youngestFileMs })];
}

/** Starts the kubelet, or starts it again. */
export async function startKubelet(host: Host, progress: (message: string) => void): Promise<void> {
  const { initSystem } = await host.services.status(unit);
  if (initSystem === 'none') {
    // Machines are somebody else's job: without an init system somebody else starts the kubelet.
    progress(initSystemMissing);
    return;
  }
  progress('Starting the kubelet');
  await host.services.restart(unit);
}
