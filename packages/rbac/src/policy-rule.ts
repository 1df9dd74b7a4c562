import type { PolicyRule } from '@groundplane/manifest';

/**
 * A rule from its short form: `get,list core,apps pods,deployments/status [names]`, or `get /livez,/readyz` for URLs that are no objects.
 * `core` stands for the group without a name.
 *
 * @throws TypeError if it has another number of parts
 */
export function parsePolicyRule(text: string): PolicyRule {
  const [verbs = '', second, resources, names, ...more] = text.split(' ');
  if (second === undefined || more.length > 0 || (resources === undefined && !/^[/*]/.test(second))) {
    throw new TypeError(`Cannot read a rule as it has another number of parts: ${text}`);
  }
  if (resources === undefined) return { nonResourceURLs: second.split(','), verbs: verbs.split(',') };
  return {
    apiGroups: second.split(',').map((group) => (group === coreGroup ? '' : group)),
    resources: resources.split(','),
    ...(names === undefined ? {} : { resourceNames: names.split(',') }),
    verbs: verbs.split(','),
  };
}

const coreGroup = 'core';

/** A rule for people: `get, list pods, pods/log`, `get configmaps named kubeadm-config`, `get /livez`. */
export function policyRuleText({
  verbs,
  apiGroups = [],
  resources = [],
  resourceNames,
  nonResourceURLs,
}: PolicyRule): string {
  const what = verbs.map((verb) => (verb === '*' ? 'do anything with' : verb)).join(', ');
  if (nonResourceURLs !== undefined) return `${what} ${nonResourceURLs.map(urlText).join(', ')}`;
  const names = resourceNames === undefined ? '' : ` named ${resourceNames.join(', ')}`;
  return `${what} ${resources.flatMap((resource) => resourceTexts(resource, apiGroups)).join(', ')}${names}`;
}

function urlText(url: string): string {
  return url === '*' ? 'every URL' : url;
}

function resourceTexts(resource: string, groups: readonly string[]): readonly string[] {
  return groups.map((group) => {
    if (group === '*') return resource === '*' ? 'all objects' : `${resource} of all API groups`;
    if (resource === '*') return `all objects of ${group === '' ? 'the core group' : group}`;
    if (group === '') return resource;
    // kubectl's spelling puts the group behind the resource and before the subresource.
    const [name, ...subresource] = resource.split('/');
    return [`${name}.${group}`, ...subresource].join('/');
  });
}
