import { type FieldRow, fieldsOf } from './field-table.ts';
import { PatchFault } from './patch-fault.ts';

/** How a strategic merge patch treats a list. */
export interface ListSchema {
  readonly itemType: string;
  /** False: the patch's list replaces it. */
  readonly merges: boolean;
  readonly mergeKey: string | undefined;
}

/**
 * The type of a member that holds an object.
 *
 * @param type of the object that has the member
 * @throws PatchFault if the type has no such member
 */
export function objectMember(type: string, name: string): string {
  return rowOf(type, name).type;
}

/**
 * What is known about a member that holds a list.
 *
 * @throws PatchFault if the type has no such member, or it is no list
 */
export function listMember(type: string, name: string): ListSchema {
  const row = rowOf(type, name);
  const list = row.type.replace(/^\*/, '');
  if (!list.startsWith('[]')) throw new PatchFault(`${name} of ${typeName(type)} is no list`);
  return { itemType: list.slice(2), merges: row.strategies.includes('merge'), mergeKey: row.mergeKey };
}

/** Like Go's JSON, by exact name or else by one that differs in letter case only. */
function rowOf(type: string, name: string): FieldRow {
  const plain = typeName(type);
  const fields = fieldsOf(plain);
  if (fields === undefined) throw new PatchFault(`${name} cannot be merged as it is no field of ${plain}`);
  const folded = name.toLowerCase();
  const row = fields.get(name) ?? [...fields.values()].find((field) => field.name.toLowerCase() === folded);
  if (row === undefined) throw new PatchFault(`${plain} has no field ${name}`);
  return row;
}

function typeName(type: string): string {
  return type.replace(/^\*/, '');
}
