import { rbacApiGroup } from '@groundplane/manifest';
import { allRbacObjects, bootstrapRoles, objectsOf, reconciledRows } from '@groundplane/rbac';
import { describe, expect, it } from 'vitest';
import { initWorkflow } from '../src/init-workflow.ts';
import { joinWorkflow } from '../src/join-workflow.ts';
import { resetWorkflow } from '../src/reset-workflow.ts';

type Place = { readonly kind: string; readonly name: string; readonly namespace?: string | undefined };

const text = ({ kind, namespace, name }: Place): string => `${kind} ${namespace ?? ''}/${name}`;

interface Writing {
  readonly phase: string;
  readonly objects: readonly string[];
}

/** The RBAC objects that the phases of a workflow declare to write. */
function writings(
  phases: typeof initWorkflow.phases | typeof joinWorkflow.phases | typeof resetWorkflow.phases,
): readonly Writing[] {
  return phases.flatMap(({ name, writes }) => {
    const objects = Object.values(writes).flatMap((slot) => {
      const artifact = 'optional' in slot ? slot.optional : slot;
      const location = artifact.where({} as never);
      return location.kind === 'object' && location.reference.apiVersion.startsWith(`${rbacApiGroup}/`)
        ? [text(location.reference)]
        : [];
    });
    return objects.length === 0 ? [] : [{ phase: name, objects }];
  });
}

/** A hidden phase makes it earlier than its row says, so that logs can be read while the cluster comes up. */
const earlier = { 'kubelet-access': 'ClusterRoleBinding /kubeadm:apiserver-kubelet-client' } as const;

describe('every RBAC object of the table', () => {
  const written = writings(initWorkflow.phases);

  it('is written by init', () => {
    expect(reconciledRows(initWorkflow.phases.map(({ name }) => name)).leftOut).toEqual([]);
    const wanted = allRbacObjects().map(({ kind, metadata }) => text({ kind, ...metadata }));
    expect(written.flatMap(({ objects }) => objects).toSorted()).toEqual(wanted.toSorted());
  });

  it.each(bootstrapRoles.map((row) => [row.name, row] as const))('is written by the phase of its row: %s', (_, row) => {
    for (const { kind, metadata } of objectsOf(row)) {
      const object = text({ kind, ...metadata });
      const phases = written.filter(({ objects }) => objects.includes(object)).map(({ phase }) => phase);
      expect(phases).toEqual([object === earlier['kubelet-access'] ? 'kubelet-access' : row.writtenBy]);
    }
  });
});

it('a worker that joins, and a reset, write no RBAC object: they have no right to', () => {
  expect(writings(joinWorkflow.phases)).toEqual([]);
  expect(writings(resetWorkflow.phases)).toEqual([]);
});
