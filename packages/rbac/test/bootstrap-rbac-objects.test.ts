import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { allRbacObjects, type RbacObject, rbacObjects } from '../src/rbac-objects.ts';

const expected = JSON.parse(
  readFileSync(new URL('../../../test/cases/bootstrap-rbac-objects/expected-rbac.json', import.meta.url), 'utf8'),
) as Readonly<Record<string, unknown>>;

/** As the case writes it down: the object's name, and what it grants to whom. */
function summary(object: RbacObject): readonly [string, unknown] {
  const { namespace, name } = object.metadata;
  const title = `${object.kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`;
  if (!('roleRef' in object)) return [title, { rules: object.rules }];
  const role = object.roleRef.kind === 'Role' ? `Role ${object.roleRef.name}` : object.roleRef.name;
  return [title, { role, subjects: (object.subjects ?? []).map((subject) => `${subject.kind} ${subject.name}`) }];
}

it('the bootstrap-token phase grants exactly what the case bootstrap-rbac-objects lists', () => {
  expect(Object.fromEntries(rbacObjects('bootstrap-token').map(summary))).toEqual(expected);
});

it('no object of bootstrap is for everybody without a name, or for system:masters', () => {
  const subjects = allRbacObjects().flatMap((object) => ('subjects' in object ? (object.subjects ?? []) : []));
  const names = subjects.map(({ name }) => name);
  expect(names).toContain('system:anonymous');
  expect(
    names.filter((name) => ['system:unauthenticated', 'system:authenticated', 'system:masters'].includes(name)),
  ).toEqual([]);
});
