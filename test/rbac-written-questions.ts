import {
  type AccessQuestion,
  findApiResource,
  type Identity,
  knownSubjects,
  nodeIdentity,
  parseSubject,
  type QuestionText,
} from '../packages/rbac/dist/index.js';

/** What to write for somebody; undefined where no form says all of the groups. */
export function writtenSubject(identity: Identity): string | undefined {
  const { user, groups } = identity;
  const text = user === '' ? `group:${groups[0]}` : user.startsWith('system:') ? user : `user:${user}`;
  const known = knownSubjects.find((one) => one.identity === identity)?.subject;
  const written = known ?? text;
  // node:NAME is the same in another spelling.
  const name = user.replace(/^system:node:/, '');
  const spelt = known === undefined && name !== user && isSame(nodeIdentity(name), identity) ? `node:${name}` : written;
  try {
    return isSame(parseSubject(spelt), identity) ? spelt : undefined;
  } catch {
    return undefined;
  }
}

function isSame(a: Identity, b: Identity): boolean {
  return a.user === b.user && a.groups.toSorted().join() === b.groups.toSorted().join();
}

/** A question as it is written on a command line; undefined where kubectl has no way to say it. */
export function writtenQuestion(question: AccessQuestion): QuestionText | undefined {
  const { verb } = question;
  if ('path' in question) return question.path.startsWith('/') ? { verb, resource: question.path } : undefined;
  const { group, resource, subresource, namespace, name, fieldSelector } = question;
  if (fieldSelector !== undefined || ((group === '*' || resource === '*') && group !== resource)) return undefined;
  const type = group === '' || group === '*' ? resource : `${resource}.${group}`;
  const isClusterWide = findApiResource(type)?.namespaced === false;
  if (isClusterWide && namespace !== undefined) return undefined;
  return {
    verb,
    resource: name === undefined ? type : `${type}/${name}`,
    ...(subresource === undefined ? {} : { subresource }),
    ...(namespace === undefined ? { allNamespaces: true } : { namespace }),
  };
}
