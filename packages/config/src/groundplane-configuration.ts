import { stringifyYaml } from '@groundplane/manifest';
import { decodeDocument, type Problem } from './decode-document.ts';
import { encodeDocument } from './encode-document.ts';
import { bool, type Field, string, struct } from './field-schema.ts';
import { groundplaneApiVersion, groundplaneKind } from './read-documents.ts';
import { isAbsolutePath } from './text-grammars.ts';

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
});

/** All defaults. */
export const defaultGroundplaneConfiguration: GroundplaneConfiguration = decodeDocument(
  groundplaneConfigurationSchema,
  {},
).value;

/** Folders whose contents belong to others: the kubelet runs what it finds in the first, `reset` empties all of them. */
const foreignFolders: readonly string[] = ['/etc/kubernetes/manifests', '/var/lib/kubelet', '/var/lib/etcd'];

/** Values that cannot be used. */
export function validateGroundplaneConfiguration({ journal, coreDNS }: GroundplaneConfiguration): readonly Problem[] {
  const problems: Problem[] = [];
  const { path } = journal;
  const reason = path === undefined ? undefined : reasonAgainstPath(path);
  if (reason !== undefined) problems.push({ path: 'journal.path', reason, value: path });
  if (!choices.includes(coreDNS.apiServer)) {
    const wanted = `it must be one of ${choices.join(', ')}`;
    problems.push({ path: 'coreDNS.apiServer', reason: wanted, value: coreDNS.apiServer });
  }
  return problems;
}

function reasonAgainstPath(path: string): string | undefined {
  if (!isAbsolutePath(path)) return 'it must be an absolute path';
  if (path.split('/').slice(1).some(isNoName)) return 'it must be the path of a file, without empty parts, . and ..';
  const folder = foreignFolders.find((each) => path === each || path.startsWith(`${each}/`));
  return folder && `it must not be in ${folder}, which the kubelet uses and reset empties`;
}

function isNoName(part: string): boolean {
  return part === '' || part === '.' || part === '..' || part.includes('\0');
}

/** The YAML text of the document, with all defaults but the path of the journal, which depends on the machine. Keys are sorted. */
export function groundplaneConfigurationDocument(configuration: GroundplaneConfiguration): string {
  return stringifyYaml({
    apiVersion: groundplaneApiVersion,
    kind: groundplaneKind,
    ...encodeDocument(groundplaneConfigurationSchema, configuration),
  });
}
