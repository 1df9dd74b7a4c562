import type { ClusterObject, ObjectQuery } from '@groundplane/phases';
import type { ApiCaller } from './api-caller.ts';
import { isUnknownPath } from './api-fault.ts';
import { parseAnswer } from './parse-answer.ts';
import { describeAddress, unknownKind } from './resource-finder.ts';

export interface ListedObjects {
  readonly items: readonly ClusterObject[];
  /** Of the collection: a watch goes on from here. */
  readonly resourceVersion: string;
}

interface ListAnswer {
  readonly metadata?: { readonly resourceVersion?: string; readonly continue?: string };
  readonly items?: readonly ClusterObject[] | null;
}

const pageSize = 500;

/** All objects of a collection, page by page. A page that came too late (410) makes it start again. */
export async function listObjects(
  caller: ApiCaller,
  options: { readonly query: ObjectQuery; readonly path: string; readonly signal?: AbortSignal | undefined },
): Promise<ListedObjects> {
  const { query, path, signal } = options;
  const items: ClusterObject[] = [];
  let next: string | undefined;
  for (;;) {
    const what = `get the ${describeAddress(query)}`;
    const answer = await caller.call(
      { method: 'GET', path: `${path}?${listParameters(query, { limit: String(pageSize), continue: next })}` },
      {
        what,
        signal,
        accept: (one) => isUnknownPath(one) || (one.status === 410 && next !== undefined),
      },
    );
    if (answer.status === 404) throw unknownKind(caller.connection.server, query);
    if (answer.status === 410) {
      items.length = 0;
      next = undefined;
      continue;
    }
    const page = parseAnswer<ListAnswer>(answer.text, { what, server: caller.connection.server });
    // The items of a list do not say their kind.
    items.push(...(page.items ?? []).map((item) => ({ ...item, apiVersion: query.apiVersion, kind: query.kind })));
    next = page.metadata?.continue;
    if (next === undefined || next === '') return { items, resourceVersion: page.metadata?.resourceVersion ?? '' };
  }
}

/** The query part of a list or watch. */
export function listParameters(query: ObjectQuery, more: Readonly<Record<string, string | undefined>>): string {
  const parameters = { labelSelector: query.labelSelector, fieldSelector: query.fieldSelector, ...more };
  const defined = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) defined.set(name, value);
  }
  return defined.toString();
}
