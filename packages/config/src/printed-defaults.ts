import { stringifyYaml } from '@groundplane/manifest';
import { clusterConfiguration } from './cluster-configuration-schema.ts';
import {
  clusterConfigurationDocument,
  documentSeparator,
  initConfigurationDocument,
  joinConfigurationDocument,
  resetConfigurationDocument,
  upgradeConfigurationDocument,
} from './configuration-documents.ts';
import type { ClusterConfiguration, InitConfiguration } from './configuration-types.ts';
import { decodeDocument } from './decode-document.ts';
import { configError } from './error-codes.ts';
import type { Field } from './field-schema.ts';
import {
  defaultGroundplaneConfiguration,
  defaultJournalPath,
  groundplaneConfigurationDocument,
} from './groundplane-configuration.ts';
import { initConfiguration } from './init-configuration-schema.ts';
import { joinConfiguration } from './join-configuration-schema.ts';
import { kubeProxyConfiguration } from './kube-proxy-configuration.ts';
import { kubeletConfiguration } from './kubelet-configuration.ts';
import { kubernetesVersions } from './kubernetes-version.ts';
import { normalizeInitDocuments, normalNodeName } from './normalize-configuration.ts';
import { resetConfiguration } from './reset-configuration-schema.ts';
import { knownCriSockets } from './resolve-node.ts';
import { upgradeConfiguration } from './upgrade-configuration-schema.ts';

/** The command whose defaults are printed; `groundplane` for what kubeadm does not have. */
export type PrintedKind = 'init' | 'join' | 'reset' | 'upgrade' | 'groundplane';

export interface PrintedDefaultsOptions {
  /** Kinds of component configurations to print as well, in this order; for `init` alone. @default [] */
  readonly componentConfigs?: readonly string[];
  /** Name of the host, which the defaults of `join` show. */
  readonly hostName: string;
}

/** Stands for the values that only a real run has. */
const placeholders = {
  token: 'abcdef.0123456789abcdef',
  advertiseAddress: '1.2.3.4',
  nodeName: 'node',
  apiServerEndpoint: 'kube-apiserver:6443',
} as const;

const [criSocket] = knownCriSockets;

/**
 * The text that `config print init-defaults` and its siblings print (kubeadm, cmd/config.go): YAML documents with every
 * default written out, ending in a newline.
 *
 * @throws GroundplaneError CONFIG_COMPONENT_UNKNOWN if there is no such component configuration
 */
export function printedDefaults(kind: PrintedKind, options: PrintedDefaultsOptions): string {
  const components = kind === 'init' ? (options.componentConfigs ?? []).map(componentPrinter) : [];
  const documents = defaultDocuments();
  return [
    printers[kind](documents, options.hostName),
    ...components.map((print) => stringifyYaml(print(documents).configuration)),
  ].join(documentSeparator);
}

interface DefaultDocuments {
  readonly init: InitConfiguration;
  readonly cluster: ClusterConfiguration;
  readonly componentConfigs: Readonly<Record<string, never>>;
}

function defaultDocuments(): DefaultDocuments {
  const init = decoded(initConfiguration, {
    bootstrapTokens: [{ token: placeholders.token }],
    localAPIEndpoint: { advertiseAddress: placeholders.advertiseAddress },
    nodeRegistration: { name: placeholders.nodeName, criSocket },
  });
  const cluster = decoded(clusterConfiguration, { kubernetesVersion: kubernetesVersions.newest });
  const normal = normalizeInitDocuments({ init, cluster }, '');
  const { printed } = kubernetesVersions;
  return { init: normal.init, cluster: { ...normal.cluster, kubernetesVersion: printed }, componentConfigs: {} };
}

const printers: Readonly<Record<PrintedKind, (documents: DefaultDocuments, hostName: string) => string>> = {
  init: ({ init, cluster }) =>
    [initConfigurationDocument(init), clusterConfigurationDocument(cluster)].join(documentSeparator),
  join: (_documents, hostName) => {
    const { token, apiServerEndpoint } = placeholders;
    return joinConfigurationDocument(
      decoded(joinConfiguration, {
        nodeRegistration: { name: normalNodeName(hostName), criSocket },
        discovery: {
          bootstrapToken: { token, apiServerEndpoint, unsafeSkipCAVerification: true },
          tlsBootstrapToken: token,
        },
      }),
    );
  },
  reset: () => resetConfigurationDocument(decoded(resetConfiguration, { criSocket })),
  upgrade: () => upgradeConfigurationDocument(decoded(upgradeConfiguration, {})),
  groundplane: () => {
    const { journal, ...others } = defaultGroundplaneConfiguration;
    return groundplaneConfigurationDocument({ ...others, journal: { ...journal, path: defaultJournalPath } });
  },
};

type ComponentPrinter = (documents: DefaultDocuments) => { readonly configuration: unknown };

const componentPrinters: Readonly<Record<string, ComponentPrinter>> = {
  KubeProxyConfiguration: kubeProxyConfiguration,
  KubeletConfiguration: kubeletConfiguration,
};

function componentPrinter(kind: string): ComponentPrinter {
  const printer = Object.hasOwn(componentPrinters, kind) ? componentPrinters[kind] : undefined;
  if (printer !== undefined) return printer;
  const known = Object.keys(componentPrinters).join(' ');
  throw configError(
    'CONFIG_COMPONENT_UNKNOWN',
    `--component-configs needs to contain some of [${known}]: ${JSON.stringify(kind)}`,
  );
}

function decoded<T>(schema: Field<T>, given: unknown): T {
  return decodeDocument(schema, given).value;
}
