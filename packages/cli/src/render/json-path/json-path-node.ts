/** One step of a template in the JSONPath dialect of Kubernetes (k8s.io/client-go/util/jsonpath). */
export type JsonPathNode =
  | { readonly type: 'text'; readonly value: string }
  | { readonly type: 'constant'; readonly value: number | boolean }
  | { readonly type: 'keyword'; readonly name: string }
  | { readonly type: 'field'; readonly name: string }
  | { readonly type: 'wildcard' }
  | { readonly type: 'recursive' }
  | ({ readonly type: 'slice' } & Slice)
  | { readonly type: 'union'; readonly paths: readonly JsonPath[] }
  | { readonly type: 'filter'; readonly left: JsonPath; readonly operator: string; readonly right: JsonPath }
  | { readonly type: 'path'; readonly steps: JsonPath };

/** Steps that are taken one after another. */
export type JsonPath = readonly JsonPathNode[];

export interface Slice {
  readonly start?: number;
  readonly end?: number;
  readonly step?: number;
  /** One element, counted from the end if negative, in place of a range. */
  readonly single?: true;
}

/** A template that cannot be read or does not fit; the message is kubeadm's. */
export class JsonPathError extends Error {
  override readonly name = 'JsonPathError';
}
