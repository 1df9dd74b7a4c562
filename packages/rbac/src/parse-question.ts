import type { AccessQuestion } from './access-question.ts';
import { type ApiResource, findApiResource } from './api-resources.ts';
import { rbacError } from './error-codes.ts';

/** A question as `kubectl auth can-i` takes it. */
export interface QuestionText {
  readonly verb: string;
  /** `TYPE`, `TYPE.GROUP`, either with `/NAME` behind it, or a path that begins with a slash. */
  readonly resource: string;
  readonly subresource?: string;
  /** Of objects that live in namespaces; `default` if absent, as kubectl has it. */
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
export function parseQuestion(text: QuestionText): ParsedQuestion {
  const { verb, resource, subresource } = text;
  if (verb === '' || resource === '') {
    throw rbacError(
      'RBAC_QUESTION_INVALID',
      `Cannot answer a question without a verb and a resource: '${verb}' '${resource}'`,
    );
  }
  if (resource.startsWith('/')) {
    if (subresource !== undefined || text.namespace !== undefined || text.allNamespaces === true) {
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
  const [type = '', name, ...more] = text.resource.split('/');
  if (type === '' || name === '' || more.length > 0) {
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
  const notes: string[] = [];
  if (![...objectVerbs, ...specialVerbs].includes(verb)) notes.push(verbNote(verb, [...objectVerbs, ...specialVerbs]));
  if (name !== undefined && subresource === undefined && subresources.includes(name)) {
    notes.push(
      `${type}/${name} is the object named ${name}, as in kubectl; for the subresource write ${type} --subresource ${name}`,
    );
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
      ...(subresource === undefined || subresource === '' ? {} : { subresource }),
      ...(scope === undefined ? {} : { namespace: scope }),
      ...(name === undefined ? {} : { name }),
    },
    notes,
  };
}

type KnownKind = Pick<ApiResource, 'group' | 'name'> & { readonly namespaced: boolean | undefined };

function resourceOf(type: string): KnownKind {
  const found = findApiResource(type);
  if (found !== undefined) return found;
  const [name = '', ...group] = type.split('.');
  // A kind of an extension: whether it lives in namespaces is not known here.
  if (group.length > 0 && name !== '') return { group: group.join('.'), name, namespaced: undefined };
  if (type === '*') return { group: '*', name: '*', namespaced: undefined };
  throw rbacError(
    'RBAC_RESOURCE_UNKNOWN',
    `Cannot tell which API group is meant as Kubernetes has no such resource: ${type}`,
    {
      hint: 'Write TYPE.GROUP for a resource of an extension',
      details: { resource: type },
    },
  );
}

function verbNote(verb: string, known: readonly string[]): string {
  return `${verb} is no usual verb here; usual are ${known.filter((one) => one !== '*').join(', ')}`;
}
