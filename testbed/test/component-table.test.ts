import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { componentGroups, findGroup } from '../src/component-table.ts';
import { buildArguments, groupDigest } from '../src/components.ts';
import { imagesFor } from '../src/image-table.ts';

const folder = join(import.meta.dirname, '..', 'components');

describe('componentGroups', () => {
  it('has unique names', () => {
    const names = componentGroups.map((group) => group.name);
    expect(new Set(names).size).toBe(names.length);
  });

  it.each(componentGroups.map((group) => [group.name, group] as const))(
    '%s has its module and its versions',
    (_, group) => {
      const module = readFileSync(join(folder, group.name, 'go.mod'), 'utf8');
      expect(group.components.length).toBeGreaterThan(0);
      for (const component of group.components) {
        if (component.package === '.') expect(existsSync(join(folder, group.name, 'main.go'))).toBe(true);
      }
      // A version that the programs are told at link time is the one that is built.
      for (const [name, value] of Object.entries(group.linkVariables)) {
        if (/\.(gitVersion|Version)$/.test(name)) expect(module).toContain(` ${value}`);
      }
    },
  );

  it('has the program of every image', () => {
    for (const image of imagesFor()) {
      expect(findGroup(image.group).components.map((component) => component.name)).toContain(image.component);
    }
  });
});

describe('groupDigest', () => {
  const group = findGroup('etcd');
  const digest = (files: Record<string, string>, go = 'go1.26.8', packages = ['.']) =>
    groupDigest(group, packages, go, new Map(Object.entries(files)));

  it('does not depend on the order of the files', () => {
    expect(digest({ a: '1', b: '2' })).toBe(digest({ b: '2', a: '1' }));
  });

  it('changes with every input', () => {
    const base = digest({ a: '1' });
    const others = [
      digest({ a: '2' }),
      digest({ b: '1' }),
      digest({ a: '1' }, 'go1.27.0'),
      digest({ a: '1' }, 'go1.26.8', ['x']),
    ];
    expect(new Set([base, ...others]).size).toBe(5);
  });
});

describe('buildArguments', () => {
  it('tells the Kubernetes programs their version', () => {
    expect(buildArguments(findGroup('kubernetes-1.37.2')).join(' ')).toContain(
      '-X k8s.io/component-base/version.gitVersion=v1.37.2 -X k8s.io/component-base/version.gitMajor=1',
    );
  });
});
