import type { Finding } from '@groundplane/errors';
import { documentSeparator } from './configuration-documents.ts';
import { type StepOptions, stepsFor } from './configuration-steps.ts';
import { convertOldDocuments, type MigrationRemark } from './convert-old-documents.ts';
import { type Documents, experimentalApiVersion, kubeadmApiVersion } from './read-documents.ts';
import { knownDocuments } from './validate-configuration-file.ts';

export type MigrateOptions = Omit<StepOptions, 'detectCriSocket'>;

export interface MigratedConfiguration {
  /** YAML documents of kubeadm.k8s.io/v1beta4 in kubeadm's order; empty if the file holds none of its kinds. */
  readonly text: string;
  /** What became of fields that are not where they were. */
  readonly remarks: readonly MigrationRemark[];
  readonly warnings: readonly Finding[];
}

/**
 * Writes a configuration file anew in kubeadm.k8s.io/v1beta4, with all defaults and the values of this host
 * (kubeadm, util/config/common.go, MigrateOldConfig). It reads v1beta4, v1 where that is allowed, and v1beta3, which
 * kubeadm 1.37 no longer does.
 *
 * @throws GroundplaneError of kind usage: CONFIG_UNREADABLE, CONFIG_KIND_UNKNOWN, CONFIG_API_VERSION_UNSUPPORTED;
 *   CONFIG_INVALID with all problems as findings, whose artifacts are field paths
 */
export function migrateConfiguration(text: string, options: MigrateOptions): MigratedConfiguration {
  const known = knownDocuments(text);
  const { documents, remarks } = convertOldDocuments(known);
  const results = stepsFor(documents).map(({ run }) => run(documents, { ...options, detectCriSocket: true }));
  return {
    text: results.map((result) => result.text).join(documentSeparator),
    remarks: [...remarks, ...droppedMergeMethods(known), ...droppedComponents(known)],
    warnings: results.flatMap(({ warnings }) => warnings),
  };
}

/** v1beta4 has no merge methods, so an argument that was to be combined with the default replaces it. */
function droppedMergeMethods(documents: Documents): readonly MigrationRemark[] {
  return [...documents.values()]
    .filter(({ apiVersion }) => apiVersion === experimentalApiVersion)
    .flatMap(({ kind, value }) =>
      pathsOf(value, 'mergeMethod', '').map((from) => {
        const what = `is dropped, as ${kubeadmApiVersion} lacks it: the argument now replaces the default one`;
        return { kind, from, to: '', message: `${kind}: ${from} ${what}` };
      }),
    );
}

function pathsOf(value: unknown, name: string, path: string): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => pathsOf(item, name, `${path}[${index}]`));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => {
    const memberPath = path === '' ? key : `${path}.${key}`;
    return key === name && member !== '' && member !== null ? [memberPath] : pathsOf(member, name, memberPath);
  });
}

function droppedComponents(documents: Documents): readonly MigrationRemark[] {
  return [...documents.values()]
    .filter(({ usedBy }) => usedBy === 'component')
    .map(({ kind, apiVersion }) => {
      const message = `${kind}: the document is not written, as only kubeadm's own kinds are migrated: keep it (${apiVersion})`;
      return { kind, from: '', to: '', message };
    });
}
