import { stringifyYaml } from '@groundplane/manifest';
import { decodeDocument, type Problem } from './decode-document.ts';
import { encodeDocument } from './encode-document.ts';
import { bool, type Field, string, struct } from './field-schema.ts';
import { reasonAgainstJournalPath, type TakenPlace } from './journal-place.ts';
import { groundplaneApiVersion, groundplaneKind } from './read-documents.ts';
import { type SignerSettings, signerSettingsSchema, validateSignerSettings } from './signer-settings.ts';

/** Settings that kubeadm does not have: the document GroundplaneConfiguration of groundplane.dev/v1alpha1. */
export interface GroundplaneConfiguration {
  readonly journal: {
    /** Absolute path on the node; absent: where the program keeps its state, `/var/lib/groundplane/journal.jsonl`. */
    readonly path?: string;
    /** True if none is kept. */
    readonly disabled: boolean;
  };
  readonly coreDNS: {
    /**
     * By what the pods of CoreDNS reach the API server. `Address`: at its own address, where the control plane has one, so that they
     * need no Service rules. `Service`: by the Service kubernetes, as kubeadm has it; where pods can start at once, init waits for its
     * rules before it installs CoreDNS.
     */
    readonly apiServer: 'Address' | 'Service';
  };
  /** Absent: certificates are signed with the keys of the CAs on the node. */
  readonly signer?: SignerSettings;
}

/** Where root's journal is unless something else is said. */
export const defaultJournalPath = '/var/lib/groundplane/journal.jsonl';

const choices: readonly string[] = ['Address', 'Service'];

export const groundplaneConfigurationSchema: Field<GroundplaneConfiguration> = struct<GroundplaneConfiguration>({
  journal: struct<GroundplaneConfiguration['journal']>({
    path: string({ optional: true }),
    disabled: bool({ always: true }),
  }),
  coreDNS: struct<GroundplaneConfiguration['coreDNS']>({
    apiServer: string<'Address' | 'Service'>({ default: 'Address', always: true }),
  }),
  signer: signerSettingsSchema,
});

/** All defaults. */
export const defaultGroundplaneConfiguration: GroundplaneConfiguration = decodeDocument(
  groundplaneConfigurationSchema,
  {},
).value;

/**
 * Values that cannot be used.
 *
 * @param places taken ones beside those of every node
 */
export function validateGroundplaneConfiguration(
  { journal, coreDNS, signer }: GroundplaneConfiguration,
  places: readonly TakenPlace[] = [],
): readonly Problem[] {
  const problems: Problem[] = [];
  const { path } = journal;
  const reason = path === undefined ? undefined : reasonAgainstJournalPath(path, places);
  if (reason !== undefined) problems.push({ path: 'journal.path', reason, value: path });
  if (!choices.includes(coreDNS.apiServer)) {
    const wanted = `it must be one of ${choices.join(', ')}`;
    problems.push({ path: 'coreDNS.apiServer', reason: wanted, value: coreDNS.apiServer });
  }
  return signer === undefined ? problems : [...problems, ...validateSignerSettings(signer)];
}

/** The YAML text of the document, with all defaults but the path of the journal, which depends on the machine. Keys are sorted. */
export function groundplaneConfigurationDocument(configuration: GroundplaneConfiguration): string {
  return stringifyYaml({
    apiVersion: groundplaneApiVersion,
    kind: groundplaneKind,
    ...encodeDocument(groundplaneConfigurationSchema, configuration),
  });
}
