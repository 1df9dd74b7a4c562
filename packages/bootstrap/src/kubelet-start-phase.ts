import {
  instanceConfigDocument,
  kubeadmFlagsEnv,
  kubeletConfigFile as kubeletConfigText,
  kubeletFlags,
  parseKubeletConfig,
} from '@groundplane/kubelet';
import { applyPatches } from '@groundplane/patches';
import { type AnyPhase, contract, type Host, type Layout, optional } from '@groundplane/phases';
import { kubeconfigArtifact, kubeletConfigFile, kubeletFlagsFile, kubeletInstanceConfig } from './artifacts.ts';
import { type InitContext, layoutOf } from './init-context.ts';
import { initSystemMissing, type KubeletUnitState, kubeletUnitFindings } from './kubelet-unit.ts';
import { kubeletConfigFindings } from './patched-documents.ts';

const unit = 'kubelet';
const kubeletKubeconfig = kubeconfigArtifact('kubelet.conf');

/** The artifacts that a kubelet reads when it starts: if one is younger than its process, it has to start again. */
const readAtStart = [kubeletFlagsFile, kubeletInstanceConfig, kubeletConfigFile, kubeletKubeconfig];

/** Writes the kubelet's files and has it run with them (kubeadm: cmd/phases/init/kubelet.go). */
export const kubeletStartPhase: AnyPhase<InitContext> = contract<InitContext>().defineEffect({
  name: 'kubelet-start',
  summary: 'Write kubelet settings and (re)start the kubelet',
  configuration: ['nodeRegistration', 'KubeletConfiguration', 'patches'],
  reads: { kubeconfig: optional(kubeletKubeconfig) },
  writes: { flags: kubeletFlagsFile, instanceConfig: kubeletInstanceConfig, config: kubeletConfigFile },
  uses: ['host'],
  render({ config, existing, outputs }) {
    const { name, criSocket, kubeletExtraArgs } = config.init.nodeRegistration;
    const instanceConfig = keepsAdministratorsPart(existing.instanceConfig, criSocket);
    return outputs({
      flags: kubeadmFlagsEnv(
        kubeletFlags({ nodeName: name, hostName: config.machine.hostName, extraArgs: kubeletExtraArgs }),
      ),
      instanceConfig,
      config: kubeletConfigText(config.kubelet, {
        instanceConfig,
        patch: (document) => applyPatches('kubeletconfiguration', document, config.patches),
        ...(config.machine.resolvConf === undefined ? {} : { resolvConf: config.machine.resolvConf }),
      }),
    });
  },
  async verify({ config, ports: { host } }) {
    const layout = layoutOf(config);
    const state = await unitState(host, layout);
    const content = await host.files.read(pathOf(kubeletConfigFile, layout));
    const findings =
      content === undefined
        ? []
        : kubeletConfigFindings(parseKubeletConfig(new TextDecoder().decode(content.bytes)), {
            context: config,
            expectations: {
              containerRuntimeEndpoint: config.init.nodeRegistration.criSocket,
              clientCAFile: config.kubelet.authentication.x509.clientCAFile,
              staticPodPath: config.kubelet.staticPodPath,
            },
          });
    return [...findings, ...kubeletUnitFindings(state)];
  },
  async run({ ports: { host }, progress }) {
    const { initSystem } = await host.services.status(unit);
    if (initSystem === 'none') {
      // Machines are somebody else's job: without an init system somebody else starts the kubelet.
      progress(initSystemMissing);
      return;
    }
    progress('Starting the kubelet');
    await host.services.restart(unit);
  },
});

/** An instance configuration that names our socket already stays as it is: an administrator may have added to it. */
function keepsAdministratorsPart(existing: string | undefined, criSocket: string): string {
  if (
    existing !== undefined &&
    parseKubeletConfig(existing, 'instance-config.yaml').containerRuntimeEndpoint === criSocket
  )
    return existing;
  return instanceConfigDocument(criSocket);
}

function pathOf(artifact: typeof kubeletConfigFile, layout: Layout): string {
  const location = artifact.where(layout);
  if (location.kind !== 'file') throw new TypeError(`Cannot find the path of '${artifact.id}' as it is not a file`);
  return location.path;
}

async function unitState(host: Host, layout: Layout): Promise<KubeletUnitState> {
  const [status, ...files] = await Promise.all([
    host.services.status(unit),
    ...readAtStart.map((artifact) => host.files.status(pathOf(artifact, layout))),
  ]);
  const youngest = Math.max(...files.map((file) => file?.modifiedMs ?? 0));
  return { status, youngestFileMs: youngest };
}
