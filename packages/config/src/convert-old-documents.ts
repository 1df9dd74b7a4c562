import { errorsOf, type Finding } from '@groundplane/errors';
import { decodeDocument } from './decode-document.ts';
import { encodeDocument } from './encode-document.ts';
import type { Field } from './field-schema.ts';
import { invalidConfiguration, problemFinding } from './findings.ts';
import { type MovedField, type OldKind, oldKinds } from './old-configuration-schemas.ts';
import { type ConfigurationDocument, type Documents, kubeadmApiVersion, oldApiVersion } from './read-documents.ts';
import { unusedFields } from './strict-decoding.ts';

/** What became of a field that the new API version has in another form or place, or not at all. */
export interface MigrationRemark {
  /** Kind of the document that had it. */
  readonly kind: string;
  /** Its field path there. */
  readonly from: string;
  /** Its field path now, or empty if it is gone. */
  readonly to: string;
  /** One sentence that names both. */
  readonly message: string;
}

export interface ConvertedDocuments {
  readonly documents: Documents;
  readonly remarks: readonly MigrationRemark[];
}

type Struct = Record<string, unknown>;

/**
 * Turns documents of kubeadm.k8s.io/v1beta3 into ones of v1beta4; others stay as they are. Decoding is strict, as it is
 * for the documents of the current version.
 *
 * @throws GroundplaneError CONFIG_INVALID with field paths of v1beta3
 */
export function convertOldDocuments(documents: Documents): ConvertedDocuments {
  const converted = new Map(documents);
  const remarks: MigrationRemark[] = [];
  const findings: Finding[] = [];
  const moves: { readonly kind: string; readonly field: MovedField; readonly value: unknown }[] = [];
  for (const document of documents.values()) {
    const old = document.apiVersion === oldApiVersion ? oldKinds[document.kind] : undefined;
    if (old === undefined) continue;
    const decoded = decodeDocument(old.schema as unknown as Field<unknown>, document.value);
    findings.push(...decoded.problems.map(problemFinding), ...unusedFields(document, decoded.unknownFields, true));
    const value = encodeDocument(old.schema as unknown as Field<unknown>, decoded.value);
    const { kind } = document;
    remarks.push({
      kind,
      from: 'apiVersion',
      to: 'apiVersion',
      message: `${kind}: ${oldApiVersion} became ${kubeadmApiVersion}`,
    });
    remarks.push(...convertArguments(kind, old, value));
    for (const field of old.moved) {
      const moved = takeOut(value, field.from);
      if (moved !== undefined) moves.push({ kind, field, value: moved });
    }
    converted.set(kind, { ...document, apiVersion: kubeadmApiVersion, value, duplicateKeys: [] });
  }
  const errors = errorsOf(findings);
  if (errors.length > 0) throw invalidConfiguration('the configuration', errors);
  for (const move of moves) remarks.push(putIn(converted, move));
  return { documents: converted, remarks };
}

/** Maps of arguments become lists, sorted by name. */
function convertArguments(kind: string, old: OldKind, value: Struct): readonly MigrationRemark[] {
  const remarks: MigrationRemark[] = [];
  for (const path of old.argumentMaps) {
    const args = takeOut(value, path) as Readonly<Record<string, string>> | undefined;
    const names = Object.keys(args ?? {}).toSorted();
    if (names.length === 0) continue;
    setPath(
      value,
      path,
      names.map((name) => ({ name, value: args?.[name] ?? '' })),
    );
    const message = `${kind}: ${path} became a list of names and values, sorted by name: ${names.join(', ')}`;
    remarks.push({ kind, from: path, to: path, message });
  }
  return remarks;
}

/** Puts a value where v1beta4 has it, unless that field is given already. */
function putIn(
  documents: Map<string, ConfigurationDocument>,
  { kind, field, value }: { readonly kind: string; readonly field: MovedField; readonly value: unknown },
): MigrationRemark {
  const { from, toKind, to } = field;
  const target = documents.get(toKind) ?? {
    apiVersion: kubeadmApiVersion,
    kind: toKind,
    value: {},
    duplicateKeys: [],
    usedBy: 'init',
  };
  const document = structuredClone(target.value ?? {}) as Struct;
  const given = valueAt(document, to);
  const remark = (now: string, what: string) => ({ kind, from, to: now, message: `${kind}: ${from} ${what}` });
  if (given !== undefined && given !== null) {
    return remark('', `is dropped, as the ${toKind} has ${to} already: ${JSON.stringify(given)}`);
  }
  setPath(document, to, value);
  documents.set(toKind, { ...target, value: document });
  return remark(to, `became ${to} of the ${toKind}: ${JSON.stringify(value)}`);
}

function valueAt(struct: Struct, path: string): unknown {
  return path.split('.').reduce<unknown>((at, key) => (at as Struct | null | undefined)?.[key], struct);
}

function takeOut(struct: Struct, path: string): unknown {
  const keys = path.split('.');
  const last = keys.pop() ?? '';
  const parent = keys.length === 0 ? struct : (valueAt(struct, keys.join('.')) as Struct | undefined);
  const value = parent?.[last];
  if (parent !== undefined) delete parent[last];
  return value;
}

function setPath(struct: Struct, path: string, value: unknown): void {
  const keys = path.split('.');
  const last = keys.pop() ?? '';
  let at = struct;
  for (const key of keys) {
    at[key] ??= {};
    at = at[key] as Struct;
  }
  at[last] = value;
}
