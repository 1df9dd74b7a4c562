/** Whether somebody may do something with objects. */
export interface ResourceQuestion {
  readonly verb: string;
  /** The empty string is the core group; `*` asks for all. */
  readonly group: string;
  /** Plural name, without the subresource. */
  readonly resource: string;
  readonly subresource?: string;
  /** Absent: of the whole cluster, or of all namespaces. */
  readonly namespace?: string;
  /** Absent: objects of any name. */
  readonly name?: string;
  /** A list or a watch of those objects alone whose field has this value. */
  readonly fieldSelector?: { readonly field: string; readonly value: string };
}

/** Whether somebody may ask a URL that is no object. */
export interface UrlQuestion {
  /** The HTTP method in small letters. */
  readonly verb: string;
  readonly path: string;
}

/** What the API server's authorizers are asked. */
export type AccessQuestion = ResourceQuestion | UrlQuestion;

/** The resource with its subresource, as rules name it: `pods/log`. */
export function combinedResource({ resource, subresource }: ResourceQuestion): string {
  return subresource === undefined ? resource : `${resource}/${subresource}`;
}

/** A question for people: `get configmaps named kubeadm-config in kube-system`. */
export function questionText(question: AccessQuestion): string {
  if ('path' in question) return `${question.verb} ${question.path}`;
  const { verb, group, name, namespace } = question;
  const [resource = '', ...subresource] = combinedResource(question).split('/');
  const what = [group === '' ? resource : `${resource}.${group}`, ...subresource].join('/');
  const selector = question.fieldSelector;
  return [
    verb,
    what,
    ...(name === undefined ? [] : [`named ${name}`]),
    ...(selector === undefined ? [] : [`with ${selector.field}=${selector.value}`]),
    ...(namespace === undefined ? [] : [`in ${namespace}`]),
  ].join(' ');
}
