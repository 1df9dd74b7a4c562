import type { PolicyRule } from '@groundplane/manifest';
import { type AccessQuestion, combinedResource, type ResourceQuestion } from './access-question.ts';

/** Whether a rule of a role grants what is asked (kubernetes pkg/apis/rbac/v1/evaluation_helpers.go). */
export function ruleAllows(rule: PolicyRule, question: AccessQuestion): boolean {
  if ('path' in question) return allowsVerb(rule, question.verb) && allowsPath(rule, question.path);
  return allowsKind(rule, question) && allowsName(rule, question.name ?? '');
}

/** Whether it would grant it for some name. */
export function allowsKind(rule: PolicyRule, question: ResourceQuestion): boolean {
  return (
    allowsVerb(rule, question.verb) && includesOrAll(rule.apiGroups, question.group) && allowsResource(rule, question)
  );
}

function allowsVerb(rule: PolicyRule, verb: string): boolean {
  return includesOrAll(rule.verbs, verb);
}

function allowsResource({ resources = [] }: PolicyRule, question: ResourceQuestion): boolean {
  const { subresource } = question;
  return (
    includesOrAll(resources, combinedResource(question)) ||
    (subresource !== undefined && resources.includes(`*/${subresource}`))
  );
}

function allowsName({ resourceNames = [] }: PolicyRule, name: string): boolean {
  return resourceNames.length === 0 || resourceNames.includes(name);
}

function allowsPath({ nonResourceURLs = [] }: PolicyRule, path: string): boolean {
  return nonResourceURLs.some(
    (url) => url === '*' || url === path || (url.endsWith('*') && path.startsWith(url.replace(/\*+$/, ''))),
  );
}

function includesOrAll(values: readonly string[] | undefined, wanted: string): boolean {
  return values?.some((value) => value === '*' || value === wanted) ?? false;
}
