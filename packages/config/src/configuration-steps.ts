import type { Finding } from '@groundplane/errors';
import {
  clusterConfigurationDocument,
  documentSeparator,
  initConfigurationDocument,
  joinConfigurationDocument,
  resetConfigurationDocument,
  upgradeConfigurationDocument,
} from './configuration-documents.ts';
import { groundplaneConfigurationDocument } from './groundplane-configuration.ts';
import { joinKind, readCommandDocument, resetKind, upgradeKind } from './read-command-documents.ts';
import { type Documents, groundplaneKind, requireSupported } from './read-documents.ts';
import { groundplaneOf } from './read-groundplane-document.ts';
import { readInitDocuments } from './read-init-documents.ts';
import { resolveJoinConfiguration, resolveResetConfiguration } from './resolve-command-documents.ts';
import { resolveInitConfiguration } from './resolve-configuration.ts';
import type { HostFacts } from './resolve-node.ts';

export interface StepOptions {
  /** What is filled in where the file is silent. */
  readonly host: HostFacts;
  /** Whether kubeadm.k8s.io/v1 may be read. @default false */
  readonly allowExperimentalApi?: boolean;
  /** Of the files that {@link discoveryFilesOf} names, those that do not exist. @default [] */
  readonly missingFiles?: readonly string[];
  /** A new random bootstrap token `id.secret`; called once for each token without a value. */
  readonly randomToken: () => string;
  /** The version that a label stands for, if the caller has looked it up. */
  readonly lookedUpVersion?: string;
  /** Whether the sockets that answer on the host count; otherwise the default socket is taken. */
  readonly detectCriSocket: boolean;
}

export interface StepResult {
  /** The documents as kubeadm writes them. */
  readonly text: string;
  readonly warnings: readonly Finding[];
}

/** Kinds that are read together, in the order in which `config validate` and `config migrate` go through a file. */
interface ConfigurationStep {
  readonly kinds: readonly string[];
  /** @throws GroundplaneError of kind usage */
  readonly run: (documents: Documents, options: StepOptions) => StepResult;
}

/** Strict decoding; all kinds of the file have their turn, so none counts as ignored. */
const reading = { strict: true, warnIgnored: false } as const;

/** kubeadm, util/config/common.go, ValidateConfig and MigrateOldConfig; our own kind comes last. */
export const configurationSteps: readonly ConfigurationStep[] = [
  {
    kinds: ['InitConfiguration', 'ClusterConfiguration'],
    run: (documents, options) => {
      for (const document of documents.values()) requireSupported(document, options);
      const read = readInitDocuments(documents, { ...reading, checkIgnored: false });
      const resolved = resolveInitConfiguration(read, options.host, { ...options, purpose: 'convert' });
      const texts = [initConfigurationDocument(resolved.init), clusterConfigurationDocument(resolved.cluster)];
      return { text: texts.join(documentSeparator), warnings: resolved.warnings };
    },
  },
  {
    kinds: ['JoinConfiguration'],
    run: (documents, options) => {
      const read = readCommandDocument(joinKind, documents, { ...options, ...reading });
      const resolved = resolveJoinConfiguration(read, options.host, { ...options, purpose: 'convert' });
      return { text: joinConfigurationDocument(resolved.configuration), warnings: resolved.warnings };
    },
  },
  {
    kinds: ['ResetConfiguration'],
    run: (documents, options) => {
      const read = readCommandDocument(resetKind, documents, { ...options, ...reading });
      const resolved = resolveResetConfiguration(read, options.host, options);
      return { text: resetConfigurationDocument(resolved.configuration), warnings: resolved.warnings };
    },
  },
  {
    kinds: ['UpgradeConfiguration'],
    run: (documents, options) => {
      const { configuration, warnings } = readCommandDocument(upgradeKind, documents, { ...options, ...reading });
      return { text: upgradeConfigurationDocument(configuration), warnings };
    },
  },
  {
    kinds: [groundplaneKind],
    run: (documents) => {
      const groundplane = groundplaneOf(documents);
      return { text: groundplane === undefined ? '' : groundplaneConfigurationDocument(groundplane), warnings: [] };
    },
  },
];

/** The steps that have something to do in a file. */
export function stepsFor(documents: Documents): readonly ConfigurationStep[] {
  return configurationSteps.filter(({ kinds }) => kinds.some((kind) => documents.has(kind)));
}
