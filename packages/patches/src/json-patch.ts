import { describe, isObject, isSame, type JsonObject, memberOf, setMember } from './json-value.ts';
import { PatchFault } from './patch-fault.ts';

/**
 * Applies a JSON patch (RFC 6902) as kubeadm's library does (gopkg.in/evanphx/json-patch.v4), which accepts more than the RFC:
 * `replace` of a member that is not there adds it, `copy` of one adds null, negative indices count from the end.
 *
 * @param document is left as it is
 * @param operations the list of operations; null is an empty one
 * @returns the new document, which may be a list if the whole of it was replaced
 * @throws PatchFault; nothing is applied by halves
 */
export function jsonPatch(document: JsonObject, operations: unknown): unknown {
  if (operations === null) return structuredClone(document);
  if (!Array.isArray(operations)) throw new PatchFault(`a JSON patch must be a list: ${describe(operations)}`);
  let root: unknown = structuredClone(document);
  operations.forEach((operation: unknown, index) => {
    try {
      root = applied(root, operation);
    } catch (thrown) {
      if (thrown instanceof PatchFault) throw new PatchFault(`its operation ${index + 1}, ${thrown.message}`);
      throw thrown;
    }
  });
  return root;
}

interface Operation {
  readonly name: string;
  readonly pointer: (member: 'path' | 'from') => string;
  /** The value that is given; undefined if there is none. */
  readonly value: unknown;
}

type Apply = (root: unknown, operation: Operation) => unknown;

const operationTable: Readonly<Record<string, Apply>> = {
  add(root, { pointer, value = null }) {
    const { parent, key } = find(root, pointer('path'));
    insert(parent, key, structuredClone(value));
    return root;
  },
  remove(root, { pointer }) {
    const { parent, key } = find(root, pointer('path'));
    take(parent, key);
    return root;
  },
  replace(root, { pointer, value = null }) {
    const path = pointer('path');
    if (path === '') {
      if (isObject(value) || Array.isArray(value)) return structuredClone(value);
      throw new PatchFault(`replaces the whole document, which must stay a mapping or a list: ${describe(value)}`);
    }
    const { parent, key } = find(root, path);
    if (Array.isArray(parent)) parent[indexOf(parent, key)] = structuredClone(value);
    else setMember(parent, key, structuredClone(value));
    return root;
  },
  move(root, { pointer }) {
    const from = find(root, pointer('from'));
    const value = take(from.parent, from.key);
    const { parent, key } = find(root, pointer('path'));
    insert(parent, key, value);
    return root;
  },
  copy(root, { pointer }) {
    const from = find(root, pointer('from'));
    const value = structuredClone(look(from.parent, from.key));
    const { parent, key } = find(root, pointer('path'));
    insert(parent, key, value);
    return root;
  },
  test(root, { pointer, value = null }) {
    const path = pointer('path');
    const actual = path === '' ? root : lookAt(root, path);
    if (isSame(actual, value)) return root;
    throw new PatchFault(`finds another value than it expects: ${describe(actual)}`);
  },
};

function applied(root: unknown, operation: unknown): unknown {
  const members = isObject(operation) ? operation : {};
  const name = memberOf(members, 'op');
  const apply = typeof name === 'string' && Object.hasOwn(operationTable, name) ? operationTable[name] : undefined;
  if (apply === undefined || typeof name !== 'string') {
    const known = Object.keys(operationTable).join(', ');
    throw new PatchFault(`needs one of ${known} as its op: ${typeof name === 'string' ? `'${name}'` : describe(name)}`);
  }
  const pointer = (member: 'path' | 'from'): string => {
    const text = memberOf(members, member);
    if (typeof text === 'string') return text;
    throw new PatchFault(`${name}, needs a string as ${member}: ${describe(text)}`);
  };
  try {
    return apply(root, { name, pointer, value: memberOf(members, 'value') });
  } catch (thrown) {
    const path = memberOf(members, 'path');
    if (!(thrown instanceof PatchFault) || typeof path !== 'string') throw thrown;
    throw new PatchFault(`${name} ${path === '' ? '""' : path}, ${thrown.message}`);
  }
}

type Container = JsonObject | unknown[];

/** The container that a pointer (RFC 6901) leads into, and the last token. */
function find(root: unknown, pointer: string): { readonly parent: Container; readonly key: string } {
  const [, ...tokens] = pointer.split('/').map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
  const key = tokens.pop();
  if (key === undefined) throw new PatchFault(`needs a path into the document: '${pointer}'`);
  let at = root as Container;
  let walked = '';
  for (const token of tokens) {
    walked += `/${token}`;
    const next = look(at, token);
    if (!isObject(next) && !Array.isArray(next)) {
      throw new PatchFault(`leads through what is no mapping or list at ${walked}: ${describe(next)}`);
    }
    at = next;
  }
  return { parent: at, key };
}

function lookAt(root: unknown, pointer: string): unknown {
  const { parent, key } = find(root, pointer);
  return look(parent, key);
}

/** A missing member reads as null. */
function look(parent: Container, key: string): unknown {
  return Array.isArray(parent) ? parent[indexOf(parent, key)] : (memberOf(parent, key) ?? null);
}

function insert(parent: Container, key: string, value: unknown): void {
  if (!Array.isArray(parent)) setMember(parent, key, value);
  else if (key === '-') parent.push(value);
  else parent.splice(indexOf(parent, key, { places: parent.length + 1 }), 0, value);
}

function take(parent: Container, key: string): unknown {
  if (Array.isArray(parent)) return parent.splice(indexOf(parent, key), 1)[0];
  if (!Object.hasOwn(parent, key)) throw new PatchFault(`removes what is not there: ${key}`);
  const value = parent[key];
  delete parent[key];
  return value;
}

function indexOf(list: readonly unknown[], token: string, { places = list.length }: { places?: number } = {}): number {
  const number = /^[+-]?\d+$/.test(token) ? Number(token) : Number.NaN;
  const index = number < 0 ? number + places : number;
  if (index >= 0 && index < places) return index;
  throw new PatchFault(`needs an index of a list of ${list.length}: ${token}`);
}
