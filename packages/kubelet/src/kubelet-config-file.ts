import { parseYaml, stringifyYaml } from '@groundplane/manifest';
import { applyPatches } from '@groundplane/patches';
import { kubeletError } from './error-codes.ts';
import { goQuote } from './go-quote.ts';

/** A KubeletConfiguration as a plain document, apiVersion and kind included. */
export type KubeletConfigDocument = Readonly<Record<string, unknown>>;

/** resolv.conf of systemd-resolved, for hosts where that service is active. */
export const systemdResolvConf = '/run/systemd/resolve/resolv.conf';

/** The text of /var/lib/kubelet/instance-config.yaml, the settings of this node that are in no ConfigMap. Mode 0644. */
export function instanceConfigDocument(criSocket: string): string {
  return `containerRuntimeEndpoint: ${goQuote(criSocket)}\n`;
}

export interface KubeletConfigFileOptions {
  /** resolv.conf to use if the configuration names none; see {@link systemdResolvConf}. */
  readonly resolvConf?: string;
  /** Text of instance-config.yaml, or its value; merged last. */
  readonly instanceConfig: string | KubeletConfigDocument;
  /** The user's patches for the target kubeletconfiguration, applied before the instance configuration. */
  readonly patch?: (document: KubeletConfigDocument) => KubeletConfigDocument;
}

/**
 * The cluster's configuration as it is before patches on a host: with its resolv.conf, unless the configuration names one (kubeadm,
 * componentconfigs/kubelet.go, Mutate). Not for the ConfigMap.
 */
export function localKubeletConfig<T extends KubeletConfigDocument>(configuration: T, resolvConf?: string): T {
  const isOpen = configuration.resolvConf === undefined || configuration.resolvConf === null;
  return resolvConf !== undefined && isOpen ? { ...configuration, resolvConf } : configuration;
}

/**
 * The text of /var/lib/kubelet/config.yaml (kubeadm, phases/kubelet/config.go): the cluster's configuration, this host's
 * resolv.conf, patches, then the instance configuration. Mode 0644.
 *
 * @throws KUBELET_CONFIG_UNREADABLE if the instance configuration is no mapping, PATCHES_NOT_APPLICABLE if it does not fit
 */
export function kubeletConfigFile(configuration: KubeletConfigDocument, options: KubeletConfigFileOptions): string {
  const { resolvConf, instanceConfig, patch = (document) => document } = options;
  const local = localKubeletConfig(configuration, resolvConf);
  const instance =
    typeof instanceConfig === 'string' ? parseKubeletConfig(instanceConfig, 'instance-config.yaml') : instanceConfig;
  return stringifyYaml(
    applyPatches('kubeletconfiguration', patch(local), [
      {
        path: 'instance-config.yaml',
        target: 'kubeletconfiguration',
        type: 'strategic',
        patches: [{ number: 1, value: instance }],
      },
    ]),
  );
}

/**
 * Reads a kubelet configuration file.
 *
 * @param name of the file, for messages
 * @throws KUBELET_CONFIG_UNREADABLE, or manifest's errors if the text is no YAML
 */
export function parseKubeletConfig(text: string, name = 'config.yaml'): KubeletConfigDocument {
  const value = parseYaml(text);
  if (isMapping(value)) return value;
  throw kubeletError('KUBELET_CONFIG_UNREADABLE', `Cannot read ${name} as it holds no mapping: ${describe(value)}`, {
    hint: 'Let the phase kubelet-start write the file again',
  });
}

export function isMapping(value: unknown): value is KubeletConfigDocument {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function describe(value: unknown): string {
  return value === null ? 'nothing' : Array.isArray(value) ? 'a list' : `a ${typeof value}`;
}
