import type { NamedObject } from '@groundplane/manifest';
import type { Demand, JsonValue } from '@groundplane/phases';

/** The same for a whole map of objects. */
export function objectsDemands<K extends string>(
  objects: Readonly<Record<K, NamedObject>>,
  code: string,
): Readonly<Record<K, readonly Demand[]>> {
  const entries = Object.entries<NamedObject>(objects).map(([key, object]) => [key, [objectDemand(object, code)]]);
  return Object.fromEntries(entries) as Record<K, readonly Demand[]>;
}

/** What is asked of an object that the cluster has to have. */
export function objectDemand(object: NamedObject, code: string): Demand {
  return {
    text: 'Every field that is set here has this value; others are free',
    code,
    severity: 'error',
    document: asJson(object),
  };
}

/** A document as JSON has it: without fields that are undefined. */
export function asJson(document: unknown): JsonValue {
  return JSON.parse(JSON.stringify(document)) as JsonValue;
}
