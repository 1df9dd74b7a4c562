import type { AccessQuestion } from './access-question.ts';
import { apiResources, findApiResource } from './api-resources.ts';
import { rbacError } from './error-codes.ts';

/** A question as `kubectl auth can-i` takes it. */
export interface QuestionText {
  readonly verb: string;
  /** `TYPE`, `TYPE.GROUP`, `TYPE.VERSION.GROUP`, each with `/NAME` behind it, or a path that begins with a slash. A name may hold slashes. */
  readonly resource: string;
  readonly subresource?: string;
  /** Of objects that live in namespaces; `default` if absent or empty, as kubectl has it. */
  readonly namespace?: string;
  /** All namespaces instead of one. */
  readonly allNamespaces?: boolean;
}

export interface ParsedQuestion {
  readonly question: AccessQuestion;
  /** What may have been meant in another way. */
  readonly notes: readonly string[];
}

const objectVerbs = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection'];
/** Verbs that stand for no request of their own: authorizers are asked about them on the side. */
const specialVerbs = ['approve', 'attest', 'bind', 'escalate', 'impersonate', 'proxy', 'sign', 'use', '*'];
const urlVerbs = ['get', 'head', 'post', 'put', 'patch', 'delete', 'options', '*'];
const subresources = [
  'approval',
  'attach',
  'binding',
  'ephemeralcontainers',
  'eviction',
  'exec',
  'finalize',
  'log',
  'portforward',
  'proxy',
  'resize',
  'scale',
  'status',
  'token',
];

/**
 * Reads a question in the spelling of `kubectl auth can-i VERB TYPE[.GROUP][/NAME]`, `kubectl auth can-i VERB /PATH`.
 *
 * @throws GroundplaneError RBAC_RESOURCE_UNKNOWN, RBAC_QUESTION_INVALID
 */
export function parseQuestion({ namespace, subresource, ...given }: QuestionText): ParsedQuestion {
  const { verb, resource } = given;
  if (verb === '' || resource === '') {
    throw rbacError(
      'RBAC_QUESTION_INVALID',
      `Cannot answer a question without a verb and a resource: '${verb}' '${resource}'`,
    );
  }
  // An empty flag is one that was not given.
  const text: QuestionText = { ...given, ...(namespace && { namespace }), ...(subresource && { subresource }) };
  if (resource.startsWith('/')) {
    if (text.subresource !== undefined || text.namespace !== undefined || text.allNamespaces === true) {
      throw rbacError(
        'RBAC_QUESTION_INVALID',
        `Cannot ask for a path with a namespace or a subresource as it is no object: ${resource}`,
      );
    }
    return { question: { verb, path: resource }, notes: urlVerbs.includes(verb) ? [] : [verbNote(verb, urlVerbs)] };
  }
  return objectQuestion(text);
}

function objectQuestion(text: QuestionText): ParsedQuestion {
  const { verb, subresource, namespace, allNamespaces = false } = text;
  const [, type = '', name] = /^([^/]*)(?:\/(.*))?$/s.exec(text.resource) ?? [];
  if (type === '' || name === '') {
    throw rbacError(
      'RBAC_QUESTION_INVALID',
      `Cannot read the resource as it is not of the form TYPE or TYPE/NAME: ${text.resource}`,
      {
        hint: 'A subresource goes into --subresource, as in kubectl',
      },
    );
  }
  if (allNamespaces && namespace !== undefined) {
    throw rbacError('RBAC_QUESTION_INVALID', `Cannot ask for all namespaces and for one: ${namespace}`);
  }
  const kind = resourceOf(type);
  const notes: string[] = [...(kind.note === undefined ? [] : [kind.note])];
  if (![...objectVerbs, ...specialVerbs].includes(verb)) notes.push(verbNote(verb, [...objectVerbs, ...specialVerbs]));
  if (name !== undefined && subresource === undefined && subresources.includes(name)) {
    notes.push(
      `${type}/${name} is the object named ${name}, as in kubectl; for the subresource write ${type} --subresource ${name}`,
    );
  }
  if (name?.includes('/') === true && kind.name !== 'signers') {
    notes.push(`${name} is all of the name, as in kubectl; a subresource goes into --subresource`);
  }
  if (kind.namespaced === false && namespace !== undefined) {
    notes.push(`${kind.name} are in no namespace; ${namespace} is left out`);
  }
  const scope =
    kind.namespaced === false || allNamespaces ? undefined : (namespace ?? (kind.namespaced ? 'default' : undefined));
  return {
    question: {
      verb,
      group: kind.group,
      resource: kind.name,
      ...(subresource === undefined ? {} : { subresource }),
      ...(scope === undefined ? {} : { namespace: scope }),
      ...(name === undefined ? {} : { name }),
    },
    notes,
  };
}

interface AskedKind {
  readonly group: string;
  readonly name: string;
  readonly namespaced: boolean | undefined;
  readonly note?: string;
}

function resourceOf(type: string): AskedKind {
  const found = findApiResource(type);
  if (found !== undefined) return found;
  if (type === '*') return { group: '*', name: '*', namespaced: undefined };
  const [name = '', ...parts] = type.split('.');
  const group = parts.join('.');
  if (parts.length === 0 || name === '') {
    throw rbacError(
      'RBAC_RESOURCE_UNKNOWN',
      `Cannot tell which API group is meant as Kubernetes has no such resource: ${type}`,
      { hint: 'Write TYPE.GROUP for a resource of an extension', details: { resource: type } },
    );
  }
  const isServed = apiResources.some((known) => known.group === group);
  // Groups of extensions are domains: with a dot.
  if (!isServed && !ruledGroups.has(group) && !/[^.]\.[^.]/.test(group)) {
    throw rbacError('RBAC_RESOURCE_UNKNOWN', `Cannot ask for ${type} as there is no such API group: ${group}`, {
      hint: `Write TYPE.GROUP or TYPE.VERSION.GROUP, ${name} alone for a resource of Kubernetes`,
      details: { resource: type, group },
    });
  }
  const note = isServed ? { note: `Kubernetes has no ${name} in the API group ${group === '' ? '""' : group}` } : {};
  // A kind of an extension: whether it lives in namespaces is not known here.
  return { group, name, namespaced: undefined, ...note };
}

/** Groups that rules name though nothing serves them any more, and the one that stands for all. */
const ruledGroups: ReadonlySet<string> = new Set(['extensions', '*']);

function verbNote(verb: string, known: readonly string[]): string {
  return `${verb} is no usual verb here; usual are ${known.filter((one) => one !== '*').join(', ')}`;
}
