import { type AnyPhase, contract, formatLocation, type PodSandbox } from '@groundplane/phases';
import { bootstrapFinding } from './error-codes.ts';
import { removeSandboxes } from './remove-sandboxes.ts';
import { etcdData } from './reset-artifacts.ts';
import { type ResetContext, resetLayoutOf } from './reset-context.ts';
import { stopKubelet } from './stop-kubelet.ts';

/**
 * Empties etcd's data directory, unless it is to be left (kubeadm: cmd/phases/reset/removeetcdmember.go). What writes there is stopped
 * before: kubeadm removes the files below a running etcd, which the kubelet may start again on an empty directory.
 */
export const removeEtcdMemberPhase: AnyPhase<ResetContext> = contract<ResetContext>().defineEffect({
  name: 'remove-etcd-member',
  summary: "Empty etcd's data directory on this node",
  configuration: ['force'],
  removes: [etcdData],
  uses: ['host', 'runtime'],
  conditions: (config) => [
    {
      text: `Nothing is in ${formatLocation(etcdData.where(resetLayoutOf(config)))}`,
      code: 'BOOTSTRAP_RESET_INCOMPLETE',
      severity: 'error',
    },
  ],
  bestEffort: true,
  inapplicable: ({ etcd }) => etcd.leftBecause,
  async verify({ config, ports: { host } }) {
    if (config.etcd.hiddenBy !== undefined) throw config.etcd.hiddenBy;
    const place = formatLocation(etcdData.where(resetLayoutOf(config)));
    const names = (await host.files.list(place)) ?? [];
    if (names.length === 0) return [];
    return [
      bootstrapFinding({
        code: 'BOOTSTRAP_RESET_INCOMPLETE',
        severity: 'error',
        artifact: place,
        message: `the data of etcd is in ${place}`,
      }),
    ];
  },
  async run({ ports: { host, runtime }, progress, finding }) {
    await stopKubelet(host, { progress, finding });
    await removeSandboxes(runtime, isEtcd, { progress, finding });
  },
});

function isEtcd({ namespace, name }: PodSandbox): boolean {
  return namespace === 'kube-system' && name.startsWith('etcd-');
}
