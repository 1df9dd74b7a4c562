import { type JoinContext, joinWorkflow, resolveJoin } from '@groundplane/bootstrap';
import type { HttpsGet } from '@groundplane/discovery';
import { httpsGet } from '@groundplane/host';
import { joinClosingLines } from '../render/join-closing-lines.ts';
import type { WorkflowRun } from './workflow-run.ts';

/** Through the proxy that the environment asks for, as Go programs do. */
const throughProxies: HttpsGet = async (url, options) => {
  const { proxyFor } = await import('@groundplane/cluster');
  const proxy = proxyFor(new URL(url), process.env);
  return httpsGet(url, { ...options, ...(proxy === undefined ? {} : { proxy }) });
};

/** How the command line runs `join`. */
export const joinRun: WorkflowRun<JoinContext> = {
  workflow: joinWorkflow,
  resolve: ({ input, ports, command, invocation, progress }) =>
    resolveJoin({
      configText: input.text,
      flags: input.flags,
      endpoint: invocation.words[0],
      ports,
      fetch: throughProxies,
      command,
      workingDirectory: input.node.absolute('.'),
      progress: (message) => progress('discovery', message),
      signal: invocation.signal,
    }),
  criSocket: ({ join }) => join.nodeRegistration.criSocket,
  nodeName: ({ join }) => join.nodeRegistration.name,
  kubernetesVersion: ({ cluster }) => cluster.kubernetesVersion,
  dryRunVariable: 'KUBEADM_JOIN_DRYRUN_DIR',
  closing: joinClosingLines,
  missing: {
    reason: 'this release joins workers only',
    hint: 'Join the node as a worker, or a node of the control plane with kubeadm',
  },
};
