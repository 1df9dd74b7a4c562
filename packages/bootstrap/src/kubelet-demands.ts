import { kubeletConfigRequirements } from '@groundplane/kubelet';
import { parseYaml } from '@groundplane/manifest';
import type { Demand, JsonValue } from '@groundplane/phases';
import { rule } from './certificate-demands.ts';
import type { InitContext } from './init-context.ts';
import { kubeletExpectations, kubeletFileContents, type kubeletFiles } from './kubelet-files.ts';
import { asJson } from './object-demands.ts';

type KubeletDemandOptions = NonNullable<Parameters<typeof kubeletFileContents>[2]> & {
  /** Where the configuration of the kubelet comes from, in words. */
  readonly origin?: string;
};

/** What is asked of the files of a kubelet. */
export function kubeletFileDemands(
  config: InitContext,
  { origin = 'the configuration', ...options }: KubeletDemandOptions = {},
): Readonly<Record<keyof typeof kubeletFiles, readonly Demand[]>> {
  const made = kubeletFileContents(config, { instanceConfig: undefined }, options);
  return {
    flags: [
      {
        text: 'Made here: the variable KUBELET_KUBEADM_ARGS, which the unit of the kubelet hands to it',
        content: made.flags,
      },
      rule('BOOTSTRAP_KUBELET_FLAGS_UNREADABLE', 'error', 'It sets that variable'),
      rule('BOOTSTRAP_KUBELET_FLAG_UNKNOWN', 'warning', 'It has no flag that a kubelet of v1.37 does not know'),
    ],
    instanceConfig: [
      {
        text: `Made here; one that names the socket ${config.init.nodeRegistration.criSocket} already stays as it is`,
        document: asJson(parseYaml(made.instanceConfig)),
      },
    ],
    config: [
      { text: `Made here from ${origin}, with the patches of this node`, document: asJson(parseYaml(made.config)) },
      ...kubeletConfigRequirements(kubeletExpectations(config)).map(
        ({ path, severity, value, consequence }): Demand => ({
          text: `Its ${path} is ${JSON.stringify(value)}, otherwise ${consequence}`,
          code: 'KUBELET_CONFIG_UNEXPECTED',
          severity,
          field: { path, value: value as JsonValue },
        }),
      ),
      rule(
        'BOOTSTRAP_KUBELET_CONFIG_REFUSED',
        'error',
        'Each field has the type that the kubelet knows, and numbers are in its bounds; it does not start otherwise',
      ),
      rule('BOOTSTRAP_KUBELET_CONFIG_FIELD_UNKNOWN', 'warning', 'It has no field that the kubelet does not know'),
    ],
  };
}

/** What is asked of the kubelet itself, where it has been started. */
export const runningKubeletDemands: readonly Demand[] = [
  rule(
    'BOOTSTRAP_KUBELET_UNMANAGED',
    'warning',
    'systemd or OpenRC looks after the kubelet; otherwise somebody else starts it',
  ),
  rule(
    'BOOTSTRAP_KUBELET_NOT_RUNNING',
    'error',
    'The service kubelet is there, runs, and was started after the files that it reads were last changed',
  ),
];
