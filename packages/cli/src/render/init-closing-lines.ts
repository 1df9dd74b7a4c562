import type { InitContext } from '@groundplane/bootstrap';
import { joinCommand } from '@groundplane/discovery';
import type { ProgramName } from '../invocation.ts';
import type { ClosingFacts } from '../workflows/workflow-run.ts';
import { type JoinCommandValue, joinCommandsOf } from './join-commands.ts';
import { tally } from './tally.ts';

/** What people are told after a whole `init`: how it went, and how to go on. After `show-join-command` alone, the latter. */
export function initClosingLines({ program, context, result, phase }: ClosingFacts<InitContext>): readonly string[] {
  const commands = joinCommandsOf(result);
  const joins = commands.flatMap((facts) => joinLines(facts, program));
  if (phase !== undefined) return joins.slice(1);
  const adminKubeconfig = `${context.kubeconfigDirectory}/admin.conf`;
  return [
    ...(program === 'kubeadm' ? [] : [tally(result)]),
    '',
    // Programs look for this sentence (kubeadm: cmd/phases/init/showjoincommand.go).
    'Your Kubernetes control-plane has initialized successfully!',
    '',
    'To use the cluster as a regular user:',
    '',
    '  mkdir -p $HOME/.kube',
    `  sudo cp -i ${adminKubeconfig} $HOME/.kube/config`,
    '  sudo chown $(id -u):$(id -g) $HOME/.kube/config',
    '',
    'Or as root:',
    '',
    `  export KUBECONFIG=${adminKubeconfig}`,
    '',
    'Nodes become Ready once a pod network is deployed:',
    '  https://kubernetes.io/docs/concepts/cluster-administration/addons/',
    ...joins,
  ];
}

/** Programs look for the sentences before the commands, and for the commands (kubeadm: showjoincommand.go, initDoneTempl). */
function joinLines(facts: JoinCommandValue, program: ProgramName): readonly string[] {
  const { controlPlane, certificateKey } = facts;
  const command = (forControlPlane: boolean) =>
    joinCommand({ ...facts, program, controlPlane: forControlPlane }).split('\n');
  const [first = '', ...rest] = controlPlane ? command(true) : [];
  const controlPlaneLines = [`  ${first}`, ...rest];
  const forControlPlane =
    certificateKey === undefined
      ? [
          '',
          'You can now join any number of control-plane nodes by copying certificate authorities',
          'and service account keys on each node and then running the following as root:',
          '',
          ...controlPlaneLines,
        ]
      : [
          '',
          'You can now join any number of control-plane nodes running the following command on each as root:',
          '',
          ...controlPlaneLines,
          '',
          'The certificate key opens secrets of the cluster, so keep it to yourself. What it opens is deleted in two hours;',
          `later, upload it anew with: ${program} init phase upload-certs --upload-certs`,
        ];
  return [
    ...(controlPlane ? forControlPlane : []),
    '',
    'Then you can join any number of worker nodes by running the following on each as root:',
    '',
    ...command(false),
  ];
}
