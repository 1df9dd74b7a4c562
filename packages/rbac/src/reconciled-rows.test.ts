import { expect, it } from 'vitest';
import { bootstrapRoles } from './bootstrap-roles.ts';
import { reconciledRows } from './reconciled-rows.ts';

it('reconciledRows() tells apart what the phases of a workflow write', () => {
  const { reconciled, leftOut } = reconciledRows(['certs/ca', 'upload-config/kubelet', 'addon/coredns']);
  expect(reconciled.map(({ name }) => name)).toEqual(['kubeadm:kubelet-config', 'system:coredns']);
  expect(leftOut).toHaveLength(bootstrapRoles.length - 2);
  expect(reconciledRows([]).leftOut).toEqual(bootstrapRoles);
});
