import type { WorkflowRequest } from './plan.ts';
import type { RunRequest } from './run.ts';

/** A value that must be of a type which TypeScript alone does not hold everybody to. */
export interface Wanted {
  /** What an argument of this type is, for messages: `a function`. */
  readonly name: string;
  readonly isMet: (value: unknown) => boolean;
}

const isNames = (value: unknown) => Array.isArray(value) && value.every((name) => typeof name === 'string');

/** The types of arguments. */
export const wanted = {
  text: { name: 'a text', isMet: (value) => typeof value === 'string' },
  flag: { name: 'true or false', isMet: (value) => typeof value === 'boolean' },
  function: { name: 'a function', isMet: (value) => typeof value === 'function' },
  object: { name: 'an object', isMet: isObject },
  names: { name: 'a list of names', isMet: isNames },
  signal: { name: 'an AbortSignal', isMet: (value) => value instanceof AbortSignal },
} as const satisfies Readonly<Record<string, Wanted>>;

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Holds the fields of an argument to their types; those that are absent are fine.
 *
 * @param title what is called, `plan`, and the field that is looked into, `selection`
 * @throws TypeError naming the field, and what it is
 */
export function requireTypes<T>(
  title: { readonly call: string; readonly at?: string },
  argument: T,
  types: { readonly [K in keyof T]?: Wanted },
): void {
  const { call, at } = title;
  if (!isObject(argument)) throw misused(call, at ?? 'the argument', wanted.object, argument);
  for (const [field, type] of Object.entries<Wanted>(types as Readonly<Record<string, Wanted>>)) {
    const value: unknown = argument[field as keyof T];
    if (value !== undefined && !type.isMet(value))
      throw misused(call, at === undefined ? field : `${at}.${field}`, type, value);
  }
}

function misused(call: string, field: string, { name }: Wanted, value: unknown): TypeError {
  return new TypeError(`Cannot ${call} as ${field} is not ${name}: ${kindOf(value)}`);
}

/** What something is, without what is in it, which may be secret. */
export function kindOf(value: unknown): string {
  if (value === null || value === undefined || typeof value === 'number' || typeof value === 'boolean')
    return String(value);
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'string' ? 'a text' : `of type ${typeof value}`;
}

/** @throws TypeError for a selection that is none */
export function requireSelection(call: string, selection: unknown): void {
  if (selection === undefined) return;
  requireTypes({ call, at: 'selection' }, selection as NonNullable<WorkflowRequest<unknown>['selection']>, {
    only: wanted.names,
    skip: wanted.names,
  });
}

/** @throws TypeError for what callers without TypeScript may have got wrong */
export function requireRequest<C>(request: WorkflowRequest<C>): void {
  const call = `work on ${request.workflow.name}`;
  requireTypes<Partial<RunRequest<C>>>({ call }, request, {
    ports: wanted.object,
    signal: wanted.signal,
    report: wanted.function,
  });
}
